package chain

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"math/big"
	"slices"
	"sync"
	"time"

	"github.com/ethereum/go-ethereum/common"
)

// staleFor is how long a node may show a lower head than before while no other node can confirm it. After that its head
// is accepted: the chain was reset, or the higher head was wrong.
const staleFor = 10 * time.Minute

// view is what the nodes show at the start of a round. head, pending, balance and tip come from one node: they only
// decide what to try next. Irreversible steps rely on final and on a confirmed mined.
type view struct {
	primary   *provider // asked first in this round
	behind    bool      // it answers from old state: nothing may be concluded
	head      Block
	top       uint64 // the highest head of any node
	final     uint64 // the newest block that is final to enough nodes
	hasFin    bool
	mined     uint64 // transactions of the signer in blocks that enough nodes count at least
	confirmed bool   // enough nodes count mined or more
	exact     bool   // enough nodes count exactly mined
	used      uint64 // the highest count of any node: receipts below it are searched
	pending   uint64 // including the pool, without a gap
	balance   *big.Int
	tip       *big.Int
	nodes     []nodeView // all that answered, the primary first
}

type nodeView struct {
	p      *provider
	v      view
	err    error
	behind bool
}

// readNodes asks every node for its head, the signer's counts and the price, each in one request, and combines the
// answers.
func (l *lane) readNodes(ctx context.Context) (view, error) {
	ranked := l.client.ranked()
	nodes := make([]nodeView, len(ranked))

	var wg sync.WaitGroup
	for i, p := range ranked {
		wg.Go(func() { nodes[i] = l.readNode(ctx, p) })
	}

	wg.Wait()

	var (
		errs []error
		good []nodeView
	)
	for _, n := range nodes {
		if n.err != nil {
			errs = append(errs, n.err)
			continue
		}

		good = append(good, n)
	}

	if len(good) == 0 {
		return view{}, fmt.Errorf("%w: %w", ErrUnreachable, errors.Join(errs...))
	}

	l.client.compareHeads(good)
	slices.SortStableFunc(good, func(a, b nodeView) int { return cmp.Compare(asNumber(a.behind), asNumber(b.behind)) })

	return merge(good, l.client.enough()), nil
}

func asNumber(b bool) int {
	if b {
		return 1
	}

	return 0
}

// compareHeads marks the nodes that answer from old state, and refutes a head that nobody confirms: one beyond those of
// two others, or one that neither the node itself nor another has reached again.
func (c *Client) compareHeads(nodes []nodeView) {
	heads := make([]uint64, len(nodes))
	for i, n := range nodes {
		heads[i] = n.v.head.Number
	}

	slices.SortFunc(heads, func(a, b uint64) int { return cmp.Compare(b, a) })

	best := heads[0]
	if len(heads) > 2 {
		best = heads[1]
	}

	for i := range nodes {
		others := uint64(0)
		for k, n := range nodes {
			if k != i {
				others = max(others, n.v.head.Number)
			}
		}

		nodes[i].behind = c.headOf(nodes[i], best, others, len(nodes) > 1)
	}
}

// headOf stores the head of one node and reports whether the node answers from old state. others is the highest head
// among the other nodes.
func (c *Client) headOf(n nodeView, best, others uint64, several bool) (behind bool) {
	now := c.clock.Now()
	number := n.v.head.Number
	lie := ""
	p := n.p
	p.mu.Lock()
	switch {
	case number > best+c.maxLag:
		behind = true
		lie = fmt.Sprintf("its head is %d, and no other node is beyond %d", number, best)
	case number >= p.maxHead:

	case several && p.maxHead > others+c.maxLag && number+c.maxLag >= others:
		lie = fmt.Sprintf(
			"it showed the head %d, which neither it nor another node has reached since; now it shows %d",
			p.maxHead,
			number,
		)
		p.maxHead = number

	case p.fell.IsZero():
		p.fell = now
		behind = true
	case !several && now.Sub(p.fell) > staleFor:
		p.maxHead = number
	default:
		behind = true
	}

	if !behind {
		p.fell = time.Time{}
		p.maxHead = max(p.maxHead, number)
	}

	behind = behind || number+c.maxLag < best
	p.head = number
	p.behind = behind
	p.mu.Unlock()

	if lie != "" {
		c.refute(p, lie)
	}

	return behind
}

// merge combines the views of the nodes. Counts and heights only rise, so the one that enough nodes have reached is the
// enough-th highest.
func merge(nodes []nodeView, enough int) view {
	v := nodes[0].v
	v.primary = nodes[0].p
	v.behind = nodes[0].behind
	v.nodes = nodes
	v.used = v.mined
	v.top = v.head.Number

	var mined, finals []uint64
	for _, n := range nodes {
		if n.behind {
			continue
		}

		v.used = max(v.used, n.v.mined)
		v.top = max(v.top, n.v.head.Number)

		mined = append(mined, n.v.mined)
		if n.v.hasFin {
			finals = append(finals, n.v.final)
		}
	}

	if v.mined, v.confirmed = reachedBy(mined, enough); !v.confirmed {
		v.mined = nodes[0].v.mined
	}

	same := 0
	for _, m := range mined {
		if m == v.mined {
			same++
		}
	}

	v.exact = same >= enough
	v.final, v.hasFin = reachedBy(finals, enough)

	return v
}

