package chain

import (
	"context"

	"github.com/ethereum/go-ethereum/common"

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

// oldestIn reads one row through the index on state and age.
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

// isAttempt reports whether a transaction is an attempt of one of our sends.
func isAttempt(ctx context.Context, q db.Querier, hash common.Hash) (bool, error) {
	return db.Value[bool](ctx, q, "SELECT EXISTS(SELECT 1 FROM chain_attempts WHERE tx_hash = ?)", hash.Hex())
}

// undecidedSends reads the sends of a signer that may have taken effect or may still do so.
func undecidedSends(ctx context.Context, q db.Querier, network, signer string) ([]SendRef, error) {
	// A PLANNED send that was updated after its creation was released from hold: its old attempts may still be mined.
	const mayHaveLeft = "(state IN ('NONCED', 'SIGNED', 'SENT', 'SEEN', 'HOLD') OR state = 'PLANNED' AND " +
		"updated_at > created_at)"

	return refs(ctx, q, mayHaveLeft, network, signer)
}

// finalAfter reads the sends of a signer that are FINAL in a later block.
func finalAfter(ctx context.Context, q db.Querier, network, signer string, block uint64) ([]SendRef, error) {
	return refs(ctx, q, "state = 'FINAL' AND block > ?", network, signer, int64(block))
}

func refs(ctx context.Context, q db.Querier, condition string, args ...any) ([]SendRef, error) {
	return db.Select(ctx, q, func(s *SendRef) []any { return []any{&s.Key, &s.Object, &s.Again} },
		"SELECT key, object, reopened FROM chain_sends WHERE network = ? AND signer = ? AND "+condition, args...)
}
