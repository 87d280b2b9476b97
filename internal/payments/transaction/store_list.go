package transaction

import (
	"cmp"
	"context"
	"slices"
	"strings"
	"time"

	"slipway/internal/core/caller"
	"slipway/internal/core/text"
	"slipway/internal/platform/db"
)

// Filter selects the rows of a list. An empty field selects everything; set fields must all match.
type Filter struct {
	Organisation   string // the caller's organisation; always set
	Organisations  []string
	Partners       []string
	Status         []string
	Tokens         []string
	Currencies     []string // codes
	Types          []string
	View           ListView
	From, To       time.Time // created at or after From, and before To
	Year           int
	Search         string
	CommissionType string
	Hidden         *bool
	PaymentsFailed *bool // of which at least one payment was not made, or none of them
	SortBy         string
	Ascending      bool
	caller.Window
}

// ListView is a saved view of a list: columnId of the interface. One of another name shows what ViewAll shows.
type ListView string

// The views that every organisation has.
const (
	ViewAll    ListView = "all"
	ViewOpen   ListView = "open"   // still to be completed
	ViewDone   ListView = "done"   // completed
	ViewFailed ListView = "failed" // ended without being completed
)

// states returns the states that a view shows; none: every state.
func (v ListView) states() []string {
	switch v {
	case ViewOpen:
		return []string{string(StatusDraft), string(StatusWaiting), string(StatusProcess), string(StatusReleased)}
	case ViewDone:
		return []string{string(StatusCompleted)}
	case ViewFailed:
		return []string{string(StatusFailed), string(StatusRejected)}
	case ViewAll:
	}

	return nil
}

// list returns one page, the exact number of matches, and the sort position of the last one if more follow.
func (s *Service) list(ctx context.Context, f Filter) (page []Transaction, total int64, next string, err error) {
	if !f.possible() {
		return nil, 0, "", nil
	}

	records, err := s.known(ctx, f)
	if err != nil {
		return nil, 0, "", err
	}

	if n := s.listed.find(f.Organisation); n != nil {
		var more, ok bool
		if page, total, more, ok, err = s.listed.page(ctx, n, f, records); err != nil || ok {
			return page, total, f.next(page, more), err
		}
	}

	return listStored(ctx, s.DB, f, records)
}

// listStored is list without an index. It costs what the organisation's transactions cost.
func listStored(
	ctx context.Context,
	d *db.DB,
	f Filter,
	records [][]string,
) (page []Transaction, total int64, next string, err error) {
	p := db.Page{Order: f.order(), Window: f.Window}
	f.where(&p.Where, records)

	if f.After != "" {
		if p.After, p.AfterBy, err = p.Order.Parse(f.After); err != nil {
			return nil, 0, "", err
		}

		p.Offset = 0
	}

	err = d.Snapshot(ctx, func(q db.Querier) error {
		page, total, err = transactionRows.Page(ctx, q, p)
		if err != nil {
			return err
		}

		page, next = caller.Cut(page, f.Window, f.position)

		if err := attachPayments(ctx, q, page); err != nil {
			return err
		}

		return attachTerms(ctx, q, page)
	})

	return page, total, next, err
}

// possible reports whether anything can match. Nothing does if the caller asks for other organisations' records, or for
// a partner without a name.
func (f Filter) possible() bool {
	if len(f.Organisations) > 0 && !slices.Contains(f.Organisations, f.Organisation) {
		return false
	}

	return len(f.Partners) == 0 || slices.ContainsFunc(f.Partners, func(s string) bool { return s != "" })
}

// created returns when the transactions were created: at or after from, and before to. Identifiers count in
// milliseconds, and so do lists.
func (f Filter) created() (from, to time.Time) {
	from, to = milliseconds(f.From), milliseconds(f.To)

	if f.Year != 0 {
		first := time.Date(f.Year, 1, 1, 0, 0, 0, 0, time.UTC)
		if from.Before(first) {
			from = first
		}

		if end := first.AddDate(1, 0, 0); to.IsZero() || to.After(end) {
			to = end
		}
	}

	return from, to
}

// milliseconds rounds a time up to the next millisecond.
func milliseconds(t time.Time) time.Time {
	if down := t.Truncate(time.Millisecond); down.Before(t) {
		return down.Add(time.Millisecond)
	}

	return t
}

// word is a word of a search: as it was written, in lower case, for what others know a transaction by, and as texts are
// searched.
type word struct{ written, searched string }

// words returns the words of the search, each once.
func (f Filter) words() []word {
	var out []word

	for written := range strings.FieldsSeq(strings.ToLower(f.Search)) {
		for searched := range strings.FieldsSeq(text.Searchable(written)) {
			out = append(out, word{written, searched})
		}
	}

	slices.SortFunc(out, func(a, b word) int {
		return cmp.Or(strings.Compare(a.written, b.written), strings.Compare(a.searched, b.searched))
	})

	return slices.Compact(out)
}

// known returns, for each word of the search, the transactions that another noun knows by it.
func (s *Service) known(ctx context.Context, f Filter) ([][]string, error) {
	words := f.words()
	out := make([][]string, len(words))

	for i, w := range words {
		for _, known := range s.Known {
			ids, err := known(ctx, s.DB, w.written)
			if err != nil {
				return nil, err
			}

			out[i] = append(out[i], ids...)
		}
	}

	return out, nil
}

func attachPayments(ctx context.Context, q db.Querier, page []Transaction) error {
	if len(page) == 0 {
		return nil
	}

	ids := make([]string, len(page))
	index := make(map[string]int, len(page))

	for i, t := range page {
		ids[i] = t.ID
		index[t.ID] = i
	}

	var w db.Where
	db.In(&w, "transaction_id", ids)

	items, err := paymentRows.Where(ctx, q, w, "ORDER BY transaction_id, position")
	for _, x := range items {
		t := &page[index[x.transaction]]
		t.Payments = append(t.Payments, x.Payment)
	}

	return err
}

func (f Filter) order() caller.Order {
	by := sortings[f.SortBy]
	column := by.column

	if by.of != nil {
		column = by.of.column
	}

	return caller.Order{Column: column, Ascending: f.Ascending}
}

// position returns the sort position of a row.
func (f Filter) position(t Transaction) string {
	value := ""
	if by := sortings[f.SortBy]; by.value != nil {
		value = by.value(t)
	}

	return f.order().Position(t.ID, value)
}

// WrittenSince returns how many transactions were made since a moment, and how many that were made before it have
// changed since. It reads the whole table: it is for what happens once a day.
func WrittenSince(ctx context.Context, q db.Querier, at time.Time) (made, changed int64, err error) {
	since := db.Micros(at)

	made, err = db.Value[int64](ctx, q, "SELECT count(*) FROM transactions WHERE created_at >= ?", since)
	if err != nil {
		return 0, 0, err
	}

	changed, err = db.Value[int64](ctx, q,
		"SELECT count(*) FROM transactions WHERE created_at < ? AND updated_at >= ?", since, since)

	return made, changed, err
}
