package ledger

import (
	"context"
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

// Entry is a posting of a customer's value, with the journal that it belongs to.
type Entry struct {
	Journal, Kind, Transaction string
	Line                       int64
	Account, Asset, Units      string
	Memo                       string
	At                         time.Time
}

// Position is the entry's place in the book. The positions of a book sort as its entries were written.
func (e Entry) Position() string { return e.Journal + ":" + strconv.FormatInt(e.Line, 10) }

// Period is a part of an organisation's book: from a time on, and before another. A zero time is no bound.
type Period struct {
	Organisation string
	From, Before time.Time
}

func (p Period) where() db.Where {
	var w db.Where
	w.And("j.organisation = ?", p.Organisation)

	if !p.From.IsZero() {
		w.And("j.id >= ?", id.First(p.From).String(journalPrefix))
	}

	if !p.Before.IsZero() {
		w.And("j.id < ?", id.First(p.Before).String(journalPrefix))
	}

	for _, k := range houseKinds {
		w.And("NOT (p.account >= ? AND p.account < ?)", k, strings.TrimSuffix(k, "/")+"0") // '0' follows '/'
	}

	return w
}

// Book returns the entries of an organisation's book in a page, oldest first, and how many there are on all pages. The
// house's own accounts are left out: without them, a journal still sums to zero for each asset. If more entries follow,
// it returns one more than the page has.
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

	return entriesOf(rows), total, err
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
	w.And("j.id >= ?", of[0].Journal)
	w.And("j.id <= ?", of[len(of)-1].Journal)

	rows, err := db.Select(ctx, q, (*entryRow).dest, bookEntries+w.SQL()+" ORDER BY j.id, p.line", w.Args...)

	return entriesOf(rows), err
}

// Origins returns the entries of an organisation's journals until one, which belong to one of some transactions, or
// post to its suspense or claims with one of some memos. They have no order.
func Origins(
	ctx context.Context, q db.Querier, organisation, until string, transactions, memos []string,
) ([]Entry, error) {
	var (
		rows []entryRow
		err  error
	)

	read := func(narrow func(w *db.Where)) {
		w := Period{Organisation: organisation}.where()
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
			string(ReceivableAccount(organisation)))
		db.In(&of, "memo", memos)
		read(func(w *db.Where) { w.And("j.id IN (SELECT journal FROM postings"+of.SQL()+")", of.Args...) })
	}

	return entriesOf(rows), err
}

const (
	fromBook    = " FROM journals j JOIN postings p ON p.journal = j.id"
	bookEntries = "SELECT j.id, j.kind, j.transaction_id, j.created_at, p.line, p.account, p.asset, p.units, p.memo" +
		fromBook
)

type entryRow struct {
	Entry
	at int64
}

func (r *entryRow) dest() []any {
	return []any{&r.Journal, &r.Kind, &r.Transaction, &r.at, &r.Line, &r.Account, &r.Asset, &r.Units, &r.Memo}
}

func entriesOf(rows []entryRow) []Entry {
	out := make([]Entry, len(rows))
	for i, r := range rows {
		out[i] = r.Entry
		out[i].At = db.Time(r.at)
	}

	return out
}
