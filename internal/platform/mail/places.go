package mail

import (
	"net/url"
	"strings"
)

// place is where the thing that a mail is about is looked at and decided, and the words of the link to it. app is a
// path below Config.App, and console one below the organisation's part of Config.Console; {id} stands for the record.
type place struct{ app, console, words string }

// places are the places of the kinds whose thing is decided in the program that people work with. Other kinds lead to
// pages of this service, or nowhere. This table is the one thing to change when those pages move.
var places = map[Kind]place{
	ApprovalNeeded:     {"/transactions/{id}", "/transactions/{id}", "Look at it and decide"},
	TransactionNews:    {"/transactions/{id}", "/transactions/{id}", "Look at the transaction"},
	TransactionSummary: {"/transactions", "/transactions", "Look at the transactions"},
	PayableSummary:     {"/payables", "/payables", "Look at the payables"},
	DecisionNeeded:     {"/approvals/{id}", "/decide", "Look at it and decide"},
	PayeeAdded:         {"/receivers", "/payees", "Look at your payees"},
	InvoiceSubmitted:   {"/payables/invoice-links/{id}", "/payables/invoice-links/{id}", "Look at the invoice"},
	InvoiceUndelivered: {"/payables/invoice-links/{id}", "/payables/invoice-links/{id}", "Look at the link"},
}

// lead returns the address and the words of the link of a mail: to the program that people work with, or else to the
// console. The address is empty if the kind has no place, or if there is neither program: a mail has no dead links.
func (o *Outbox) lead(m Message) (link, words string) {
	p := places[m.Kind]
	path := p.app
	site := o.config.App

	if site == "" {
		path = p.console
		site = o.config.Console

		if m.Organisation == "" { // what the platform's people decide
			path = "/ops"
		} else if site != "" {
			site = strings.TrimSuffix(site, "/") + "/o/" + url.PathEscape(m.Organisation)
		}
	}

	if p.app == "" || site == "" {
		return "", p.words
	}

	return strings.TrimSuffix(site, "/") + strings.ReplaceAll(path, "{id}", url.PathEscape(m.Record)), p.words
}
