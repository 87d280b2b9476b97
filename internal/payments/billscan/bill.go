// Package billscan reads the bill that a document states in its QR code: Swiss QR bills, and the European Payments
// Council's code for SEPA credit transfers. What it answers fills a payable's form before a person looks at it;
// nothing is stored and nothing is paid.
//
// What it promises: every value stands in the code exactly so, under the strict grammar of the code's standard, whose
// own error correction has vouched for each character; nothing is guessed, completed, or read from what is printed
// around the code. A document that states several bills is answered with all of them, and a person says which one. A
// payee is named only when the organisation has one that receives at exactly this account. A document costs a bounded
// amount of time and memory, and one organisation cannot keep the others waiting.
//
// What it does not promise: to find every code, nor that the bill is owed, or its account the creditor's.
//
// Read in this order: bill.go (what codes say), payee.go (whom the organisation knows by it), service.go (the use
// case and its limits), view.go, http.go.
package billscan

import (
	"errors"
	"reflect"

	"slipway/internal/platform/qrscan"
	"slipway/internal/standards/creditorref"
	"slipway/internal/standards/epcqr"
	"slipway/internal/standards/iban"
	"slipway/internal/standards/qrbill"
)

// Source is the standard that a code follows.
type Source string

// The sources.
const (
	Swiss Source = "SWISS_QR" // Swiss QR bill (SIX)
	EPC   Source = "EPC"      // SEPA credit transfer (EPC069-12)
)

// Kinds of references beside those of Swiss bills.
const otherReference = "OTHER" // structured, and not one of ISO 11649

// Bill is what one code asks a payer for.
type Bill struct {
	Source        Source
	Version       string
	Account       iban.IBAN
	BIC           string // EPC only, and not always
	Creditor      Party
	Amount        string // two decimals and a point; empty when the payer chooses
	Currency      string
	ReferenceType string // QRR, SCOR, NON, OTHER
	Reference     string
	Message       string // for the creditor
	Information   string // for the payer; EPC only
	Purpose       string // EPC only: of ISO 20022's list
	Billing       string // Swiss only: for machines
	Swico         *qrbill.Swico
	Schemes       []string
	Debtor        *Party
	ForInfo       bool // the bill informs only: it must not be paid
	Warnings      []Warning
}

// Party is a creditor or debtor. A combined address has Line1 and Line2, a structured one the others; EPC codes have
// a name alone.
type Party struct {
	Name, AddressType            string // S, K or none
	Street, BuildingNumber       string
	PostCode, Town, Country      string
	CombinedLine1, CombinedLine2 string
}

// Warning is something that whoever looks at the bill should know. None of them says that a value is wrong.
type Warning struct{ Code, Field, Message string }

// The codes of warnings that are made here; those of package qrbill come beside them.
const (
	NoAmount       = "QR_NO_AMOUNT"
	OtherBills     = "QR_OTHER_BILLS"
	BillingFaulty  = "QR_BILLING_INFORMATION_FAULTY"
	PayeeUnknown   = "PAYEE_UNKNOWN"
	PayeeAmbiguous = "PAYEE_AMBIGUOUS"
	PayeeCurrency  = "PAYEE_CURRENCY_DIFFERS"
	PayeeName      = "PAYEE_NAME_DIFFERS"
	PayeeUnusable  = "PAYEE_NOT_PAYABLE"
)

// Statement is one code of a document that claims to be a bill: a Bill, or the rules that it breaks.
type Statement struct {
	Page     int // the first on which it stands, from 1
	Bill     Bill
	Problems []qrbill.Problem
}

// IsBill says whether a QR code's text claims to be a bill.
func IsBill(text string) bool { return qrbill.Is(text) || epcqr.Is(text) }

