package chain

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"math/big"
	"slices"

	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/core/types"
	"github.com/ethereum/go-ethereum/trie"

	"slipway/internal/platform/db"
	"slipway/internal/platform/failpoint"
)

// perRound bounds the blocks that are posted in one round.
const perRound = 16

// ErrProof is a node whose answers do not fit together: nothing is posted on its word.
var ErrProof = errors.New("the node's answers about a block do not prove each other")

// errKept is a send of a block that could not be recorded. The block stays to be posted again.
var errKept = errors.New("not all of the block's sends could be recorded")

// finalise posts what stands in blocks that are final by now: two nodes must agree where there are two, and the block must prove itself.
func (l *lane) finalise(ctx context.Context, v view) error {
	if v.behind || !v.hasFin {
		return nil
	}
	checked := false
	var kept []error
	for i, n := range slices.Sorted(maps.Keys(l.blocks)) {
		if n > v.final || i >= perRound {
			break
		}
		if !checked {
			if err := l.checkFinal(ctx, v); err != nil {
				return err
			}
			checked = true
		}
		ok, err := l.agreed(ctx, v, n, l.blocks[n])
		if err != nil {
			return err
		}
		if !ok {
			break
		}
		err = l.post(ctx, v, n, l.blocks[n])
		switch {
		case errors.Is(err, errKept):
			kept = append(kept, fmt.Errorf("post block %d: %w", n, err)) // its others are posted, and so are the blocks after it
		case err != nil:
			return errors.Join(append(kept, fmt.Errorf("post block %d: %w", n, err))...)
		}
	}
	return errors.Join(kept...)
}

// agreed asks the nodes whether a block is in their chain and final to them. It needs two of them, or the only one. One that has another
// block there is a disagreement, and nothing is posted until it is gone.
func (l *lane) agreed(ctx context.Context, v view, number uint64, hash common.Hash) (bool, error) {
	yes := 0
	for _, n := range v.nodes {
		if n.behind || !n.v.hasFin || n.v.final < number {
			continue
		}
		answers, err := l.client.askOne(ctx, n.p, []call{blockCall(numberRef(number))})
		if err != nil {
			return false, fmt.Errorf("ask for block %d: %w", number, err)
		}
		b, ok, err := answers[0].block()
		if err != nil {
			return false, fmt.Errorf("ask for block %d: %w", number, err)
		}
		if !ok || b.Hash != hash {
			l.head = common.Hash{} // look again which blocks are in the chain
			return false, fmt.Errorf("block %d is %s, but %s to the node at %s", number, hash.Hex(), b.Hash.Hex(), n.p.name)
		}
		yes++
	}
	return yes >= min(2, len(l.client.providers)), nil
}

// post records the final sends of one block with their evidence.
func (l *lane) post(ctx context.Context, v view, number uint64, hash common.Hash) error {
	rows, err := l.seenIn(ctx, number)
	if err != nil {
		return fmt.Errorf("read sends: %w", err)
	}
	all, err := attempts(ctx, l.r.db, rows)
	if err != nil {
		return fmt.Errorf("read attempts: %w", err)
	}
	proven, err := l.prove(ctx, v, number, hash, rows)
	if err != nil {
		return err
	}
	if len(rows) > 0 {
		failpoint.Hit("chain.final_seen")
	}
	for _, s := range rows {
		if proven[common.HexToHash(s.TxHash)] == nil || s.BlockHash != hash.Hex() {
			return fmt.Errorf("%w: %s of %s is not in block %d", ErrProof, s.TxHash, s.Key, number)
		}
	}
	err = l.each(ctx, rows, func(tx *db.Tx, s sendRow) error {
		sent := l.sentOf(s, proven[common.HexToHash(s.TxHash)], hashesOf(all[s.ID]))
		if err := noteFinal(tx, s, sent); err != nil {
			return err
		}
		return l.r.observer.Final(ctx, tx, sent)
	})
	if err != nil && (errors.Is(err, errLeaseLost) || ctx.Err() != nil) {
		return err
	}
	if err != nil {
		return fmt.Errorf("%w: %w", errKept, err)
	}
	if int64(number) > l.row.finalBlock { // a block of which something was kept back is posted after later ones
		err = l.fenced(ctx, ", final_block = ?, final_hash = ?", []any{int64(number), hash.Hex()}, func(*db.Tx) error { return nil })
		if err != nil {
			return err
		}
		l.row.finalBlock, l.row.finalHash = int64(number), hash.Hex()
	}
	failpoint.Hit("chain.posted")
	l.counts.final.Add(int64(len(rows)))
	delete(l.blocks, number)
	return nil
}

