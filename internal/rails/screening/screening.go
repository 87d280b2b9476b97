// Package screening asks whether a blockchain address or a person may be dealt with.
//
// It promises an answer or an error, never a guess: what cannot be decided is not approved. Of providers of addresses
// there are Lists, which compares with sanctions lists that the operator supplies as files, Oracle, which asks a
// contract on the network itself, Several, which asks more than one, and Simulator, which is part of a sandbox only.
// Names are held against Lists, or the Simulator.
//
// Read in this order: screening.go (what is asked and answered), list.go (lists and how they are replaced), gather.go
// (the files), fold.go and match.go (names), oracle.go, several.go.
package screening

import (
	"context"
	"errors"
	"time"
)

// Status is what a provider says of an address. The words are those of walletAnalysisStatus.
type Status string

// The answers.
const (
	Approved Status = "APPROVED"
	Review   Status = "REVIEW"   // a person has to look
	Rejected Status = "REJECTED" // must not be dealt with
	Error    Status = "ERROR"    // the provider could not say; counts as not approved
)

// Result is one answer.
type Result struct {
	Status    Status
	Reference string // the provider's own name of this analysis or list, for the file
	Message   string // why it is not approved, for people
}

// Provider screens addresses. network is the network's identifier. An error means that nothing was found out; asking
// again is harmless. It may be slow and is never asked inside a database transaction.
type Provider interface {
	Screen(ctx context.Context, network, address string) (Result, error)
	// Edition names what answers rest on as far as this process knows it. When it is another one, earlier answers
	// count no more. It is asked for each payment and must cost nothing.
	Edition() string
}

// Elsewhere is a provider whose answers rest on what this process does not hold: they may change under the same
// Edition.
type Elsewhere interface{ AsksElsewhere() bool }

// AsksElsewhere says whether an answer of a provider, given a moment ago, may be another one now although its Edition
// is the same.
func AsksElsewhere(p Provider) bool {
	e, ok := p.(Elsewhere)
	return ok && e.AsksElsewhere()
}

// Source is one list that answers rest on.
type Source struct {
	Name      string    `json:"name"`
	Digest    string    `json:"digest"` // the first 16 hexadecimal digits of its SHA-256
	Date      time.Time `json:"date"`   // as the list says, else that of its file
	Addresses int       `json:"addresses"`
	Names     int       `json:"names"`
}

// Names finds listed names that are like one that is asked about.
type Names interface {
	// Match gives the listed parties whose name scores least or more, the best first and at most HitLimit. An error
	// means that nothing was found out; ErrLetters, that nothing will be as long as the name is written as it is.
	Match(name string, least int) ([]Hit, error)
	Edition() string
}

// HitLimit bounds the parties of one answer. As many may be all that are listed, or not.
const HitLimit = 100

// ErrLetters is the error of a name whose letters cannot be compared with those of the lists.
var ErrLetters = errors.New("the name has letters that are neither Latin nor Cyrillic")

// Hit is one listed party that a name is like.
type Hit struct {
	Key       string   `json:"key"`  // of the party and its name: the same in every edition that lists both
	List      string   `json:"list"` // file
	Entry     string   `json:"entry"`
	Name      string   `json:"name"` // as it is listed
	Weak      bool     `json:"weak,omitempty"`
	Programs  []string `json:"programs,omitempty"`
	Countries []string `json:"countries,omitempty"`
	Score     int      `json:"score"` // of 100: the same name
	Why       string   `json:"why"`
}
