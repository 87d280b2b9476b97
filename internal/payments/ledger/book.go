package ledger

import (
	"cmp"
	"context"
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
}

// Position is the entry's place in the book. The positions of a book sort as its entries were written.
func (e Entry) Position() string { return e.Journal + ":" + strconv.FormatInt(e.Line, 10) }

// Period is a part of an organisation's book, or of the house's: the business days from one on, and before another. Days
// are midnight UTC; a zero day is no bound. The house's book has every journal, and the house's own accounts too.
type Period struct {
	Organisation string
	House        bool
	Zone         *time.Location // in which the book is kept; nil: UTC
	From, Before time.Time
}

func (p Period) zone() *time.Location { return cmp.Or(p.Zone, time.UTC) }

func (p Period) where() db.Where {
	var w db.Where

	if !p.House {
		w.And("j.organisation = ?", p.Organisation)
	}

	if !p.From.IsZero() {
		p.bound(&w, ">=", p.From)
	}

	if !p.Before.IsZero() {
		p.bound(&w, "<", p.Before)
	}

	if p.House {
		return w
	}

	for _, k := range houseKinds {
		w.And("NOT (p.account >= ? AND p.account < ?)", k, strings.TrimSuffix(k, "/")+"0") // '0' follows '/'
	}

	return w
}

// bound adds the condition that the business day of a journal is on one side of a day. The first part of it is for the
// index: where clocks are ahead of UTC, a day begins before the stored beginning of a bank's day, elsewhere after it.
func (p Period) bound(w *db.Where, side string, limit time.Time) {
	begins := time.Date(limit.Year(), limit.Month(), limit.Day(), 0, 0, 0, 0, p.zone())

	outer := min(db.Micros(limit), db.Micros(begins))
	if side == "<" {
		outer = max(db.Micros(limit), db.Micros(begins))
	}

	w.And("j.happened_at "+side+" ?", outer)
	w.And("(j.booked_on = '' AND j.happened_at "+side+" ? OR j.booked_on <> '' AND j.booked_on "+side+" ?)",
		db.Micros(begins), limit.Format(time.DateOnly))
}

// Book returns the entries of a book in a page, oldest first, and how many there are on all pages. In an organisation's,
// the house's own accounts are left out: without them, a journal still sums to zero for each asset. If more entries
// follow, it returns one more than the page has.
func Book(ctx context.Context, q db.Querier, p Period, page caller.Window) ([]Entry, int64, error) {
	w := p.where()

	var total int64

	if !page.Uncounted {
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

	return p.entriesOf(rows), total, err
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

	return p.entriesOf(rows), err
}

// Origins returns the entries of an organisation's journals until one, of all days, which belong to one of some transactions, or
// post to its suspense or claims with one of some memos. They have no order.
func Origins(
	ctx context.Context, q db.Querier, p Period, until string, transactions, memos []string,
) ([]Entry, error) {
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

	if len(transactions) > 0 {
		read(func(w *db.Where) { db.In(w, "j.transaction_id", transactions) })
	}

	if len(memos) > 0 {
		var of db.Where

		of.And("(account >= ? AND account < ? OR account = ?)", "suspense/", "suspense0",
			string(ReceivableAccount(p.Organisation)))
		db.In(&of, "memo", memos)
		read(func(w *db.Where) { w.And("j.id IN (SELECT journal FROM postings"+of.SQL()+")", of.Args...) })
	}

	return p.entriesOf(rows), err
}

const (
	fromBook    = " FROM journals j JOIN postings p ON p.journal = j.id"
	bookEntries = "SELECT j.id, j.key, j.kind, j.organisation, j.transaction_id, j.created_at, j.happened_at, " +
		"j.booked_on, j.value_on, p.line, p.account, p.asset, p.units, p.memo" + fromBook
)

type entryRow struct {
	Entry
	at int64
	on on
}

func (r *entryRow) dest() []any {
	e := &r.Entry

	return slices.Concat(
		[]any{&e.Journal, &e.Key, &e.Kind, &e.Organisation, &e.Transaction, &r.at},
		r.on.dest(),
		[]any{&e.Line, &e.Account, &e.Asset, &e.Units, &e.Memo},
	)
}

func (p Period) entriesOf(rows []entryRow) []Entry {
	out := make([]Entry, len(rows))
	for i, r := range rows {
		out[i] = r.Entry
		out[i].At = db.Time(r.at)
		out[i].BookedOn, out[i].ValueOn = r.on.days(p.zone())
		out[i].Day = out[i].BookedOn
	}

	return out
}
