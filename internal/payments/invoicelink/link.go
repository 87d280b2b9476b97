// Package invoicelink lets an outside party without an account enter its payment details and submit its invoice,
// through a link in a mail.
//
// It promises the following. A token is 256 random bits of which only the hash is stored. It is valid for one link,
// one organisation and one address, for 14 days, until it is revoked, sent again or its payable is made; whatever
// invalidates it, the answer is the same. For FollowedFor after an invoice was handed in its token still reads, and
// changes nothing: its holder sees what became of it. Its holder learns the name of the organisation, the address that
// the mail went to and what was handed in through it, and nothing about a receiver that is already known. What is
// handed in stays with the link and is nobody's payee: a member creates a new receiver from it with the payable. An
// account for a known receiver is a proposal that a member confirms, which adds an account and never changes one.
// After the invoice is submitted nothing of it changes, so a member accepts exactly what he has checked.
//
// It does not promise that the link's holder is who he claims to be. A mail can be forwarded, and a mailbox can be
// somebody else's. Therefore the address is informed of what was handed in, a member is warned of what differs from the
// receiver, and the people who approve the payable decide.
//
// Read in this order: link.go (types and states), given.go (what was handed in), service.go (members' use cases),
// again.go, guest.go, progress.go, prove.go, check.go, submit.go (the outside party's), takeover.go (proposals and the
// payable), undelivered.go, warnings.go, store.go (all SQL), limits.go, view.go, http.go, http_guest.go.
package invoicelink

import (
	"time"

	"slipway/internal/core/state"
	"slipway/internal/platform/mail"
)

// Lifetime is how long a token is valid.
const Lifetime = 14 * 24 * time.Hour

// Prefixes of identifiers and tokens.
const (
	prefix      = "ivl"
	tokenPrefix = "il_"
)

// Status is the state of a link.
type Status string

// The statuses.
const (
	Open      Status = "OPEN"      // the outside party acts next
	Submitted Status = "SUBMITTED" // its invoice is there and does not change; a member acts next
	Used      Status = "USED"      // the payable was made
	Revoked   Status = "REVOKED"   // a member has ended it
	Expired   Status = "EXPIRED"   // nobody submitted in time
)

// States returns the allowed moves.
func States() *state.Table[Status] { return states }

var states = state.New("Invoice link",
	state.Move[Status]{To: Open, On: "member asks for a link"},
	state.Move[Status]{From: Open, To: Submitted, On: "outside party hands in its invoice"},
	state.Move[Status]{From: Open, To: Used, On: "member makes the payable"},
	state.Move[Status]{From: Submitted, To: Used, On: "member makes the payable"},
	state.Move[Status]{From: Open, To: Revoked, On: "member revokes it"},
	state.Move[Status]{From: Submitted, To: Revoked, On: "member revokes it"},
	state.Move[Status]{From: Open, To: Expired, On: "14 days pass"},
	state.Move[Status]{From: Expired, To: Open, On: "member sends it again"},
)

// Proposal is the state of an account or wallet that was handed in for a known receiver.
type Proposal string

// The states of a proposal. For a new receiver there is none: its account is created with it.
const (
	Proposed  Proposal = "PROPOSED" // a member acts next
	Confirmed Proposal = "CONFIRMED"
	Refused   Proposal = "REFUSED"
)

// Link is one link.
type Link struct {
	ID, Organisation string
	Email            string // the mail went to it
	Existing         bool   // the receiver is known; if not, it is created with the payable
	Receiver         string // its identifier, reserved in advance for a new one
	OtherAddress     bool   // the receiver is known by another address than Email: a second person must confirm
	Requested        Requested
	Given            Given
	Counts           Counts
	Status           Status
	MailProblem      mail.Problem // why the mail with the link was not delivered; empty: nothing is known against it
	Mails            int64        // how often it was mailed
	MailedAt         time.Time    // the last time
	Payable          string       // set once USED
	CreatedBy        string
	SubmittedAt      time.Time // zero: not yet
	ExpiresAt        time.Time
	Version          int64
	CreatedAt        time.Time
	UpdatedAt        time.Time

	hash string // of the token
}

// StatusAt returns the effective status at a time: a link that nobody submitted in time has expired, even if that is
// not stored yet.
func (k Link) StatusAt(now time.Time) Status {
	if k.Status == Open && !now.Before(k.ExpiresAt) {
		return Expired
	}

	return k.Status
}

// Counts are how often the outside party has handed in new content.
type Counts struct{ Receiver, Target int64 }
