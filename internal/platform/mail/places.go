package mail

import (
	"net/url"
	"strings"
)

// place is where the thing that a mail is about is looked at and decided: a path below Config.App, and the words of the
// link to it. {id} stands for the record.
type place struct{ path, words string }

// places are the places of the kinds whose thing is decided in the program that people work with. Other kinds lead to
// pages of this service, or nowhere. This table is the one thing to change when those pages move.
var places = map[Kind]place{
	ApprovalNeeded:     {"/transactions/{id}", "Look at it and decide"},
	TransactionNews:    {"/transactions/{id}", "Look at the transaction"},
	TransactionSummary: {"/transactions", "Look at the transactions"},
	PayableSummary:     {"/payables", "Look at the payables"},
	DecisionNeeded:     {"/approvals/{id}", "Look at it and decide"},
	PayeeAdded:         {"/receivers", "Look at your payees"},
	InvoiceSubmitted:   {"/payables/invoice-links/{id}", "Look at the invoice"},
}

// lead returns the address and the words of the link of a mail about a record. The address is empty if the kind has no
// place, or if this deployment does not know the program that people work with: a mail has no dead links.
func (o *Outbox) lead(k Kind, record string) (link, words string) {
	p := places[k]
	if p.path == "" || o.config.App == "" {
		return "", p.words
	}

	return strings.TrimSuffix(o.config.App, "/") + strings.ReplaceAll(p.path, "{id}", url.PathEscape(record)), p.words
}
