package chain

import (
	"cmp"
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

// perWrite limits the sends whose progress is recorded in one transaction, since others wait for the writer.
const perWrite = 64

// perQuery limits the sends whose receipts are requested at once.
const perQuery = 128

// observe compares our sends with a new head: replaced blocks, new receipts, nonces used by someone else.
func (l *lane) observe(ctx context.Context, v view) error {
	l.compared = !v.behind && v.head.Hash == l.head
	if v.behind || l.compared {
		return nil
	}

	var doubt error
	if v.head.Parent != l.head || l.seenBeyondHead(v) {
		if err := l.checkFinal(ctx, v); err != nil {
			return err
		}

		if doubt = l.checkBlocks(ctx, v); errors.Is(doubt, errLeaseLost) || ctx.Err() != nil {
			return doubt
		}
	}

	l.compared = true
	from := int64(0)

	complete := doubt == nil
	for {
		rows, err := l.between(ctx, perQuery, from, int64(v.used), StateSigned, StateSent, StateHold)
		if err != nil {
			return fmt.Errorf("read sent: %w", err)
		}

		if len(rows) == 0 {
			break
		}

		all, err := l.recordSeen(ctx, v, rows)
		if err != nil {
			return errors.Join(doubt, err)
		}

		complete = complete && all
		from = rows[len(rows)-1].Nonce + 1
	}

	if complete {
		l.head = v.head.Hash // otherwise observe again: one address may hide several nodes, and one may know less
	}

	return doubt
}

// seenBeyondHead reports whether a send was seen in a block that no node has reached.
func (l *lane) seenBeyondHead(v view) bool {
	for number := range l.blocks {
		if number > v.top+l.client.maxLag {
			return true
		}
	}

	return false
}

// checkBlocks checks whether the blocks in which sends were seen are still in the chain, and moves sends of missing
// blocks back to SENT. One node that names another block is not enough while a second one answers.
func (l *lane) checkBlocks(ctx context.Context, v view) error {
	numbers := slices.Sorted(maps.Keys(l.blocks))
	if len(numbers) == 0 {
		return nil
	}

	suspect, err := l.otherBlocks(ctx, v.primary, numbers)
	if err != nil || len(suspect) == 0 {
		return err
	}

	against := map[uint64]int{}

	answered := 0
	for _, n := range v.nodes {
		if n.behind {
			continue
		}

		other, err := l.otherBlocks(ctx, n.p, suspect)
		if err != nil {
			continue // it has no vote
		}

		answered++

		for _, number := range other {
			against[number]++
		}
	}

	var errs []error
	for _, number := range suspect {
		if against[number] == 0 || against[number] < min(l.client.enough(), answered) {
			const reason = "the node at %s has another block %d; the others do not confirm it"

			errs = append(errs, fmt.Errorf(reason, v.primary.name, number))

			continue
		}

		rows, err := l.seenIn(ctx, number)
		if err != nil {
			return fmt.Errorf("read sends of block %d: %w", number, err)
		}

		if err := l.moveBack(ctx, number, rows); err != nil {
			return err
		}

		delete(l.blocks, number)
	}

	if len(errs) > 0 && answered > l.client.enough() {
		l.client.refute(v.primary, "it named other blocks than the others")
	}

	return errors.Join(errs...)
}

// otherBlocks asks one node and returns the heights at which it has no block, or another one than we have seen.
func (l *lane) otherBlocks(ctx context.Context, p *provider, numbers []uint64) ([]uint64, error) {
	calls := make([]call, len(numbers))
	for i, n := range numbers {
		calls[i] = blockCall(numberRef(n))
	}

	answers, err := l.client.askOne(ctx, p, calls)
	if err != nil {
		return nil, fmt.Errorf("read headers: %w", err)
	}

	var out []uint64
	for i, n := range numbers {
		b, ok, err := answers[i].block()
		if err != nil {
			return nil, fmt.Errorf("read header %d: %w", n, err)
		}

		if !ok || b.Hash != l.blocks[n].hash {
			out = append(out, n)
		}
	}

	return out, nil
}

// moveBack moves sends back to SENT that are not in the block in which they were seen. Their bytes are sent again in
// this round, and their receipts are searched again. A send that a person has had sent anew, and that was seen by an
// attempt from before, is planned again instead.
func (l *lane) moveBack(ctx context.Context, block uint64, rows []sendRow) error {
	all, err := attempts(ctx, l.r.db, rows)
	if err != nil {
		return fmt.Errorf("read attempts: %w", err)
	}

	heir := cmp.Or(l.successor, l.address)

	err = l.each(ctx, rows, func(tx *db.Tx, s sendRow) error {
		if s.ofBefore(s.TxHash, all[s.ID]) {
			noteLostBefore(tx, s, heir)
		} else {
			noteLost(tx, s)
		}

		return l.r.observer.Lost(ctx, tx, Sent{
			Key:        s.Key,
			Network:    s.Network,
			Object:     s.Object,
			Hash:       common.HexToHash(s.TxHash),
			Nonce:      uint64(s.Nonce),
			Block:      uint64(s.Block),
			BlockHash:  common.HexToHash(s.BlockHash),
			Candidates: hashesOf(all[s.ID]),
			Again:      s.Reopened,
		})
	})
	if err != nil {
		return fmt.Errorf("move back sends of block %d: %w", block, err)
	}

	for _, s := range rows {
		delete(l.sentAt, s.ID)
	}

	l.head = common.Hash{} // search again for what was seen there
	l.counts.lost.Add(int64(len(rows)))
	l.r.log.Warn(
		"sends are not in the block where they were seen",
		"network",
		l.net.ID,
		"block",
		block,
		"sends",
		len(rows),
	)

	return nil
}

// recordSeen searches the receipts of every attempt of some sends whose nonces are used, and records them. It asks the
// other nodes for what the primary does not know: one node cannot hide a receipt, nor invent one, since finality
// requires proof. complete is false if a receipt that should exist was not found.
func (l *lane) recordSeen(ctx context.Context, v view, rows []sendRow) (complete bool, err error) {
	all, err := attempts(ctx, l.r.db, rows)
	if err != nil {
		return false, fmt.Errorf("read attempts: %w", err)
	}

	found, err := l.findReceipts(ctx, v, rows, all)
	if err != nil {
		return false, fmt.Errorf("read receipts: %w", err)
	}

	var seen, missing []sendRow
	for _, s := range rows {
		switch r := found[s.ID].receipt; {
		case r != nil && s.State == StateHold && r.TxHash.Hex() == s.TxHash && r.BlockHash.Hex() == s.BlockHash:
			// it is on hold for what this receipt says
		case r != nil:
			seen = append(seen, s)
		case s.State == StateSent:
			missing = append(missing, s)
		}
	}

	if len(seen) > 0 {
		failpoint.Hit("chain.receipt_seen")
	}

	err = l.each(ctx, seen, func(tx *db.Tx, s sendRow) error {
		r := found[s.ID].receipt
		if s.State == StateSigned { // a crash came between the broadcast and its mark
			known := []outgoing{{row: s, hash: r.TxHash, outcome: KnownAlready}}
			if err := noteBroadcast(tx, known, 0); err != nil {
				return err
			}

			s.State = StateSent
		}

		noteSeen(tx, s, r)

		return l.r.observer.Seen(ctx, tx, l.sentOf(s, r, hashesOf(all[s.ID])))
	})

	if err := l.sighted(seen, found, err); err != nil {
		return false, err
	}

	return len(missing) == 0, l.holdTaken(ctx, v, missing, all)
}

// sighted stores the blocks in which sends were seen. err is that of recording them.
func (l *lane) sighted(seen []sendRow, found map[string]finding, err error) error {
	for _, s := range seen {
		err = errors.Join(err, l.recordSighting(found[s.ID]))
		delete(l.sentAt, s.ID)
		delete(l.sentOn, s.ID)
	}

	l.counts.seen.Add(int64(len(seen)))

	return err
}

// finding is a receipt and the node that showed it.
type finding struct {
	receipt *types.Receipt
	by      *provider
}

// findReceipts asks the nodes in turn for receipts, each for those that the previous ones did not know. A receipt of a
// block beyond every node's head does not count, and demotes the node.
func (l *lane) findReceipts(
	ctx context.Context,
	v view,
	rows []sendRow,
	all map[string][]attemptRow,
) (map[string]finding, error) {
	out := map[string]finding{}
	for _, n := range v.nodes {
		if n.p != v.primary && n.behind {
			continue
		}

		var (
			left   []sendRow
			hashes []common.Hash
		)
		for _, s := range rows {
			if out[s.ID].receipt == nil {
				left = append(left, s)
				hashes = append(hashes, hashesOf(all[s.ID])...)
			}
		}

		if len(left) == 0 {
			break
		}

		receipts, err := l.receipts(ctx, n.p, hashes)
		if err != nil && n.p == v.primary {
			return nil, err
		}

		if err != nil {
			continue
		}

		for _, s := range left {
			k := len(all[s.ID])
			r := s.counting(all[s.ID], receipts[:k])
			receipts = receipts[k:]

			switch {
			case r == nil:

			case r.BlockNumber.Uint64() > v.top+l.client.maxLag:
				l.client.refute(
					n.p,
					fmt.Sprintf("it showed a receipt of block %d while the head is %d", r.BlockNumber, v.top),
				)

			default:
				out[s.ID] = finding{receipt: r, by: n.p}
			}
		}
	}

	return out, nil
}

// recordSighting stores a block in which a send was seen. Two hashes at one height are an error, and the height is
// observed again.
func (l *lane) recordSighting(f finding) error {
	number := f.receipt.BlockNumber.Uint64()
	old, known := l.blocks[number]

	l.blocks[number] = sighting{hash: f.receipt.BlockHash, by: f.by}
	if known && old.hash != f.receipt.BlockHash {
		l.head = common.Hash{}
		return fmt.Errorf("block %d has two hashes", number)
	}

	return nil
}

// holdTaken holds sends whose nonce another transaction has used for good: at final height on every node, with none of
// our attempts known to any node. Until then silence proves nothing.
func (l *lane) holdTaken(ctx context.Context, v view, missing []sendRow, all map[string][]attemptRow) error {
	if len(missing) == 0 || !v.hasFin || len(v.nodes) < len(l.client.providers) {
		return nil
	}

	gone := missing
	if l.successor != "" { // Release asks for both: readPower has to come first
		gone = slices.DeleteFunc(slices.Clone(gone), func(s sendRow) bool { return s.Nonce >= l.row.finalNonce })
	}

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
			return fmt.Errorf("ask who used the nonces: %w", err)
		}

		final, err := answers[0].count()
		if err != nil {
			return fmt.Errorf("ask who used the nonces: %w", err)
		}

		receipts, err := receiptsOf(answers[1:], hashes)
		if err != nil {
			return fmt.Errorf("ask who used the nonces: %w", err)
		}

		var still []sendRow
		for _, s := range gone {
			k := len(all[s.ID])
			if uint64(s.Nonce) < final && s.counting(all[s.ID], receipts[:k]) == nil {
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

// each records the progress of sends, many per write. If a write fails, each send is written alone, so that one cannot
// block the others.
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

// receipts asks one node for receipts, a batch at a time: a receipt of thirty payments has twenty kilobytes.
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
	if paid == nil { // some nodes omit it; the proof at finality computes it
		paid = new(big.Int)
	}

	return Sent{
		Key:        s.Key,
		Network:    s.Network,
		Object:     s.Object,
		Hash:       r.TxHash,
		Nonce:      uint64(s.Nonce),
		Block:      r.BlockNumber.Uint64(),
		BlockHash:  r.BlockHash,
		OK:         r.Status == types.ReceiptStatusSuccessful,
		GasUsed:    r.GasUsed,
		GasPrice:   paid,
		Logs:       r.Logs,
		Candidates: candidates,
		Again:      s.Reopened,
	}
}

func hashesOf(list []attemptRow) []common.Hash {
	out := make([]common.Hash, len(list))
	for i, a := range list {
		out[i] = common.HexToHash(a.Hash)
	}

	return out
}
