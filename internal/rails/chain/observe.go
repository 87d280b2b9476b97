package chain

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"math/big"
	"slices"

	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/core/types"

	"slipway/internal/platform/db"
	"slipway/internal/platform/failpoint"
)

// perWrite bounds the sends whose progress is recorded in one transaction: others wait for the writer meanwhile.
const perWrite = 64

// perLook bounds the sends whose receipts are asked for at once.
const perLook = 128

// observe compares our sends with a new head: blocks that were replaced, receipts that are there now, nonces that somebody else took.
func (l *lane) observe(ctx context.Context, v view) error {
	l.sure = !v.behind && v.head.Hash == l.head
	if v.behind || l.sure {
		return nil
	}
	if v.head.Parent != l.head {
		if err := l.checkFinal(ctx, v); err != nil {
			return err
		}
		if err := l.checkBlocks(ctx, v); err != nil {
			return err
		}
	}
	l.sure = true
	from, complete := int64(0), true
	for {
		rows, err := l.between(ctx, perLook, from, int64(v.mined), StateSigned, StateSent, StateHold)
		if err != nil {
			return fmt.Errorf("read sent: %w", err)
		}
		if len(rows) == 0 {
			break
		}
		all, err := l.lookFor(ctx, v, rows)
		if err != nil {
			return err
		}
		complete = complete && all
		from = rows[len(rows)-1].Nonce + 1
	}
	if complete {
		l.head = v.head.Hash // else look again: behind one address may be several nodes, and one may know less
	}
	return nil
}

// checkBlocks asks whether the blocks in which sends were seen are still in the chain, and moves those back to SENT that are not.
func (l *lane) checkBlocks(ctx context.Context, v view) error {
	numbers := slices.Sorted(maps.Keys(l.blocks))
	calls := make([]call, len(numbers))
	for i, n := range numbers {
		calls[i] = blockCall(numberRef(n))
	}
	answers, err := l.client.askOne(ctx, v.primary, calls)
	if err != nil {
		return fmt.Errorf("read headers: %w", err)
	}
	for i, n := range numbers {
		b, ok, err := answers[i].block()
		if err != nil {
			return fmt.Errorf("read header %d: %w", n, err)
		}
		if ok && b.Hash == l.blocks[n] {
			continue
		}
		if err := l.lost(ctx, n); err != nil {
			return err
		}
	}
	return nil
}

// lost moves the sends of a replaced block back to SENT. The same bytes go out again in this round.
func (l *lane) lost(ctx context.Context, block uint64) error {
	rows, err := l.seenIn(ctx, block)
	if err != nil {
		return fmt.Errorf("read sends of block %d: %w", block, err)
	}
	all, err := attempts(ctx, l.r.db, rows)
	if err != nil {
		return fmt.Errorf("read attempts: %w", err)
	}
	err = l.each(ctx, rows, func(tx *db.Tx, s sendRow) error {
		noteLost(tx, s)
		return l.r.observer.Lost(ctx, tx, Sent{Key: s.Key, Network: s.Network, Object: s.Object, Hash: common.HexToHash(s.TxHash), Nonce: uint64(s.Nonce),
			Block: uint64(s.Block), BlockHash: common.HexToHash(s.BlockHash), Candidates: hashesOf(all[s.ID])})
	})
	if err != nil {
		return fmt.Errorf("block %d was replaced: %w", block, err)
	}
	for _, s := range rows {
		delete(l.sentAt, s.ID)
	}
	l.r.log.Warn("block replaced", "network", l.net.ID, "block", block, "sends", len(rows))
	l.counts.lost.Add(int64(len(rows)))
	delete(l.blocks, block)
	return nil
}

// lookFor asks for the receipts of every attempt of some sends whose nonces are used up, and records what it finds.
// It is false when something was not found that should be somewhere.
func (l *lane) lookFor(ctx context.Context, v view, rows []sendRow) (complete bool, err error) {
	all, err := attempts(ctx, l.r.db, rows)
	if err != nil {
		return false, fmt.Errorf("read attempts: %w", err)
	}
	var hashes []common.Hash
	for _, s := range rows {
		hashes = append(hashes, hashesOf(all[s.ID])...)
	}
	receipts, err := l.receipts(ctx, v.primary, hashes)
	if err != nil {
		return false, fmt.Errorf("read receipts: %w", err)
	}
	var seen, missing []sendRow
	found := map[string]*types.Receipt{}
	for _, s := range rows {
		n := len(all[s.ID])
		if r := firstReceipt(receipts[:n]); r != nil {
			found[s.ID] = r
			seen = append(seen, s)
		} else if s.State == StateSent {
			missing = append(missing, s)
		}
		receipts = receipts[n:]
	}
	if len(seen) > 0 {
		failpoint.Hit("chain.receipt_seen")
	}
	err = l.each(ctx, seen, func(tx *db.Tx, s sendRow) error {
		if s.State == StateSigned { // a crash came between the broadcast and its mark
			if err := noteBroadcast(tx, []outgoing{{row: s, hash: found[s.ID].TxHash, outcome: KnownAlready}}); err != nil {
				return err
			}
			s.State = StateSent
		}
		noteSeen(tx, s, found[s.ID])
		return l.r.observer.Seen(ctx, tx, l.sentOf(s, found[s.ID], hashesOf(all[s.ID])))
	})
	for _, s := range seen {
		r := found[s.ID]
		if old, ok := l.blocks[r.BlockNumber.Uint64()]; ok && old != r.BlockHash {
			l.head = common.Hash{} // two hashes at one height: look at all blocks again
			err = errors.Join(err, fmt.Errorf("block %d has two hashes", r.BlockNumber))
		}
		l.blocks[r.BlockNumber.Uint64()] = r.BlockHash
		delete(l.sentAt, s.ID)
		delete(l.sentOn, s.ID)
	}
	l.counts.seen.Add(int64(len(seen)))
	if err != nil {
		return false, err
	}
	return len(missing) == 0, l.taken(ctx, v, missing, all)
}

