// Package billscan reads the bill in a document's QR code: Swiss QR bills, and the European Payments Council's code for
// SEPA credit transfers. The result fills in a payable's form, which a person then checks. Nothing is stored and
// nothing is paid.
//
// It promises that every value stands in the code exactly as returned, under the strict grammar of the code's standard,
// whose own error correction has verified each character. Nothing is guessed, completed, or read from the text printed
// around the code. A document with several bills is answered with all of them, and a person chooses. A payee is named
// only if the organisation has exactly one receiver with this account. A document costs a limited amount of time and
// memory, and one organisation cannot block the others.
//
// It does not promise to find every code, nor that the bill is owed, nor that its account is the creditor's.
//
// Read in this order: bill.go (what codes contain), payee.go (the receiver that the organisation knows), service.go
// (the use case and its limits), pages.go (pictures of a document's pages), http_view.go, http.go, http_pages.go.
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

// Source is the standard of a code.
type Source string

// The sources.
const (
	Swiss Source = "SWISS_QR" // Swiss QR bill (SIX)
	EPC   Source = "EPC"      // SEPA credit transfer (EPC069-12)
)

// otherReference is the kind of a reference besides those of Swiss bills.
const otherReference = "OTHER" // structured, and not one of ISO 11649

// Bill is the content of one code.
type Bill struct {
	Source        Source
	Version       string
	Account       iban.IBAN
	BIC           string // EPC only, optional
	Creditor      Party
	Amount        string // two decimals and a point; empty if the payer chooses
	Currency      string
	ReferenceType string // QRR, SCOR, NON, OTHER
	Reference     string
	Message       string // for the creditor
	Information   string // for the payer; EPC only
	Purpose       string // EPC only: a code of ISO 20022's list
	Billing       string // Swiss only: billing information for machines
	Swico         *qrbill.Swico
	Schemes       []string
	Debtor        *Party
	ForInfo       bool // for information only: it must not be paid
	Warnings      []Warning
}

// Party is a creditor or debtor. A combined address has Line1 and Line2, a structured one the other fields. EPC codes
// have only a name.
type Party struct {
	Name, AddressType            string // S, K or none
	Street, BuildingNumber       string
	PostCode, Town, Country      string
	CombinedLine1, CombinedLine2 string
}

// Warning is something that a person who checks the bill should know. No warning means that a value is wrong.
type Warning struct{ Code, Field, Message string }

// The codes of warnings that are made here, besides those of package qrbill.
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

// Statement is one code of a document that claims to be a bill: either a Bill, or the rules that it breaks.
type Statement struct {
	Page     int // the first page on which it stands, from 1
	Bill     Bill
	Problems []qrbill.Problem
}

// IsBill reports whether a QR code's text claims to be a bill.
func IsBill(text string) bool { return qrbill.Is(text) || epcqr.Is(text) }

// Statements returns the bills in the codes of a document, in the order of its pages. A bill that appears several times
// is returned once.
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

		if !contains(out, s) {
			out = append(out, s)
		}
	}

	return out
}

func contains(all []Statement, s Statement) bool {
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

// Due returns the last day to pay, from the bill's billing information, or "" if that cannot be derived for certain.
func (b Bill) Due() string {
	if b.Swico == nil {
		return ""
	}

	return b.Swico.Due()
}

// Invoice returns the invoice number in the bill's billing information, or "" if there is none.
func (b Bill) Invoice() string {
	if b.Swico == nil {
		return ""
	}

	return b.Swico.Invoice
}
