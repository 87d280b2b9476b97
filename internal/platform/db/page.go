package db

import (
	"context"
	"fmt"
)

// Page asks for a page of a table's rows, in the order of their identifiers: that is the order in which they were made.
type Page struct {
	Columns, Table string
	Where          Where
	By             string // column that rows are sorted by before their identifiers; empty: by those alone
	AfterBy        any    // its value in the row named by After
	After          string // identifier of the last row before the page; empty: from the beginning, less Offset
	Limit, Offset  int
	Ascending      bool // else the newest, or largest, come first
}

// ReadPage returns the rows and how many match on all pages. It reads one row more than Limit where there is one, which
// says that more follow.
func ReadPage[T any](ctx context.Context, q Querier, p Page, dest func(*T) []any) ([]T, int64, error) {
	total, err := Value[int64](ctx, q, "SELECT count(*) FROM "+p.Table+p.Where.SQL(), p.Where.Args...)
	if err != nil {
		return nil, 0, fmt.Errorf("count %s: %w", p.Table, err)
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
	case p.By != "":
		order = " ORDER BY " + p.By + way + ", id" + way
		if p.After != "" {
			w.And("("+p.By+beyond+" OR "+p.By+" = ? AND id"+beyond+")", p.AfterBy, p.AfterBy, p.After)
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

// Values makes what stored rows say of the rows themselves; the first that says nothing sensible is the error of all.
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
