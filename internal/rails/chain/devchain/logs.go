//go:build !nosandbox

package devchain

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"slices"

	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/core/types"
	"github.com/ethereum/go-ethereum/rpc"
)

// logQuery says which logs are asked for: those of one block, or of all from one to another, the newest where it is
// left out. A log has one of the addresses, and at each place one of the topics. An empty list is any.
type logQuery struct {
	BlockHash *common.Hash              `json:"blockHash"`
	FromBlock *rpc.BlockNumber          `json:"fromBlock"`
	ToBlock   *rpc.BlockNumber          `json:"toBlock"`
	Addresses oneOrMore[common.Address] `json:"address"`
	Topics    []oneOrMore[common.Hash]  `json:"topics"`
}

// oneOrMore is a list that may be written as its only element. null is the empty one.
type oneOrMore[T any] []T

// UnmarshalJSON reads an element, a list or null.
func (l *oneOrMore[T]) UnmarshalJSON(text []byte) error {
	text = bytes.TrimSpace(text)
	if bytes.Equal(text, []byte("null")) {
		*l = nil
		return nil
	}

	if len(text) > 0 && text[0] == '[' {
		return json.Unmarshal(text, (*[]T)(l))
	}

	var one T
	if err := json.Unmarshal(text, &one); err != nil {
		return err
	}

	*l = oneOrMore[T]{one}

	return nil
}

// GetLogs returns the logs of a block or of a range of blocks.
func (a *ethAPI) GetLogs(ctx context.Context, q logQuery) ([]*types.Log, error) {
	out := []*types.Log{}

	if q.BlockHash != nil {
		if q.FromBlock != nil || q.ToBlock != nil {
			return nil, errors.New("cannot specify both BlockHash and FromBlock/ToBlock, choose one or the other")
		}

		header := a.c.chain.GetHeaderByHash(*q.BlockHash)
		if header == nil {
			return nil, errors.New("unknown block")
		}

		return q.of(a.c, header, out), nil
	}

	from, err := a.c.headerByNumber(latestUnless(q.FromBlock))
	if err != nil {
		return nil, err
	}

	to := a.c.Head()
	if q.ToBlock != nil && *q.ToBlock < rpc.BlockNumber(to.Number.Int64()) {
		if to, err = a.c.headerByNumber(*q.ToBlock); err != nil {
			return nil, err
		}
	}

	if from.Number.Cmp(to.Number) > 0 {
		return nil, errors.New("invalid block range params")
	}

	for n := from.Number.Uint64(); n <= to.Number.Uint64(); n++ {
		header := a.c.chain.GetHeaderByNumber(n)
		if ctx.Err() != nil || header == nil { // the caller has gone, or the chain became shorter
			return nil, errors.Join(errNoHeader, ctx.Err())
		}

		out = q.of(a.c, header, out)
	}

	return out, nil
}

func latestUnless(n *rpc.BlockNumber) rpc.BlockNumber {
	if n == nil {
		return rpc.LatestBlockNumber
	}

	return *n
}

// of appends a block's logs that are asked for.
func (q *logQuery) of(c *Chain, header *types.Header, out []*types.Log) []*types.Log {
	if !q.mayBeIn(header.Bloom) {
		return out
	}

	for _, r := range c.chain.GetReceiptsByHash(header.Hash()) {
		for _, l := range r.Logs {
			if q.matches(l) {
				out = append(out, l)
			}
		}
	}

	return out
}

// mayBeIn reports whether a block with this filter can have such a log.
func (q *logQuery) mayBeIn(bloom types.Bloom) bool {
	has := func(a common.Address) bool { return types.BloomLookup(bloom, a) }
	if len(q.Addresses) > 0 && !slices.ContainsFunc(q.Addresses, has) {
		return false
	}

	for _, topics := range q.Topics {
		has := func(t common.Hash) bool { return types.BloomLookup(bloom, t) }
		if len(topics) > 0 && !slices.ContainsFunc(topics, has) {
			return false
		}
	}

	return true
}

func (q *logQuery) matches(l *types.Log) bool {
	if len(q.Addresses) > 0 && !slices.Contains(q.Addresses, l.Address) || len(q.Topics) > len(l.Topics) {
		return false
	}

	for i, topics := range q.Topics {
		if len(topics) > 0 && !slices.Contains(topics, l.Topics[i]) {
			return false
		}
	}

	return true
}
