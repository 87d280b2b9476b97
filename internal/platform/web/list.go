package web

import (
	"context"
	"encoding/base64"
	"strings"
	"unicode/utf8"

	"slipway/internal/core/caller"
	"slipway/internal/core/fault"
	"slipway/internal/platform/db"
)

// The limits of a page.
const (
	DefaultLimit = 20
	MaxLimit     = 250
)

// Paging is embedded in the In struct of every list. It reads all styles: limit with offset; page (from 1) with limit;
// and a cursor, which neither repeats nor skips rows while others are inserted.
type Paging struct {
	Limit  int    `query:"limit" default:"20" minimum:"1" maximum:"250" doc:"results on a page"`
	Offset int    `query:"offset" minimum:"0" maximum:"10000000" doc:"results to skip"`
	Page   int    `query:"page" minimum:"1" maximum:"1000000" conflicts:"offset,cursor" doc:"from 1, instead of offset"`
	Cursor string `query:"cursor" maxLength:"200" conflicts:"offset" doc:"the last nextCursor, instead of offset"`
}

// Window returns the rows wanted. It refuses a mix of styles.
func (p Paging) Window() (caller.Window, error) {
	given := 0
	for _, yes := range []bool{p.Offset > 0, p.Page > 0, p.Cursor != ""} {
		if yes {
			given++
		}
	}

	var l fault.List
	if given > 1 {
		l.Add("?page", fault.PagingConflict, "Give one of `page`, `offset` and `cursor`.")
		return caller.Window{}, l.Err()
	}

	w := caller.Window{Limit: p.Limit, Offset: p.Offset}
	if p.Page > 0 {
		w.Offset = (p.Page - 1) * p.Limit
	}

	if p.Cursor != "" {
		raw, err := base64.RawURLEncoding.DecodeString(p.Cursor)

		after, ok := strings.CutPrefix(string(raw), "v1:")
		if err != nil || !ok || after == "" || !utf8.ValidString(after) || strings.IndexByte(after, 0) >= 0 {
			l.Add("?cursor", fault.CursorInvalid, "is not a cursor of this list.")
			return caller.Window{}, l.Err()
		}

		w.After = after
	}

	return w, nil
}

// CursorOf returns the cursor that continues after the row with this sort position.
func CursorOf(position string) string {
	return base64.RawURLEncoding.EncodeToString([]byte("v1:" + position))
}

// List is the JSON form of every list.
type List[T any] struct {
	Results    []T     `json:"results" nullable:"false"`
	PageTotal  int     `json:"page_total" doc:"results on this page"`
	Total      int64   `json:"total" doc:"results that match the filter"`
	NextCursor *string `json:"nextCursor" doc:"continue with ?cursor=; null at the end"`
}

// NewList returns a list. next is the sort position of the last row if more follow, else empty.
func NewList[T any](results []T, total int64, next string) List[T] {
	if results == nil {
		results = []T{}
	}

	l := List[T]{Results: results, PageTotal: len(results), Total: total}
	if next != "" {
		c := CursorOf(next)
		l.NextCursor = &c
	}

	return l
}

// ListOf answers with a page of a list, as it was at one moment. read returns the rows of the page and the one after
// it, and how many there are on all pages; position is what the page's cursor holds of its last row.
func ListOf[R, V any](
	ctx context.Context,
	d *db.DB,
	p Paging,
	read func(q db.Querier, page caller.Window) ([]R, int64, error),
	position func(R) string,
	show func(q db.Querier, rows []R) ([]V, error),
) (*List[V], error) {
	page, err := p.Window()
	if err != nil {
		return nil, err
	}

	var out List[V]
	err = d.Snapshot(ctx, func(q db.Querier) error {
		rows, total, err := read(q, page)
		if err != nil {
			return err
		}

		rows, next := caller.Cut(rows, page, position)
		views, err := show(q, rows)
		out = NewList(views, total, next)

		return err
	})

	return &out, err
}

// Each shows every row by itself, for ListOf.
func Each[R, V any](view func(R) V) func(db.Querier, []R) ([]V, error) {
	return func(_ db.Querier, rows []R) ([]V, error) {
		views := make([]V, len(rows))
		for i, r := range rows {
			views[i] = view(r)
		}

		return views, nil
	}
}

// Only is the one view of several that were made of one record.
func Only[V any](views []V, err error) (*V, error) {
	if err != nil {
		return nil, err
	}

	return &views[0], nil
}
