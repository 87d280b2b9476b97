package payable

import (
	"context"
	"slices"
	"strconv"
	"strings"
	"time"

	"slipway/internal/core/id"
	"slipway/internal/directory/refdata"
	"slipway/internal/platform/db"
	"slipway/internal/platform/web"
)

// Filter is what a list asks for. Empty fields ask for nothing.
type Filter struct {
	Organisation             string
	Status, Types            []string
	Receiver                 string
	Currencies, Tokens       []string
	From, To                 time.Time // made
	ExpectedFrom, ExpectedTo time.Time // days, both included
	Search                   string
	SortBy                   string
	Ascending                bool
	web.Window
}

// sortColumns maps the interface's sortBy to columns.
func sortColumns() map[string]string {
	return map[string]string{"": "created_at", "createdAt": "created_at", "updatedAt": "updated_at", "expectedPaymentDate": "expected_at", "amount": "amount_sort",
		"status": "status", "type": "type", "_id": ""}
}

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
	}{{"created_at >= ?", f.From}, {"created_at < ?", f.To}, {"expected_at >= ? AND expected_at > 0", f.ExpectedFrom}, {"expected_at <= ? AND expected_at > 0", f.ExpectedTo}} {
		if !x.at.IsZero() {
			w.And(x.condition, db.Micros(x.at))
		}
	}
	w.Contains("search", f.Search)
	return w
}

// page gives the payables of a page, how many match on all pages, and where the next one begins.
func page(ctx context.Context, q db.Querier, f Filter) (all []Payable, total int64, next string, err error) {
	column := sortColumns()[f.SortBy]
	p := db.Page{Columns: columns, Table: "payables", Where: f.where(), By: column, Limit: f.Limit, Offset: f.Offset, Ascending: f.Ascending}
	if f.After != "" {
		if p.AfterBy, p.After, err = f.after(column); err != nil {
			return nil, 0, "", err
		}
		p.Offset = 0
	}
	rows, total, err := db.ReadPage(ctx, q, p, (*row).dest)
	if err != nil {
		return nil, 0, "", err
	}
	more := len(rows) > f.Limit
	for i := range rows[:min(len(rows), f.Limit)] {
		x, err := rows[i].value()
		if err != nil {
			return nil, 0, "", err
		}
		all = append(all, x)
	}
	if more {
		next = f.position(rows[f.Limit-1], column)
	}
	return all, total, next, nil
}

// order names the order of the list: a cursor of one order means nothing in another.
func (f Filter) order(column string) string {
	if f.Ascending {
		return column + "+"
	}
	return column + "-"
}

// position is what a cursor continues after: the order, the identifier of the last row that was given, and what it is sorted by.
func (f Filter) position(r row, column string) string {
	value := map[string]string{"created_at": strconv.FormatInt(r.made, 10), "updated_at": strconv.FormatInt(r.changed, 10), "expected_at": strconv.FormatInt(r.expected, 10),
		"amount_sort": r.sort, "status": string(r.p.Status), "type": string(r.p.Type)}[column]
	return web.Place{Order: f.order(column), Last: r.p.ID, Value: value}.String()
}

// after reads a cursor.
func (f Filter) after(column string) (value any, last string, err error) {
	place, err := web.PlaceIn(f.order(column), f.After)
	if err != nil {
		return nil, "", err
	}
	value = place.Value
	if strings.HasSuffix(column, "_at") {
		value, err = strconv.ParseInt(place.Value, 10, 64)
	}
	if err != nil || !id.Valid(Prefix, place.Last) {
		return nil, "", web.WrongPlace()
	}
	return value, place.Last, nil
}

// likenessAge is how long ago an invoice may be that a new one is warned of.
const likenessAge = 90 * 24 * time.Hour

// maxAlike is how many others a warning names.
const maxAlike = 20

// alike gives, for several payables of one organisation, the others that may be the same invoice, and those with the same document; in at
// most two statements. What was rejected is like nothing.
func alike(ctx context.Context, q db.Querier, organisation string, all []Payable) (invoices, documents map[string][]string, err error) {
	if invoices, err = pairs(ctx, q, organisation, "likeness", all, likenessAge); err != nil {
		return nil, nil, err
	}
	with := slices.DeleteFunc(slices.Clone(all), func(p Payable) bool { return p.DocumentHash == "" })
	documents, err = pairs(ctx, q, organisation, "document_hash", with, 0)
	return invoices, documents, err
}

// pairs joins payables with others that have the same value in a column, made within an age of each other; 0: whenever.
func pairs(ctx context.Context, q db.Querier, organisation, column string, all []Payable, age time.Duration) (map[string][]string, error) {
	out := map[string][]string{}
	if len(all) == 0 {
		return out, nil
	}
	ids := make([]string, len(all))
	for i, p := range all {
		ids[i] = p.ID
	}
	var w db.Where
	w.And("a.organisation = ?", organisation)
	db.In(&w, "a.id", ids)
	w.And("a." + column + " <> ''")
	w.And("b." + column + " <> ''") // as an index says
	w.And("a.status <> 'REJECTED'")
	w.And("b.status <> 'REJECTED'")
	if age > 0 {
		w.And("b.created_at > a.created_at - ?", age.Microseconds())
		w.And("b.created_at < a.created_at + ?", age.Microseconds())
	}
	type pair struct{ one, other string }
	rows, err := db.Select(ctx, q, func(p *pair) []any { return []any{&p.one, &p.other} },
		"SELECT a.id, b.id FROM payables a JOIN payables b ON b.organisation = a.organisation AND b."+column+" = a."+column+" AND b.id <> a.id"+w.SQL()+
			" ORDER BY a.id, b.id LIMIT 10000", w.Args...)
	for _, p := range rows {
		if len(out[p.one]) < maxAlike {
			out[p.one] = append(out[p.one], p.other)
		}
	}
	return out, err
}
