package chain

import (
	"context"

	"github.com/ethereum/go-ethereum/core/types"

	"slipway/internal/platform/db"
)

func (h *heldSend) dest() []any {
	return []any{
		&h.network,
		&h.signer,
		&h.to,
		(*string)(&h.state),
		&h.nonce,
		&h.reopened,
		&h.refused,
		&h.filled,
		&h.attempts,
		&h.sendingUntil,
		&h.finalNonce,
		&h.deposed,
	}
}

func heldByKey(ctx context.Context, q db.Querier, key string) (heldSend, error) {
	const (
		filled = `EXISTS(SELECT 1 FROM chain_sends f WHERE f.network = s.network AND f.signer = s.signer
			AND f.nonce = s.refused_nonce AND f.state = 'FINAL')`
		attempts = "COALESCE((SELECT max(a.number) FROM chain_attempts a WHERE a.send_id = s.id), 0)"
	)

	return db.One(ctx, q, (*heldSend).dest, "SELECT s.network, s.signer, s.recipient, s.state, s.nonce, s.reopened, "+
		"s.refused_nonce, "+filled+", "+attempts+", s.sending_until, g.final_nonce, g.deposed FROM chain_sends s "+
		"JOIN chain_signers g ON g.network = s.network AND g.address = s.signer WHERE s.key = ?", key)
}

// noteReleased plans a send again, for the present signer. Its attempts so far are not sent any more.
func noteReleased(tx *db.Tx, key string, h heldSend) {
	tx.Change(
		`UPDATE chain_sends
			SET state = 'PLANNED', signer = ?, reason = '', nonce = -1, refused_nonce = -1, released = ?, tx_hash = '',
				block = -1, block_hash = '', updated_at = ?
			WHERE key = ? AND state = ? AND signer = ? AND nonce = ?`,
		h.successor,
		h.attempts,
		db.Micros(tx.Now),
		key,
		string(h.state),
		h.signer,
		h.nonce,
	)
}

func noteGivenUp(tx *db.Tx, key string) {
	tx.Change(
		"UPDATE chain_sends SET state = 'REFUSED', updated_at = ? WHERE key = ? AND state = 'HOLD'",
		db.Micros(tx.Now),
		key,
	)
}

// sendingUntil returns until when a send's bytes may be on their way to the nodes.
func sendingUntil(ctx context.Context, q db.Querier, key string) (int64, error) {
	return db.Value[int64](ctx, q, "SELECT sending_until FROM chain_sends WHERE key = ?", key)
}

// releasedSends reads the planned sends of a network that a person has had sent anew although there were attempts,
// after an id.
func releasedSends(ctx context.Context, q db.Querier, network, after string, limit int) ([]sendRow, error) {
	const query = "SELECT " + briefColumns + " FROM chain_sends " +
		"WHERE network = ? AND state = 'PLANNED' AND released > 0 AND id > ? ORDER BY id LIMIT ?"

	return db.Select(ctx, q, (*sendRow).dest, query, network, after, int64(limit))
}

// noteSeenBefore gives a planned send back to the signer and nonce of an earlier attempt that is in a block.
func noteSeenBefore(tx *db.Tx, s sendRow, signer string, nonce int64, r *types.Receipt) {
	tx.Change(
		`UPDATE chain_sends
			SET state = 'SEEN', signer = ?, nonce = ?, reason = '', tx_hash = ?, block = ?, block_hash = ?,
				updated_at = ?
			WHERE id = ? AND state = 'PLANNED' AND signer = ?`,
		signer,
		nonce,
		r.TxHash.Hex(),
		r.BlockNumber.Int64(),
		r.BlockHash.Hex(),
		db.Micros(tx.Now),
		s.ID,
		s.Signer,
	)
}

// noteLostBefore plans a send again, for the present signer, whose earlier attempt was in a block that was replaced.
func noteLostBefore(tx *db.Tx, s sendRow, signer string) {
	tx.Change(
		`UPDATE chain_sends
			SET state = 'PLANNED', signer = ?, nonce = -1, tx_hash = '', block = -1, block_hash = '', updated_at = ?
			WHERE id = ? AND state = 'SEEN' AND block_hash = ?`,
		signer,
		db.Micros(tx.Now),
		s.ID,
		s.BlockHash,
	)
}
