package transaction

import (
	"context"
	"slices"
	"strconv"
	"strings"
	"time"

	"slipway/internal/core/caller"
	"slipway/internal/directory/refdata"
	"slipway/internal/platform/db"
)

// Filter selects the rows of a list. An empty field selects everything; set fields must all match.
type Filter struct {
	Organisation   string // the caller's organisation; always set
	Organisations  []string
	Partners       []string
	Status         []string
	Tokens         []string
	Currencies     []string
	Types          []string
	From, To       time.Time // created at or after From, and before To
	Year           int
	Search         string
	CommissionType string
	Hidden         *bool
	SortBy         string
	Ascending      bool
	caller.Window
}

// sortColumns are the columns that a list may be ordered by. Every order ends with the id, so that pages do not
// overlap.
var sortColumns = map[string]string{
	"":          "created_at",
	"createdAt": "created_at",
	"updatedAt": "updated_at",
	"status":    "status",
	"type":      "type",
	"token":     "token",
	"_id":       "id",
}

// list returns one page and the exact number of matches.
func list(ctx context.Context, d *db.DB, f Filter) (page []Transaction, total int64, err error) {
	var w db.Where
	if !f.where(&w) {
		return nil, 0, nil
	}

	err = d.Snapshot(ctx, func(q db.Querier) error {
		if total, err = db.Value[int64](
			ctx,
			q,
			"SELECT count(*) FROM transactions"+w.SQL(),
			w.Args...); err != nil ||
			total == 0 {
			return err
		}

		page, err = readPage(ctx, q, w, f)

		return err
	})

	return page, total, err
}

// where adds the conditions. It returns false if nothing can match, because the caller asked for another organisation's
// records.
func (f Filter) where(w *db.Where) bool {
	if len(f.Organisations) > 0 && !slices.Contains(f.Organisations, f.Organisation) {
		return false
	}

	w.And("organisation = ?", f.Organisation)
	w.And("deleted = FALSE")
	db.In(w, "status", f.Status)
	db.In(w, "token", f.Tokens)
	db.In(w, "type", f.Types)

	if !f.whereTerms(w) {
		return false
	}

	if f.Hidden != nil {
		w.And("is_hidden = ?", *f.Hidden)
	}

	if !f.From.IsZero() {
		w.And("created_at >= ?", db.Micros(f.From))
	}

	if !f.To.IsZero() {
		w.And("created_at < ?", db.Micros(f.To))
	}

	if f.Year != 0 {
		w.And(
			"created_at >= ? AND created_at < ?",
			db.Micros(time.Date(f.Year, 1, 1, 0, 0, 0, 0, time.UTC)),
			db.Micros(time.Date(f.Year+1, 1, 1, 0, 0, 0, 0, time.UTC)),
		)
	}

	w.Contains("search", f.Search)

	return true
}

// whereTerms adds conditions on the tables of terms, in which a CRYPTO transaction has no row: it has no currency, and
// its commission is the standard one.
func (f Filter) whereTerms(w *db.Where) bool {
	if len(f.Partners) > 0 {
		partners := slices.DeleteFunc(slices.Clone(f.Partners), func(s string) bool { return s == "" })
		if len(partners) == 0 {
			return false
		}

		db.In(w, "partner", partners)
	}

	if len(f.Currencies) > 0 {
		codes := make([]string, len(f.Currencies))
		for i, x := range f.Currencies {
			codes[i] = x
			if c, ok := refdata.All().Currency(x); ok {
				codes[i] = c.Code
			}
		}

		var sub db.Where
		sub.And("x.transaction_id = transactions.id")
		db.In(&sub, "x.currency", codes)
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

	return true
}

func readPage(ctx context.Context, q db.Querier, w db.Where, f Filter) ([]Transaction, error) {
	column := sortColumns[f.SortBy]
	direction := "DESC"

	after := "<"
	if f.Ascending {
		direction = "ASC"
		after = ">"
	}

	if f.After != "" {
		if err := seek(&w, f, after); err != nil {
			return nil, err
		}

		f.Offset = 0
	}

	order := " ORDER BY " + column + " " + direction
	if column != "id" {
		order += ", id " + direction
	}

	rows, err := db.Select(
		ctx,
		q,
		(*row).dest,
		"SELECT "+columns+" FROM transactions"+w.SQL()+order+" LIMIT ? OFFSET ?",
		append(append([]any{}, w.Args...), int64(f.Limit+1), int64(f.Offset))...)
	if err != nil {
		return nil, err
	}

	page := make([]Transaction, len(rows))
	index := make(map[string]int, len(rows))

	ids := make([]string, len(rows))
	for i := range rows {
		if page[i], err = rows[i].value(); err != nil {
			return nil, err
		}

		ids[i] = page[i].ID
		index[page[i].ID] = i
	}

	if err := attachPayments(ctx, q, page, index, ids); err != nil {
		return nil, err
	}

	return page, attachTerms(ctx, q, page)
}

func attachPayments(ctx context.Context, q db.Querier, page []Transaction, index map[string]int, ids []string) error {
	if len(ids) == 0 {
		return nil
	}

	var w db.Where
	db.In(&w, "transaction_id", ids)

	items, err := db.Select(
		ctx,
		q,
		(*paymentRow).dest,
		"SELECT "+paymentColumns+" FROM payments"+w.SQL()+" ORDER BY transaction_id, position",
		w.Args...)
	if err != nil {
		return err
	}

	for i := range items {
		p, err := items[i].value()
		if err != nil {
			return err
		}

		t := &page[index[items[i].transaction]]
		t.Payments = append(t.Payments, p)
	}

	return nil
}

// seek continues after a cursor. A cursor holds the order it was made for, and the sort value and id of the last row
// returned.
func seek(w *db.Where, f Filter, after string) error {
	place, err := caller.PlaceIn(f.order(), f.After)
	if err != nil {
		return err
	}

	column := sortColumns[f.SortBy]

	var at any = place.Value
	if strings.HasSuffix(column, "_at") {
		if at, err = strconv.ParseInt(place.Value, 10, 64); err != nil {
			return caller.WrongPlace()
		}
	}

	w.And("("+column+" "+after+" ? OR ("+column+" = ? AND id "+after+" ?))", at, at, place.Last)

	return nil
}

// order returns the name of the list's order: a cursor of one order is refused in another.
func (f Filter) order() string {
	if f.Ascending {
		return sortColumns[f.SortBy] + "+"
	}

	return sortColumns[f.SortBy] + "-"
}

// position returns the sort value of a row, after which a cursor of this order continues.
func (f Filter) position(t Transaction) string {
	value := t.ID
	switch sortColumns[f.SortBy] {
	case "created_at":
		value = strconv.FormatInt(db.Micros(t.CreatedAt), 10)
	case "updated_at":
		value = strconv.FormatInt(db.Micros(t.UpdatedAt), 10)
	case "status":
		value = string(t.Status)
	case "type":
		value = string(t.Type)
	case "token":
		value = t.Token
	}

	return caller.Place{Order: f.order(), Last: t.ID, Value: value}.String()
}