// Statements gives the bills that the codes of a document state, in the order of its pages. One that stands there
// several times counts once.
func Statements(codes []qrscan.Code) (out []Statement) {
	for _, c := range codes {
		var s Statement
		switch {
		case qrbill.Is(c.Text):
			s = swiss(c)
		case epcqr.Is(c.Text):
			s = sepa(c)
		default:
			continue
		}

		if !stated(out, s) {
			out = append(out, s)
		}
	}

	return out
}

func stated(all []Statement, s Statement) bool {
	for _, other := range all {
		other.Page = s.Page
		if reflect.DeepEqual(other, s) && s.Problems == nil {
			return true
		}
	}

	return false
}

func swiss(c qrscan.Code) Statement {
	b, err := qrbill.Parse(c.Text)
	if err != nil {
		return faulty(c, err)
	}

	out := Bill{
		Source:        Swiss,
		Version:       b.Version,
		Account:       b.Account,
		Creditor:      party(b.Creditor),
		Amount:        b.Amount,
		Currency:      b.Currency,
		ReferenceType: string(b.ReferenceType),
		Reference:     b.Reference,
		Message:       b.Message,
		Billing:       b.Billing,
		Schemes:       b.Schemes,
		ForInfo:       b.Notification(),
	}
	if b.Debtor != nil {
		debtor := party(*b.Debtor)
		out.Debtor = &debtor
	}

	for _, w := range b.Warnings {
		out.warn(string(w.Code), w.Field, w.Detail)
	}

	if s, err := qrbill.ParseSwico(b.Billing); err == nil {
		out.Swico = &s
		if len(s.Problems) > 0 {
			out.warn(
				BillingFaulty,
				"billInformation",
				"some of the billing information breaks the rules of its syntax and is left out",
			)
		}
	}

	return Statement{Page: c.Page, Bill: out.amountMissing()}
}

func sepa(c qrscan.Code) Statement {
	t, err := epcqr.Parse(c.Text)
	if err != nil {
		return faulty(c, err)
	}

	out := Bill{
		Source:        EPC,
		Version:       t.Version,
		Account:       t.Account,
		BIC:           t.BIC,
		Creditor:      Party{Name: t.Name},
		Amount:        t.Amount,
		Currency:      "EUR",
		ReferenceType: string(qrbill.NON),
		Reference:     t.Reference,
		Message:       t.Text,
		Information:   t.Information,
		Purpose:       t.Purpose,
	}
	if t.Reference != "" {
		out.ReferenceType = otherReference
		if _, ok := creditorref.ValidRF(t.Reference); ok {
			out.ReferenceType = string(qrbill.SCOR)
		}
	}

	return Statement{Page: c.Page, Bill: out.amountMissing()}
}

func faulty(c qrscan.Code, err error) Statement {
	var e *qrbill.Error
	if !errors.As(err, &e) {
		panic("billscan: a parser's error is of another type: " + err.Error())
	}

	return Statement{Page: c.Page, Problems: e.Problems}
}

func party(a qrbill.Address) Party {
	return Party{
		Name:           a.Name,
		AddressType:    string(a.Type),
		Street:         a.Street,
		BuildingNumber: a.Number,
		PostCode:       a.PostCode,
		Town:           a.Town,
		Country:        a.Country,
		CombinedLine1:  a.Line1,
		CombinedLine2:  a.Line2,
	}
}

func (b *Bill) warn(code, field, message string) {
	b.Warnings = append(b.Warnings, Warning{code, field, message})
}

func (b Bill) amountMissing() Bill {
	if b.Amount == "" {
		b.warn(NoAmount, "amount", "the bill leaves the amount to the payer")
	}

	return b
}

// Due is the last day to pay by what the bill's maker wrote for machines; empty when that cannot be told for sure.
func (b Bill) Due() string {
	if b.Swico == nil {
		return ""
	}

	return b.Swico.Due()
}

// Invoice is the number of the invoice, if the bill's maker wrote it for machines.
func (b Bill) Invoice() string {
	if b.Swico == nil {
		return ""
	}

	return b.Swico.Invoice
}
