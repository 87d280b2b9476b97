package transaction

import (
	"context"

	"slipway/internal/core/listindex"
	"slipway/internal/platform/db"
)

// listRows is how many transactions are read at once into an index.
const listRows = 4096

// longestLimit limits the organisations whose lists are indexed when a process starts; others are when they are listed.
const longestLimit = 1000

// longest returns the organisations with this many transactions or more, the one with the most first.
func longest(ctx context.Context, q db.Querier, from int) ([]string, error) {
	type counted struct {
		organisation string
		count        int64
	}

	rows, err := db.Select(ctx, q, func(c *counted) []any {
		return []any{&c.organisation, &c.count}
	}, `SELECT organisation, count(*) FROM transactions
		GROUP BY organisation HAVING count(*) >= ? ORDER BY 2 DESC LIMIT ?`, int64(from), int64(longestLimit))

	out := make([]string, len(rows))
	for i, r := range rows {
		out[i] = r.organisation
	}

	return out, err
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
	organisation, status, kind, token, partner, commission string
	hidden, failed                                         bool
}

var listColumns = `t.id, t.organisation, t.version, t.updated_at, t.deleted, t.search, t.status, t.type, t.token,
	t.partner, t.is_hidden, ` + failedSQL("t") + `, coalesce(x.commission_type, 'STANDARD')
	FROM transactions t LEFT JOIN transaction_terms x ON x.transaction_id = t.id`

func (r *listRow) dest() []any {
	return []any{
		&r.ID,
		&r.organisation,
		&r.Version,
		&r.Updated,
		&r.Gone,
		&r.Text,
		&r.status,
		&r.kind,
		&r.token,
		&r.partner,
		&r.hidden,
		&r.failed,
		&r.commission,
	}
}

// mark sets the marks.
func (r *listRow) mark(currencies []string) {
	r.Marks = []string{
		"status=" + r.status,
		"type=" + r.kind,
		"token=" + r.token,
		"commission=" + r.commission,
		"hidden=" + boolMark(r.hidden),
		"failed=" + boolMark(r.failed),
	}

	if r.partner != "" {
		r.Marks = append(r.Marks, "partner="+r.partner)
	}

	for _, c := range currencies {
		r.Marks = append(r.Marks, "currency="+c)
	}
}

// eachListRow calls put with every transaction of an organisation, in the order of their creation.
func eachListRow(ctx context.Context, q db.Querier, organisation string, put func(listindex.Row) error) error {
	after := ""

	for {
		rows, err := db.Select(ctx, q, (*listRow).dest,
			"SELECT "+listColumns+" WHERE t.organisation = ? AND t.id > ? ORDER BY t.id LIMIT ?",
			organisation, after, int64(listRows))
		if err != nil || len(rows) == 0 {
			return err
		}

		last := rows[len(rows)-1].ID

		currencies, err := currenciesOf(ctx, q,
			"t.organisation = ? AND t.id > ? AND t.id <= ? AND t.type <> 'CRYPTO'", organisation, after, last)
		if err != nil {
			return err
		}

		for i := range rows {
			r := &rows[i]
			r.mark(currencies[r.ID])

			if err := put(r.Row); err != nil {
				return err
			}
		}

		after = last
	}
}

// listRowsOf reads some transactions of any organisation.
func listRowsOf(ctx context.Context, q db.Querier, ids []string) ([]listRow, error) {
	var w db.Where
	db.In(&w, "t.id", ids)

	rows, err := db.Select(ctx, q, (*listRow).dest, "SELECT "+listColumns+w.SQL(), w.Args...)
	if err != nil {
		return nil, err
	}

	w.And("t.type <> 'CRYPTO'")

	currencies, err := currenciesOf(ctx, q, w.SQL()[len(" WHERE "):], w.Args...)
	if err != nil {
		return nil, err
	}

	for i := range rows {
		rows[i].mark(currencies[rows[i].ID])
	}

	return rows, nil
}

// currenciesOf returns the currencies of the payments of transactions, by transaction.
func currenciesOf(ctx context.Context, q db.Querier, condition string, args ...any) (map[string][]string, error) {
	type pair struct{ transaction, currency string }

	rows, err := db.Select(ctx, q, func(p *pair) []any {
		return []any{&p.transaction, &p.currency}
	}, "SELECT DISTINCT p.transaction_id, p.currency FROM transactions t "+
		"JOIN payment_terms p ON p.transaction_id = t.id WHERE "+condition, args...)

	out := map[string][]string{}
	for _, r := range rows {
		out[r.transaction] = append(out[r.transaction], r.currency)
	}

	return out, err
}
