// Package analysis asks screening about whomever money moves from or to, and keeps what it said.
//
// What it promises: no answer counts that is not on record; an address or a name that could not be screened counts as
// not allowed; answers are used again for a while (Rules.Reuse) by the process that has them, and only under the
// edition of the lists that they rest on, but an oracle is asked anew at accept and before sending; a name that is
// like a listed one stays blocked until two people have said that it is another party, and is not asked about again
// after that.
//
// What it does not promise: that an answer of a moment ago still holds. So screening is asked when a transaction is
// submitted, when it is accepted, and before anything of it is sent.
//
// Read in this order: analysis.go (records), ask.go (what other nouns call), case.go (people's decisions), proposal.go
// (how two of them agree), sweep.go (newer lists), store.go (all SQL), http.go.
package analysis

import (
	"log/slog"
	"time"

	"slipway/internal/core/id"
	"slipway/internal/platform/cache"
	"slipway/internal/platform/db"
	"slipway/internal/rails/screening"
)

// Kind is what was asked about.
type Kind string

// The kinds.
const (
	Address Kind = "ADDRESS"
	Name    Kind = "NAME"
)

// Purpose is what it was asked for.
type Purpose string

// The purposes.
const (
	ForWallet  Purpose = "WALLET" // a stored wallet is new, changed, or a day old
	ForSubmit  Purpose = "SUBMIT" // or validate
	ForAccept  Purpose = "ACCEPT" // somebody decides to pay
	ForSending Purpose = "SEND"   // the last look before anything is signed or written into a file for a bank
)

// prefix of the identifiers of records.
const prefix = "scr"

// DecisionLifetime is how long people's approval of an address that a provider wants looked at counts, as that of a
// provider does.
const DecisionLifetime = 24 * time.Hour

// ByPeople is the reference of an answer that people have given.
const ByPeople = "people"

// Record is one question and its answer. It never changes.
type Record struct {
	ID, Organisation string
	Kind             Kind
	Subject, Network string // the network only of an address
	Object           string // the record for which it was asked
	Purpose          Purpose
	Status           screening.Status
	Message          string
	Reference        string // what the answer rests on: editions of lists, oracles
	Hits             []screening.Hit
	AskedAt, At      time.Time
}

// NewID is an identifier for a record that is about to be asked for.
func NewID(now time.Time) string { return id.New(prefix, now) }

// Rules are the thresholds and times of the deployment.
type Rules struct {
	Review int // of 100: from this score on a name waits for people; 0: 85
	Reject int // of 100: from this score on it is refused until people have cleared it; 0: 100
	// how long an approval of an address is used again without asking, at accept and before sending one of lists
	// alone; 0: 15 minutes
	Reuse time.Duration
}

func (r Rules) orDefaults() Rules {
	if r.Review == 0 {
		r.Review = 85
	}

	if r.Reject == 0 {
		r.Reject = 100
	}

	if r.Reuse == 0 {
		r.Reuse = 15 * time.Minute
	}

	return r
}

// Deps is what the service works with.
type Deps struct {
	DB        *db.DB
	Log       *slog.Logger
	Addresses screening.Provider
	Names     screening.Names           // nil: names are not screened
	Sources   func() []screening.Source // the lists in use; nil: there are none
	Rules     Rules
}

// Service asks and remembers.
type Service struct {
	Deps
	cleared *cache.Cache[time.Time] // whole inquiries without a finding: since when
	passed  *cache.Cache[time.Time] // approved addresses and names, on record: since when
}

// How much is remembered at most, and for how long at the longest.
const (
	clearedLimit = 20_000
	passedLimit  = 50_000
	longest      = 24 * time.Hour
)

// New returns the service.
func New(d Deps) *Service {
	d.Rules = d.Rules.orDefaults()
	if d.Log == nil {
		d.Log = slog.Default()
	}

	c := d.DB.Clock()

	return &Service{d, cache.New[time.Time](c, longest, clearedLimit), cache.New[time.Time](c, longest, passedLimit)}
}

// edition is what answers rest on at the moment.
func (s *Service) edition() string {
	edition := s.Addresses.Edition()
	if s.Names == nil {
		return edition
	}

	if of := s.Names.Edition(); of != edition {
		edition += "/" + of
	}

	return edition
}
