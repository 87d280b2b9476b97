package payable

import (
	"context"
	"slices"
	"strconv"
	"strings"
	"time"

	"slipway/internal/core/caller"
	"slipway/internal/core/id"
	"slipway/internal/directory/refdata"
	"slipway/internal/platform/db"
)

// Filter selects the rows of a list. An empty field selects everything.
type Filter struct {
	Organisation             string
	Status, Types            []string
	Receiver                 string
	Currencies, Tokens       []string
	From, To                 time.Time // created
	ExpectedFrom, ExpectedTo time.Time // days, both included
	Search                   string
	SortBy                   string
	Ascending                bool
	caller.Window
}

// sorting is an order of the list: a column, and its value in a row.
type sorting struct {
	column string // empty: the order of identifiers alone
	value  func(p Payable) string
}

// sortings are the orders of the interface's sortBy.
var sortings = map[string]sorting{
	"":          byCreation,
	"createdAt": byCreation,
	"updatedAt": {"updated_at", func(p Payable) string { return micros(p.UpdatedAt) }},
	"expectedPaymentDate": {
		column: "expected_at",
		value:  func(p Payable) string { return micros(p.ExpectedPaymentDate) },
	},
	"amount": {"amount_sort", func(p Payable) string { return sortable(p.Amount) }},
	"status": {"status", func(p Payable) string { return string(p.Status) }},
	"type":   {"type", func(p Payable) string { return string(p.Type) }},
	"_id":    {"", func(Payable) string { return "" }},
}

var byCreation = sorting{"created_at", func(p Payable) string { return micros(p.CreatedAt) }}

func micros(t time.Time) string { return strconv.FormatInt(db.Micros(t), 10) }

func (f Filter) where() db.Where {
	var w db.Where
	w.And("organisation = ?", f.Organisation)
	db.In(&w, "status", f.Status)
	db.In(&w, "type", f.Types)

	if f.Receiver != "" {
		w.And("receiver = ?", f.Receiver)
	}

	codes := slices.Clone(f.Tokens)
	for _, x := range f.Currencies {
		if c, ok := refdata.All().Currency(x); ok {
			x = c.Code
		}

		codes = append(codes, x)
	}

	db.In(&w, "currency", codes)

	for _, x := range []struct {
		condition string
		at        time.Time
	}{
		{"created_at >= ?", f.From},
		{"created_at < ?", f.To},
		{"expected_at >= ? AND expected_at > 0", f.ExpectedFrom},
		{"expected_at <= ? AND expected_at > 0", f.ExpectedTo},
	} {
		if !x.at.IsZero() {
			w.And(x.condition, db.Micros(x.at))
		}
	}

	w.Contains("search", f.Search)

	return w
}

func (f Filter) order() caller.Order {
	return caller.Order{Column: sortings[f.SortBy].column, Ascending: f.Ascending}
}

// page returns the rows of a page and the one after it, and how many match on all pages.
func page(ctx context.Context, q db.Querier, f Filter) (rows []Payable, total int64, err error) {
	p := db.Page{Where: f.where(), Order: f.order(), Window: f.Window}
	if f.After != "" {
		if p.After, p.AfterBy, err = p.Order.Parse(f.After); err != nil {
			return nil, 0, err
		}

		if !id.Valid(Prefix, p.After) {
			return nil, 0, caller.WrongPosition()
		}

		p.Offset = 0
	}

	return payableRows.Page(ctx, q, p)
}

// position returns the sort position of a row.
func (f Filter) position(p Payable) string {
	return f.order().Position(p.ID, sortings[f.SortBy].value(p))
}

// likenessAge is the greatest age of an invoice that a new one is compared with.
const likenessAge = 90 * 24 * time.Hour

// maxAlike is how many others a warning lists.
const maxAlike = 20

// alike returns, for several payables of one organisation, the others that may be the same invoice, and those with the
// same document. It takes at most two statements. Rejected payables are left out.
func alike(
	ctx context.Context,
	q db.Querier,
	organisation string,
	all []Payable,
) (invoices, documents map[string][]string, err error) {
	if invoices, err = pairs(ctx, q, organisation, "likeness", all, likenessOf, likenessAge); err != nil {
		return nil, nil, err
	}

	documents, err = pairs(ctx, q, organisation, "document_hash", all, func(p Payable) string {
		return p.DocumentHash
	}, 0)

	return invoices, documents, err
}

// mostLike limits how many payables similar to those of one page are read.
const mostLike = 10_000

// pairs returns, for each payable, the others that have the same value in a column and were made within an age of each
// other; 0 means any age. An empty value matches nothing. It searches by values, so that each is a step in the column's
// index.
func pairs(
	ctx context.Context,
	q db.Querier,
	organisation, column string,
	all []Payable,
	value func(Payable) string,
	age time.Duration,
) (map[string][]string, error) {
	var values []string
	for _, p := range all {
		if v := value(p); v != "" && p.Status != Rejected {
			values = append(values, v)
		}
	}

	if len(values) == 0 {
		return nil, nil
	}

	var w db.Where
	w.And("organisation = ?", organisation)
	db.In(&w, column, values)
	w.And(column + " <> ''") // the condition of the partial index
	w.And("status <> 'REJECTED'")

	type other struct {
		id, value string
		made      int64
	}
	rows, err := db.Select(ctx, q, func(o *other) []any { return []any{&o.id, &o.value, &o.made} },
		// unordered: the order of identifiers could make a planner scan all of them
		"SELECT id, "+column+", created_at FROM payables"+w.SQL()+" LIMIT ?", append(w.Args, int64(mostLike))...)
	slices.SortFunc(rows, func(a, b other) int { return strings.Compare(a.id, b.id) })

	same := map[string][]other{}
	for _, o := range rows {
		same[o.value] = append(same[o.value], o)
	}

	out := map[string][]string{}
	for _, p := range all {
		if p.Status == Rejected {
			continue
		}

		for _, o := range same[value(p)] {
			near := age == 0 || db.Time(o.made).Sub(p.CreatedAt).Abs() < age
			if o.id != p.ID && near && len(out[p.ID]) < maxAlike {
				out[p.ID] = append(out[p.ID], o.id)
			}
		}
	}

	return out, err
}
