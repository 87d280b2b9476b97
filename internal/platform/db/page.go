package db

import (
	"context"
	"fmt"
	"strings"

	"slipway/internal/core/caller"
)

// Page selects a page of a table's rows in the order of their identifiers, which is the order in which they were made.
type Page struct {
	Columns, Table string
	Where          Where
	caller.Order
	AfterBy       any // value of Order's column in the row After
	caller.Window     // After is the identifier of the last row before the page; empty: from the beginning
}

// ReadPage returns the rows, and how many match on all pages. If there are more rows than Limit it returns one more,
// which shows that another page follows.
func ReadPage[T any](ctx context.Context, q Querier, p Page, dest func(*T) []any) ([]T, int64, error) {
	var total int64

	if !p.Uncounted {
		var err error

		total, err = Value[int64](ctx, q, "SELECT count(*) FROM "+p.Table+p.Where.SQL(), p.Where.Args...)
		if err != nil {
			return nil, 0, fmt.Errorf("count %s: %w", p.Table, err)
		}
	}

	way := " DESC"

	beyond := " < ?"
	if p.Ascending {
		way = ""
		beyond = " > ?"
	}

	order := " ORDER BY id" + way

	w := p.Where
	switch {
	case p.Column != "":
		order = " ORDER BY " + p.Column + way + ", id" + way
		if p.After != "" {
			w.And("("+p.Column+beyond+" OR "+p.Column+" = ? AND id"+beyond+")", p.AfterBy, p.AfterBy, p.After)
		}
	case p.After != "":
		w.And("id"+beyond, p.After)
	}

	rows, err := Select(
		ctx,
		q,
		dest,
		"SELECT "+p.Columns+" FROM "+p.Table+w.SQL()+order+" LIMIT ? OFFSET ?",
		append(w.Args, int64(p.Limit+1), int64(p.Offset))...)
	if err != nil {
		return nil, 0, fmt.Errorf("list %s: %w", p.Table, err)
	}

	return rows, total, nil
}

// Keyed returns values by their identifiers.
func Keyed[V any](values []V, id func(V) string) map[string]V {
	out := make(map[string]V, len(values))
	for _, v := range values {
		out[id(v)] = v
	}

	return out
}

// Words returns the words that a column holds, joined by commas; none for an empty one, but never nil.
func Words(column string) []string {
	if column == "" {
		return []string{}
	}

	return strings.Split(column, ",")
}

// Values converts stored rows to values. The first error is returned for all.
func Values[R, V any](rows []R, value func(*R) (V, error)) ([]V, error) {
	out := make([]V, len(rows))
	for i := range rows {
		var err error
		if out[i], err = value(&rows[i]); err != nil {
			return nil, err
		}
	}

	return out, nil
}

// First returns the first of the values that were read, or ErrNone if there are none.
func First[V any](values []V, err error) (first V, _ error) {
	if err != nil {
		return first, err
	}

	if len(values) == 0 {
		return first, ErrNone
	}

	return values[0], nil
}
