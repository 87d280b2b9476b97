// Package invoicelink lets an outside party that has no account hand in its own payment details and its invoice, by a
// link in a mail.
//
// What it promises: a token is 256 random bits of which only the hash is kept, good for one link, one organisation
// and one address, for 14 days, until it is revoked or its payable is made; whatever makes it useless, the answer is
// the same. Whoever holds it learns the name of the organisation, the address it was sent to and what was handed in
// through it, and nothing of a receiver that is known already. What is handed in lies with the link and is nobody's
// payee: a member makes a new receiver of it when he makes the payable, and an account for a known receiver is a
// proposal that a member confirms, which adds an account and never changes one. After the invoice is handed in
// nothing of it changes, so that what a member looks at is what he takes over.
//
// Not promised: that whoever holds the link is who he says. A mail can be passed on, and a mailbox can be somebody
// else's: the address is told what was handed in, a member is warned of what is unlike the receiver, and the people
// who approve the payable decide.
//
// Read in this order: link.go (what it is, its states), given.go (what was handed in), service.go (members' use
// cases), guest.go, submit.go (the outside party's), takeover.go (proposals and the payable), warnings.go, store.go
// (all SQL), limits.go, view.go, http.go, http_guest.go.
package invoicelink

import (
	"time"

	"slipway/internal/core/state"
)

// Lifetime is how long a token is good.
const Lifetime = 14 * 24 * time.Hour

// prefixes of identifiers and tokens.
const (
	prefix      = "ivl"
	tokenPrefix = "il_"
)

// Status is how far a link has come.
type Status string

// The statuses.
const (
	Open      Status = "OPEN"      // the outside party acts next
	Submitted Status = "SUBMITTED" // its invoice is there and stays as it is; a member acts next
	Used      Status = "USED"      // the payable is made
	Revoked   Status = "REVOKED"   // a member has ended it
	Expired   Status = "EXPIRED"   // nobody submitted in time
)

// States is the table of moves.
func States() *state.Table[Status] { return states }

var states = state.New("Invoice link",
	state.Move[Status]{To: Open, On: "member asks for a link"},
	state.Move[Status]{From: Open, To: Submitted, On: "outside party hands in its invoice"},
	state.Move[Status]{From: Open, To: Used, On: "member makes the payable"},
	state.Move[Status]{From: Submitted, To: Used, On: "member makes the payable"},
	state.Move[Status]{From: Open, To: Revoked, On: "member revokes it"},
	state.Move[Status]{From: Submitted, To: Revoked, On: "member revokes it"},
	state.Move[Status]{From: Open, To: Expired, On: "14 days pass"},
)

// Proposal is what became of an account or wallet that was handed in for a receiver that is known already.
type Proposal string

// What becomes of a proposal. Of a new receiver's there is none: it comes into being with the receiver.
const (
	Proposed  Proposal = "PROPOSED" // a member acts next
	Confirmed Proposal = "CONFIRMED"
	Refused   Proposal = "REFUSED"
)

// Link is one link.
type Link struct {
	ID, Organisation string
	Email            string // to which the mail went
	Existing         bool   // the receiver is known; else it is made with the payable
	Receiver         string // its identifier, which of a new one is kept for it
	OtherAddress     bool   // the receiver is known by another address than Email: confirming takes a second person
	Requested        Requested
	Given            Given
	Counts           Counts
	Status           Status
	Payable          string // once USED
	CreatedBy        string
	SubmittedAt      time.Time // zero: not yet
	ExpiresAt        time.Time
	Version          int64
	CreatedAt        time.Time
	UpdatedAt        time.Time

	hash string // of the token
}

// StatusAt is the status as it counts at a time: a link that nobody submitted in time has expired, even if nobody
// noted it yet.
func (k Link) StatusAt(now time.Time) Status {
	if k.Status == Open && !now.Before(k.ExpiresAt) {
		return Expired
	}

	return k.Status
}

// Counts are how often the outside party has handed in something new.
type Counts struct{ Receiver, Target int64 }
