package chain

import (
	"context"
	"fmt"
	"slices"

	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/core/types"

	"slipway/internal/platform/db"
)

// A send that a person has had sent anew keeps the attempts from before. Nobody broadcasts them any more, but whoever
// has their bytes could. So they are still searched: while the send is planned, by the lane of the signer that made
// them, and later with its own attempts. One that took effect ends the send. One that failed ends it as failed, unless
// the send has a nonce of its own again, or the failure is why it is sent anew.

// before reports whether an attempt was made before a person had the send sent anew.
func (s sendRow) before(a attemptRow) bool { return a.Number <= s.Released }

// ofBefore reports whether a transaction is such an attempt.
func (s sendRow) ofBefore(hash string, all []attemptRow) bool {
	return slices.ContainsFunc(all, func(a attemptRow) bool { return a.Hash == hash && s.before(a) })
}

// counting returns, of the receipts of a send's attempts, the one that says what became of the send; nil if none does.
// It prefers one that took effect: at most one can. A failed one from before counts only while the send is planned.
func (s sendRow) counting(all []attemptRow, receipts []*types.Receipt) (r *types.Receipt) {
	for i, a := range all {
		switch {
		case receipts[i] == nil:
		case receipts[i].Status == types.ReceiptStatusSuccessful:
			return receipts[i]
		case s.State == StatePlanned || !s.before(a):
			r = receipts[i]
		}
	}

	return r
}

// recordReleased searches the attempts that this signer made of planned sends before a person had those sent anew. A
// send of which one is in a block gets its nonce back, and ends by what the block says: its successor does not send it.
func (l *lane) recordReleased(ctx context.Context, v view) error {
	if v.behind {
		return nil
	}

	for after := ""; ; {
		rows, err := releasedSends(ctx, l.r.db, l.net.ID, after, perQuery)
		if err != nil {
			return fmt.Errorf("read released sends: %w", err)
		}

		if len(rows) == 0 {
			return nil
		}

		if err := l.recordSeenBefore(ctx, v, rows); err != nil {
			return err
		}

		after = rows[len(rows)-1].ID
	}
}

func (l *lane) recordSeenBefore(ctx context.Context, v view, rows []sendRow) error {
	all, err := attempts(ctx, l.r.db, rows)
	if err != nil {
		return fmt.Errorf("read attempts: %w", err)
	}

	own := map[string][]attemptRow{}

	for id, list := range all {
		if own[id], err = l.mined(list, v.used); err != nil {
			return err
		}
	}

	found, err := l.findReceipts(ctx, v, rows, own)
	if err != nil {
		return fmt.Errorf("read receipts: %w", err)
	}

	seen := slices.DeleteFunc(slices.Clone(rows), func(s sendRow) bool {
		r := found[s.ID].receipt
		return r == nil || s.failedAgain(r)
	})

	err = l.each(ctx, seen, func(tx *db.Tx, s sendRow) error {
		r := found[s.ID].receipt
		nonce := nonceOf(own[s.ID], r.TxHash)

		noteSeenBefore(tx, s, l.address, nonce, r)
		s.Nonce = nonce

		return l.r.observer.Seen(ctx, tx, l.sentOf(s, r, hashesOf(all[s.ID])))
	})

	return l.sighted(seen, found, err)
}

// mined returns those of some attempts that this signer has made, and whose nonces a node counts as used.
func (l *lane) mined(list []attemptRow, used uint64) (out []attemptRow, err error) {
	for _, a := range list {
		if uint64(a.Nonce) >= used {
			continue
		}

		tx := new(types.Transaction)
		if err := tx.UnmarshalBinary(a.Raw); err != nil {
			return nil, fmt.Errorf("stored bytes of %s: %w", a.Hash, err)
		}

		from, err := types.Sender(types.LatestSignerForChainID(l.net.ChainID), tx)
		if err != nil {
			return nil, fmt.Errorf("signer of %s: %w", a.Hash, err)
		}

		if from == l.from {
			out = append(out, a)
		}
	}

	return out, nil
}

func nonceOf(list []attemptRow, hash common.Hash) int64 {
	for _, a := range list {
		if a.Hash == hash.Hex() {
			return a.Nonce
		}
	}

	return -1
}

// failedAgain reports whether a receipt shows an attempt that failed, of a send that was posted as final before: that
// is why a person has it sent anew.
func (s sendRow) failedAgain(r *types.Receipt) bool {
	return s.Reopened && r.Status == types.ReceiptStatusFailed
}

// withoutEffect removes planned sends of which an attempt from before is in a block: it decides, not a new one. A
// failure for which a person has the send sent anew stands in the way only until it is final. note names one that was
// removed.
func (l *lane) withoutEffect(ctx context.Context, v view, planned []sendRow) (left []sendRow, note string, err error) {
	var released []sendRow

	for _, s := range planned {
		if s.Released > 0 {
			released = append(released, s)
		}
	}

	if len(released) == 0 {
		return planned, "", nil
	}

	all, err := attempts(ctx, l.r.db, released)
	if err != nil {
		return nil, "", fmt.Errorf("read attempts: %w", err)
	}

	found, err := l.findReceipts(ctx, v, released, all)
	if err != nil {
		return nil, "", fmt.Errorf("read receipts: %w", err)
	}

	for _, s := range planned {
		r := found[s.ID].receipt
		if r == nil || s.failedAgain(r) && v.hasFin && r.BlockNumber.Uint64() <= v.final {
			left = append(left, s)
			continue
		}

		note = fmt.Sprintf("an earlier attempt of %s is in block %d: what it did decides", s.Key, r.BlockNumber)
	}

	return left, note, nil
}
