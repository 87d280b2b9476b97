package pacs

import (
	"errors"
	"strings"
	"testing"

	"slipway/internal/standards/iso20022"
	"slipway/internal/standards/iso20022/isotest"
)

type (
	wantAmount struct {
		Amount   string `json:"amount"`
		Currency string `json:"currency"`
	}
	wantReturn struct {
		ID         string     `json:"returnId"`
		EndToEndID string     `json:"originalEndToEndId"`
		UETR       string     `json:"originalUetr"`
		TxID       string     `json:"originalTxId"`
		Returned   wantAmount `json:"returnedAmount"`
		Original   wantAmount `json:"originalAmount"`
		Reason     []string   `json:"reason"`
	}
	wantFile struct {
		MsgID   string       `json:"msgId"`
		Returns []wantReturn `json:"returns"`
	}
)

func TestEveryReturnOfTheCorpusIsReadRight(t *testing.T) {
	for name, want := range isotest.Expected[wantFile](t, "pacs004") {
		var got []Return

		err := Read004(isotest.Open(t, name), iso20022.Limits{}, func(r Return) error {
			got = append(got, r)
			return nil
		})
		if err != nil || len(got) != len(want.Returns) {
			t.Errorf("%s: %d returns, %v", name, len(got), err)
			continue
		}

		for i, w := range want.Returns {
			g := got[i]
			if g.MsgID != want.MsgID || g.ReturnID != w.ID || g.OriginalEndToEndID != w.EndToEndID ||
				g.OriginalUETR != w.UETR ||
				g.OriginalTxID != w.TxID ||
				g.Returned != (iso20022.Amount{Value: w.Returned.Amount, Currency: w.Returned.Currency}) ||
				g.OriginalAmount != (iso20022.Amount{
					Value:    w.Original.Amount,
					Currency: w.Original.Currency,
				}) ||
				g.Number != i {
				t.Errorf("%s: %+v, want %+v", name, g, w)
			}

			if len(g.Reasons) != len(w.Reason) || g.Reasons[0].Code != w.Reason[0] ||
				w.Reason[0] == "AC04" && g.Reasons[0].Reason != iso20022.ReasonAccountClosed {
				t.Errorf("%s: reasons %+v, want %v", name, g.Reasons, w.Reason)
			}
		}
	}
}

const returned = `<Document xmlns="urn:iso:std:iso:20022:tech:xsd:pacs.004.001.09"><PmtRtr><GrpHdr><MsgId>RET-1</MsgId><CreDtTm>2026-11-21T10:00:00Z</CreDtTm>
<NbOfTxs>1</NbOfTxs><SttlmInf><SttlmMtd>CLRG</SttlmMtd></SttlmInf></GrpHdr><TxInf><RtrId>R1</RtrId><OrgnlGrpInf><OrgnlMsgId>BANK-7</OrgnlMsgId></OrgnlGrpInf>
<OrgnlEndToEndId>E2E1</OrgnlEndToEndId><RtrdIntrBkSttlmAmt Ccy="EUR">95.00</RtrdIntrBkSttlmAmt><IntrBkSttlmDt>2026-11-20</IntrBkSttlmDt>
<RtrdInstdAmt Ccy="EUR">100.00</RtrdInstdAmt><ChrgsInf><Amt Ccy="EUR">5</Amt><Agt><FinInstnId><BICFI>AGRIFRPP</BICFI></FinInstnId></Agt></ChrgsInf>
<RtrRsnInf><Rsn><Cd>MD07</Cd></Rsn><AddtlInf>holder</AddtlInf><AddtlInf>deceased</AddtlInf></RtrRsnInf>
<OrgnlTxRef><RmtInf><Ustrd>invoice 7</Ustrd></RmtInf><Dbtr><Pty><Nm>Slipway</Nm></Pty></Dbtr><DbtrAcct><Id><IBAN>DE02100100100006820101</IBAN></Id></DbtrAcct>
<Cdtr><Pty><Nm>Jane Roe</Nm></Pty></Cdtr><CdtrAcct><Id><Othr><Id>12345678</Id></Othr></Id></CdtrAcct></OrgnlTxRef></TxInf></PmtRtr></Document>`

func TestAReturnWithChargesTakenOff(t *testing.T) {
	var got []Return
	if err := Read004(strings.NewReader(returned), iso20022.Limits{}, func(r Return) error {
		got = append(got, r)
		return nil
	}); err != nil {
		t.Fatal(err)
	}

	r := got[0]
	if r.OriginalMsgID != "BANK-7" || r.SettlementDate != "2026-11-20" || r.Returned.Value != "95.00" ||
		r.Instructed.Value != "100.00" ||
		len(r.Charges) != 1 ||
		r.Charges[0].Amount.Value != "5" ||
		r.Charges[0].Agent != "AGRIFRPP" ||
		r.Debtor != "Slipway" ||
		r.Creditor != "Jane Roe" ||
		r.DebtorAccount != "DE02100100100006820101" ||
		r.CreditorAccount != "12345678" ||
		len(r.Remittance) != 1 {
		t.Errorf("%+v", r)
	}

	if why := r.Reasons[0]; why.Reason != iso20022.ReasonAccountBlocked || why.Info != "holder deceased" {
		t.Errorf("%+v", why)
	}

	without := strings.Replace(returned, `<RtrdIntrBkSttlmAmt Ccy="EUR">95.00</RtrdIntrBkSttlmAmt>`, "", 1)

	var e *iso20022.Error
	if err := Read004(strings.NewReader(without), iso20022.Limits{}, func(Return) error {
		return nil
	}); !errors.As(err, &e) || e.Code != iso20022.CodeStructure {
		t.Errorf("a return without its amount: %v", err)
	}
}

func FuzzRead004(f *testing.F) {
	f.Add(returned)

	f.Fuzz(func(t *testing.T, file string) {
		err := Read004(strings.NewReader(file), iso20022.Limits{NoNamespace: true}, func(r Return) error {
			if r.Returned.Empty() {
				t.Error("a return without an amount")
			}

			return nil
		})
		if err != nil && !iso20022.IsRefusal(err) {
			t.Errorf("no refusal: %v", err)
		}
	})
}

// A message that says nothing must not count as read: a group that comes back as a whole (GrpRtr) names no payment.
func TestAMessageWithoutAReturnIsRefused(t *testing.T) {
	file := returned[:strings.Index(returned, "<TxInf>")] + "<OrgnlGrpInf><OrgnlMsgId>BANK-7</OrgnlMsgId></OrgnlGrpInf></PmtRtr></Document>"

	err := Read004(strings.NewReader(file), iso20022.Limits{}, func(Return) error { t.Error("a return"); return nil })
	if e := new(iso20022.Error); !errors.As(err, &e) || e.Code != iso20022.CodeStructure {
		t.Errorf("%v", err)
	}
}

// Free text in very many pieces is joined once, not again with each.
func TestFreeTextInManyPiecesIsBounded(t *testing.T) {
	file := strings.Replace(
		returned,
		"<AddtlInf>holder</AddtlInf>",
		strings.Repeat("<AddtlInf>holder</AddtlInf>", 20_000),
		1,
	)

	err := Read004(strings.NewReader(file), iso20022.Limits{}, func(Return) error { return nil })
	if e := new(iso20022.Error); !errors.As(err, &e) || e.Code != iso20022.CodeTooMany {
		t.Errorf("%v", err)
	}
}
