package chain

import (
	"context"

	"slipway/internal/platform/db"
)

func readEvidence(
	ctx context.Context,
	q db.Querier,
	sendID string,
) (ok bool, gasUsed int64, gasPrice string, err error) {
	_, err = db.One(ctx, q, func(*struct{}) []any { return []any{&ok, &gasUsed, &gasPrice} },
		"SELECT ok, gas_used, gas_price FROM chain_receipts WHERE send_id = ?", sendID)
	return ok, gasUsed, gasPrice, err
}

// oldestIn reads one row by the index on state and age.
func oldestIn(ctx context.Context, q db.Querier, s State) (int64, error) {
	return db.Value[int64](
		ctx,
		q,
		"SELECT created_at FROM chain_sends WHERE state = ? ORDER BY created_at LIMIT 1",
		string(s),
	)
}

func (l *lane) openCounts(ctx context.Context) (map[State]int64, error) {
	type row struct {
		state State
		n     int64
	}
	rows, err := db.Select(ctx, l.r.db, func(r *row) []any { return []any{(*string)(&r.state), &r.n} },
		`SELECT state, count(*) FROM chain_sends WHERE network = ? AND signer = ?
		 AND state IN ('PLANNED', 'NONCED', 'SIGNED', 'SENT', 'SEEN', 'HOLD') GROUP BY state`, l.net.ID, l.address)

	out := make(map[State]int64, len(rows))
	for _, r := range rows {
		out[r.state] = r.n
	}

	return out, err
}
