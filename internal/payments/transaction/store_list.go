package transaction

import (
	"context"
	"slices"
	"strconv"
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
	"_id":       "",
}

// list returns one page, the exact number of matches, and the sort position of the last one if more follow.
func list(ctx context.Context, d *db.DB, f Filter) (page []Transaction, total int64, next string, err error) {
	p := db.Page{Columns: columns, Table: "transactions", Order: f.order(), Window: f.Window}
	if !f.where(&p.Where) {
		return nil, 0, "", nil
	}

	if f.After != "" {
		if p.After, p.AfterBy, err = p.Order.Parse(f.After); err != nil {
			return nil, 0, "", err
		}

		p.Offset = 0
	}

	err = d.Snapshot(ctx, func(q db.Querier) error {
		var rows []row

		rows, total, err = db.ReadPage(ctx, q, p, (*row).dest)
		if err != nil {
			return err
		}

		if page, err = db.Values(rows, (*row).value); err != nil {
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

func (f Filter) order() caller.Order {
	return caller.Order{Column: sortColumns[f.SortBy], Ascending: f.Ascending}
}

// position returns the sort position of a row.
func (f Filter) position(t Transaction) string {
	value := ""

	switch f.order().Column {
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

	return f.order().Position(t.ID, value)
}
