package camt

import (
	"encoding/json"
	"errors"
	"strings"
	"testing"

	"slipway/internal/standards/iso20022"
	"slipway/internal/standards/iso20022/isotest"
)

// The corpus' own words for what a file holds.
type (
	wantAmount struct {
		Amount   string `json:"amount"`
		Currency string `json:"currency"`
	}
	wantBalance struct {
		Type   string     `json:"type"`
		Amount wantAmount `json:"amount"`
		Sign   string     `json:"creditDebit,omitempty"`
		Date   string     `json:"date,omitempty"`
	}
	wantTx struct {
		EndToEndID      string       `json:"endToEndId,omitempty"`
		InstrID         string       `json:"instrId,omitempty"`
		UETR            string       `json:"uetr,omitempty"`
		MsgID           string       `json:"msgId,omitempty"`
		PmtInfID        string       `json:"pmtInfId,omitempty"`
		TxID            string       `json:"txId,omitempty"`
		MandateID       string       `json:"mandateId,omitempty"`
		AcctSvcrRef     string       `json:"acctSvcrRef,omitempty"`
		Amount          *wantAmount  `json:"amount,omitempty"`
		Instructed      *wantAmount  `json:"instructedAmount,omitempty"`
		CounterValue    *wantAmount  `json:"counterValue,omitempty"`
		Sign            string       `json:"creditDebit,omitempty"`
		Debtor          string       `json:"debtor,omitempty"`
		DebtorAccount   string       `json:"debtorAccount,omitempty"`
		Creditor        string       `json:"creditor,omitempty"`
		CreditorAccount string       `json:"creditorAccount,omitempty"`
		Unstructured    []string     `json:"unstructured,omitempty"`
		CreditorRef     []string     `json:"creditorReference,omitempty"`
		ReturnReason    string       `json:"returnReason,omitempty"`
		Charges         []wantAmount `json:"charges,omitempty"`
	}
	wantBatch struct {
		MsgID    string `json:"msgId,omitempty"`
		PmtInfID string `json:"pmtInfId,omitempty"`
		Count    string `json:"nbOfTxs,omitempty"`
	}
	wantEntry struct {
		Ref          string     `json:"ntryRef,omitempty"`
		Amount       wantAmount `json:"amount"`
		Sign         string     `json:"creditDebit"`
		Reversal     any        `json:"reversal,omitempty"`
		Status       string     `json:"status,omitempty"`
		BookingDate  string     `json:"bookingDate,omitempty"`
		ValueDate    string     `json:"valueDate,omitempty"`
		AcctSvcrRef  string     `json:"acctSvcrRef,omitempty"`
		Code         string     `json:"bankTxCode,omitempty"`
		Batch        *wantBatch `json:"batch,omitempty"`
		Transactions []wantTx   `json:"transactions,omitempty"`
	}
	wantReport struct {
		ID       string        `json:"id,omitempty"`
		Account  string        `json:"account"`
		Currency string        `json:"accountCurrency,omitempty"`
		Balances []wantBalance `json:"balances,omitempty"`
		Entries  []wantEntry   `json:"entries,omitempty"`
	}
	wantFile struct {
		Message string       `json:"message"`
		MsgID   string       `json:"msgId,omitempty"`
		Reports []wantReport `json:"reports,omitempty"`
	}
)

// collector builds what the corpus expects out of what the reader gives.
type collector struct {
	file    wantFile
	entries []Entry
	totals  []Totals
}

func (c *collector) Statement(h Header) error {
	c.file.Message = accept[string(h.Kind)].Root
	c.file.MsgID = h.MsgID

	r := wantReport{ID: h.ID, Account: h.Account.ID(), Currency: h.Account.Currency}
	for _, b := range h.Balances {
		w := wantBalance{Type: b.Type, Amount: *shown(b.Amount), Date: b.Date}
		if b.Signed {
			w.Sign = sign(b.Credit)
		}

		r.Balances = append(r.Balances, w)
	}

	c.file.Reports = append(c.file.Reports, r)

	return nil
}

