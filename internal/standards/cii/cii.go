// Package cii writes invoices as data: UN/CEFACT Cross Industry Invoice (D16B) by the rules of EN 16931, which is what
// Factur-X and ZUGFeRD embed in a PDF file as factur-x.xml.
//
// It promises that Write writes nothing that breaks the rules of EN 16931 that Check knows: those on what must be
// there, on sums, and on the categories of VAT that an invoice for fees can have. It writes invoices and credit notes,
// taxed in one way or in several, without allowances and charges, that were paid when they were issued. It does not
// promise the rules of a country beyond the standard (such as XRechnung).
//
// Read in this order: cii.go (an invoice), check.go (the rules), write.go.
package cii

import "time"

// Guideline is the identifier of EN 16931, and the profile "EN 16931" of Factur-X.
const Guideline = "urn:cen.eu:en16931:2017"

// Category is a VAT category (UNTDID 5305, as EN 16931 limits it).
type Category string

// The categories of services.
const (
	Standard      Category = "S"
	Exempt        Category = "E"
	ReverseCharge Category = "AE"
	NotSubject    Category = "O"
)

// Party is the seller or the buyer. Country is ISO 3166-1 alpha-2.
type Party struct {
	Name, Street, PostCode, Town, Country string
	Registration                          string // BT-30, BT-47: of the commercial register
	TaxNumber                             string // BT-32: the local one; of the seller only
	VATID                                 string // BT-31, BT-48
}

// Line is one service. Net is without VAT; below zero takes a service back.
type Line struct {
	Name, Net string
	Tax       int // which of the invoice's taxes it has
}

// Tax is the VAT of the lines that have one category and one rate (BG-23).
type Tax struct {
	Category Category
	Percent  string // "19"; "0" for categories without
	Reason   string // why there is no VAT; required for every category but Standard
	Net, VAT string
}

// Reference is an invoice that was issued before.
type Reference struct {
	Number string
	Issued time.Time
}

// Invoice is an invoice, or a credit note. Amounts are decimal texts with a point, in Currency, with at most two
// decimals. The amounts of a credit note are those that are given back, so they are not below zero either.
type Invoice struct {
	Number              string
	Credit              bool
	Issued, Supplied    time.Time
	From, To            time.Time  // BT-73, BT-74: days of what it is about, both included; zero: none
	Preceding           *Reference // BT-25, BT-26: which invoice it corrects
	Currency            string     // ISO 4217
	Seller, Buyer       Party
	Note                string
	Lines               []Line
	Taxes               []Tax // each category and rate once
	Net, VAT, Total     string
	Paid                string
	TransactionID, Text string // what the invoice is about
}