// taken holds sends whose nonce another transaction has used for good: at final height on every node, with none of our attempts known to
// any of them. Until then silence proves nothing.
func (l *lane) taken(ctx context.Context, v view, missing []sendRow, all map[string][]attemptRow) error {
	if len(missing) == 0 || !v.hasFin || len(v.nodes) < len(l.client.providers) {
		return nil
	}
	gone := missing
	for _, n := range v.nodes {
		if !n.v.hasFin || n.behind || len(gone) == 0 {
			return nil
		}
		calls := []call{nonceCall(l.from, numberRef(n.v.final))}
		var hashes []common.Hash
		for _, s := range gone {
			hashes = append(hashes, hashesOf(all[s.ID])...)
		}
		answers, err := l.client.askOne(ctx, n.p, append(calls, receiptCalls(hashes)...))
		if err != nil {
			return fmt.Errorf("ask who holds the nonces: %w", err)
		}
		final, err := answers[0].count()
		if err != nil {
			return fmt.Errorf("ask who holds the nonces: %w", err)
		}
		receipts, err := receiptsOf(answers[1:], hashes)
		if err != nil {
			return fmt.Errorf("ask who holds the nonces: %w", err)
		}
		var still []sendRow
		for _, s := range gone {
			k := len(all[s.ID])
			if uint64(s.Nonce) < final && firstReceipt(receipts[:k]) == nil {
				still = append(still, s)
			}
			receipts = receipts[k:]
		}
		gone = still
	}
	if len(gone) == 0 {
		return nil
	}
	reason := fmt.Sprintf("nonce %d is used at final height by a transaction that is not ours", gone[0].Nonce)
	if err := l.freeze(ctx, reason); err != nil {
		return err
	}
	l.counts.held.Add(int64(len(gone)))
	return l.each(ctx, gone, func(tx *db.Tx, s sendRow) error {
		noteHold(tx, s.ID, reason)
		return nil
	})
}

// each records the progress of sends, many in one write. If that fails, each is tried alone, so that one cannot keep the others back.
func (l *lane) each(ctx context.Context, rows []sendRow, record func(tx *db.Tx, s sendRow) error) error {
	var errs []error
	for part := range slices.Chunk(rows, perWrite) {
		err := l.write(ctx, func(tx *db.Tx) error {
			for _, s := range part {
				if err := record(tx, s); err != nil {
					return fmt.Errorf("record %s: %w", s.Key, err)
				}
			}
			return nil
		})
		if err == nil {
			continue
		}
		if len(part) == 1 || errors.Is(err, errLeaseLost) || ctx.Err() != nil {
			return errors.Join(append(errs, err)...)
		}
		for _, s := range part {
			if err := l.write(ctx, func(tx *db.Tx) error { return record(tx, s) }); err != nil {
				errs = append(errs, fmt.Errorf("record %s: %w", s.Key, err))
			}
		}
	}
	return errors.Join(errs...)
}

// receipts asks one node for receipts, some at a time: thirty payments leave twenty kilobytes of them.
func (l *lane) receipts(ctx context.Context, p *provider, hashes []common.Hash) ([]*types.Receipt, error) {
	out := make([]*types.Receipt, 0, len(hashes))
	for part := range slices.Chunk(hashes, maxCallsPerBatch) {
		answers, err := l.client.askOne(ctx, p, receiptCalls(part))
		if err != nil {
			return nil, err
		}
		rs, err := receiptsOf(answers, part)
		if err != nil {
			return nil, err
		}
		out = append(out, rs...)
	}
	return out, nil
}

func (l *lane) sentOf(s sendRow, r *types.Receipt, candidates []common.Hash) Sent {
	paid := r.EffectiveGasPrice
	if paid == nil { // some nodes leave it out; the proof at finality computes it
		paid = new(big.Int)
	}
	return Sent{
		Key: s.Key, Network: s.Network, Object: s.Object, Hash: r.TxHash, Nonce: uint64(s.Nonce), Block: r.BlockNumber.Uint64(), BlockHash: r.BlockHash,
		OK: r.Status == types.ReceiptStatusSuccessful, GasUsed: r.GasUsed, GasPrice: paid, Logs: r.Logs, Candidates: candidates,
	}
}

func hashesOf(list []attemptRow) []common.Hash {
	out := make([]common.Hash, len(list))
	for i, a := range list {
		out[i] = common.HexToHash(a.Hash)
	}
	return out
}

// firstReceipt is the receipt among a send's attempts. At most one attempt of a nonce can be in a chain.
func firstReceipt(list []*types.Receipt) *types.Receipt {
	for _, r := range list {
		if r != nil {
			return r
		}
	}
	return nil
}
