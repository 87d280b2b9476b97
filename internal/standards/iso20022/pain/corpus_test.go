package pain

import (
	"errors"
	"io"
	"slices"
	"strings"
	"testing"

	"slipway/internal/standards/iso20022"
	"slipway/internal/standards/iso20022/isotest"
)

// The corpus' own words for a status report.
type (
	wantStatus struct {
		PmtInfID     string       `json:"originalPmtInfId"`
		EndToEndID   string       `json:"originalEndToEndId"`
		InstrID      string       `json:"originalInstrId"`
		UETR         string       `json:"uetr"`
		Status       string       `json:"status"`
		Reasons      []*string    `json:"reasons"`
		Info         []string     `json:"additionalInfo"`
		Transactions []wantStatus `json:"transactions"`
	}
	wantReport struct {
		MsgID    string       `json:"msgId"`
		Original string       `json:"originalMsgId"`
		Name     string       `json:"originalMsgName"`
		Status   string       `json:"groupStatus"`
		Reasons  []*string    `json:"groupReasons"`
		Payments []wantStatus `json:"payments"`
	}
)

// kept is a whole status report.
type kept struct {
	msgID    string
	statuses []Status
}

func keep(r io.Reader, l iso20022.Limits) (out kept, err error) {
	err = Read002(r, l, func(s Status) error {
		out.msgID = s.MsgID
		out.statuses = append(out.statuses, s)
		return nil
	})

	return out, err
}

func TestEveryStatusReportOfTheCorpusIsReadRight(t *testing.T) {
	for name, want := range isotest.Expected[wantReport](t, "pain002") {
		got, err := keep(isotest.Open(t, name), iso20022.Limits{})
		if e := new(iso20022.Error); errors.As(err, &e) && e.Code == iso20022.CodeNoNamespace {
			got, err = keep(isotest.Open(t, name), iso20022.Limits{NoNamespace: true})
		}

		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}

		g := got.statuses[0]
		if got.msgID != want.MsgID || g.OriginalMsgID != want.Original || g.OriginalMsgName != want.Name ||
			g.Level != GroupLevel ||
			g.StatedStatus != want.Status {
			t.Errorf("%s: the group is %+v, want %+v", name, g, want)
		}

		sameReasons(t, name, g, want.Reasons, nil)

		rest := got.statuses[1:]
		for _, p := range want.Payments {
			block := rest[0]
			if block.Level != BlockLevel || block.OriginalPmtInfID != p.PmtInfID || block.StatedStatus != p.Status ||
				block.TransactionsBelow != (len(p.Transactions) > 0) {
				t.Errorf("%s: a block is %+v, want %+v", name, block, p)
			}

			sameReasons(t, name, block, p.Reasons, p.Info)

			rest = rest[1:]
			for _, x := range p.Transactions {
				tx := rest[0]

				if x.EndToEndID == "NOTPROVIDED" {
					x.EndToEndID = ""
				}

				if tx.Level != TransactionLevel || tx.OriginalEndToEnd != x.EndToEndID ||
					tx.OriginalInstrID != x.InstrID ||
					tx.OriginalUETR != x.UETR ||
					tx.StatedStatus != x.Status ||
					tx.OriginalPmtInfID != p.PmtInfID {
					t.Errorf("%s: a transaction is %+v, want %+v", name, tx, x)
				}

				sameReasons(t, name, tx, x.Reasons, x.Info)
				rest = rest[1:]
			}
		}

		if len(rest) > 0 {
			t.Errorf("%s: %d statuses too many", name, len(rest))
		}
	}
}

func sameReasons(t *testing.T, name string, s Status, codes []*string, info []string) {
	t.Helper()

	if s.StatedStatus == "" {
		return // inherited
	}

	var got, want, text []string
	for _, r := range s.Reasons {
		if got = append(got, r.Code); r.Info != "" {
			text = append(text, r.Info)
		}
	}

	for _, c := range codes {
		if c == nil {
			c = new(string)
		}

		want = append(want, *c)
	}

	if !slices.Equal(got, want) {
		t.Errorf("%s: the reasons are %q, want %q", name, got, want)
	}

	if strings.Join(text, " ") != strings.Join(info, " ") && info != nil {
		t.Errorf("%s: the text is %q, want %q", name, text, info)
	}
}

// What the readers do not know they refuse with a code: no file of the corpus is taken for another message, and none
// brings a reader down.
func TestOtherMessagesOfTheCorpusAreRefused(t *testing.T) {
	refused := 0
	for _, v := range isotest.Verdicts(t) {
		err := Read002(isotest.Open(t, v.File), iso20022.Limits{}, func(Status) error { return nil })
		if strings.HasPrefix(v.Message, "pain.002") {
			if v.Result == "valid" && err != nil {
				t.Errorf("%s is valid and refused: %v", v.File, err)
			}

			continue
		}

		if err == nil || !iso20022.IsRefusal(err) {
			t.Errorf("%s (%s) is taken for a pain.002: %v", v.File, v.Message, err)
		}

		refused++
	}

	if refused < 100 {
		t.Errorf("only %d files were tried", refused)
	}
}

