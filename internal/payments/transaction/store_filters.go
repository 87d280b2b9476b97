package transaction

import (
	"slices"
	"strconv"
	"strings"

	"slipway/internal/core/id"
	"slipway/internal/core/listindex"
	"slipway/internal/platform/db"
)

// facet is a property of transactions that lists are filtered and grouped by. The database's condition, what is read
// into an index, and the index's marks are made of it.
type facet struct {
	name   string // of its marks
	column string // an expression of table transactions: a text, or a BOOLEAN
	flag   bool   // it is a BOOLEAN
	items  string // instead of column: a column of payment_terms, of which a transaction has several
}

var (
	byStatus   = &facet{name: "status", column: "status"}
	byType     = &facet{name: "type", column: "type"}
	byToken    = &facet{name: "token", column: "token"}
	byPartner  = &facet{name: "partner", column: "partner"}
	byHidden   = &facet{name: "hidden", column: "is_hidden", flag: true}
	byFailed   = &facet{name: "failed", column: failedSQL("transactions"), flag: true}
	byCurrency = &facet{name: "currency", items: "currency"}

	// A CRYPTO transaction has no terms, and its commission is the standard one.
	byCommission = &facet{
		name: "commission",
		column: "coalesce((SELECT x.commission_type FROM transaction_terms x " +
			"WHERE x.transaction_id = transactions.id), 'STANDARD')",
	}
)

// filter is something that callers select transactions by, described once: the database and the index both answer by
// it. It has a facet with the values that are asked for, or else both of where and query.
type filter struct {
	parameters []string // of the interface
	of         *facet
	values     func(f Filter) []string // one of them must be there; none: everything
	where      func(f Filter, w *db.Where, records [][]string)
	query      func(f Filter, q *listindex.Query, records [][]string)
}

// filters are all filters of the list, but for the one that possible answers.
var filters = []filter{
	{parameters: []string{"status[]"}, of: byStatus, values: func(f Filter) []string { return f.Status }},
	{parameters: []string{"columnId"}, of: byStatus, values: func(f Filter) []string { return f.View.states() }},
	{parameters: []string{"type[]"}, of: byType, values: func(f Filter) []string { return f.Types }},
	{parameters: []string{"tokens[]"}, of: byToken, values: func(f Filter) []string { return f.Tokens }},
	{parameters: []string{"partners[]"}, of: byPartner, values: Filter.partners},
	{parameters: []string{"currencies[]"}, of: byCurrency, values: func(f Filter) []string { return f.Currencies }},
	{parameters: []string{"commissionType"}, of: byCommission, values: Filter.commissions},
	{parameters: []string{"isHidden"}, of: byHidden, values: func(f Filter) []string { return flagged(f.Hidden) }},
	{
		parameters: []string{"paymentsFailed"},
		of:         byFailed,
		values:     func(f Filter) []string { return flagged(f.PaymentsFailed) },
	},
	{parameters: []string{"from", "to", "selectedYear"}, where: Filter.whereCreated, query: Filter.queryCreated},
	{parameters: []string{"searchTerm"}, where: Filter.whereWords, query: Filter.queryWords},
}

// sorting is an order of the list. Every order ends with the id, so that pages do not overlap. Identifiers are in the
// order of creation, so that the zero value is the order of createdAt.
type sorting struct {
	of     *facet // ordered by its values
	column string // without a facet: ordered by a time
	value  func(t Transaction) string
}

var sortings = map[string]sorting{
	"":          {},
	"createdAt": {},
	"_id":       {},
	"updatedAt": {
		column: "updated_at",
		value:  func(t Transaction) string { return strconv.FormatInt(db.Micros(t.UpdatedAt), 10) },
	},
	"status": {of: byStatus, value: func(t Transaction) string { return string(t.Status) }},
	"type":   {of: byType, value: func(t Transaction) string { return string(t.Type) }},
	"token":  {of: byToken, value: func(t Transaction) string { return t.Token }},
}

// facets returns those of all filters, each once. An index has all of them, whatever a list asks for.
func facets() []*facet {
	var out []*facet

	for _, x := range filters {
		if x.of != nil && !slices.Contains(out, x.of) {
			out = append(out, x.of)
		}
	}

	return out
}

func (x *facet) mark(value string) string { return x.name + "=" + value }

// selected returns the expression that reads the facet as a text.
func (x *facet) selected() string {
	if x.flag {
		return "CASE WHEN " + x.column + " THEN 'true' ELSE 'false' END"
	}

	return x.column
}

// where adds that a transaction has one of some values; none adds nothing.
func (x *facet) where(w *db.Where, values []string) {
	switch {
	case len(values) == 0:
	case x.flag:
		w.And(x.column+" = ?", values[0] == flagSet)

	case x.items != "":
		var sub db.Where
		sub.And("x.transaction_id = transactions.id")
		db.In(&sub, "x."+x.items, values)
		w.And("EXISTS (SELECT 1 FROM payment_terms x"+sub.SQL()+")", sub.Args...)

	default:
		db.In(w, x.column, values)
	}
}

// flagSet is what a facet that is a flag has where it is set.
const flagSet = "true"

// flagged returns the values of a flag that is asked for, if it is.
func flagged(is *bool) []string {
	if is == nil {
		return nil
	}

	return []string{strconv.FormatBool(*is)}
}

// where adds the conditions. records are, for each word of the search, what other nouns know by it.
func (f Filter) where(w *db.Where, records [][]string) {
	w.And("organisation = ?", f.Organisation)
	w.And("deleted = FALSE")

	for _, x := range filters {
		if x.of != nil {
			x.of.where(w, x.values(f))
		} else {
			x.where(f, w, records)
		}
	}
}

// query returns the filter as a query of an index.
func (f Filter) query(records [][]string) listindex.Query {
	q := listindex.Query{Ascending: f.Ascending, Offset: f.Offset, Limit: f.Limit}

	for _, x := range filters {
		if x.of == nil {
			x.query(f, &q, records)
			continue
		}

		var marks []string
		for _, v := range x.values(f) {
			marks = append(marks, x.of.mark(v))
		}

		if marks != nil {
			q.Marks = append(q.Marks, marks)
		}
	}

	return q
}

// failedSQL is the expression that is true of a transaction of which at least one payment was not made, or was sent
// back.
func failedSQL(alias string) string {
	return "(" + alias + ".status = 'FAILED' OR EXISTS (SELECT 1 FROM payments p WHERE p.transaction_id = " + alias +
		".id AND p.outcome IN ('FAILED', 'RETURNED', 'REFUNDED', 'CANCELLED')))"
}

// partners returns the partners that are asked for, without empty names.
func (f Filter) partners() []string {
	return slices.DeleteFunc(slices.Clone(f.Partners), func(s string) bool { return s == "" })
}

func (f Filter) commissions() []string {
	if f.CommissionType == "" {
		return nil
	}

	return []string{f.CommissionType}
}

func (f Filter) whereCreated(w *db.Where, _ [][]string) {
	from, to := f.created()
	if !from.IsZero() {
		w.And("created_at >= ?", db.Micros(from))
	}

	if !to.IsZero() {
		w.And("created_at < ?", db.Micros(to))
	}
}

func (f Filter) queryCreated(q *listindex.Query, _ [][]string) { q.From, q.To = f.created() }

func (f Filter) whereWords(w *db.Where, records [][]string) {
	for i, word := range f.words() {
		f.whereWord(w, word, records[i])
	}
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

func (f Filter) queryWords(q *listindex.Query, records [][]string) {
	for i, w := range f.words() {
		q.Words = append(q.Words, listindex.Word{Text: w.searched, Records: records[i]})
	}
}
