package transaction

import (
	"context"

	"slipway/internal/platform/db"
)

// paidBefore reports whether a payment to the same address for the same receiver was completed before.
func paidBefore(ctx context.Context, q db.Querier, t Transaction, p Payment) (bool, error) {
	n, err := db.Value[int64](ctx, q, `SELECT count(*) FROM (SELECT 1 FROM payments p
		JOIN transactions t ON t.id = p.transaction_id
		WHERE p.receiver = ? AND p.address = ? AND p.outcome = 'COMPLETED' AND t.organisation = ? AND t.network = ?
		AND t.id <> ? LIMIT 1) AS found`, p.Receiver, p.Address, t.Organisation, t.Network, t.ID)

	return n > 0, err
}
