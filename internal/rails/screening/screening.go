// Package screening decides whether a blockchain address or a person is acceptable as a counterparty.
//
// It returns an answer or an error, never a guess: what cannot be decided is not approved. Providers for addresses are
// Lists, which compares with sanctions lists that the operator supplies as files; Oracle, which calls a contract on the
// network; Several, which asks more than one; and Simulator, which only the sandbox uses. Names are compared by Lists,
// or the Simulator.
//
// A name is compared as it is read, and not as it is stored: without what nobody sees, with letters that look like
// others (UTS 39) taken for these, with its words in pieces or without the blanks between them. So it is of no use to
// disguise one, and names that were stored before they were cleaned where they enter (package text) are found as well.
//
// Read in this order: screening.go (requests and answers), list.go (lists and how they are replaced), gather.go (the
// files), fold.go and reading.go (how a name is read), match.go and ask.go (names that are alike), oracle.go,
// several.go, simulator.go.
package screening

import (
	"context"
	"errors"
	"time"
)

// Status is a provider's answer about an address. The values are those of walletAnalysisStatus.
type Status string

// The answers.
const (
	Approved Status = "APPROVED"
	Review   Status = "REVIEW"   // a person must check
	Rejected Status = "REJECTED" // must not be accepted
	Error    Status = "ERROR"    // the provider could not decide; counts as not approved
)

// Result is one answer.
type Result struct {
	Status    Status
	Reference string // the provider's name of this analysis or list, for the record
	Message   string // why it is not approved, for people
}

// Provider screens addresses. network is the network's identifier. An error means that nothing was found out; repeating
// the request is harmless. It may be slow; never call it inside a database transaction.
type Provider interface {
	Screen(ctx context.Context, network, address string) (Result, error)
	// Edition identifies the data behind the answers, as far as this process knows it. If it changes, earlier answers
	// are no longer valid. It is called for each payment and must be cheap.
	Edition() string
}

// Elsewhere is a provider whose answers depend on data outside of this process: they may change under the same Edition.
type Elsewhere interface{ AsksElsewhere() bool }

// AsksElsewhere reports whether a recent answer of a provider may have changed although its Edition is the same.
func AsksElsewhere(p Provider) bool {
	e, ok := p.(Elsewhere)
	return ok && e.AsksElsewhere()
}

// Source is one list that answers depend on.
type Source struct {
	Name      string    `json:"name"`
	Digest    string    `json:"digest"` // the first 16 hexadecimal digits of its SHA-256
	Date      time.Time `json:"date"`   // as stated in the list, otherwise of its file
	Addresses int       `json:"addresses"`
	Names     int       `json:"names"`
}

// Names finds listed names that are similar to a name.
type Names interface {
	// Match returns the listed parties whose name scores least or more, best first and at most HitLimit. An error means
	// that nothing was found out; ErrLetters means that the name cannot be compared as long as it is written like this.
	Match(name string, least int) ([]Hit, error)
	Edition() string
}

// HitLimit limits the parties of one answer. There may be more.
const HitLimit = 100

// ErrLetters means that the letters of a name cannot be compared with those of the lists.
var ErrLetters = errors.New("the name has letters that are neither Latin nor Cyrillic")

// Hit is one listed party with a similar name.
type Hit struct {
	Key       string   `json:"key"`  // of the party and its name: the same in every edition that contains both
	List      string   `json:"list"` // file
	Entry     string   `json:"entry"`
	Name      string   `json:"name"` // as listed
	Weak      bool     `json:"weak,omitempty"`
	Programs  []string `json:"programs,omitempty"`
	Countries []string `json:"countries,omitempty"`
	Births    []string `json:"births,omitempty"`  // dates, or what is known of them
	Places    []string `json:"places,omitempty"`  // of birth
	Numbers   []string `json:"numbers,omitempty"` // of passports and registers
	Score     int      `json:"score"`             // of 100: equal names
	Why       string   `json:"why"`
}
