package chain

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/crypto"
)

// Providers of nodes limit what one request may ask for: how many calls a batch has, and over how many blocks
// eth_getLogs searches. Each says so in its own way, and by its customer's plan. What a node refuses is therefore asked
// again in halves, whatever the words. What then passes is remembered for a while.

const (
	mostBlocks = 10_000 // of one eth_getLogs: what Infura and QuickNode take

	rememberFor = time.Hour   // plans and loads change
	wholeFor    = time.Minute // a node that refused the smallest request, too, is not asked in halves again meanwhile
)

// bound is how large the requests of one kind may be that a node answers. provider.mu guards it.
type bound struct {
	size  uint64    // that passed after a larger one was refused
	until time.Time // when size is forgotten
	whole time.Time // until when nothing is asked in halves
}

// bears returns how large a request a node answers, as far as is known: most at first.
func (c *Client) bears(p *provider, b *bound, most uint64) uint64 {
	now := c.clock.Now()

	p.mu.Lock()
	defer p.mu.Unlock()

	if now.Before(b.until) {
		return b.size
	}

	return most
}

// mayHalve reports whether a request that a node refused may be asked again in halves.
func (c *Client) mayHalve(p *provider, b *bound) bool {
	now := c.clock.Now()

	p.mu.Lock()
	defer p.mu.Unlock()

	return !now.Before(b.whole)
}

// learn stores that a node answers requests of a size and refused larger ones. what names the unit.
func (c *Client) learn(p *provider, b *bound, size uint64, what string) {
	now := c.clock.Now()

	p.mu.Lock()
	b.size = size
	b.until = now.Add(rememberFor)
	p.mu.Unlock()

	c.log.Info("a node limits what one request may ask for", "node", p.name, what, size)
}

// unlearn stores that a node refuses the smallest request, too: its size is not the reason.
func (c *Client) unlearn(p *provider, b *bound) {
	now := c.clock.Now()

	p.mu.Lock()
	defer p.mu.Unlock()

	b.whole = now.Add(wholeFor)
}

// exchange sends calls to one node in as few requests as it takes, one call each if need be, and returns one answer for
// each call. An error means that nothing is known about any of them. A call may reach the node more than once, as the
// same bytes.
func (c *Client) exchange(ctx context.Context, p *provider, calls []call) ([]answer, error) {
	size := int(c.bears(p, &p.batches, maxCallsPerBatch))
	out := make([]answer, 0, len(calls))
	refused := false

	for len(calls) > 0 {
		n := min(size, len(calls))

		answers, err := p.batch(ctx, calls[:n])
		if err != nil && n > 1 && isTooLarge(err) && ctx.Err() == nil && c.mayHalve(p, &p.batches) {
			size = n / 2
			refused = true

			continue
		}

		if err != nil && refused {
			c.unlearn(p, &p.batches)
		}

		if err != nil {
			return nil, err
		}

		if refused {
			c.learn(p, &p.batches, uint64(n), "calls")
			refused = false
		}

		out = append(out, answers...)
		calls = calls[n:]
	}

	return out, nil
}

// isTooLarge reports whether a smaller request may succeed where this one failed. It says nothing about the calls.
func isTooLarge(err error) bool {
	var t *TransportError
	return errors.As(err, &t) && t.tooLarge
}

// NodeLimits is what one node answered when it was asked for more and more: see Bears.
type NodeLimits struct {
	Calls  uint64 // in one request
	Blocks uint64 // of one eth_getLogs; 0: none
	Err    error  // why nothing is known
}

// Most is what is asked for in one request at most, whatever a node bears.
func Most() NodeLimits { return NodeLimits{Calls: maxCallsPerBatch, Blocks: mostBlocks} }

// Bears asks each node for as much in one request as this service ever does, and returns what it answers, in the
// configured order. A second call within an hour begins with what the first has found out.
func (c *Client) Bears(ctx context.Context) []NodeLimits {
	out := make([]NodeLimits, len(c.providers))

	for i, p := range c.providers {
		out[i].Err = c.tryLimits(ctx, p)
		out[i].Calls = c.bears(p, &p.batches, maxCallsPerBatch)
		out[i].Blocks = c.bears(p, &p.ranges, mostBlocks)
	}

	return out
}

func (c *Client) tryLimits(ctx context.Context, p *provider) error {
	if err := c.verify(ctx, p); err != nil {
		return err
	}

	calls := make([]call, maxCallsPerBatch)
	for i := range calls {
		calls[i] = call{"eth_chainId", []any{}}
	}

	if _, err := c.exchange(ctx, p, calls); err != nil {
		return fmt.Errorf("%d calls in one request: %w", maxCallsPerBatch, err)
	}

	answers, err := c.exchange(ctx, p, []call{blockCall(latest)})
	if err != nil {
		return err
	}

	b, ok, err := answers[0].block()
	if err != nil || !ok {
		return errors.Join(ErrUnreachable, err)
	}

	// Nobody logs this, so the answer is short, whatever the range.
	q := LogQuery{Topics: []common.Hash{crypto.Keccak256Hash([]byte("what a node bears"))}}

	all := stretch{end: b.Number + 1}
	if found := c.logsOf(ctx, p, q, all.part(mostBlocks)); found.err != nil {
		return found.err
	}

	return nil
}
