package pain

import (
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"slipway/internal/standards/iso20022"
	"slipway/internal/standards/iso20022/isotest"
)

// F-05, F-12: a status behind what inherits it counts as one before it.
func TestOrderOfAReportDoesNotMatter(t *testing.T) {
	const open, shut = `<Document xmlns="urn:iso:std:iso:20022:tech:xsd:pain.002.001.10"><CstmrPmtStsRpt>`, `</CstmrPmtStsRpt></Document>`
	group := `<OrgnlGrpInfAndSts><OrgnlMsgId>M1</OrgnlMsgId><GrpSts>ACCP</GrpSts></OrgnlGrpInfAndSts>`
	parts := []string{
		`<OrgnlPmtInfId>B1</OrgnlPmtInfId>`,
		`<PmtInfSts>RJCT</PmtInfSts>`,
		`<StsRsnInf><Rsn><Cd>AC04</Cd></Rsn></StsRsnInf>`,
		`<TxInfAndSts><OrgnlEndToEndId>E1</OrgnlEndToEndId></TxInfAndSts>`,
	}

	orders := [][]int{{0, 1, 2, 3}, {3, 2, 1, 0}, {3, 0, 1, 2}, {1, 3, 2, 0}}
	for _, order := range orders {
		block := "<OrgnlPmtInfAndSts>"
		for _, i := range order {
			block += parts[i]
		}

		block += "</OrgnlPmtInfAndSts>"
		for _, file := range []string{open + group + block + shut, open + block + group + shut} {
			var all []Status

			err := Read002(strings.NewReader(file), iso20022.Limits{}, func(s Status) error {
				all = append(all, s)
				return nil
			})
			if err != nil || len(all) != 3 {
				t.Fatalf("%v: %v %+v", order, err, all)
			}

			for i, level := range []Level{GroupLevel, BlockLevel, TransactionLevel} {
				if all[i].Level != level || all[i].Number != i || all[i].OriginalMsgID != "M1" {
					t.Errorf("%v: %+v", order, all[i])
				}
			}

			if last := all[2]; last.Meaning != Rejected || last.OriginalPmtInfID != "B1" || len(last.Reasons) != 1 ||
				last.Reasons[0].Code != "AC04" {
				t.Errorf("%v: %+v", order, last)
			}
		}
	}
}

// F-12: a report that says more than the limit is refused, and nothing of it is handed on.
func TestAReportHasALimit(t *testing.T) {
	many := strings.Replace(
		report,
		"<TxInfAndSts>",
		strings.Repeat("<TxInfAndSts><TxSts>RJCT</TxSts></TxInfAndSts>", 100)+"<TxInfAndSts>",
		1,
	)

	err := Read002(strings.NewReader(many), iso20022.Limits{Statuses: 50}, func(Status) error {
		t.Error("a status")
		return nil
	})
	if e := new(iso20022.Error); !errors.As(err, &e) || e.Code != iso20022.CodeTooMany {
		t.Errorf("%v", err)
	}
}

// F-05: every code of the external lists means something.
func TestEveryStatusOfTheListsIsKnown(t *testing.T) {
	for _, list := range []string{"external_payment_transaction_status_code.json", "external_payment_group_status_code.json"} {
		raw, err := os.ReadFile(filepath.Join(isotest.Folder(t), "codes", list))
		if err != nil {
			t.Fatal(err)
		}

		var codes struct{ Codes map[string]string }
		if err := json.Unmarshal(raw, &codes); err != nil || len(codes.Codes) < 10 {
			t.Fatal(list, err)
		}

		for code := range codes.Codes {
			if meaningOf(code) == Unknown {
				t.Errorf("%s of %s is not known", code, list)
			}
		}
	}

	for _, code := range []string{"RJCT", "CANC", "ACFW"} {
		if final := slices.Contains([]Meaning{Rejected, Cancelled}, meaningOf(code)); final != (code != "ACFW") {
			t.Errorf("%s is %s", code, meaningOf(code))
		}
	}
}