// A lower level overrules a higher one; without a word of its own it inherits.
func TestTheLowestLevelThatSpeaksDecides(t *testing.T) {
	r, err := keep(strings.NewReader(report), iso20022.Limits{})
	if err != nil {
		t.Fatal(err)
	}

	for i, want := range []struct {
		level              Level
		block, payment     string
		status             string
		meaning            Meaning
		reason             iso20022.Reason
		said, transactions bool
	}{
		{GroupLevel, "", "", "ACCP", UnderWay, "", true, false},
		{BlockLevel, "B1", "", "PDNG", PendingAt, "", true, true},
		{TransactionLevel, "B1", "E1", "RJCT", Rejected, iso20022.ReasonAccountClosed, true, false},
		{TransactionLevel, "B1", "E2", "ACSP", UnderWay, "", true, false},
		{TransactionLevel, "B1", "E3", "PDNG", PendingAt, "", false, false},
		{BlockLevel, "B2", "", "PART", Partly, iso20022.ReasonNotSpecified, true, true},
		{TransactionLevel, "B2", "E5", "RJCT", Rejected, iso20022.ReasonAccountUnknown, true, false},
		{TransactionLevel, "B2", "E6", "PART", Partly, iso20022.ReasonNotSpecified, false, false},
		{BlockLevel, "B3", "", "ACCP", UnderWay, "", false, false},
	} {
		s := r.statuses[i]
		if s.Number != i || s.Level != want.level || s.OriginalPmtInfID != want.block ||
			s.OriginalEndToEnd != want.payment ||
			s.Status != want.status ||
			s.Meaning != want.meaning ||
			(s.StatedStatus != "") != want.said ||
			s.TransactionsBelow != want.transactions ||
			s.OriginalMsgID != "M1" {
			t.Errorf("status %d: %+v, want %+v", i, s, want)
		}

		if want.reason == "" && len(s.Reasons) > 0 ||
			want.reason != "" && (len(s.Reasons) != 1 || s.Reasons[0].Reason != want.reason) {
			t.Errorf("status %d: reasons %+v, want %s", i, s.Reasons, want.reason)
		}
	}
}

const report = `<?xml version="1.0" encoding="UTF-8"?>
<Document xmlns="urn:iso:std:iso:20022:tech:xsd:pain.002.001.10"><CstmrPmtStsRpt>
 <GrpHdr><MsgId>R1</MsgId><CreDtTm>2026-11-21T10:00:00Z</CreDtTm></GrpHdr>
 <OrgnlGrpInfAndSts><OrgnlMsgId>M1</OrgnlMsgId><OrgnlMsgNmId>pain.001.001.09</OrgnlMsgNmId><GrpSts>ACCP</GrpSts></OrgnlGrpInfAndSts>
 <OrgnlPmtInfAndSts><OrgnlPmtInfId>B1</OrgnlPmtInfId><PmtInfSts>PDNG</PmtInfSts>
  <TxInfAndSts><OrgnlEndToEndId>E1</OrgnlEndToEndId><TxSts>RJCT</TxSts><StsRsnInf><Rsn><Cd>AC04</Cd></Rsn><AddtlInf>closed</AddtlInf></StsRsnInf></TxInfAndSts>
  <TxInfAndSts><OrgnlEndToEndId>E2</OrgnlEndToEndId><TxSts>ACSP</TxSts></TxInfAndSts>
  <TxInfAndSts><OrgnlEndToEndId>E3</OrgnlEndToEndId></TxInfAndSts></OrgnlPmtInfAndSts>
 <OrgnlPmtInfAndSts><OrgnlPmtInfId>B2</OrgnlPmtInfId><PmtInfSts>PART</PmtInfSts><StsRsnInf><Rsn><Cd>NARR</Cd></Rsn></StsRsnInf>
  <TxInfAndSts><OrgnlInstrId>I5</OrgnlInstrId><OrgnlEndToEndId>E5</OrgnlEndToEndId><TxSts>RJCT</TxSts>
   <StsRsnInf><Rsn><Prtry>R03</Prtry></Rsn></StsRsnInf></TxInfAndSts>
  <TxInfAndSts><OrgnlEndToEndId>E6</OrgnlEndToEndId></TxInfAndSts></OrgnlPmtInfAndSts>
 <OrgnlPmtInfAndSts><OrgnlPmtInfId>B3</OrgnlPmtInfId></OrgnlPmtInfAndSts>
</CstmrPmtStsRpt></Document>`

func TestAReportWithoutAStatusIsRefused(t *testing.T) {
	const file = `<Document xmlns="urn:iso:std:iso:20022:tech:xsd:pain.002.001.10"><CstmrPmtStsRpt><GrpHdr><MsgId>S1</MsgId></GrpHdr></CstmrPmtStsRpt></Document>`

	err := Read002(strings.NewReader(file), iso20022.Limits{}, func(Status) error { t.Error("a status"); return nil })
	if e := new(iso20022.Error); !errors.As(err, &e) || e.Code != iso20022.CodeStructure {
		t.Errorf("%v", err)
	}
}

func TestAHandlersErrorEndsTheReading(t *testing.T) {
	stop := errors.New("stop")
	calls := 0

	err := Read002(strings.NewReader(report), iso20022.Limits{}, func(Status) error { calls++; return stop })
	if !errors.Is(err, stop) || calls != 1 {
		t.Errorf("%v after %d calls", err, calls)
	}
}

func FuzzRead002(f *testing.F) {
	f.Add(report)

	f.Fuzz(func(t *testing.T, file string) {
		err := Read002(strings.NewReader(file), iso20022.Limits{NoNamespace: true}, func(s Status) error {
			if s.Level == "" || s.Meaning == "" {
				t.Errorf("a status without level or meaning: %+v", s)
			}

			return nil
		})
		if err != nil && !iso20022.IsRefusal(err) && !errors.Is(err, io.ErrUnexpectedEOF) {
			t.Errorf("no refusal: %v", err)
		}
	})
}
