package chain

import (
	"context"
	"fmt"
	"time"
)

// AtTime simulates calls at the last final block before a moment, and returns that block and the results on which
// enough nodes agree. newest reports that no final block has reached the moment yet, so that a later block may still
// come before it. A chain that has begun later has no such block: ErrNoReceipt. A node that does not keep the state of
// old blocks has no vote, so the answer may be ErrDisagree: an archive node knows it.
func (r *Rail) AtTime(
	ctx context.Context, network string, moment time.Time, messages ...CallMsg,
) (b Block, results [][]byte, newest bool, err error) {
	l, err := r.lane(network)
	if err != nil {
		return Block{}, nil, false, err
	}

	nodes, final, err := l.client.finalBlock(ctx, l.net.Finality)
	if err != nil {
		return Block{}, nil, false, err
	}

	before := func(number uint64) (bool, error) {
		b, _, err := l.client.agreeOnBlock(ctx, nodes, number, func(string) []call { return nil })
		return time.Unix(int64(b.Time), 0).Before(moment), err
	}

	if newest, err = before(final); err != nil {
		return Block{}, nil, false, err
	}

	found := final

	if !newest {
		if found, err = lastBefore(final, before); err != nil {
			return Block{}, nil, false, err
		}
	}

	b, results, err = l.client.callsAt(ctx, nodes, found, messages)

	return b, results, newest, err
}

// lastBefore returns the last block that is before a moment; the block end is not. Times of blocks never go back.
func lastBefore(end uint64, before func(uint64) (bool, error)) (uint64, error) {
	first, limit := uint64(0), end // what is before the moment is in first..limit-1

	for first < limit {
		middle := first + (limit-first)/2

		is, err := before(middle)
		if err != nil {
			return 0, err
		}

		if is {
			first = middle + 1
		} else {
			limit = middle
		}
	}

	if first == 0 {
		return 0, fmt.Errorf("%w: the chain's first block is later", ErrNoReceipt)
	}

	return first - 1, nil
}
