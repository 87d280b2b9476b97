package web

import (
	"strings"

	"slipway/internal/core/fault"
)

// Place is where a list goes on that is sorted by a column: the order it has, the identifier of the last row that was
// given, and what that row is sorted by. It is what the list's cursors hold; a cursor of one order means nothing in
// another.
type Place struct{ Order, Last, Value string }

// String writes the place for NewList.
func (p Place) String() string { return p.Order + "|" + p.Last + "|" + p.Value }

// PlaceIn reads the place of a cursor of a list that has this order.
func PlaceIn(order, after string) (Place, error) {
	of, rest, _ := strings.Cut(after, "|")

	last, value, ok := strings.Cut(rest, "|")
	if !ok || of != order {
		return Place{}, WrongPlace()
	}

	return Place{order, last, value}, nil
}

// WrongPlace refuses a cursor that the list did not give out.
func WrongPlace() error {
	var l fault.List
	l.Add("?cursor", fault.CursorInvalid, "is not a cursor of this list in this order.")
	return l.Err()
}
