package caller

import (
	"strings"

	"slipway/internal/core/fault"
)

// Window selects the rows of a list: how many, and how many to skip or after which one to start.
type Window struct {
	Limit, Offset int
	After         string // sort position of the row before the first one; empty: start at the first
}

// Cut drops the row that a store has read beyond the page, and returns the sort position of the last row on the page,
// or "" if no row follows.
func Cut[T any](rows []T, w Window, position func(T) string) (page []T, next string) {
	if len(rows) <= w.Limit {
		return rows, ""
	}

	return rows[:w.Limit], position(rows[w.Limit-1])
}

// Place is the position in a sorted list where the next page starts: the name of the order, the identifier of the last
// row returned, and its sort value. Cursors of lists contain it. A cursor of one order is refused in another.
type Place struct{ Order, Last, Value string }

// String returns the place as a sort position.
func (p Place) String() string { return p.Order + "|" + p.Last + "|" + p.Value }

// PlaceIn parses a place in a list that has this order. It refuses one of another order.
func PlaceIn(order, after string) (Place, error) {
	of, rest, _ := strings.Cut(after, "|")

	last, value, ok := strings.Cut(rest, "|")
	if !ok || of != order {
		return Place{}, WrongPlace()
	}

	return Place{order, last, value}, nil
}

// WrongPlace returns the refusal for a cursor that the list did not return.
func WrongPlace() error {
	var l fault.List
	l.Add("?cursor", fault.CursorInvalid, "is not a cursor of this list in this order.")
	return l.Err()
}
