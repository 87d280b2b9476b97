package caller

import (
	"strings"

	"slipway/internal/core/fault"
)

// Window is which rows of a list are wanted: how many, and how many to skip or after which one.
type Window struct {
	Limit, Offset int
	After         string // sort position of the row before the first one; empty: none
}

// Cut takes the row off that a store has read beyond the page, and returns the sort position of the last one on it;
// none when nothing follows.
func Cut[T any](rows []T, w Window, position func(T) string) (page []T, next string) {
	if len(rows) <= w.Limit {
		return rows, ""
	}

	return rows[:w.Limit], position(rows[w.Limit-1])
}

// Place is where a list goes on that is sorted by a column: the order it has, the identifier of the last row that was
// returned, and what that row is sorted by. It is what the list's cursors hold; a cursor of one order means nothing in
// another.
type Place struct{ Order, Last, Value string }

// String is the place as a sort position.
func (p Place) String() string { return p.Order + "|" + p.Last + "|" + p.Value }

// PlaceIn reads the place in a list that has this order.
func PlaceIn(order, after string) (Place, error) {
	of, rest, _ := strings.Cut(after, "|")

	last, value, ok := strings.Cut(rest, "|")
	if !ok || of != order {
		return Place{}, WrongPlace()
	}

	return Place{order, last, value}, nil
}

// WrongPlace refuses a cursor that the list did not return.
func WrongPlace() error {
	var l fault.List
	l.Add("?cursor", fault.CursorInvalid, "is not a cursor of this list in this order.")
	return l.Err()
}
