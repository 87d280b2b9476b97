package chain

import (
	"context"

	"slipway/internal/platform/db"
)

// postedBelow reads blocks below a height on which something was posted, highest first.
func (l *lane) postedBelow(ctx context.Context, below int64, limit int) ([]postedBlock, error) {
	const query = `SELECT DISTINCT r.block, r.block_hash FROM chain_receipts r JOIN chain_sends s ON s.id = r.send_id
		WHERE s.network = ? AND s.signer = ? AND s.state = 'FINAL' AND r.block < ? ORDER BY r.block DESC LIMIT ?`

	return db.Select(ctx, l.r.db, func(b *postedBlock) []any { return []any{&b.number, &b.hash} },
		query, l.net.ID, l.address, below, int64(limit))
}

// noteThawed writes what follows from the chain's state.
func (l *lane) noteThawed(tx *db.Tx, f thawed) error {
	now := db.Micros(tx.Now)

	type change struct {
		query string
		args  []any
	}

	changes := []change{
		{"UPDATE chain_signers SET frozen = '' WHERE network = ? AND address = ?", []any{l.net.ID, l.address}},
		{
			`UPDATE chain_signers SET next_nonce = ?
				WHERE network = ? AND address = ? AND next_nonce >= 0 AND next_nonce < ?`,
			[]any{f.mined, l.net.ID, l.address, f.mined},
		},
		{
			`UPDATE chain_sends SET state = 'SENT', reason = '', updated_at = ?
				WHERE network = ? AND signer = ? AND state = 'HOLD' AND nonce >= ?`,
			[]any{now, l.net.ID, l.address, f.mined},
		},
		{
			`UPDATE chain_sends
				SET state = 'REFUSED', reason = 'another transaction has its nonce', nonce = -1, updated_at = ?
				WHERE network = ? AND signer = ? AND state = 'HOLD' AND key LIKE ? AND nonce >= 0 AND nonce < ?`,
			[]any{now, l.net.ID, l.address, fillerPrefix + "%", f.mined},
		},
	}
	if f.replaced {
		changes = append(
			changes,
			change{
				"UPDATE chain_signers SET final_block = ?, final_hash = ? WHERE network = ? AND address = ?",
				[]any{f.block, f.hash, l.net.ID, l.address},
			},
			change{
				`UPDATE chain_sends
					SET state = 'SENT', reopened = TRUE, tx_hash = '', block = -1, block_hash = '', updated_at = ?
					WHERE network = ? AND signer = ? AND state = 'FINAL' AND block > ?`,
				[]any{now, l.net.ID, l.address, f.block},
			},
		)
	}

	for _, c := range changes {
		if _, err := tx.Exec(c.query, c.args...); err != nil {
			return err
		}
	}

	return nil
}