// prove gives the receipts of a block's transactions, by hash. Header, transactions and receipts are recomputed, so a node that lies
// about one of them is found out; without proof (Network.SkipProof) the receipts are taken as given.
func (l *lane) prove(ctx context.Context, v view, number uint64, hash common.Hash, rows []sendRow) (map[common.Hash]*types.Receipt, error) {
	out := map[common.Hash]*types.Receipt{}
	if l.net.SkipProof {
		hashes := make([]common.Hash, len(rows))
		for i, s := range rows {
			hashes[i] = common.HexToHash(s.TxHash)
		}
		receipts, err := l.receipts(ctx, v.primary, hashes)
		if err != nil {
			return nil, err
		}
		for _, r := range receipts {
			if r != nil && r.BlockHash == hash {
				out[r.TxHash] = r
			}
		}
		return out, nil
	}
	answers, err := l.client.askOne(ctx, v.primary, []call{
		{"eth_getBlockByHash", []any{hash, true}}, {"eth_getBlockReceipts", []any{numberRef(number)}},
	})
	if err != nil {
		return nil, err
	}
	for _, a := range answers {
		if a.err != nil {
			return nil, a.err
		}
	}
	txs, receipts, err := proveBlock(hash, answers[0].result, answers[1].result)
	if err != nil {
		return nil, err
	}
	for i, tx := range txs {
		out[tx.Hash()] = receipts[i]
	}
	return out, nil
}

// proveBlock recomputes a block: the header hashes to the wanted hash, the transactions and receipts to the header's roots. Of each
// receipt, everything a Sent carries is taken from what was recomputed, not from the node's own words.
func proveBlock(hash common.Hash, block, receiptList []byte) (types.Transactions, types.Receipts, error) {
	var header *types.Header
	var body struct {
		Transactions types.Transactions `json:"transactions"`
	}
	var receipts types.Receipts
	for _, part := range []struct {
		raw  []byte
		into any
	}{{block, &header}, {block, &body}, {receiptList, &receipts}} {
		if err := json.Unmarshal(part.raw, part.into); err != nil {
			return nil, nil, fmt.Errorf("%w: %w", ErrProof, err)
		}
	}
	if header == nil || slices.Contains(receipts, nil) || slices.Contains(body.Transactions, nil) {
		return nil, nil, fmt.Errorf("%w: something of it is missing", ErrProof)
	}
	txs := body.Transactions
	switch {
	case header.Hash() != hash:
		return nil, nil, fmt.Errorf("%w: the header hashes to %s", ErrProof, header.Hash())
	case types.DeriveSha(txs, trie.NewStackTrie(nil)) != header.TxHash:
		return nil, nil, fmt.Errorf("%w: the transactions are not the header's", ErrProof)
	case types.DeriveSha(receipts, trie.NewStackTrie(nil)) != header.ReceiptHash:
		return nil, nil, fmt.Errorf("%w: the receipts are not the header's", ErrProof)
	case len(txs) != len(receipts):
		return nil, nil, fmt.Errorf("%w: %d transactions and %d receipts", ErrProof, len(txs), len(receipts))
	}
	before, index := uint64(0), uint(0)
	for i, r := range receipts {
		r.TxHash, r.BlockHash, r.BlockNumber = txs[i].Hash(), hash, new(big.Int).Set(header.Number)
		r.GasUsed, before = r.CumulativeGasUsed-before, r.CumulativeGasUsed
		r.EffectiveGasPrice, r.TransactionIndex = effectivePrice(txs[i], header.BaseFee), uint(i)
		for _, g := range r.Logs {
			g.TxHash, g.TxIndex, g.BlockHash, g.BlockNumber, g.Index, g.Removed = r.TxHash, uint(i), hash, header.Number.Uint64(), index, false
			index++
		}
	}
	return txs, receipts, nil
}

// effectivePrice is what a transaction paid per gas (EIP-1559).
func effectivePrice(tx *types.Transaction, baseFee *big.Int) *big.Int {
	if baseFee == nil {
		return tx.GasPrice()
	}
	p := new(big.Int).Add(baseFee, tx.GasTipCap())
	if p.Cmp(tx.GasFeeCap()) > 0 {
		p.Set(tx.GasFeeCap())
	}
	return p
}
