package chain

import (
	"context"
	"errors"
	"fmt"
	"net"
	"slices"
	"sync"

	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/common/hexutil"
)

const (
	mostPieces   = 128  // of one look for a log; the next look goes on
	mostSearches = 1000 // that are not finished
)

// logPlace is where a node says that a log is; the zero value is nowhere.
type logPlace struct {
	tx, block common.Hash
	number    uint64
}

// stretch is a range of blocks, from first to before end. A search of it begins at its end, or with up at first.
type stretch struct {
	first, end uint64
	up         bool
}

func (s stretch) blocks() uint64 { return s.end - s.first }

// part returns the n blocks with which a search begins.
func (s stretch) part(n uint64) stretch {
	n = min(n, s.blocks())
	if s.up {
		s.end = s.first + n
	} else {
		s.first = s.end - n
	}

	return s
}

// next returns what is left of the blocks from first to last when those of s are searched: what is later comes first.
func (s stretch) next(first, last uint64) (stretch, bool) {
	switch {
	case first > last:
		return stretch{}, false
	case s.blocks() == 0:
		return stretch{first: first, end: last + 1}, true
	case s.end <= last:
		return stretch{first: s.end, end: last + 1, up: true}, true
	case s.first > first:
		return stretch{first: first, end: s.first}, true
	}

	return stretch{}, false
}

// with returns s and its neighbour as one.
func (s stretch) with(next stretch) stretch {
	if s.blocks() == 0 {
		return next
	}

	return stretch{first: min(s.first, next.first), end: max(s.end, next.end)}
}

// searches are the looks for logs that are not finished, by what is looked for. They are kept in memory alone: after a
// restart a search begins anew.
type searches struct {
	mu       sync.Mutex
	searched map[string]stretch // without finding the log
}

// look returns where enough nodes say that a log is, and those nodes; nowhere if enough of them know none. The latest
// blocks come first, since a log is mostly looked for when it is new.
func (s *searches) look(
	ctx context.Context,
	l *lane,
	nodes []*provider,
	q LogQuery,
	last uint64,
) (at logPlace, voters []*provider, err error) {
	key := fmt.Sprint(l.net.ID, q)
	done := s.of(key)

	for range mostPieces {
		left, more := done.next(q.From, last)
		if !more {
			s.keep(key, stretch{})
			return logPlace{}, nil, nil
		}

		var part stretch
		if at, voters, part, err = l.client.findLog(ctx, nodes, q, left); err != nil {
			s.keep(key, done)
			return logPlace{}, nil, err
		}

		if at != (logPlace{}) {
			s.keep(key, stretch{})
			return at, voters, nil
		}

		done = done.with(part)
	}

	s.keep(key, done)

	return logPlace{}, nil, fmt.Errorf("%w: %d of %d blocks are searched", ErrSearching, done.blocks(), last+1-q.From)
}

func (s *searches) of(key string) stretch {
	s.mu.Lock()
	defer s.mu.Unlock()

	return s.searched[key]
}

// keep stores what is searched; nothing ends a search. Of too many searches any other begins anew.
func (s *searches) keep(key string, done stretch) {
	s.mu.Lock()
	defer s.mu.Unlock()

	delete(s.searched, key)

	if done.blocks() == 0 {
		return
	}

	for other := range s.searched {
		if len(s.searched) < mostSearches {
			break
		}

		delete(s.searched, other)
	}

	s.searched[key] = done
}

