package chain

import (
	"context"
	"errors"
	"fmt"

	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/common/hexutil"
	"github.com/ethereum/go-ethereum/core/types"
	"github.com/ethereum/go-ethereum/crypto"

	"slipway/internal/platform/db"
)

// Balances are read at a final block: they cannot change any more, and what this service had done by then is known.
// This file also reads which of its sends are undecided, or lie after that block, so that the two sides can be compared
// send by send.

// ErrNoReceipt means that enough nodes do not know a transaction, or that it is not final yet.
var ErrNoReceipt = errors.New("the transaction is in no final block")

// HaltName returns the name under which a network's new sends are halted.
func HaltName(network string) string { return "network/" + network }

// AtFinal simulates calls at the newest block that is final to enough nodes, and returns that block and the results on
// which those nodes agree. ErrDisagree, ErrBehind and ErrUnreachable mean that nothing is known: retry later. A node
// that no longer has the state of that block has no vote.
func (r *Rail) AtFinal(ctx context.Context, network string, messages ...CallMsg) (Block, [][]byte, error) {
	l, err := r.lane(network)
	if err != nil {
		return Block{}, nil, err
	}

	nodes, number, err := l.client.finalBlock(ctx, l.net.Finality)
	if err != nil {
		return Block{}, nil, err
	}

	return l.client.callsAt(ctx, nodes, number, messages)
}

// AtLatest simulates calls at the newest block that enough nodes have: see AtFinal. What it returns may still change
// with a reorganisation.
func (r *Rail) AtLatest(ctx context.Context, network string, messages ...CallMsg) (Block, [][]byte, error) {
	l, err := r.lane(network)
	if err != nil {
		return Block{}, nil, err
	}

	nodes, number, err := l.client.commonBlock(ctx)
	if err != nil {
		return Block{}, nil, err
	}

	return l.client.callsAt(ctx, nodes, number, messages)
}

// callsAt simulates calls at one block, and returns the block and the results on which enough of the nodes agree.
func (c *Client) callsAt(
	ctx context.Context,
	nodes []*provider,
	number uint64,
	messages []CallMsg,
) (Block, [][]byte, error) {
	b, answers, err := c.agreeOnBlock(ctx, nodes, number, func(ref string) []call {
		calls := make([]call, len(messages))
		for i, m := range messages {
			calls[i] = call{"eth_call", []any{m.wire(), ref}}
		}

		return calls
	})
	if err != nil {
		return b, nil, err
	}

	out := make([][]byte, len(answers))

	for i, a := range answers {
		var result hexutil.Bytes
		if err := a.into(&result); err != nil {
			return b, nil, err
		}

		out[i] = result
	}

	return b, out, nil
}

// finalBlock returns the newest block that is final to enough nodes, and those nodes.
func (c *Client) finalBlock(ctx context.Context, f Finality) (nodes []*provider, number uint64, err error) {
	ref := latest
	if f.Tag != "" {
		ref = f.Tag
	}

	final := map[*provider]uint64{}

	var errs []error

	var heights []uint64

	for i, s := range c.askAll(ctx, c.providers, func(*provider) []call { return []call{blockCall(ref)} }) {
		if s.err != nil {
			errs = append(errs, s.err)
			continue
		}

		b, ok, err := s.answers[0].block()
		if err != nil || !ok || f.Tag == "" && b.Number < f.Depth {
			errs = append(errs, err)
			continue
		}

		if f.Tag == "" {
			b.Number -= f.Depth
		}

		final[c.providers[i]] = b.Number
		heights = append(heights, b.Number)
	}

	number, ok := reachedBy(heights, c.enough())
	if !ok {
		return nil, 0, c.tooFew("the newest final block", len(heights), errs...)
	}

	for _, p := range c.providers {
		if at, ok := final[p]; ok && at >= number {
			nodes = append(nodes, p)
		}
	}

	return nodes, number, nil
}

// Transfer is one movement of an ERC-20 token in a transaction.
type Transfer struct {
	Token, From, To common.Address
	Units           []byte // big-endian
}

var transferTopic = crypto.Keccak256Hash([]byte("Transfer(address,address,uint256)"))