// reachedBy returns the highest number that enough of them have reached; false if there are too few.
func reachedBy(numbers []uint64, enough int) (uint64, bool) {
	if len(numbers) < enough {
		return 0, false
	}

	slices.SortFunc(numbers, func(a, b uint64) int { return cmp.Compare(b, a) })

	return numbers[enough-1], true
}

func (l *lane) readNode(ctx context.Context, p *provider) nodeView {
	calls := []call{
		blockCall("latest"), nonceCall(l.from, "latest"), nonceCall(l.from, "pending"),
		{"eth_getBalance", []any{l.from, "latest"}},
		{"eth_maxPriorityFeePerGas", []any{}},
	}
	if l.net.Finality.Tag != "" {
		calls = append(calls, blockCall(l.net.Finality.Tag))
	}

	answers, err := l.client.askOne(ctx, p, calls)
	if err != nil {
		return nodeView{p: p, err: err}
	}

	v, err := l.readView(answers)
	if err != nil {
		p.note(err)
	}

	return nodeView{p: p, v: v, err: err}
}

func (l *lane) readView(answers []answer) (v view, err error) {
	var ok bool
	if v.head, ok, err = answers[0].block(); err != nil || !ok {
		return v, errors.Join(ErrUnreachable, err)
	}

	if v.mined, err = answers[1].count(); err != nil {
		return v, err
	}

	if v.pending, err = answers[2].count(); err != nil {
		return v, err
	}

	if v.balance, err = answers[3].quantity(); err != nil {
		return v, err
	}

	if v.tip, err = answers[4].tip(); err != nil {
		return v, err
	}

	if least := l.net.LeastTipWei; least != nil && v.tip.Cmp(least) < 0 {
		v.tip = least // the pool refuses what its own node suggests
	}

	if l.net.Finality.Tag == "" {
		v.hasFin = v.head.Number >= l.net.Finality.Depth
		v.final = v.head.Number - min(l.net.Finality.Depth, v.head.Number)
		return v, nil
	}

	var b Block
	if b, v.hasFin, err = answers[5].block(); err != nil {
		// before the first final block some nodes answer the tag with an error instead of null
		var n *NodeError
		if errors.As(err, &n) {
			return v, nil
		}

		return v, err
	}

	v.final = b.Number

	return v, nil
}

// hashesAt asks every node that answered for the block at a height. A node that has no block there, or does not answer,
// has no vote.
func (l *lane) hashesAt(ctx context.Context, nodes []nodeView, number uint64) []vote[common.Hash] {
	blocks := make([]Block, len(nodes))

	var wg sync.WaitGroup
	for i, n := range nodes {
		wg.Go(func() {
			answers, err := l.client.askOne(ctx, n.p, []call{blockCall(numberRef(number))})
			if err != nil {
				return // without an answer it has no vote
			}

			if b, ok, err := answers[0].block(); err == nil && ok && b.Number == number {
				blocks[i] = b
			}
		})
	}

	wg.Wait()

	var out []vote[common.Hash]

	for i, b := range blocks {
		if b.Hash != (common.Hash{}) {
			out = append(out, vote[common.Hash]{by: nodes[i].p, value: b.Hash})
		}
	}

	return out
}

// checkFinal freezes the signer if enough nodes report that the block of our newest posting is no longer in the chain:
// it was replaced although it was final, or this is another chain with the same id. A node that does not have the block
// yet proves nothing; one that alone names another block is demoted.
func (l *lane) checkFinal(ctx context.Context, v view) error {
	if l.row.finalBlock < 0 {
		return nil
	}

	number := uint64(l.row.finalBlock)
	ours := common.HexToHash(l.row.finalHash)

	answers, err := l.client.askOne(ctx, v.primary, []call{blockCall(numberRef(number))})
	if err != nil {
		return err
	}

	b, ok, err := answers[0].block()
	switch {
	case err != nil:
		return err
	case !ok:
		return fmt.Errorf("%w: block %d, on which something was posted, is not there yet", ErrBehind, number)
	case b.Hash == ours:
		return nil
	}

	votes := l.hashesAt(ctx, v.nodes, number)

	agreed, dissent, ok := count(votes, l.client.enough())
	switch {
	case !ok:
		return fmt.Errorf(
			"block %d was final but is %s at the node %s; the others do not confirm it",
			number,
			b.Hash.Hex(),
			v.primary.name,
		)

	case agreed == ours:
		for _, p := range dissent {
			l.client.refute(p, fmt.Sprintf("it named another block %d than was final", number))
		}

		return fmt.Errorf("the node at %s names another block %d than the others", v.primary.name, number)
	}

	return errors.Join(fmt.Errorf("block %d was final and has been replaced", number),
		l.freeze(ctx, fmt.Sprintf("final block %d was replaced: was %s, is %s", number, l.row.finalHash, agreed.Hex())))
}
