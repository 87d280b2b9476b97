// Package qrbill reads and writes the payload in the QR code of a Swiss bill: the "Swiss Implementation Guidelines
// QR-bill" of SIX (IG), versions 2.2 and 2.3.
//
// What it promises: a Bill returned by Parse satisfies every rule of the grammar. Nothing in it is completed, corrected
// or guessed. A payload that breaks a rule gives no Bill but all broken rules with code and line. What it does not
// promise: that the account exists, that it belongs to the creditor, or that the printed text matches the code.
//
// Read in this order: qrbill.go (the bill and its problems), parse.go (the grammar), write.go, swico.go (billing
// information).
package qrbill

import (
	"fmt"
	"strconv"
	"strings"

	"slipway/internal/standards/iban"
)

// Bill is a valid payload.
type Bill struct {
	Version       string // four digits; the first two are 02
	Account       iban.IBAN
	Creditor      Address
	Amount        string // two decimals and a point: 1949.75; empty if the payer chooses
	Currency      string // CHF or EUR
	Debtor        *Address
	ReferenceType ReferenceType
	Reference     string   // 27 digits of a QRR, RF… of a SCOR, empty for NON
	Message       string   // for people
	Billing       string   // for machines: see ParseSwico
	Schemes       []string // alternative schemes, at most two, unread
	Warnings      []Warning
}

// ReferenceType is the kind of a bill's reference (IG 4.2.2, Tp).
type ReferenceType string

// The three kinds.
const (
	QRR  ReferenceType = "QRR"  // the Swiss QR reference; requires a QR-IBAN
	SCOR ReferenceType = "SCOR" // the creditor reference of ISO 11649; requires any other IBAN
	NON  ReferenceType = "NON"  // none
)

// Address is a creditor or debtor. A structured one has PostCode and Town and perhaps Street and Number; a combined one
// has Line2 and perhaps Line1, whose contents are not certain.
type Address struct {
	Type     AddressType
	Name     string
	Street   string // structured
	Number   string // structured: of the building
	PostCode string // structured
	Town     string // structured
	Line1    string // combined: street and number
	Line2    string // combined: post code and town
	Country  string // ISO 3166-1 alpha-2
}

// AddressType is the form of an address (IG 4.2.2, AdrTp).
type AddressType string

// The two forms. New bills may not have combined addresses since 21 November 2025 (IG 2.3); older ones are still paid.
const (
	Structured AddressType = "S"
	Combined   AddressType = "K"
)

// notForPayment is the message of a bill for information, in its four languages and English (IG 4.4).
var notForPayment = [...]string{
	"NICHT ZUR ZAHLUNG VERWENDEN", "NE PAS UTILISER POUR LE PAIEMENT", "NON UTILIZZARE PER IL PAGAMENTO",
	"BETG UTILISAR PER IL PAJAMENT", "DO NOT USE FOR PAYMENT",
}

// Notification reports whether the bill must not be paid: its amount is 0.00, or its message says so.
func (b Bill) Notification() bool {
	if b.Amount == "0.00" {
		return true
	}

	message := strings.ToUpper(b.Message)
	for _, words := range notForPayment {
		if strings.Contains(message, words) {
			return true
		}
	}

	return false
}

// Code is the rule that a payload breaks. Codes are stable: callers pass them to their clients.
type Code string

// The broken rules. For several problems of one line, Field names the element.
const (
	NotUTF8        Code = "QR_NOT_UTF8"
	TooLong        Code = "QR_TOO_LONG"
	BadSeparator   Code = "QR_BAD_SEPARATOR"
	BadCharacter   Code = "QR_BAD_CHARACTER"
	LineCount      Code = "QR_LINE_COUNT"
	NotSwiss       Code = "QR_NOT_A_SWISS_BILL"
	BadVersion     Code = "QR_BAD_VERSION"
	BadCoding      Code = "QR_BAD_CODING"
	BadIBAN        Code = "QR_BAD_IBAN"
	ForeignIBAN    Code = "QR_FOREIGN_IBAN"
	BadAddressType Code = "QR_BAD_ADDRESS_TYPE"
	Missing        Code = "QR_MISSING"
	NotAllowed     Code = "QR_NOT_ALLOWED"
	FieldTooLong   Code = "QR_FIELD_TOO_LONG"
	BadCountry     Code = "QR_BAD_COUNTRY"
	BadAmount      Code = "QR_BAD_AMOUNT"
	BadCurrency    Code = "QR_BAD_CURRENCY"
	BadRefType     Code = "QR_BAD_REFERENCE_TYPE"
	NeedsQRR       Code = "QR_IBAN_NEEDS_QRR"
	QRRNeedsQRIBAN Code = "QR_REFERENCE_NEEDS_QR_IBAN"
	BadReference   Code = "QR_BAD_REFERENCE"
	BadTrailer     Code = "QR_BAD_TRAILER"
	SchemeCount    Code = "QR_TOO_MANY_SCHEMES"
)

// Problem is one broken rule. Detail is a sentence without the payload's own text, which is personal data.
type Problem struct {
	Line   int    // from 1; 0 for the complete payload
	Field  string // the element, in the names of Bill: "creditor.town"
	Code   Code
	Detail string
}

// Error lists every rule that a payload breaks, by line.
type Error struct{ Problems []Problem }

// Error returns the sentences.
func (e *Error) Error() string {
	var b strings.Builder
	for i, p := range e.Problems {
		if i > 0 {
			b.WriteString("; ")
		}

		if p.Line > 0 {
			b.WriteString("line " + strconv.Itoa(p.Line) + ": ")
		}

		b.WriteString(p.Detail)
	}

	return b.String()
}

// Has reports whether a rule is broken.
func (e *Error) Has(c Code) bool {
	for _, p := range e.Problems {
		if p.Code == c {
			return true
		}
	}

	return false
}

// WarningCode is what a reader of a valid bill should know. Codes are stable.
type WarningCode string

// The warnings.
const (
	CombinedAddress WarningCode = "QR_COMBINED_ADDRESS" // see Combined
	ForInformation  WarningCode = "QR_NOT_FOR_PAYMENT"  // see Bill.Notification
)

// Warning is one warning, with its element.
type Warning struct {
	Code   WarningCode
	Field  string
	Detail string
}

// problems collects the broken rules.
type problems []Problem

func (ps *problems) add(line int, field string, c Code, detail string, args ...any) {
	*ps = append(*ps, Problem{line, field, c, fmt.Sprintf(detail, args...)})
}

func (ps problems) err() error {
	if len(ps) == 0 {
		return nil
	}

	return &Error{ps}
}
