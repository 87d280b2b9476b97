package chatchannel

import (
	"slices"

	"github.com/go-json-experiment/json"

	"slipway/internal/payments/transaction"
	"slipway/internal/platform/feed"
)

// News is a kind of news, which each channel can switch.
type News string

// The kinds.
const (
	Decisions News = "DECISIONS" // something waits for a person
	Payments  News = "PAYMENTS"  // accepted, arrived, paid, or about to be
	Problems  News = "PROBLEMS"  // failed, held, returned, refunded, paid in part
	Invoices  News = "INVOICES"  // an outside party has handed in an invoice, or did not get the link
	Payees    News = "PAYEES"    // a payee, its bank account or its wallet is new or was changed
	Technical News = "TECHNICAL" // a webhook endpoint, a chat or an API client does not work any more
)

// everything is what a channel gets whose maker has not chosen.
func everything() []News { return []News{Decisions, Payments, Problems, Invoices, Payees, Technical} }

// topics returns the types of events that channels are told of, and which news each may turn out to be.
func topics() map[string][]News {
	return map[string][]News{
		"transaction.submitted": {Decisions},
		"payable.created":       {Decisions},
		"payable.reopened":      {Decisions},
		"approval.requested":    {Decisions},
		"schedule.created":      {Decisions},
		"schedule.asked":        {Decisions},

		"transaction.accepted":       {Payments},
		"transaction.funds_received": {Payments},
		"transaction.completed":      {Payments, Problems}, // some of its payments may have failed
		"schedule.announced":         {Payments},

		refundedEvent:                  {Problems},
		"transaction.refunded":         {Problems},
		"transaction.failed":           {Problems},
		"transaction.rejected":         {Problems},
		"transaction.returned":         {Problems},
		"transaction.held":             {Problems},
		"transaction.deposit_mismatch": {Problems},

		"invoice_link.submitted":   {Invoices},
		"invoice_link.undelivered": {Invoices},

		"receiver.created":     {Payees},
		"receiver.changed":     {Payees},
		"bank_account.created": {Payees},
		"bank_account.changed": {Payees},
		"wallet.created":       {Payees},
		"wallet.changed":       {Payees},

		"webhook_endpoint.disabled": {Technical},
		disabledEvent:               {Technical},
		"api_client.expiring":       {Technical},
		"api_client.expired":        {Technical},
	}
}

// refundedEvent is an event with several meanings. It is told only if it ends a refund.
const refundedEvent = "transaction.progressed"

// disabledEvent is the event of a channel that the service has switched off. The other channels are told of it.
const disabledEvent = "chat_channel.disabled"

// worth reports whether an event may be worth a message.
func worth(e feed.Event) bool {
	if e.Type != refundedEvent {
		return true
	}

	var data struct {
		SettlementStatus transaction.SettlementStatus `json:"settlementStatus"`
	}

	return json.Unmarshal([]byte(e.Data), &data) == nil && data.SettlementStatus == transaction.SettlementRefunded
}

// wantsAny reports whether the channel wants one of some kinds.
func (c *Channel) wantsAny(kinds []News) bool {
	return slices.ContainsFunc(kinds, func(n News) bool { return slices.Contains(c.News, n) })
}
