package mail

import (
	"net/url"
	"strings"
)

// Place is where the thing that a mail or a message is about is looked at and decided, and the words of the link to it.
// App is a path below Config.App, and Console one below the organisation's part of Config.Console; {id} stands for the
// record. Looking at a place decides nothing.
type Place struct{ App, Console, Words string }

// places are the places of the kinds whose thing is decided in the program that people work with. Other kinds lead to
// pages of this service, or nowhere. This table is the one thing to change when those pages move.
var places = map[Kind]Place{
	ApprovalNeeded:     {"/transactions/{id}", "/transactions/{id}", "Look at it and decide"},
	TransactionNews:    {"/transactions/{id}", "/transactions/{id}", "Look at the transaction"},
	TransactionSummary: {"/transactions", "/transactions", "Look at the transactions"},
	PayableSummary:     {"/payables", "/payables", "Look at the payables"},
	ScheduleWaits:      {"/schedules/{id}", "/scheduled/{id}", "Look at it and decide"},
	ScheduleDue:        {"/schedules/{id}", "/scheduled/{id}", "Look at it, or stop it"},
	ScheduleAsks:       {"/schedules/{id}", "/scheduled/{id}", "Look at it and decide"},
	DecisionNeeded:     {"/approvals/{id}", "/decide", "Look at it and decide"},
	PayeeAdded:         {"/receivers", "/payees", "Look at your payees"},
	InvoiceSubmitted:   {"/payables/invoice-links/{id}", "/payables/invoice-links/{id}", "Look at the invoice"},
	InvoiceUndelivered: {"/payables/invoice-links/{id}", "/payables/invoice-links/{id}", "Look at the link"},
	ChatOff:            {"/chat-channels", "/chats", "Look at your chats"},
}

// PlaceOf returns the place of a kind of mail; its zero value if it has none.
func PlaceOf(k Kind) Place { return places[k] }

// lead returns the address and the words of the link of a mail: to the program that people work with, or else to the
// console. The address is empty if the kind has no place, or if there is neither program: a mail has no dead links.
func (o *Outbox) lead(m Message) (link, words string) {
	p := places[m.Kind]
	return o.LinkTo(p, m.Organisation, m.Record), p.Words
}

// LinkTo returns the address of a place for a record of an organisation, or of the platform if that is empty. It is
// empty if there is neither a program nor a console.
func (o *Outbox) LinkTo(p Place, organisation, record string) string {
	path := p.App
	site := o.config.App

	if site == "" {
		path = p.Console
		site = o.config.Console

		if organisation == "" { // what the platform's people decide
			path = "/ops"
		} else if site != "" {
			site = strings.TrimSuffix(site, "/") + "/o/" + url.PathEscape(organisation)
		}
	}

	if p.App == "" || site == "" {
		return ""
	}

	return strings.TrimSuffix(site, "/") + strings.ReplaceAll(path, "{id}", url.PathEscape(record))
}
