package web

import (
	"context"
	"encoding/base64"
	"slices"
	"strings"
	"time"
	"unicode/utf8"

	"slipway/internal/core/caller"
	"slipway/internal/core/day"
	"slipway/internal/core/fault"
	"slipway/internal/platform/db"
	"slipway/internal/platform/jsonout"
)

// The limits of a page.
const (
	DefaultLimit = 20
	MaxLimit     = 250
	MaxPageBytes = 8 << 20      // rows that follow are on the next page
	shownAtOnce  = DefaultLimit // rows, between two looks at the size
)

// Paging is embedded in the In struct of every list. It reads all styles: limit with offset; page (from 1) with limit;
// and a cursor, which neither repeats nor skips rows while others are inserted.
type Paging struct {
	Limit  int    `query:"limit" default:"20" minimum:"1" maximum:"250" doc:"results on a page"`
	Offset int    `query:"offset" minimum:"0" maximum:"10000000" doc:"results to skip"`
	Page   int    `query:"page" minimum:"1" maximum:"1000000" conflicts:"offset,cursor" doc:"from 1, instead of offset"`
	Cursor string `query:"cursor" maxLength:"200" conflicts:"offset" doc:"the last nextCursor, instead of offset"`

	uncounted bool // a table is being written: its later pages need no total
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
		l.AddParameter("query", "page", fault.PagingConflict, "Give one of `page`, `offset` and `cursor`.")
		return caller.Window{}, l.Err()
	}

	w := caller.Window{Limit: p.Limit, Offset: p.Offset, Uncounted: p.uncounted}
	if p.Page > 0 {
		w.Offset = (p.Page - 1) * p.Limit
	}

	if p.Cursor != "" {
		raw, err := base64.RawURLEncoding.DecodeString(p.Cursor)

		after, ok := strings.CutPrefix(string(raw), "v1:")
		if err != nil || !ok || after == "" || !utf8.ValidString(after) || strings.IndexByte(after, 0) >= 0 {
			l.AddParameter("query", "cursor", fault.CursorInvalid, "is not a cursor of this list.")
			return caller.Window{}, l.Err()
		}

		w.After = after
	}

	return w, nil
}

// Period is embedded in the In struct of a list of what was made in a time.
type Period struct {
	From string `query:"from" maxLength:"40" example:"2026-11-01" doc:"created at or after: a date-time, or a date (from its first moment on, UTC)"`
	To   string `query:"to" maxLength:"40" example:"2026-11-30T23:59:59.999Z" doc:"created before: a date-time, or a date (up to its last moment, UTC)"`
}

// Times returns the period: at or after from, and before to. A zero time is no limit. It refuses what is neither a date
// nor a date-time.
func (p Period) Times() (from, to time.Time, err error) {
	var l fault.List
	from, _ = moment(&l, "from", p.From)

	to, isDay := moment(&l, "to", p.To)
	if isDay {
		to = to.AddDate(0, 0, 1)
	}

	return from, to, l.Err()
}

// moment parses a date or a date-time, the value of a parameter; isDay reports whether it is a date.
func moment(l *fault.List, name, s string) (t time.Time, isDay bool) {
	if s == "" {
		return t, false
	}

	if t, err := time.Parse(time.DateOnly, s); err == nil {
		return t, true
	}

	t, err := day.ParseTime(s)
	if err != nil {
		l.AddParameter(
			"query",
			name,
			fault.FormatInvalid,
			"must be a date such as 2026-11-30, or a date-time of RFC 3339.",
		)
	}

	return t.UTC(), false
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

// isList tells an answer that is a list from one that shows one thing.
func (*List[T]) isList() {}

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
// it, and how many there are on all pages; position is what the page's cursor holds of its last row. A page ends when
// it has MaxPageBytes, whatever the limit is: the cursor goes on from there.
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

		out, err = Shown(q, p, rows, total, next, position, show)

		return err
	})

	return &out, err
}

// Shown shows the rows of a page, for a list that ListOf does not read: at most MaxPageBytes of them, whatever the
// limit is. next is the position of the last row if others follow, or "".
func Shown[R, V any](
	q db.Querier,
	p Paging,
	rows []R,
	total int64,
	next string,
	position func(R) string,
	show func(q db.Querier, rows []R) ([]V, error),
) (List[V], error) {
	views, err := showSome(q, rows, show)
	if len(views) < len(rows) && err == nil {
		next = position(rows[len(views)-1])
		err = p.cutShort()
	}

	return NewList(views, total, next), err
}

// showSome shows rows until they have MaxPageBytes as JSON. At least one is shown.
func showSome[R, V any](q db.Querier, rows []R, show func(db.Querier, []R) ([]V, error)) ([]V, error) {
	if len(rows) <= shownAtOnce {
		return show(q, rows)
	}

	var (
		out  []V
		size int
		text []byte
	)

	for part := range slices.Chunk(rows, shownAtOnce) {
		views, err := show(q, part)
		if err != nil {
			return nil, err
		}

		for _, v := range views {
			if text, err = jsonout.Append(text[:0], v); err != nil {
				return nil, err
			}

			if size += len(text); size > MaxPageBytes && len(out) > 0 {
				return out, nil
			}

			out = append(out, v)
		}
	}

	return out, nil
}

// cutShort refuses a page that has a number: those after it begin where limit says, and what was cut off would be on
// none of them.
func (p Paging) cutShort() error {
	if p.Page == 0 {
		return nil
	}

	var l fault.List
	l.AddParameter("query", "limit", fault.OutOfRange,
		"makes a page of more than %d MiB: ask for fewer results, or go by `cursor`.", MaxPageBytes>>20)

	return l.Err()
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
