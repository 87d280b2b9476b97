package transaction

import (
	"context"

	"slipway/internal/platform/db"
)

// paidBefore reports whether a payment to the same address for the same receiver was completed before.
func paidBefore(ctx context.Context, q db.Querier, t Transaction, p Payment) (bool, error) {
	var w db.Where

	toReceivers(&w, p.Receiver)
	w.And("p.address = ? AND p.outcome = 'COMPLETED'", p.Address)
	w.And("t.organisation = ? AND t.network = ? AND t.id <> ?", t.Organisation, t.Network, t.ID)

	n, err := db.Value[int64](ctx, q, `SELECT count(*) FROM (SELECT 1 FROM payments p
		JOIN transactions t ON t.id = p.transaction_id`+w.SQL()+` LIMIT 1) AS found`, w.Args...)

	return n > 0, err
}
