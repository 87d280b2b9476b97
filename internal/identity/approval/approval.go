// Package approval keeps requests of one person that a second person decides: a new or changed payee, a weaker policy,
// a new or changed member.
//
// It promises:
//   - An approval is decided once, by a member with the right role who is not among its authors.
//   - The request takes effect in the same transaction as the decision.
//   - A newer request about the same record replaces an older one, so that nobody approves something not seen.
//
// It does not promise that anybody decides. A request that waits has no effect.
//
// A request of the platform's operators can be approved for a week, unless it is a lasting one. If carrying it out
// means asking somebody outside, a job does so after the decision, and the approval records the outcome.
//
// Read in this order: approval.go (types and states), reason.go (the words that people add), payee.go (what the nouns
// of payees call), service.go (use cases), afterwards.go (what a job carries out), store.go, http.go.
package approval

import (
	"slices"
	"strings"
	"time"

	"slipway/internal/core/money"
	"slipway/internal/core/state"
	"slipway/internal/platform/words"
)

// prefix begins identifiers.
const prefix = "apr"

// Kind is what is asked for.
type Kind string

// The kinds.
const (
	Receiver    Kind = "RECEIVER"     // a receiver is new, or was changed
	BankAccount Kind = "BANK_ACCOUNT" // a bank account is new, or was changed
	Wallet      Kind = "WALLET"       // a wallet is new, or was changed
	Policy      Kind = "POLICY"       // weaken the organisation's policy
	Member      Kind = "MEMBER"       // change a member
	Invitation  Kind = "INVITATION"   // invite a person
	SignOn      Kind = "SIGN_ON"      // change the provider that signs the organisation's people in
	Period      Kind = "PERIOD"       // close a month of the organisation's book, or reopen it

	// Kinds of the platform, of no organisation: two operators decide.
	Recovery Kind = "RECOVERY"  // let a person sign in again without the second factor
	Network  Kind = "NETWORK"   // change what decides where money goes on a network in use
	Token    Kind = "TOKEN"     // record where a token is on a network
	Terms    Kind = "TERMS"     // change an organisation's limits and commissions
	Return   Kind = "RETURN"    // pay a returned payment again, or give its worth back
	Held     Kind = "HELD"      // send what is held of a transaction again, or give it up
	Movement Kind = "MOVEMENT"  // record what the house's owners moved into a treasury, or out of it
	BankHold Kind = "BANK_HOLD" // end what is held at a bank
	BankKeys Kind = "BANK_KEYS" // use the keys that a bank's EBICS server has given
	Release  Kind = "RELEASE"   // accept a difference between the books and the world
	Stock    Kind = "STOCK"     // record what came into the house's stock, or left it

	Receivable Kind = "RECEIVABLE" // settle what an organisation owes the house
	Rereading  Kind = "REREADING"  // let payments leave again after the world was re-read
	Deposit    Kind = "DEPOSIT"    // settle a deposit in suspense
)

// aboutPeople reports whether a kind is about who decides in the organisation, and not about whom it pays.
func (k Kind) aboutPeople() bool {
	return k == Policy || k == Member || k == Invitation || k == SignOn
}

// Status is the state of an approval.
type Status string

// The statuses.
const (
	Pending    Status = "PENDING" // a second person acts next
	Approved   Status = "APPROVED"
	Rejected   Status = "REJECTED"
	Superseded Status = "SUPERSEDED" // a newer request about the same record replaced it
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

// Approval is one request and its decision.
type Approval struct {
	ID, Organisation     string // without an organisation it is the platform's, and operators decide
	Kind                 Kind
	Object               string // the record it is about
	Summary              string // what exactly is approved, a value of words.Phrase
	Data                 string // for the kind's handler
	Authors              People // none of whom may approve it
	RequestedBy          string
	Status               Status
	DecidedBy, Comment   string
	DecidedAt, CreatedAt time.Time
	NotBefore            time.Time // until then it can be rejected but not approved; zero: at once
	NotAfter             time.Time // from then on it can be neither approved nor carried out; zero: at any time
	Outcome              Outcome
	OutcomeInfo          string // why it was REFUSED
	Version              int64
}

// Request is what a caller asks for.
type Request struct {
	Organisation string
	Kind         Kind
	Object       string
	Summary      string // a value of words.Phrase: a mail says it in its reader's language
	Data         string
	Authors      People        // besides the caller
	Delay        time.Duration // how long it can only be rejected: time for others to notice
	Lasting      bool          // a request of operators that can be approved at any time
}

// Sum returns an amount as summaries say it: in English with the digits of the interface, 1000.00 USDC.
func Sum(a money.Amount) string {
	code := a.Asset().Code

	return words.InEnglish(a.String()+" "+code, words.Sum(a.String(), code))
}

// People is a set of users in the form in which it is stored: identifiers separated by commas.
type People string

// Has reports whether the set contains a user. It never contains an empty identifier.
func (p People) Has(user string) bool { return user != "" && slices.Contains(p.List(), user) }

// With returns the set with a user added.
func (p People) With(user string) People {
	if user == "" || p.Has(user) {
		return p
	}

	if p == "" {
		return People(user)
	}

	return p + "," + People(user)
}

// And returns the union of both sets.
func (p People) And(others People) People {
	for _, u := range others.List() {
		p = p.With(u)
	}

	return p
}

// Without returns the set without the others.
func (p People) Without(others People) People {
	return People(strings.Join(slices.DeleteFunc(p.List(), others.Has), ","))
}

// List returns the users in the order in which they were added.
func (p People) List() []string {
	if p == "" {
		return nil
	}

	return strings.Split(string(p), ",")
}
