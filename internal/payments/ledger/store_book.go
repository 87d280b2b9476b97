package ledger

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"slipway/internal/core/caller"
	"slipway/internal/core/fault"
	"slipway/internal/core/id"
	"slipway/internal/platform/db"
)

// journalPrefix begins the identifiers of journals.
const journalPrefix = "jrn"

// Entry is a posting, with the journal that it belongs to.
type Entry struct {
	Journal, Key, Kind          string
	Organisation, Transaction   string // empty: of none
	Line                        int64
	Account, Asset, Units, Memo string
	At                          time.Time // when it was posted
	BookedOn, ValueOn           time.Time // business day and value day in the book's time zone, midnight UTC
	Day                         time.Time // of the book: on which it counts, midnight UTC
	Closed                      bool      // it is in a closed period
}

// Position is the entry's place in the book. The positions of a book sort as its entries were written.
func (e Entry) Position() string { return e.Journal + ":" + strconv.FormatInt(e.Line, 10) }

// Period is a part of an organisation's book, or of the house's: its days from one on, and before another. A line
// counts on its business day, or on the first open day if that one is in a period that was closed without it. Days are
// midnight UTC; a zero day is no bound. The house's book has every journal, and the house's own accounts too; it is
// never closed.
type Period struct {
	Organisation string
	House        bool
	Zone         *time.Location // in which the book is kept; nil: UTC
	Open         time.Time      // the first day that is in no closed period; zero: no period is closed
	From, Before time.Time
}

// Location returns the time zone in which the book is kept.
func (p Period) Location() *time.Location { return cmp.Or(p.Zone, time.UTC) }

func (p Period) where() db.Where {
	var w db.Where

	if !p.House {
		w.And("j.organisation = ?", p.Organisation)
	}

	p.within(&w)

	if p.House {
		w.And("j.kind NOT IN (?, ?)", KindBookOpening, KindBookRevaluation)
		return w
	}

	for _, k := range houseKinds {
		w.And("NOT (p.account >= ? AND p.account < ?)", k, strings.TrimSuffix(k, "/")+"0") // '0' follows '/'
	}

	return w
}

// within adds the condition that a journal counts in the period: by the days that were kept when its own period was
// closed, else by its business day.
func (p Period) within(w *db.Where) {
	if p.From.IsZero() && p.Before.IsZero() {
		return
	}

	if p.Open.IsZero() {
		p.bound(w)
		return
	}

	var closed, open db.Where

	closed.And("organisation = ?", p.Organisation)

	if !p.From.IsZero() {
		closed.And("day >= ?", text(p.From))
	}

	if !p.Before.IsZero() {
		closed.And("day < ?", text(p.Before))
	}

	rest := p
	if !p.From.After(p.Open) {
		rest.From = time.Time{}
	}

	open.And("NOT EXISTS (SELECT 1 FROM closed_journals c WHERE c.journal = j.id)")
	rest.bound(&open)

	inClosed := "j.id IN (SELECT journal FROM closed_journals" + closed.SQL() + ")"
	inOpen := strings.TrimPrefix(open.SQL(), " WHERE ")

	switch {
	case !p.Before.IsZero() && !p.Before.After(p.Open):
		w.And(inClosed, closed.Args...)
	case p.From.Before(p.Open):
		w.And("("+inClosed+" OR "+inOpen+")", append(closed.Args, open.Args...)...)
	default:
		w.And(inOpen, open.Args...)
	}
}

// counts returns the day on which what is in no closed period counts.
func (p Period) counts(booked time.Time) time.Time {
	if booked.Before(p.Open) {
		return p.Open
	}

	return booked
}

// Begins returns the first moment of a day where the book is kept. That is midnight, unless the clock is changed then:
// it may show no midnight, or two.
func (p Period) Begins(day time.Time) time.Time {
	at := func(near time.Time) time.Time { // the day's midnight by the clock of then
		_, ahead := near.In(p.Location()).Zone()
		return day.Add(-time.Duration(ahead) * time.Second)
	}

	first, second := at(day.AddDate(0, 0, -1)), at(day.AddDate(0, 0, 1))
	if second.Before(first) {
		first, second = second, first
	}

	if dayOf(first, p.Location()).Before(day) {
		return second
	}

	return first
}

