// Package bookfile writes journals of double entry in the files that bookkeeping programs import: DATEV (EXTF 700),
// Xero, QuickBooks Online, hledger and beancount.
//
// It promises that a file depends on what is written alone: the same journals give the same bytes, and each journal
// keeps its identifier, so a program that compares identifiers takes nothing twice. It does not promise that the
// program's own table has the accounts; hledger and beancount get theirs with the file.
//
// Read in this order: bookfile.go (what is written), pairs.go (journals as bookings of one account against another),
// plain.go (hledger), beancount.go, sheet.go (Xero, QuickBooks), datev.go.
package bookfile

import (
	"io"
	"strings"
	"time"
	"unicode"

	"slipway/internal/core/money"
)

// Class is which part of the balance sheet, or of the profit and loss, an account belongs to.
type Class string

// The classes.
const (
	Asset     Class = "ASSET"
	Liability Class = "LIABILITY"
	Equity    Class = "EQUITY"
	Income    Class = "INCOME"
	Expense   Class = "EXPENSE"
)

// Account is an account of the table that the lines are mapped to. Place parts it further, by what a line is about: a
// wallet, a payee. Only hledger and beancount show it as an account.
type Account struct {
	Number, Name, Place string
	Class               Class
}

// Line is one side of a journal. Value is in the file's currency and Amount in the asset itself; above zero they are a
// debit. Only hledger and beancount take lines without a value, in journals that sum to zero in the asset.
type Line struct {
	ID      string
	Account Account
	Value   *money.Amount
	Amount  money.Amount
	Tax     string // code of the tax; empty: none
	Centre  string // cost centre
}

// Journal is what is booked together: the values of its lines sum to zero.
type Journal struct {
	ID        string
	Day       time.Time // of the book
	Text      string    // what happened
	Party     string    // with whom
	Document  string    // number of the invoice
	Reference string    // what outside parties know it by: end-to-end identification, hash of a transaction
	Lines     []Line
}

// Head is what a file says of itself. Only DATEV demands Adviser, Client and YearStart.
type Head struct {
	Title           string
	From, To        time.Time // days, both included
	Currency        string
	Adviser, Client string    // numbers of the tax adviser and of his client
	YearStart       time.Time // first day of the business year that has all of From to To
	AccountLength   int       // digits of the longest account number
}

// Writer writes the journals of a file, one after another, and holds none of them.
type Writer interface {
	Journal(j Journal) error
	// Close writes what stands at the end. The writer below it stays open.
	Close() error
}

// text collects what is written and keeps the first error.
type text struct {
	out io.Writer
	err error
}

func (t *text) write(parts ...string) {
	for _, p := range parts {
		if t.err == nil {
			_, t.err = io.WriteString(t.out, p)
		}
	}
}

// words joins what is known of a journal in one line for people.
func words(parts ...string) string {
	var known []string

	for _, p := range parts {
		if p = oneLine(p); p != "" {
			known = append(known, p)
		}
	}

	return strings.Join(known, ", ")
}

// oneLine returns a text without control characters and with single spaces.
func oneLine(s string) string {
	s = strings.Map(func(r rune) rune {
		if unicode.IsControl(r) || !unicode.IsPrint(r) {
			return ' '
		}

		return r
	}, s)

	return strings.Join(strings.Fields(s), " ")
}

// cut returns at most so many characters of a text.
func cut(s string, most int) string {
	r := []rune(s)
	if len(r) <= most {
		return s
	}

	return string(r[:most])
}

// keep returns a text with a dash in place of each character that a format does not take there.
func keep(s string, may func(rune) bool) string {
	return strings.Map(func(r rune) rune {
		if may(r) {
			return r
		}

		return '-'
	}, s)
}

// inert returns a text that no spreadsheet takes for a formula, whether it parts cells at commas or semicolons.
func inert(s string) string {
	s = strings.ReplaceAll(s, ";", ",")
	if s != "" && strings.ContainsAny(s[:1], "=+-@") {
		return "'" + s
	}

	return s
}
