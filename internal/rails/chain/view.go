package chain

import (
	"context"
	"errors"
	"fmt"
	"math/big"
	"sync"

	"github.com/ethereum/go-ethereum/common"
)

// checkFinal freezes the signer when the block of our newest posting is no longer in the chain: it was replaced although it was final,
// or this is another chain under the same id. A node that does not have the block yet proves nothing.
func (l *lane) checkFinal(ctx context.Context, v view) error {
	if l.row.finalBlock < 0 {
		return nil
	}
	answers, err := l.client.askOne(ctx, v.primary, []call{blockCall(numberRef(uint64(l.row.finalBlock)))})
	if err != nil {
		return err
	}
	b, ok, err := answers[0].block()
	if err != nil {
		return err
	}
	if !ok {
		return fmt.Errorf("%w: block %d, on which something was posted, is not there yet", ErrBehind, l.row.finalBlock)
	}
	if b.Hash != common.HexToHash(l.row.finalHash) {
		return errors.Join(fmt.Errorf("block %d was final and is another one now", b.Number),
			l.freeze(ctx, fmt.Sprintf("final block %d was replaced: was %s, is %s", b.Number, l.row.finalHash, b.Hash.Hex())))
	}
	return nil
}

// view is what the nodes show at the start of a round.
type view struct {
	primary *provider // the one conclusions of this round are drawn from
	behind  bool      // it answers from old state: nothing may be concluded
	head    Block
	final   uint64 // the newest final block
	hasFin  bool
	mined   uint64 // transactions of the signer in blocks
	pending uint64 // and in the pool, without a gap
	balance *big.Int
	tip     *big.Int
	nodes   []nodeView // all that answered
}

type nodeView struct {
	p      *provider
	v      view
	err    error
	behind bool
}

// look asks every node for its head, the signer's counts and the price, each in one request. A node whose head went back or lags is
// put aside.
func (l *lane) look(ctx context.Context) (view, error) {
	nodes := make([]nodeView, len(l.client.providers))
	var wg sync.WaitGroup
	for i, p := range l.client.providers {
		wg.Go(func() { nodes[i] = l.lookAt(ctx, p) })
	}
	wg.Wait()
	var errs []error
	var good []nodeView
	best := uint64(0)
	for _, n := range nodes {
		if n.err != nil {
			errs = append(errs, n.err)
			continue
		}
		n.p.sawHead(n.v.head.Number)
		best = max(best, n.v.head.Number)
		good = append(good, n)
	}
	if len(good) == 0 {
		return view{}, fmt.Errorf("%w: %w", ErrUnreachable, errors.Join(errs...))
	}
	chosen := -1
	for i := range good {
		if good[i].v.head.Number+l.client.maxLag < best {
			good[i].p.lags()
		}
		_, _, good[i].behind = good[i].p.usable()
		if chosen < 0 && !good[i].behind {
			chosen = i
		}
	}
	v := good[max(chosen, 0)].v
	v.primary, v.behind, v.nodes = good[max(chosen, 0)].p, chosen < 0, good
	return v, nil
}

func (l *lane) lookAt(ctx context.Context, p *provider) nodeView {
	calls := []call{
		blockCall("latest"), nonceCall(l.from, "latest"), nonceCall(l.from, "pending"),
		{"eth_getBalance", []any{l.from, "latest"}}, {"eth_maxPriorityFeePerGas", []any{}},
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
	if l.net.Finality.Tag == "" {
		v.hasFin = v.head.Number >= l.net.Finality.Depth
		v.final = v.head.Number - min(l.net.Finality.Depth, v.head.Number)
		return v, nil
	}
	var b Block
	if b, v.hasFin, err = answers[5].block(); err != nil {
		// Before the first final block some nodes answer the tag with an error instead of null.
		var n *NodeError
		if errors.As(err, &n) {
			return v, nil
		}
		return v, err
	}
	v.final = b.Number
	return v, nil
}