// bound adds the conditions that the business day of a journal is within the period. The first part of each is for the
// index: where clocks are ahead of UTC, a day begins before the stored beginning of a bank's day, elsewhere after it.
func (p Period) bound(w *db.Where) {
	side := func(is string, limit time.Time, outer func(...int64) int64) {
		if limit.IsZero() {
			return
		}

		begins := db.Micros(p.Begins(limit))
		w.And("j.happened_at "+is+" ?", outer(begins, db.Micros(limit)))
		w.And("(j.booked_on = '' AND j.happened_at "+is+" ? OR j.booked_on <> '' AND j.booked_on "+is+" ?)",
			begins, text(limit))
	}

	side(">=", p.From, func(x ...int64) int64 { return slices.Min(x) })
	side("<", p.Before, func(x ...int64) int64 { return slices.Max(x) })
}

// Book returns the entries of a book in a page, oldest first, and how many there are on all pages; the house's, which
// are all that there are, are not counted. In an organisation's, the house's own accounts are left out: without them, a
// journal still sums to zero for each asset. If more entries follow, it returns one more than the page has.
func Book(ctx context.Context, q db.Querier, p Period, page caller.Window) ([]Entry, int64, error) {
	w := p.where()

	var total int64

	if !page.Uncounted && !p.House {
		var err error

		total, err = db.Value[int64](ctx, q, "SELECT count(*)"+fromBook+w.SQL(), w.Args...)
		if err != nil {
			return nil, 0, err
		}
	}

	if page.After != "" {
		journal, text, _ := strings.Cut(page.After, ":")

		line, err := strconv.ParseInt(text, 10, 64)
		if err != nil || !id.Valid(journalPrefix, journal) {
			return nil, 0, badCursor()
		}

		w.And("(j.id > ? OR j.id = ? AND p.line > ?)", journal, journal, line)
	}

	rows, err := db.Select(ctx, q, (*entryRow).dest,
		bookEntries+w.SQL()+" ORDER BY j.id, p.line LIMIT ? OFFSET ?",
		append(w.Args, int64(page.Limit+1), int64(page.Offset))...)
	if err != nil {
		return nil, 0, err
	}

	entries, err := p.entriesOf(rows)

	return entries, total, err
}

func badCursor() error {
	var l fault.List
	l.AddParameter("query", "cursor", fault.CursorInvalid, "is not a cursor of this list.")

	return l.Err()
}

// Rest returns the entries that the journals of some entries have besides: a page may end within a journal. It returns
// every entry of these journals, oldest first.
func Rest(ctx context.Context, q db.Querier, p Period, of []Entry) ([]Entry, error) {
	if len(of) == 0 {
		return nil, nil
	}

	p.From = time.Time{}
	p.Before = time.Time{}
	w := p.where()

	journals := make([]string, len(of))
	for i, e := range of {
		journals[i] = e.Journal
	}

	db.In(&w, "j.id", slices.Compact(journals))

	rows, err := db.Select(ctx, q, (*entryRow).dest, bookEntries+w.SQL()+" ORDER BY j.id, p.line", w.Args...)
	if err != nil {
		return nil, err
	}

	return p.entriesOf(rows)
}

// BookOf returns the entries that an organisation's book has of a transaction, oldest first. The period's days do not
// bound them.
func BookOf(ctx context.Context, q db.Querier, p Period, transaction string) ([]Entry, error) {
	p.From = time.Time{}
	p.Before = time.Time{}
	w := p.where()
	w.And("j.transaction_id = ?", transaction)

	rows, err := db.Select(ctx, q, (*entryRow).dest, bookEntries+w.SQL()+" ORDER BY j.id, p.line", w.Args...)
	if err != nil {
		return nil, err
	}

	return p.entriesOf(rows)
}

// Sources name journals: those of some transactions, those with some keys, and those that post to one of some accounts
// with one of some memos.
type Sources struct {
	Transactions, Keys []string
	Accounts, Memos    []string
}

