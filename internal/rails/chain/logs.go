package chain

import (
	"context"
	"errors"
	"fmt"

	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/common/hexutil"
	"github.com/ethereum/go-ethereum/core/types"
)

// LogQuery names one log of a contract by its first topics, from a block on.
type LogQuery struct {
	Contract common.Address
	Topics   []common.Hash
	From     uint64
}

// logPlace is where a node says that a log is.
type logPlace struct {
	tx, block common.Hash
	number    uint64
}

// FinalLog returns the receipt of the transaction that has the log, in a block that is final to enough nodes. Enough
// nodes must name the same transaction and block, and the receipt is proven against that block's hash, as those of our
// own sends are. It returns ErrNoReceipt if enough nodes know no such log, and ErrDisagree, ErrBehind or ErrUnreachable
// if nothing is known. final is the time of the newest final block.
func (r *Rail) FinalLog(
	ctx context.Context,
	network string,
	q LogQuery,
) (receipt *types.Receipt, final uint64, err error) {
	l, err := r.lane(network)
	if err != nil {
		return nil, 0, err
	}

	nodes, number, err := l.client.finalBlock(ctx, l.net.Finality)
	if err != nil {
		return nil, 0, err
	}

	b, ok, err := l.client.BlockAt(ctx, numberRef(number))
	if err != nil || !ok {
		return nil, 0, errors.Join(ErrUnreachable, err)
	}

	at, voters, err := l.client.findLog(ctx, nodes, q, number)
	if err != nil {
		return nil, b.Time, err
	}

	if at == (logPlace{}) {
		return nil, b.Time, fmt.Errorf("%w: no log of %s", ErrNoReceipt, q.Contract)
	}

	proven, err := l.prove(
		ctx,
		settledBlock{number: at.number, hash: at.block, nodes: voters},
		[]sendRow{{TxHash: at.tx.Hex()}},
	)
	if err != nil {
		return nil, b.Time, err
	}

	if proven[at.tx] == nil {
		return nil, b.Time, fmt.Errorf("%w: %s is not in its block", ErrProof, at.tx)
	}

	return proven[at.tx], b.Time, nil
}

// findLog returns where enough nodes say that the log is, and those nodes; nowhere if enough of them know none.
func (c *Client) findLog(
	ctx context.Context,
	nodes []*provider,
	q LogQuery,
	to uint64,
) (logPlace, []*provider, error) {
	filter := map[string]any{
		"address":   q.Contract,
		"topics":    q.Topics,
		"fromBlock": hexutil.EncodeUint64(q.From),
		"toBlock":   hexutil.EncodeUint64(to),
	}

	var votes []vote[logPlace]

	for i, s := range c.askAll(ctx, nodes, func(*provider) []call { return []call{{"eth_getLogs", []any{filter}}} }) {
		if s.err != nil {
			continue
		}

		var logs []struct {
			Tx     common.Hash    `json:"transactionHash"`
			Block  common.Hash    `json:"blockHash"`
			Number hexutil.Uint64 `json:"blockNumber"`
		}
		if err := s.answers[0].into(&logs); err != nil || len(logs) > 1 { // a number is used once
			continue
		}

		at := logPlace{}
		if len(logs) == 1 {
			at = logPlace{tx: logs[0].Tx, block: logs[0].Block, number: uint64(logs[0].Number)}
		}

		votes = append(votes, vote[logPlace]{by: nodes[i], value: at})
	}

	at, _, ok := count(votes, c.enough())
	if !ok {
		return at, nil, fmt.Errorf("%w about a log of %s: %d answers", ErrDisagree, q.Contract, len(votes))
	}

	var voters []*provider

	for _, v := range votes {
		if v.value == at {
			voters = append(voters, v.by)
		}
	}

	return at, voters, nil
}
