// Package approval keeps what one person has asked for and a second one decides about: a payee that is new or
// changed, a policy made weaker, a member who is new or changed.
//
// Promised: an approval is decided once, by a member who may and who is not among its authors; what it is about
// happens in the same transaction as the decision; a newer request about the same record takes the place of an older
// one, so that what is approved is what was looked at. Not promised: that anybody looks. What waits stays without
// effect.
//
// What the platform's operators ask for can be approved for a week. Where carrying it out means asking somebody
// outside, a job does it after the decision, and the approval says what became of it.
//
// Read in this order: approval.go (what it is, its states), payee.go (what the nouns of payees ask), service.go (use
// cases), afterwards.go (what a job carries out), store.go, http.go.
package approval

import (
	"slices"
	"strings"
	"time"

	"slipway/internal/core/state"
)

// prefix of identifiers.
const prefix = "apr"

// Kind says what is asked for.
type Kind string

// The kinds.
const (
	Receiver    Kind = "RECEIVER"     // a receiver is new, or was changed
	BankAccount Kind = "BANK_ACCOUNT" // the same of a bank account
	Wallet      Kind = "WALLET"       // the same of a wallet
	Policy      Kind = "POLICY"       // the organisation's policy is to ask for less
	Member      Kind = "MEMBER"       // a member is to be changed, in whatever respect
	Invitation  Kind = "INVITATION"   // somebody is to become a member

	// The platform's own, of no organisation: two operators decide.
	Recovery Kind = "RECOVERY" // a person who cannot sign in is let in again without his second factor
	Network  Kind = "NETWORK"  // what decides where money goes on a network in use is to be another
	Terms    Kind = "TERMS"    // an organisation's limits and commissions are to be others
	Return   Kind = "RETURN"   // a payment that came back is to be paid again, or its worth given back
	Held     Kind = "HELD"     // what is held of a transaction is to be sent again, or given up
	Movement Kind = "MOVEMENT" // what the house's owners moved into a treasury, or out of it, is to be recorded
	Release  Kind = "RELEASE"  // a difference between the books and the world is to be accepted
)

// ofPeople reports whether a kind is about who decides in the organisation, and not about whom it pays.
func (k Kind) ofPeople() bool {
	return k == Policy || k == Member || k == Invitation
}

// Status is how far an approval has come.
type Status string

// The statuses.
const (
	Pending    Status = "PENDING" // a second person acts next
	Approved   Status = "APPROVED"
	Rejected   Status = "REJECTED"
	Superseded Status = "SUPERSEDED" // a newer request about the same record took its place
	Expired    Status = "EXPIRED"    // nobody has decided in time
)

// States is the table of moves.
func States() *state.Table[Status] { return states }

var states = state.New("Approval",
	state.Move[Status]{To: Pending, On: "somebody asks"},
	state.Move[Status]{From: Pending, To: Approved, On: "a second person approves"},
	state.Move[Status]{From: Pending, To: Rejected, On: "a second person rejects, or an author withdraws"},
	state.Move[Status]{From: Pending, To: Superseded, On: "the record is changed again"},
	state.Move[Status]{From: Pending, To: Expired, On: "nobody has decided in time"},
)

// Approval is one request with what became of it.
type Approval struct {
	ID, Organisation     string // no organisation: it is the platform's, and operators decide
	Kind                 Kind
	Object               string // the record it is about
	Summary              string // for people: what exactly is approved
	Data                 string // for the kind's handler
	Authors              People // none of whom may approve it
	RequestedBy          string
	Status               Status
	DecidedBy, Comment   string
	DecidedAt, CreatedAt time.Time
	NotBefore            time.Time // until then it may be rejected and not approved; zero: at once
	NotAfter             time.Time // from then on it may not be approved or carried out; zero: at any time
	Outcome              Outcome
	OutcomeInfo          string // why it was REFUSED
	Version              int64
}

// Request is what somebody asks for.
type Request struct {
	Organisation string
	Kind         Kind
	Object       string
	Summary      string
	Data         string
	Authors      People        // besides the caller
	Delay        time.Duration // so long it can only be rejected: time for others to notice
}

// People is a set of users as it is stored: identifiers with commas between.
type People string

// Has reports whether a user is one of them. Nobody without an identifier is.
func (p People) Has(user string) bool { return user != "" && slices.Contains(p.List(), user) }

// With adds a user; one who is there already, and one without an identifier, change nothing.
func (p People) With(user string) People {
	if user == "" || p.Has(user) {
		return p
	}

	if p == "" {
		return People(user)
	}

	return p + "," + People(user)
}

// And adds all of others.
func (p People) And(others People) People {
	for _, u := range others.List() {
		p = p.With(u)
	}

	return p
}

// Without takes others away.
func (p People) Without(others People) People {
	return People(strings.Join(slices.DeleteFunc(p.List(), others.Has), ","))
}

// List returns them in the order in which they came.
func (p People) List() []string {
	if p == "" {
		return nil
	}

	return strings.Split(string(p), ",")
}
