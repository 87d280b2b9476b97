// Package notice mails people about what happened to their organisation's transactions and payables, and about what
// waits for them.
//
// It reads the events that every change of a transaction writes anyway, so a payment does no work for it.
//
// It promises that an event is announced once if its write ended within Settle of its beginning: the mails and the new
// cursor are written together. Of several events of one transaction that are found together, the last is announced.
// Nobody gets more than a few mails in a row: more become one summary, and then the organisation's mails pause for a
// while. It does not promise a mail about everything (use the feed of events for that), nor about events older than
// Stale.
//
// Read in this order: notice.go (who is told what), news.go, follow.go, letter.go, payables.go, approvals.go (what
// waits for a second person), morning.go (those who want one mail a day), store.go.
package notice

import (
	"maps"
	"slices"
	"time"

	"slipway/internal/payments/transaction"
)

// The times and numbers that mails follow.
const (
	Settle            = 15 * time.Second   // younger events wait: earlier ones may not be committed yet
	Stale             = 3 * 24 * time.Hour // older events are not announced
	maxSingleMails    = 3                  // so many mails are sent one by one
	maxListed         = 10                 // so many items are listed in a summary
	pauseAfterMails   = time.Minute        // the pause after mails
	pauseAfterSummary = 15 * time.Minute   // the pause after a summary
	maxEvents         = 20_000             // events read at once for one organisation
	orgPage           = 200                // organisations read in one statement
)

// audience returns the members of an organisation who get the mail about a transaction's event.
type audience func(p transaction.Parties, m members) []string

// announcement is how an event is announced.
type announcement struct {
	headline string
	lead     string // a whole sentence
	deposit  string // the lead for ONRAMP; empty: the same
	to       audience
	weight   int // smaller ones stand first in a summary
}

// Weights.
const (
	weightAction  = iota // a person must act
	weightProblem        // somebody should check
	weightNews
)

// announcements are the events that are worth a mail.
var announcements = map[string]announcement{
	"transaction.submitted": {headline: "Waits for your approval", to: acceptors, weight: weightAction},
	"transaction.accepted": {
		headline: "Accepted",
		lead:     "The transaction was accepted and is on its way.",
		to:       creatorUnlessAcceptor,
		weight:   weightNews,
	},
	completedStep: {
		headline: "Paid",
		lead:     "The transaction is completed.",
		deposit:  "The tokens have arrived in your wallet.",
		to:       parties,
		weight:   weightNews,
	},
	partlyStep: {
		headline: "Paid in part",
		lead:     "Some of the payments were made, and others failed.",
		to:       partiesAndAdmins,
		weight:   weightProblem,
	},
	"transaction.funds_received": {
		headline: "Deposit received",
		lead:     "The deposit has arrived. It is converted, and the tokens are sent to your wallet.",
		to:       parties,
		weight:   weightNews,
	},
	"transaction.refunded": {
		headline: "Refunded",
		lead:     "What could not be paid is back in your wallet.",
		deposit:  "The deposit was sent back to the account it came from.",
		to:       partiesAndAdmins,
		weight:   weightProblem,
	},
	"transaction.failed": {
		headline: "Not paid",
		lead:     "The transaction has failed.",
		to:       partiesAndAdmins,
		weight:   weightProblem,
	},
	"transaction.rejected": {
		headline: "Rejected",
		lead:     "The transaction was rejected before anything was paid.",
		to:       partiesAndAdmins,
		weight:   weightProblem,
	},
	"transaction.returned": {
		headline: "Money came back",
		lead:     "A bank has sent back what was paid to it.",
		deposit:  "The sender's bank has taken the deposit back.",
		to:       partiesAndAdmins,
		weight:   weightProblem,
	},
	"transaction.held": {
		headline: "On hold",
		lead:     "The transaction is on hold until a person has looked at it.",
		to:       partiesAndAdmins,
		weight:   weightProblem,
	},
	"transaction.deposit_mismatch": {
		headline: "Deposit does not match",
		lead:     "A deposit with the transaction's reference came that is not what the transaction waits for.",
		to:       partiesAndAdmins,
		weight:   weightProblem,
	},
}

// completedStep is the event of a transaction whose payments have all ended, and partlyStep what it means if some of
// them were not made.
const (
	completedStep = "transaction.completed"
	partlyStep    = "partly"
)

// refundedStep is an event with several meanings. It is announced only if it ends a refund.
const refundedStep = "transaction.progressed"

// types returns the types of the events that are read.
func types() []string {
	out := []string{refundedStep}
	for name := range announcements {
		if name != partlyStep {
			out = append(out, name)
		}
	}

	for name := range payableTypes() {
		out = append(out, name)
	}

	slices.Sort(out)

	return out
}

// acceptors returns the members who may accept the transaction and have had no part in it.
func acceptors(p transaction.Parties, m members) []string {
	part := func(user string) bool { return user == p.CreatedBy || p.Authors.Has(user) }
	out := slices.DeleteFunc(slices.Clone(m.authorized), part)

	for _, user := range slices.Sorted(maps.Keys(m.standIns)) {
		if !part(user) && !part(m.standIns[user]) {
			out = append(out, user)
		}
	}

	return out
}

// creatorUnlessAcceptor returns the creator, except if he has accepted the transaction himself.
func creatorUnlessAcceptor(p transaction.Parties, _ members) []string {
	if p.CreatedBy == p.AcceptedBy {
		return nil
	}

	return []string{p.CreatedBy}
}

func parties(p transaction.Parties, _ members) []string { return []string{p.CreatedBy, p.AcceptedBy} }

func partiesAndAdmins(p transaction.Parties, m members) []string {
	return append(parties(p, m), m.admins...)
}
