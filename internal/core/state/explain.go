package state

import (
	"fmt"
	"maps"
	"strings"
)

// Actor is who makes a move, or whom a state waits for.
type Actor string

// The actors. Moves of Member, Sender and Platform are decisions of people; all others happen by themselves.
const (
	Nobody   Actor = "NOBODY"             // nothing is waited for
	Member   Actor = "MEMBER"             // a member of the organisation
	Sender   Actor = "SENDER"             // who sends a deposit
	Platform Actor = "PLATFORM"           // people who run the platform
	Service  Actor = "SLIPWAY"            // Slipway itself
	Provider Actor = "LIQUIDITY_PROVIDER" // who converts
	Chain    Actor = "CHAIN"              // a network
	Bank     Actor = "BANK"               // a bank
)

// Person reports whether the actor is people, for whom nothing happens by itself.
func (a Actor) Person() bool { return a == Member || a == Sender || a == Platform }

// Note is what a table says of one of its states.
type Note[S ~string] struct {
	State   S
	Meaning string
	Waits   Actor // who acts next; empty: another table of the same record says it
}

// Explained returns the table with a note of each of its states, and with who acts for each cause of its moves. A later
// note of a state replaces an earlier one, and what is of no state or cause of the table is ignored. It panics where a
// state or a cause has none, because tables are written in code.
func (t *Table[S]) Explained(actors map[string]Actor, notes ...Note[S]) *Table[S] {
	out := *t
	out.actors = maps.Clone(actors)
	out.notes = make(map[S]Note[S], len(notes))

	for _, n := range notes {
		out.notes[n.State] = n
	}

	for _, s := range t.states {
		if out.notes[s].Meaning == "" {
			panic(fmt.Sprintf("state %s: %s has no note", t.name, s))
		}
	}

	for _, m := range t.moves {
		for _, cause := range m.Causes() {
			if out.actors[cause] == "" {
				panic(fmt.Sprintf("state %s: nobody acts for %q", t.name, cause))
			}
		}
	}

	return &out
}

// Note returns what an explained table says of a state.
func (t *Table[S]) Note(s S) Note[S] { return t.notes[s] }

// Actor returns who acts for a cause of an explained table.
func (t *Table[S]) Actor(cause string) Actor { return t.actors[cause] }

// Moves returns the moves out of a state, in the order in which they are written: the usual one comes first.
func (t *Table[S]) Moves(from S) []Move[S] {
	var out []Move[S]

	for _, m := range t.moves {
		if m.From == from {
			out = append(out, m)
		}
	}

	return out
}

// Names reports whether any move of the table has a cause.
func (t *Table[S]) Names(cause string) bool {
	for _, m := range t.moves {
		for _, c := range m.Causes() {
			if c == cause {
				return true
			}
		}
	}

	return false
}

// Causes returns the causes of a move. Several are separated by commas.
func (m Move[S]) Causes() []string { return strings.Split(m.On, ", ") }
