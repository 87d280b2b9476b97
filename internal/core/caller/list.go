package caller

import (
	"strconv"
	"strings"

	"slipway/internal/core/fault"
)

// Window selects the rows of a list: how many, and how many to skip or after which one to start.
type Window struct {
	Limit, Offset int
	After         string // sort position of the row before the first one; empty: start at the first
	Uncounted     bool   // nobody asks for the number of all rows, and 0 will do
}

// Cut drops the row that a store has read beyond the page, and returns the sort position of the last row on the page,
// or "" if no row follows.
func Cut[T any](rows []T, w Window, position func(T) string) (page []T, next string) {
	if len(rows) <= w.Limit {
		return rows, ""
	}

	return rows[:w.Limit], position(rows[w.Limit-1])
}

// Order is what a list is sorted by: a column, and then the identifier. A column of times (its name ends in _at) holds
// whole numbers, any other one texts.
type Order struct {
	Column    string // empty: the identifier alone
	Ascending bool   // if false, the newest or largest come first
}

// name is the first part of a position. A position of one order is refused in another.
func (o Order) name() string {
	if o.Ascending {
		return o.Column + "+"
	}

	return o.Column + "-"
}

// Position returns the sort position of a row from its identifier and the value of its column. Cursors of lists contain
// it.
func (o Order) Position(id, value string) string { return o.name() + "|" + id + "|" + value }

// Parse returns the identifier and the value of the column from a sort position of this order. It refuses one of
// another order.
func (o Order) Parse(position string) (id string, value any, err error) {
	of, rest, _ := strings.Cut(position, "|")

	id, text, ok := strings.Cut(rest, "|")
	if !ok || of != o.name() {
		return "", nil, WrongPosition()
	}

	if !strings.HasSuffix(o.Column, "_at") {
		return id, text, nil
	}

	number, err := strconv.ParseInt(text, 10, 64)
	if err != nil {
		return "", nil, WrongPosition()
	}

	return id, number, nil
}

// WrongPosition returns the refusal for a cursor that the list did not return.
func WrongPosition() error {
	var l fault.List
	l.AddParameter("query", "cursor", fault.CursorInvalid, "is not a cursor of this list in this order.")
	return l.Err()
}
