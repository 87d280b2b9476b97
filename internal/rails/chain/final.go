package chain

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"slices"
	"time"

	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/core/types"
	"github.com/ethereum/go-ethereum/crypto"

	"slipway/internal/platform/db"
	"slipway/internal/platform/failpoint"
)

// perRound limits the blocks that are posted in one round.
const perRound = 16

// sighting is a block in which sends were seen, as one node showed it. Whether it is true is checked when it is final.
type sighting struct {
	hash common.Hash
	by   *provider // the node that showed it; nil after a start
}

// settledBlock is the block at a height on which enough nodes agree, and those nodes.
type settledBlock struct {
	number uint64
	hash   common.Hash
	nodes  []*provider
}

// errIncomplete means that a send of a block could not be recorded. The block is posted again.
var errIncomplete = errors.New("not all of the block's sends could be recorded")

// finalise ends what was seen at heights that are final now. Enough nodes must agree on the block, and the block must
// be proven. A send proven to be in it is final; one proven not to be in it goes back to SENT, whoever reported it
// there. A height that cannot be decided yet does not delay the others.
func (l *lane) finalise(ctx context.Context, v view) error {
	if v.behind || !v.hasFin {
		return nil
	}

	var due []uint64
	for _, n := range slices.Sorted(maps.Keys(l.blocks)) {
		if n <= v.final && len(due) < perRound {
			due = append(due, n)
		}
	}

	if len(due) == 0 {
		return nil
	}

	if err := l.checkFinal(ctx, v); err != nil {
		return err
	}

	var errs []error
	for _, n := range due {
		b, err := l.agreed(ctx, v, n)
		if err == nil {
			err = l.post(ctx, b)
		}

		if err != nil && (errors.Is(err, errLeaseLost) || ctx.Err() != nil) {
			return err
		}

		if err != nil {
			errs = append(errs, fmt.Errorf("post block %d: %w", n, err))
		}
	}

	return errors.Join(errs...)
}

// agreed asks the nodes for which a height is final for the block there. Enough of them must name the same one; a node
// that names another one is demoted.
func (l *lane) agreed(ctx context.Context, v view, number uint64) (settledBlock, error) {
	var final []nodeView
	for _, n := range v.nodes {
		if !n.behind && n.v.hasFin && n.v.final >= number {
			final = append(final, n)
		}
	}

	votes := l.hashesAt(ctx, final, number)

	hash, dissent, ok := count(votes, l.client.enough())
	if !ok {
		l.head = common.Hash{} // check again which blocks are in the chain

		return settledBlock{}, fmt.Errorf(
			"%d of %d nodes answered, and too few name the same block",
			len(votes),
			len(l.client.providers),
		)
	}

	for _, p := range dissent {
		l.client.refute(p, fmt.Sprintf("it named another block %d than the others", number))
	}

	out := settledBlock{number: number, hash: hash}
	for _, w := range votes {
		if w.value == hash {
			out.nodes = append(out.nodes, w.by)
		}
	}

	return out, nil
}

// post records the outcome of the sends that were seen at a height: final with their evidence, or not in the block.
func (l *lane) post(ctx context.Context, b settledBlock) error {
	rows, err := l.seenIn(ctx, b.number)
	if err != nil {
		return fmt.Errorf("read sends: %w", err)
	}

	all, err := attempts(ctx, l.r.db, rows)
	if err != nil {
		return fmt.Errorf("read attempts: %w", err)
	}

	proven, err := l.prove(ctx, b, rows)
	if err != nil {
		return err
	}

	if len(rows) > 0 {
		failpoint.Hit("chain.final_seen")
	}

	var there, absent []sendRow
	for _, s := range rows {
		if s.BlockHash == b.hash.Hex() && proven.receipts[common.HexToHash(s.TxHash)] != nil {
			there = append(there, s)
		} else {
			absent = append(absent, s)
		}
	}

	if len(absent) > 0 {
		l.client.refute(
			l.blocks[b.number].by,
			fmt.Sprintf("it reported a transaction in block %d, which does not contain it", b.number),
		)

		if err := l.moveBack(ctx, b.number, absent); err != nil {
			return err
		}
	}

	err = l.each(ctx, there, func(tx *db.Tx, s sendRow) error {
		sent := l.sentOf(s, proven.receipts[common.HexToHash(s.TxHash)], hashesOf(all[s.ID]))
		sent.MinedAt = proven.at

		if s.ofBefore(s.TxHash, all[s.ID]) {
			s.Released = 0 // it was not sent anew: all its attempts count alike
		}

		if err := noteFinal(ctx, tx, s, sent); err != nil {
			return err
		}

		return l.r.observer.Final(ctx, tx, sent)
	})
	if err != nil && (errors.Is(err, errLeaseLost) || ctx.Err() != nil) {
		return err
	}

	if err != nil {
		return fmt.Errorf("%w: %w", errIncomplete, err)
	}

	return l.posted(ctx, b, len(there))
}