// TransfersOf returns the token movements of a transaction in a final block, and that block with its proven time.
// Enough nodes must show the same receipt, which is proven as those of our own sends are. It returns ErrNoReceipt if
// there is none or the transaction was reverted, and ErrDisagree if the nodes show different receipts.
func (r *Rail) TransfersOf(ctx context.Context, network string, hash common.Hash) (Block, []Transfer, error) {
	l, err := r.lane(network)
	if err != nil {
		return Block{}, nil, err
	}

	nodes, final, err := l.client.finalBlock(ctx, l.net.Finality)
	if err != nil {
		return Block{}, nil, err
	}

	receipt, err := l.client.agreedReceipt(ctx, nodes, hash)
	if err != nil {
		return Block{}, nil, err
	}

	if receipt == nil || receipt.Status != types.ReceiptStatusSuccessful || receipt.BlockNumber.Uint64() > final {
		return Block{}, nil, fmt.Errorf("%w: %s", ErrNoReceipt, hash)
	}

	b := Block{Number: receipt.BlockNumber.Uint64(), Hash: receipt.BlockHash}

	proven, err := l.prove(
		ctx,
		settledBlock{number: b.Number, hash: b.Hash, nodes: nodes},
		[]sendRow{{TxHash: hash.Hex()}},
	)
	if err != nil {
		return Block{}, nil, err
	}

	if receipt = proven.receipts[hash]; receipt == nil {
		return Block{}, nil, fmt.Errorf("%w: %s is not in its block", ErrProof, hash)
	}

	b.Time = uint64(proven.at.Unix())

	var out []Transfer

	for _, x := range receipt.Logs {
		if len(x.Topics) == 3 && x.Topics[0] == transferTopic {
			out = append(out, Transfer{
				Token: x.Address,
				From:  common.BytesToAddress(x.Topics[1][:]),
				To:    common.BytesToAddress(x.Topics[2][:]),
				Units: x.Data,
			})
		}
	}

	return b, out, nil
}

// agreedReceipt returns a transaction's receipt as enough nodes show it; nil if they know none.
func (c *Client) agreedReceipt(ctx context.Context, nodes []*provider, hash common.Hash) (*types.Receipt, error) {
	var votes []vote[common.Hash]

	var errs []error

	shown := map[common.Hash]*types.Receipt{}

	for i, s := range c.askAll(ctx, nodes, func(*provider) []call { return receiptCalls([]common.Hash{hash}) }) {
		if s.err != nil {
			errs = append(errs, s.err)
			continue
		}

		receipts, err := receiptsOf(s.answers, []common.Hash{hash})
		if err != nil {
			errs = append(errs, err)
			continue
		}

		digest := common.Hash{} // of none

		if r := receipts[0]; r != nil {
			if _, digest, err = receiptsIn(r.BlockHash, receipts); err != nil {
				return nil, err
			}

			digest = crypto.Keccak256Hash(digest[:], r.BlockHash[:], r.BlockNumber.Bytes())
			shown[digest] = r
		}

		votes = append(votes, vote[common.Hash]{by: nodes[i], value: digest})
	}

	if len(votes) < c.enough() {
		return nil, c.tooFew("transaction "+hash.Hex(), len(votes), errs...)
	}

	digest, _, ok := count(votes, c.enough())
	if !ok {
		return nil, fmt.Errorf("%w about transaction %s: %d answers", ErrDisagree, hash, len(votes))
	}

	return shown[digest], nil
}

// SendRef names a send.
type SendRef struct {
	Key, Object string
	Again       bool // it was FINAL before, in a block that was replaced
}

// Known reports whether a transaction is an attempt of one of our sends.
func (r *Rail) Known(ctx context.Context, q db.Querier, hash common.Hash) (bool, error) {
	return isAttempt(ctx, q, hash)
}

// Around returns the sends of a network that a balance at a block may not include. Those in open may have taken effect
// by then or not; those in later are FINAL in a later block. All other FINAL sends had taken effect by then; what was
// never signed has no effect.
func (r *Rail) Around(
	ctx context.Context,
	q db.Querier,
	network string,
	block uint64,
) (open, later []SendRef, err error) {
	signers, err := signersOf(ctx, q, network)
	if err != nil {
		return nil, nil, fmt.Errorf("signers of %s: %w", network, err)
	}

	for _, signer := range signers {
		some, err := undecidedSends(ctx, q, network, signer)
		if err != nil {
			return nil, nil, fmt.Errorf("sends of %s: %w", network, err)
		}

		open = append(open, some...)

		if some, err = finalAfter(ctx, q, network, signer, block); err != nil {
			return nil, nil, fmt.Errorf("sends of %s: %w", network, err)
		}

		later = append(later, some...)
	}

	return open, later, nil
}
