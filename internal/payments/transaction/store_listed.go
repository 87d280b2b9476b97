package transaction

import (
	"context"

	"slipway/internal/core/listindex"
	"slipway/internal/platform/db"
)

// listChunk is how many transactions are read at once into an index.
const listChunk = 4096

// longestLimit limits the organisations whose lists are indexed when a process starts; others are when they are listed.
const longestLimit = 1000

// longest returns the organisations with this many transactions or more, the one with the most first.
func longest(ctx context.Context, q db.Querier, from int) ([]string, error) {
	return db.Select(ctx, q, func(organisation *string) []any { return []any{organisation} },
		`SELECT organisation FROM transactions
			GROUP BY organisation HAVING count(*) >= ? ORDER BY count(*) DESC LIMIT ?`, int64(from), int64(longestLimit))
}

// countAll counts an organisation's transactions, deleted ones too, up to a limit.
func countAll(ctx context.Context, q db.Querier, organisation string, limit int) (int, error) {
	n, err := db.Value[int64](ctx, q,
		"SELECT count(*) FROM (SELECT 1 FROM transactions WHERE organisation = ? LIMIT ?) AS counted",
		organisation, int64(limit))

	return int(n), err
}

// listRow is what an index keeps of a transaction.
type listRow struct {
	listindex.Row
	organisation string
	values       []string // of the facets
}

var (
	listFacets = facets()
	listRows   = db.NewView("FROM transactions", (*listRow).columns)
)

func (r *listRow) columns(c *db.Columns) {
	c.Text("id", &r.ID)
	c.Text("organisation", &r.organisation)
	c.Int64("version", &r.Version)
	c.Int64("updated_at", &r.Updated)
	c.Bool("deleted", &r.Gone)
	c.Text("search", &r.Text)

	r.values = make([]string, len(listFacets))

	for i, x := range listFacets {
		if x.items == "" {
			c.Text(x.selected(), &r.values[i])
		}
	}
}

// readListRows reads the transactions that match a condition, in the order of their creation, with their marks.
func readListRows(ctx context.Context, q db.Querier, w db.Where, rest string, args ...any) ([]listRow, error) {
	rows, err := listRows.Where(ctx, q, w, "ORDER BY id "+rest, args...)
	if err != nil || len(rows) == 0 {
		return nil, err
	}

	at := make(map[string]*listRow, len(rows))

	for i := range rows {
		r := &rows[i]
		at[r.ID] = r

		for i, x := range listFacets {
			if x.items == "" { // an empty value is one, too: lists are grouped by it
				r.Marks = append(r.Marks, x.mark(r.values[i]))
			}
		}
	}

	w.And("id >= ? AND id <= ?", rows[0].ID, rows[len(rows)-1].ID)
	w.And("type <> 'CRYPTO'")

	for _, x := range listFacets {
		if x.items == "" {
			continue
		}

		items, err := itemsOf(ctx, q, x.items, w)
		if err != nil {
			return nil, err
		}

		for _, item := range items {
			r := at[item.transaction]
			r.Marks = append(r.Marks, x.mark(item.value))
		}
	}

	return rows, nil
}

// item is a value that some payments of a transaction have.
type item struct{ transaction, value string }

func itemsOf(ctx context.Context, q db.Querier, column string, w db.Where) ([]item, error) {
	return db.Select(ctx, q, func(i *item) []any { return []any{&i.transaction, &i.value} },
		"SELECT DISTINCT x.transaction_id, x."+column+" FROM payment_terms x "+
			"JOIN transactions ON transactions.id = x.transaction_id"+w.SQL(), w.Args...)
}

// eachListRow calls put with every transaction of an organisation, in the order of their creation.
func eachListRow(ctx context.Context, q db.Querier, organisation string, put func(listindex.Row) error) error {
	after := ""

	for {
		var w db.Where
		w.And("organisation = ? AND id > ?", organisation, after)

		rows, err := readListRows(ctx, q, w, "LIMIT ?", int64(listChunk))
		if err != nil || len(rows) == 0 {
			return err
		}

		for _, r := range rows {
			if err := put(r.Row); err != nil {
				return err
			}
		}

		after = rows[len(rows)-1].ID
	}
}

// listRowsOf reads some transactions of any organisation.
func listRowsOf(ctx context.Context, q db.Querier, ids []string) ([]listRow, error) {
	var w db.Where
	db.In(&w, "id", ids)

	return readListRows(ctx, q, w, "")
}