// Origins returns the entries that a book has of the journals that are named, until one, of all days. They have no
// order. Accounts must be of few journals each: all that an account has are looked at.
func Origins(ctx context.Context, q db.Querier, p Period, until string, of Sources) ([]Entry, error) {
	var (
		rows []entryRow
		err  error
	)

	p.From = time.Time{}
	p.Before = time.Time{}

	read := func(narrow func(w *db.Where)) {
		w := p.where()
		w.And("j.id <= ?", until)
		narrow(&w)

		var some []entryRow
		if err == nil {
			some, err = db.Select(ctx, q, (*entryRow).dest, bookEntries+w.SQL(), w.Args...)
		}

		rows = append(rows, some...)
	}

	if len(of.Transactions) > 0 {
		read(func(w *db.Where) { db.In(w, "j.transaction_id", of.Transactions) })
	}

	if len(of.Keys) > 0 {
		read(func(w *db.Where) { db.In(w, "j.key", of.Keys) })
	}

	if len(of.Memos) > 0 {
		var lines db.Where

		db.In(&lines, "account", of.Accounts)
		db.In(&lines, "memo", of.Memos)
		read(func(w *db.Where) { w.And("j.id IN (SELECT journal FROM postings"+lines.SQL()+")", lines.Args...) })
	}

	if err != nil {
		return nil, err
	}

	return p.entriesOf(rows)
}

const (
	fromBook    = " FROM journals j JOIN postings p ON p.journal = j.id"
	bookEntries = "SELECT j.id, j.key, j.kind, j.organisation, j.transaction_id, j.created_at, j.happened_at, " +
		"j.booked_on, j.value_on, p.line, p.account, p.asset, p.units, p.memo, " +
		"COALESCE(k.day, ''), COALESCE(k.booked_on, ''), COALESCE(k.value_on, '')" + fromBook +
		" LEFT JOIN closed_journals k ON k.journal = j.id"
)

type entryRow struct {
	Entry
	at   int64
	on   on
	kept [3]string // day of the book, business day and value day as of the closing; empty: it is in no closed period
}

func (r *entryRow) dest() []any {
	e := &r.Entry

	return slices.Concat(
		[]any{&e.Journal, &e.Key, &e.Kind, &e.Organisation, &e.Transaction, &r.at},
		r.on.dest(),
		[]any{&e.Line, &e.Account, &e.Asset, &e.Units, &e.Memo, &r.kept[0], &r.kept[1], &r.kept[2]},
	)
}

func (p Period) entriesOf(rows []entryRow) ([]Entry, error) {
	out := make([]Entry, len(rows))

	for i, r := range rows {
		e := r.Entry
		e.At = db.Time(r.at)
		e.BookedOn, e.ValueOn = r.on.days(p.Location())
		e.Day = p.counts(e.BookedOn)

		if r.kept[0] != "" && !p.House {
			e.Closed = true

			for k, day := range []*time.Time{&e.Day, &e.BookedOn, &e.ValueOn} {
				var err error
				if *day, err = time.Parse(time.DateOnly, r.kept[k]); err != nil {
					return nil, fmt.Errorf("days of journal %s: %w", e.Journal, err)
				}
			}
		}

		out[i] = e
	}

	return out, nil
}

// Wallets returns the entries on an organisation's wallets in a period, those of opening balances or all others, in the
// order in which they were posted: from the one after a position on, so many at most.
func Wallets(
	ctx context.Context, q db.Querier, p Period, openings bool, after string, limit int,
) ([]Entry, error) {
	w := p.where()
	w.And("p.account >= 'wallet/' AND p.account < 'wallet0'")

	if openings {
		w.And("j.kind = ?", KindBookOpening)
	} else {
		w.And("j.kind NOT IN (?, ?)", KindBookOpening, KindBookRevaluation)
	}

	if after != "" {
		journal, text, _ := strings.Cut(after, ":")

		line, err := strconv.ParseInt(text, 10, 64)
		if err != nil {
			return nil, fmt.Errorf("position %q: %w", after, err)
		}

		w.And("(j.id > ? OR j.id = ? AND p.line > ?)", journal, journal, line)
	}

	rows, err := db.Select(ctx, q, (*entryRow).dest,
		bookEntries+w.SQL()+" ORDER BY j.id, p.line LIMIT ?", append(w.Args, int64(limit))...)
	if err != nil {
		return nil, err
	}

	return p.entriesOf(rows)
}

// Before reports whether an organisation's book has a line on an account, in an asset, before the period's end: one
// that is no opening balance.
func Before(ctx context.Context, q db.Querier, p Period, account Account, asset string) (bool, error) {
	w := p.where()
	w.And("p.account = ?", string(account))
	w.And("p.asset = ?", asset)
	w.And("j.kind <> ?", KindBookOpening)

	found, err := db.Select(ctx, q, func(s *string) []any { return []any{s} },
		"SELECT j.id"+fromBook+w.SQL()+" LIMIT 1", w.Args...)

	return len(found) > 0, err
}
