package db

import (
	"context"
	"fmt"
)

// Page asks for a page of a table's rows, in the order of their identifiers: that is the order in which they were made.
type Page struct {
	Columns, Table string
	Where          Where
	After          string // identifier of the last row before the page; empty: from the beginning, less Offset
	Limit, Offset  int
	Ascending      bool // else the newest come first
}

// ReadPage gives the rows and how many match on all pages. It reads one row more than Limit where there is one, which says that more follow.
func ReadPage[T any](ctx context.Context, q Querier, p Page, dest func(*T) []any) ([]T, int64, error) {
	total, err := Value[int64](ctx, q, "SELECT count(*) FROM "+p.Table+p.Where.SQL(), p.Where.Args...)
	if err != nil {
		return nil, 0, fmt.Errorf("count %s: %w", p.Table, err)
	}
	order, compare := " ORDER BY id DESC", "id < ?"
	if p.Ascending {
		order, compare = " ORDER BY id", "id > ?"
	}
	w := p.Where
	if p.After != "" {
		w.And(compare, p.After)
	}
	rows, err := Select(ctx, q, dest, "SELECT "+p.Columns+" FROM "+p.Table+w.SQL()+order+" LIMIT ? OFFSET ?", append(w.Args, int64(p.Limit+1), int64(p.Offset))...)
	if err != nil {
		return nil, 0, fmt.Errorf("list %s: %w", p.Table, err)
	}
	return rows, total, nil
}