// posted stores the newest block that our postings rest on. A block of which something failed is posted after later
// ones.
func (l *lane) posted(ctx context.Context, b settledBlock, sends int) error {
	if sends > 0 && int64(b.number) > l.row.finalBlock {
		args := []any{int64(b.number), b.hash.Hex()}
		if err := l.fenced(ctx, ", final_block = ?, final_hash = ?", args, func(*db.Tx) error {
			return nil
		}); err != nil {
			return err
		}

		l.row.finalBlock = int64(b.number)
		l.row.finalHash = b.hash.Hex()
	}

	failpoint.Hit("chain.posted")
	l.counts.final.Add(int64(sends))
	delete(l.blocks, b.number)

	return nil
}

// prove returns the time of a block and the receipts of those sends that are in it; a missing one is not in the block.
// Header, transactions and receipts are recomputed, so any node may be asked: one that lies is detected and demoted,
// and the next one is asked. Without proof (Network.SkipProof) enough nodes must show the same time and receipts.
func (l *lane) prove(ctx context.Context, b settledBlock, rows []sendRow) (provenBlock, error) {
	if l.net.SkipProof {
		return l.compareReceipts(ctx, b, rows)
	}

	wanted := map[common.Hash]bool{}
	for _, s := range rows {
		wanted[common.HexToHash(s.TxHash)] = true
	}

	var (
		errs  []error
		liars []*provider
	)
	for _, p := range b.nodes {
		proven, err := l.client.proveBy(ctx, p, b, wanted)
		if err == nil {
			for _, liar := range liars {
				l.client.refute(liar, fmt.Sprintf("its answers about block %d do not prove each other", b.number))
			}

			return proven, nil
		}

		if errors.Is(err, ErrProof) {
			liars = append(liars, p)
		}

		errs = append(errs, err)
	}

	return provenBlock{}, errors.Join(errs...)
}

// compareReceipts compares the block's time and the receipts that the nodes show, for chains whose blocks cannot be
// recomputed.
func (l *lane) compareReceipts(ctx context.Context, b settledBlock, rows []sendRow) (provenBlock, error) {
	hashes := make([]common.Hash, len(rows))
	for i, s := range rows {
		hashes[i] = common.HexToHash(s.TxHash)
	}

	type answer struct {
		seconds int64
		digest  common.Hash
	}

	var (
		errs  []error
		votes []vote[answer]
	)

	shown := map[answer]provenBlock{}
	for _, p := range b.nodes {
		receipts, err := l.receipts(ctx, p, hashes)
		if err != nil {
			errs = append(errs, err)
			continue
		}

		at, err := l.client.timeBy(ctx, p, b)
		if err != nil {
			errs = append(errs, err)
			continue
		}

		in, digest, err := receiptsIn(b.hash, receipts)
		if err != nil {
			return provenBlock{}, err
		}

		a := answer{at.Unix(), digest}
		shown[a] = provenBlock{at: at, receipts: in}
		votes = append(votes, vote[answer]{by: p, value: a})
	}

	agreed, dissent, ok := count(votes, l.client.enough())
	if !ok {
		return provenBlock{}, errors.Join(
			append(errs, fmt.Errorf("%w: too few nodes show the same time and receipts", ErrProof))...,
		)
	}

	for _, p := range dissent {
		l.client.refute(
			p,
			fmt.Sprintf("it showed another time or other receipts of block %d than the others", b.number),
		)
	}

	return shown[agreed], nil
}

// timeBy asks one node for the time of a block.
func (c *Client) timeBy(ctx context.Context, p *provider, at settledBlock) (time.Time, error) {
	answers, err := c.askOne(ctx, p, []call{blockCall(numberRef(at.number))})
	if err != nil {
		return time.Time{}, err
	}

	b, ok, err := answers[0].block()

	switch {
	case err != nil:
		return time.Time{}, err
	case !ok || b.Hash != at.hash || b.Time == 0:
		return time.Time{}, fmt.Errorf("%w: block %d with its hash and time is not there", ErrProof, at.number)
	}

	return time.Unix(int64(b.Time), 0), nil
}

// receiptsIn returns the receipts of one block by hash, and a digest of what our postings use.
func receiptsIn(block common.Hash, receipts []*types.Receipt) (map[common.Hash]*types.Receipt, common.Hash, error) {
	type brief struct {
		Hash    common.Hash
		Status  uint64
		GasUsed uint64
		Logs    []briefLog
	}
	in := map[common.Hash]*types.Receipt{}

	var list []brief
	for _, r := range receipts {
		if r == nil || r.BlockHash != block {
			continue
		}

		in[r.TxHash] = r
		list = append(list, brief{Hash: r.TxHash, Status: r.Status, GasUsed: r.GasUsed, Logs: briefLogs(r.Logs)})
	}

	text, err := json.Marshal(list)

	return in, crypto.Keccak256Hash(text), err
}