func (c *collector) Entry(e Entry) error {
	c.entries = append(c.entries, e)
	r := &c.file.Reports[len(c.file.Reports)-1]

	w := wantEntry{
		Ref:         e.Ref,
		Amount:      *shown(e.Amount),
		Sign:        sign(e.Credit),
		Status:      string(e.Status),
		BookingDate: e.BookingDate,
		ValueDate:   e.ValueDate,
		AcctSvcrRef: e.AcctSvcrRef,
		Code:        e.Code.String(),
	}
	if e.Reversal {
		w.Reversal = true
	}

	if e.BatchMsgID+e.BatchPmtInf+e.BatchCount != "" {
		w.Batch = &wantBatch{e.BatchMsgID, e.BatchPmtInf, e.BatchCount}
	}

	for _, d := range e.Details {
		t := wantTx{
			EndToEndID:      d.EndToEndID,
			InstrID:         d.InstrID,
			UETR:            d.UETR,
			MsgID:           d.MsgID,
			PmtInfID:        d.PmtInfID,
			TxID:            d.TxID,
			MandateID:       d.MandateID,
			AcctSvcrRef:     d.AcctSvcrRef,
			Amount:          shown(d.Amount),
			Instructed:      shown(d.Instructed),
			CounterValue:    shown(d.CounterVal),
			Sign:            sign(d.Credit),
			Debtor:          d.Debtor.Name,
			DebtorAccount:   d.Debtor.Account.ID(),
			Creditor:        d.Creditor.Name,
			CreditorAccount: d.Creditor.Account.ID(),
			Unstructured:    d.Remittance,
			CreditorRef:     d.StructuredRefs,
		}
		if d.Return != nil {
			t.ReturnReason = d.Return.Code
		}

		for _, c := range d.Charges {
			t.Charges = append(t.Charges, *shown(c.Amount))
		}

		w.Transactions = append(w.Transactions, t)
	}

	r.Entries = append(r.Entries, w)

	return nil
}

func (c *collector) End(t Totals) error {
	c.totals = append(c.totals, t)
	return nil
}

func shown(a iso20022.Amount) *wantAmount {
	if a.Empty() {
		return nil
	}

	return &wantAmount{a.Value, a.Currency}
}

func sign(credit bool) string {
	if credit {
		return "CRDT"
	}

	return "DBIT"
}

// refused are files of the corpus that must not be read, and why.
var refused = map[string]iso20022.Code{
	"samples/genkgo_camt/camt053.v2.wrong.xml":      iso20022.CodeStructure,   // no statement in it
	"samples/hbci4java/test-camt-parse-invalid.xml": iso20022.CodeNamespace,   // no message's namespace
	"samples/hbci4java/test-camt-parse-none.xml":    iso20022.CodeNoNamespace, // read where a channel allows it: below
}

// bankParties are files whose debtor or creditor is a bank itself. We give its name; the corpus does not.
var bankParties = map[string]bool{
	"samples/cbprplus_y2025/camt.054.max.xml":                       true,
	"samples/genkgo_camt/camt054.v8-with-financial-institution.xml": true,
}

// readable gives a file of the corpus the conventions of this package: days instead of times, one direction for every
// transaction, and no reference where the bank says that there is none.
func readable(f wantFile) wantFile {
	for i := range f.Reports {
		for j := range f.Reports[i].Balances {
			f.Reports[i].Balances[j].Date = day(f.Reports[i].Balances[j].Date)
		}

		for j := range f.Reports[i].Entries {
			e := &f.Reports[i].Entries[j]
			value, _ := iso20022.Decimal([]byte(e.Amount.Amount))
			e.Amount.Amount = string(value)

			e.BookingDate = day(e.BookingDate)

			e.ValueDate = day(e.ValueDate)
			switch e.Reversal {
			case "true":
				e.Reversal = true
			case "false":
				e.Reversal = nil
			}

			for k := range e.Transactions {
				t := &e.Transactions[k]
				if t.Sign == "" {
					t.Sign = e.Sign
				}

				if iso20022.Provided(t.EndToEndID) == "" {
					t.EndToEndID = ""
				}

				if t.Amount != nil {
					value, _ := iso20022.Decimal([]byte(t.Amount.Amount))
					t.Amount.Amount = string(value)
				}
			}
		}
	}

	return f
}

func day(date string) string { return date[:min(len(date), 10)] }

func TestEveryStatementOfTheCorpusIsReadRight(t *testing.T) {
	for name, want := range isotest.Expected[wantFile](t, "camt") {
		var got collector

		err := Read(isotest.Open(t, name), iso20022.Limits{}, &got)
		if code, bad := refused[name]; bad {
			var e *iso20022.Error
			if !errors.As(err, &e) || e.Code != code {
				t.Errorf("%s: %v, want %s", name, err, code)
			}

			continue
		}

		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}

		if bankParties[name] {
			for i := range got.file.Reports[0].Entries {
				for j := range got.file.Reports[0].Entries[i].Transactions {
					tx := &got.file.Reports[0].Entries[i].Transactions[j]
					tx.Debtor = ""
					tx.Creditor = ""
				}
			}
		}

		if g, w := jsonOf(got.file), jsonOf(readable(want)); g != w {
			t.Errorf("%s:\n%s", name, difference(g, w))
		}
	}
}

func jsonOf(v any) string {
	b, _ := json.MarshalIndent(v, "", " ")
	return string(b)
}

// difference shows the first lines that differ.
func difference(got, want string) string {
	g := strings.Split(got, "\n")

	w := strings.Split(want, "\n")
	for i := range g {
		if i >= len(w) || g[i] != w[i] {
			return "got  " + strings.Join(g[i:min(i+4, len(g))], " ") + "\nwant " + strings.Join(
				w[min(i, len(w)):min(i+4, len(w))],
				" ",
			)
		}
	}

	return "got less: " + strings.Join(w[len(g):min(len(g)+3, len(w))], " ")
}
