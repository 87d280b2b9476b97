package transaction

import (
	"context"

	"slipway/internal/platform/db"
)

// notPaid is the condition on a payment p and its transaction t that the payment was not made and never will be.
const notPaid = `(p.outcome IN ('FAILED', 'REFUNDED', 'CANCELLED')
	OR p.outcome = '' AND t.status IN ('FAILED', 'REJECTED_BY_PLATFORM'))`

// madeAgain returns which transaction makes each of some failed payments again, besides a given one.
func madeAgain(
	ctx context.Context,
	q db.Querier,
	organisations, ids []string,
	besides string,
) (map[string]string, error) {
	if len(ids) == 0 {
		return nil, nil
	}

	var w db.Where
	db.In(&w, "p.again", ids)
	db.In(&w, "t.organisation", organisations)
	w.And("t.deleted = FALSE AND NOT " + notPaid)
	w.And("t.id <> ?", besides)

	type row struct{ again, by string }

	rows, err := db.Select(ctx, q, func(r *row) []any { return []any{&r.again, &r.by} },
		"SELECT p.again, t.id FROM payments p JOIN transactions t ON t.id = p.transaction_id"+w.SQL(), w.Args...)

	out := make(map[string]string, len(rows))
	for _, r := range rows {
		out[r.again] = r.by
	}

	return out, err
}
