package chain

import (
	"context"
	"errors"
	"fmt"

	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/core/types"
)

// LogQuery names one log of a contract by its first topics, from a block on.
type LogQuery struct {
	Contract common.Address
	Topics   []common.Hash
	From     uint64
}

// ErrSearching means that the blocks are not all searched yet: the nodes take too few of them in one request. The next
// call goes on.
var ErrSearching = errors.New("the network's nodes take few blocks in one search, which goes on")

// FinalLog returns the receipt of the transaction that has the log, in a block that is final to enough nodes. Enough
// nodes must name the same transaction and block, and the receipt is proven against that block's hash, as those of our
// own sends are. It returns ErrNoReceipt if enough nodes know no such log, ErrSearching if a further call is needed,
// and ErrDisagree, ErrBehind or ErrUnreachable if nothing is known. at is the proven time of the log's block; without a
// log it is that of the newest final block.
func (r *Rail) FinalLog(
	ctx context.Context,
	network string,
	q LogQuery,
) (receipt *types.Receipt, at uint64, err error) {
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

	place, voters, err := r.searches.look(ctx, l, nodes, q, number)
	if err != nil {
		return nil, b.Time, err
	}

	if place == (logPlace{}) {
		return nil, b.Time, fmt.Errorf("%w: no log of %s", ErrNoReceipt, q.Contract)
	}

	proven, err := l.prove(
		ctx,
		settledBlock{number: place.number, hash: place.block, nodes: voters},
		[]sendRow{{TxHash: place.tx.Hex()}},
	)
	if err != nil {
		return nil, b.Time, err
	}

	if proven.receipts[place.tx] == nil {
		return nil, b.Time, fmt.Errorf("%w: %s is not in its block", ErrProof, place.tx)
	}

	return proven.receipts[place.tx], uint64(proven.at.Unix()), nil
}