// findLog searches the beginning of a range, as much of it as enough nodes take in one request, and returns what it
// searched. It returns where enough nodes say that the log is, and those nodes; nowhere if enough of them know none.
func (c *Client) findLog(
	ctx context.Context,
	nodes []*provider,
	q LogQuery,
	in stretch,
) (at logPlace, voters []*provider, searched stretch, err error) {
	limits := make([]uint64, len(nodes))
	for i, p := range nodes {
		limits[i] = c.bears(p, &p.ranges, mostBlocks)
	}

	size, _ := reachedBy(limits, c.enough())
	in = in.part(size)
	found := make([]logsFound, len(nodes))

	var wg sync.WaitGroup
	for i, p := range nodes {
		wg.Go(func() { found[i] = c.logsOf(ctx, p, q, in) })
	}

	wg.Wait()

	var (
		errs    []error
		reaches []uint64
	)

	for _, f := range found {
		if f.err == nil {
			reaches = append(reaches, f.in.blocks())
		} else {
			errs = append(errs, f.err)
		}
	}

	about := fmt.Sprintf("a log of %s in blocks %d to %d", q.Contract, in.first, in.end-1)

	size, ok := reachedBy(reaches, c.enough())
	if !ok {
		return at, nil, in, c.tooFew(about, len(reaches), errs...)
	}

	in = in.part(size)

	var votes []vote[logPlace]

	for i, f := range found {
		if place, ok := f.within(in); ok {
			votes = append(votes, vote[logPlace]{by: nodes[i], value: place})
		}
	}

	at, _, ok = count(votes, c.enough())
	if !ok {
		return at, nil, in, fmt.Errorf("%w about %s: %d answers", ErrDisagree, about, len(votes))
	}

	for _, v := range votes {
		if v.value == at {
			voters = append(voters, v.by)
		}
	}

	return at, voters, in, nil
}

// logsFound is what one node has found in the blocks that it searched.
type logsFound struct {
	places []logPlace
	in     stretch
	err    error
}

// within returns the one log in some blocks, or nowhere. ok is false if the node has not searched all of them, or names
// several: a number is used once.
func (f logsFound) within(in stretch) (at logPlace, ok bool) {
	if f.err != nil || f.in.blocks() < in.blocks() {
		return at, false
	}

	places := slices.DeleteFunc(slices.Clone(f.places), func(l logPlace) bool {
		return l.number < in.first || l.number >= in.end
	})

	switch len(places) {
	case 0:
		return logPlace{}, true
	case 1:
		return places[0], true
	}

	return at, false
}

// logsOf asks one node for the logs in the beginning of a range: in all of it, in half of it if the node refuses that,
// and so on.
func (c *Client) logsOf(ctx context.Context, p *provider, q LogQuery, in stretch) logsFound {
	in = in.part(c.bears(p, &p.ranges, mostBlocks))

	for refused := false; ; refused = true {
		places, err := c.askLogs(ctx, p, q, in)

		switch {
		case err == nil:
			if refused {
				c.learn(p, &p.ranges, in.blocks(), "blocks")
			}

			return logsFound{places: places, in: in}

		case in.blocks() > 1 && isRangeRefused(err) && ctx.Err() == nil && c.mayHalve(p, &p.ranges):
			in = in.part(in.blocks() / 2)

		default:
			if refused {
				c.unlearn(p, &p.ranges)
			}

			return logsFound{err: err}
		}
	}
}

// askLogs asks one node for the logs of a query in some blocks, in one request.
func (c *Client) askLogs(ctx context.Context, p *provider, q LogQuery, in stretch) ([]logPlace, error) {
	filter := map[string]any{
		"address":   q.Contract,
		"topics":    q.Topics,
		"fromBlock": hexutil.EncodeUint64(in.first),
		"toBlock":   hexutil.EncodeUint64(in.end - 1),
	}

	answers, err := c.askOne(ctx, p, []call{{"eth_getLogs", []any{filter}}})
	if err != nil {
		return nil, err
	}

	var logs []struct {
		Tx     common.Hash    `json:"transactionHash"`
		Block  common.Hash    `json:"blockHash"`
		Number hexutil.Uint64 `json:"blockNumber"`
	}
	if err := answers[0].into(&logs); err != nil {
		return nil, fmt.Errorf("node at %s, logs of %d blocks: %w", p.name, in.blocks(), err)
	}

	out := make([]logPlace, len(logs))
	for i, x := range logs {
		out[i] = logPlace{tx: x.Tx, block: x.Block, number: uint64(x.Number)}
	}

	return out, nil
}

// isRangeRefused reports whether a node may answer eth_getLogs over fewer blocks. The codes and words differ: -32602,
// -32600, -32005, -32012 or -32614 about the range or the number of results, a time-out, or an HTTP status. So every
// answer counts, but that the node has no such method.
func isRangeRefused(err error) bool {
	var (
		said   *NodeError
		silent net.Error
	)

	switch {
	case errors.As(err, &silent) && silent.Timeout():
		return true
	case isTooLarge(err):
		return true
	}

	return errors.As(err, &said) && Classify(said) != Unsupported
}
