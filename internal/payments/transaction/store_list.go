package transaction

import (
	"cmp"
	"context"
	"slices"
	"strconv"
	"strings"
	"time"

	"slipway/internal/core/caller"
	"slipway/internal/core/id"
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

// sortColumns are the columns that a list may be ordered by. Every order ends with the id, so that pages do not
// overlap. Identifiers are in the order of creation, so that alone is the order of createdAt.
var sortColumns = map[string]string{
	"":          "",
	"createdAt": "",
	"updatedAt": "updated_at",
	"status":    "status",
	"type":      "type",
	"token":     "token",
	"_id":       "",
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

// where adds the conditions.
func (f Filter) where(w *db.Where, records [][]string) {
	w.And("organisation = ?", f.Organisation)
	w.And("deleted = FALSE")
	db.In(w, "status", f.Status)
	db.In(w, "status", f.View.states())
	db.In(w, "token", f.Tokens)
	db.In(w, "type", f.Types)
	db.In(w, "partner", f.partners())
	f.whereTerms(w)

	if f.Hidden != nil {
		w.And("is_hidden = ?", *f.Hidden)
	}

	if f.PaymentsFailed != nil {
		w.And(failedSQL("transactions")+" = ?", *f.PaymentsFailed)
	}

	from, to := f.created()
	if !from.IsZero() {
		w.And("created_at >= ?", db.Micros(from))
	}

	if !to.IsZero() {
		w.And("created_at < ?", db.Micros(to))
	}

	for i, word := range f.words() {
		f.whereWord(w, word, records[i])
	}
}

// failedSQL is the expression that is true of a transaction of which at least one payment was not made, or was sent back.
func failedSQL(alias string) string {
	return "(" + alias + ".status = 'FAILED' OR EXISTS (SELECT 1 FROM payments p WHERE p.transaction_id = " + alias +
		".id AND p.outcome IN ('FAILED', 'RETURNED', 'REFUNDED', 'CANCELLED')))"
}

// partners returns the partners that are asked for, without empty names.
func (f Filter) partners() []string {
	return slices.DeleteFunc(slices.Clone(f.Partners), func(s string) bool { return s == "" })
}

// whereWord adds that a word is in the searched text, that the identifier begins with it, or that another noun knows
// the transaction by it.
func (f Filter) whereWord(w *db.Where, word word, records []string) {
	var contains, begins, named db.Where
	contains.Contains("search", word.searched)

	if first := word.searched; strings.HasPrefix(first, idPrefix+"_") && len(first) <= len(idPrefix)+1+id.Length {
		last := first + strings.Repeat("z", len(idPrefix)+1+id.Length-len(first))
		begins.And("id >= ? AND id <= ?", first, last)
	}

	db.In(&named, "id", records)
	w.Either(contains, begins, named)
}

// whereTerms adds conditions on the tables of terms, in which a CRYPTO transaction has no row: it has no currency, and
// its commission is the standard one.
func (f Filter) whereTerms(w *db.Where) {
	if len(f.Currencies) > 0 {
		var sub db.Where
		sub.And("x.transaction_id = transactions.id")
		db.In(&sub, "x.currency", f.Currencies)
		w.And("EXISTS (SELECT 1 FROM payment_terms x"+sub.SQL()+")", sub.Args...)
	}

	switch f.CommissionType {
	case "":

	case CommissionStandard:
		w.And(
			"NOT EXISTS (SELECT 1 FROM transaction_terms x " +
				"WHERE x.transaction_id = transactions.id AND x.commission_type <> 'STANDARD')",
		)

	default:
		w.And(
			"EXISTS (SELECT 1 FROM transaction_terms x "+
				"WHERE x.transaction_id = transactions.id AND x.commission_type = ?)",
			f.CommissionType,
		)
	}
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
	return caller.Order{Column: sortColumns[f.SortBy], Ascending: f.Ascending}
}

// position returns the sort position of a row.
func (f Filter) position(t Transaction) string {
	value := ""

	switch f.order().Column {
	case "updated_at":
		value = strconv.FormatInt(db.Micros(t.UpdatedAt), 10)
	case "status":
		value = string(t.Status)
	case "type":
		value = string(t.Type)
	case "token":
		value = t.Token
	}

	return f.order().Position(t.ID, value)
}
