// Package state holds transition tables: which moves a noun's status may make, and who acts next.
//
// A noun declares one Table; its Advance calls Allows before it writes. Diagram draws the table for
// docs/reference/states.
//
// Read state.go, then explain.go (who makes a move, and what a state waits for).
package state

import (
	"fmt"
	"slices"
	"sort"
	"strings"
)

// Move is one allowed change of status and its cause, or its causes, separated by commas. From is empty for the first
// status of a record.
type Move[S ~string] struct {
	From, To S
	On       string
}

// Table holds the allowed moves of one noun. It never changes after New.
type Table[S ~string] struct {
	name   string
	moves  []Move[S]
	allow  map[[2]S]bool
	states []S

	notes  map[S]Note[S]    // of an explained table
	actors map[string]Actor // of an explained table, by cause
}

// New returns a table. It panics on a move that is listed twice with the same cause, because tables are written in
// code.
func New[S ~string](name string, moves ...Move[S]) *Table[S] {
	t := &Table[S]{name: name, moves: slices.Clone(moves), allow: map[[2]S]bool{}}
	seenMove := map[Move[S]]bool{}

	seen := map[S]bool{}
	for _, m := range moves {
		if seenMove[m] {
			panic(fmt.Sprintf("state %s: %s to %s on %q stands twice", name, m.From, m.To, m.On))
		}

		seenMove[m] = true

		t.allow[[2]S{m.From, m.To}] = true
		for _, s := range []S{m.From, m.To} {
			if s != "" && !seen[s] {
				seen[s] = true
				t.states = append(t.states, s)
			}
		}
	}

	return t
}

// Allows reports whether the table has a move between the two.
func (t *Table[S]) Allows(from, to S) bool { return t.allow[[2]S{from, to}] }

// States returns every status, in the order of first mention.
func (t *Table[S]) States() []S { return append([]S(nil), t.states...) }

// Final reports whether nothing leads out of s.
func (t *Table[S]) Final(s S) bool {
	for _, m := range t.moves {
		if m.From == s && m.To != s {
			return false
		}
	}

	return true
}

// From returns the statuses that s may move to, sorted.
func (t *Table[S]) From(s S) []S {
	var out []S

	seen := map[S]bool{}
	for _, m := range t.moves {
		if m.From == s && !seen[m.To] {
			seen[m.To] = true
			out = append(out, m.To)
		}
	}

	sort.Slice(out, func(i, j int) bool { return out[i] < out[j] })

	return out
}

// Diagram returns a Markdown page with the table as a Mermaid diagram.
func (t *Table[S]) Diagram() string {
	var b strings.Builder
	fmt.Fprintf(
		&b,
		"# %s\n\nGenerated from the code's transition table; a test keeps it fresh.\n\n```mermaid\nstateDiagram-v2\n",
		t.name,
	)

	for _, m := range t.moves {
		from := string(m.From)
		if from == "" {
			from = "[*]"
		}

		fmt.Fprintf(&b, "    %s --> %s: %s\n", from, m.To, m.On)
	}

	for _, s := range t.states {
		if t.Final(s) {
			fmt.Fprintf(&b, "    %s --> [*]\n", s)
		}
	}

	b.WriteString("```\n")

	return b.String()
}
