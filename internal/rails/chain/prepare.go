package chain

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"math/big"
	"slices"

	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/core/types"

	"slipway/internal/platform/db"
	"slipway/internal/platform/failpoint"
	"slipway/internal/platform/halt"
)

// outgoing is one attempt on its way: the send, and the bytes that stand for it.
type outgoing struct {
	row         sendRow
	number      int64
	hash        common.Hash
	raw         []byte
	tip, feeCap *big.Int
	outcome     Outcome
}

// Limits of one broadcast request, so that nodes with a 5 MiB body limit take it (the bytes travel as hexadecimal
// digits).
const maxBroadcastBytes = 1 << 20

// prepare gives nonces to planned sends, stores their signed bytes and broadcasts them. It waits for nothing on the
// chain. more says that others are planned.
func (l *lane) prepare(ctx context.Context, v view) (more bool, err error) {
	if l.row.next >= 0 && l.sure && v.confirmed && v.mined > uint64(l.row.next) {
		return false, l.freeze(
			ctx,
			fmt.Sprintf(
				"the chain counts %d transactions of the signer, our next nonce is %d: somebody else uses the key, "+
					"or this database is older than the chain",
				v.mined,
				l.row.next,
			),
		)
	}

	planned, err := l.inState(ctx, l.net.Batch, StatePlanned)
	if err != nil {
		return false, fmt.Errorf("read planned sends: %w", err)
	}

	halted, err := l.halted(ctx, planned)
	if err != nil {
		return false, err
	}

	note := ""
	ready := []sendRow(nil)
	tip, feeCap, affordable := price(v, l.net.MaxFeePerGasWei)

	switch {
	case len(planned) == 0:
	case l.row.frozen != "" || l.row.paused:
		return false, nil
	case halted != "":
		note = noteHalted // clients read it: the figures are for operators
	case l.waitsForSigner != "":
		note = l.waitsForSigner
	case !l.sure:
		note = "the nodes' answers do not fit what was seen before"

	case v.mined > uint64(max(l.row.next, 0)):
		note = fmt.Sprintf(
			"one node counts %d transactions of the signer, our next nonce is %d; a second one has to confirm it",
			v.mined,
			l.row.next,
		)

	case !affordable:
		note = fmt.Sprintf(
			"the gas price is above the ceiling: base fee %s and tip %s wei, ceiling %s",
			v.head.BaseFee,
			v.tip,
			l.net.MaxFeePerGasWei,
		)

	default:
		if ready, note, err = l.ready(ctx, v, planned, feeCap); err != nil {
			return false, err
		}
	}

	l.waits = note

	if len(ready) == 0 {
		return false, nil
	}

	if err := l.takeNonces(ctx, ready); err != nil {
		return false, err
	}

	return len(planned) == l.net.Batch, l.signAndSend(ctx, ready, tip, feeCap)
}

// noteHalted says that new sends are halted.
const noteHalted = "new sends are halted: the balances of the house are being looked at"

// halted returns why new sends are halted, which is asked only where there are some.
func (l *lane) halted(ctx context.Context, planned []sendRow) (string, error) {
	if len(planned) == 0 {
		return "", nil
	}

	return halt.Why(ctx, l.r.db, HaltName(l.net.ID))
}

// ready picks the planned sends that can go now: within the limit of sends in flight, with a known gas limit, and
// paid for. note says why others cannot.
func (l *lane) ready(
	ctx context.Context,
	v view,
	planned []sendRow,
	feeCap *big.Int,
) (ready []sendRow, note string, err error) {
	flying, err := l.inFlight(ctx)
	if err != nil {
		return nil, "", fmt.Errorf("count sends in flight: %w", err)
	}

	planned = planned[:min(len(planned), max(l.net.InFlight-flying, 0))]
	if planned, err = l.settled(ctx, v, planned); err != nil || len(planned) == 0 {
		return nil, "", err
	}

	if planned, err = l.withGas(ctx, v, planned); Classify(err) == Unfunded {
		return nil, fmt.Sprintf("the signer %s is out of gas money: it holds %s wei", l.address, v.balance), nil
	} else if err != nil {
		return nil, "", err
	}

	left, err := l.reserved(ctx, v.mined)
	if err != nil {
		return nil, "", fmt.Errorf("read reserved gas: %w", err)
	}

	left.Sub(v.balance, left)

	for i, s := range planned {
		left.Sub(left, cost(uint64(s.GasLimit), feeCap, number(s.Value)))

		if left.Sign() < 0 {
			return planned[:i], fmt.Sprintf(
				"the signer %s is out of gas money: it holds %s wei and lacks %s",
				l.address,
				v.balance,
				new(big.Int).Neg(left),
			), nil
		}
	}

	return planned, "", nil
}

// settled leaves out planned sends that were released from hold although one of their old attempts is in a block
// after all, and has or may have taken effect. An attempt that reverted in a final block has moved nothing: what it
// was of goes out anew, and ends with a reason that people see.
func (l *lane) settled(ctx context.Context, v view, planned []sendRow) ([]sendRow, error) {
	old, err := attempts(ctx, l.r.db, planned)
	if err != nil || len(old) == 0 {
		return planned, err
	}

	var out []sendRow

	for _, s := range planned {
		receipts, err := l.receipts(ctx, v.primary, hashesOf(old[s.ID]))
		if err != nil {
			return nil, err
		}

		if !slices.ContainsFunc(receipts, v.mayHaveEffect) {
			out = append(out, s)
		}
	}

	return out, nil
}

// mayHaveEffect reports whether a receipt shows an attempt that has moved something, or whose block may be replaced
// by one in which it does. It is false for no receipt.
func (v view) mayHaveEffect(r *types.Receipt) bool {
	if r == nil {
		return false
	}

	deadForGood := r.Status == types.ReceiptStatusFailed && v.hasFin && r.BlockNumber != nil &&
		r.BlockNumber.Uint64() <= v.final

	return !deadForGood
}

// withGas gives each send its gas limit: the planner's, or the node's estimate and a quarter or the network's
// headroom. What reverts in several blocks, or needs more than any transaction may have, is refused: nothing of it
// was signed.
func (l *lane) withGas(ctx context.Context, v view, planned []sendRow) ([]sendRow, error) {
	var calls []call

	for _, s := range planned {
		if s.GasAsked == 0 {
			calls = append(calls, estimateCall(l.from, s))
		}
	}

	var answers []answer

	if len(calls) > 0 {
		var err error
		if answers, err = l.client.askOne(ctx, v.primary, calls); err != nil {
			return nil, fmt.Errorf("estimate gas: %w", err)
		}
	}

	var (
		out     []sendRow
		unknown error
	)

	for _, s := range planned {
		gas := uint64(s.GasAsked)
		if gas == 0 {
			n, err := answers[0].count()
			answers = answers[1:]

			if err != nil {
				n, err = l.reverted(ctx, v, s, err)
			}

			if err != nil {
				unknown = fmt.Errorf("estimate gas of %s: %w", s.Key, err)
			}

			if n == 0 {
				continue
			}

			gas = min(n+max(n/4, l.net.GasHeadroom), max(n, l.net.MaxGas))
		}

		if gas > l.net.MaxGas {
			if err := l.refuse(
				ctx,
				s,
				fmt.Sprintf("it needs %d gas, and no send may have more than %d", gas, l.net.MaxGas),
			); err != nil {
				return nil, err
			}

			continue
		}

		s.GasLimit = int64(gas)
		out = append(out, s)
	}

	if len(out) == 0 {
		return nil, unknown
	}

	return out, nil
}

// reverted counts an estimate that reverts, once for each head; enough of them refuse the send, if enough nodes say so.
// Where another node has an estimate, that one is returned: a call that reverts on the chain costs gas, one that is
// refused wrongly costs a payment. Any other error is given back: it says nothing about the send.
func (l *lane) reverted(ctx context.Context, v view, s sendRow, err error) (gas uint64, _ error) {
	if Classify(err) != Reverts {
		return 0, err
	}

	seen := l.reverts[s.ID]
	if seen.times == 0 || seen.head != v.head.Number {
		seen = revert{times: seen.times + 1, head: v.head.Number}
		l.reverts[s.ID] = seen
	}

	if seen.times < l.net.RefuseAfter {
		return 0, nil
	}

	agreed := 1
	for _, n := range v.nodes {
		if n.p == v.primary || n.behind {
			continue
		}

		answers, other := l.client.askOne(ctx, n.p, []call{estimateCall(l.from, s)})
		if other == nil {
			gas, other = answers[0].count()
		}

		if other == nil {
			return gas, nil
		}

		if Classify(other) == Reverts {
			agreed++
		}
	}

	if agreed < l.client.enough() {
		return 0, fmt.Errorf("only one node answers, and says: %w", err)
	}

	return 0, l.refuse(ctx, s, revertReason(err))
}

func estimateCall(from common.Address, s sendRow) call {
	m := CallMsg{From: from, To: common.HexToAddress(s.To), Data: s.Data, Value: number(s.Value)}
	return call{"eth_estimateGas", []any{m.wire()}}
}

// revertReason is the node's text with the revert data, which the caller's contract binding can decode.
func revertReason(err error) string {
	var n *NodeError
	if !errors.As(err, &n) {
		return err.Error()
	}

	if len(n.Data) > 2 && len(n.Data) <= 2000 {
		return fmt.Sprintf("%.300s %s", n.Message, n.Data)
	}

	return fmt.Sprintf("%.300s", n.Message)
}

func (l *lane) refuse(ctx context.Context, s sendRow, reason string) error {
	err := l.write(ctx, func(tx *db.Tx) error {
		if s.Reopened { // it was posted as final: a person must look
			noteRefused(tx, s.ID, reason, StateHold)
			return nil
		}

		noteRefused(tx, s.ID, reason, StateRefused)

		return l.r.observer.Refused(ctx, tx, s.Key, reason)
	})
	if err != nil {
		return fmt.Errorf("refuse %s: %w", s.Key, err)
	}

	delete(l.reverts, s.ID)
	l.counts.refused.Add(1)
	l.r.log.Warn("send refused", "network", l.net.ID, "key", s.Key, "reason", reason)

	return nil
}

// takeNonces gives the next nonces to all of them in one write.
func (l *lane) takeNonces(ctx context.Context, sends []sendRow) error {
	first := l.row.next

	err := l.write(ctx, func(tx *db.Tx) error {
		if err := halt.Check(ctx, tx, HaltName(l.net.ID)); err != nil {
			return err
		}

		takeNonces(tx, l.net.ID, l.address, first, first+int64(len(sends)))

		for i, s := range sends {
			noteNonced(tx, s, first+int64(i))
		}

		return nil
	})
	if err != nil {
		return fmt.Errorf("take nonces from %d: %w", first, err)
	}

	l.row.next = first + int64(len(sends))

	for i := range sends {
		sends[i].Nonce = first + int64(i)
		sends[i].State = StateNonced
		delete(l.reverts, sends[i].ID)
	}

	failpoint.Hit("chain.nonce_taken")

	return nil
}

// resume takes up what an interrupted round left: nonces without bytes, bytes that may never have been sent.
func (l *lane) resume(ctx context.Context, v view) error {
	left, err := l.inState(ctx, l.net.Batch, StateNonced, StateSigned)
	if err != nil || len(left) == 0 {
		return err
	}

	byID, err := attempts(ctx, l.r.db, left)
	if err != nil {
		return fmt.Errorf("read attempts: %w", err)
	}

	var (
		unsigned []sendRow
		unsent   []outgoing
	)

	for _, s := range left {
		if s.State == StateNonced {
			unsigned = append(unsigned, s)
		} else if list := byID[s.ID]; len(list) > 0 {
			unsent = append(unsent, stored(s, list[len(list)-1]))
		}
	}

	if err := l.broadcast(ctx, v, unsent, ""); err != nil {
		return err
	}

	if len(unsigned) == 0 {
		l.waitsForSigner = ""
		return nil
	}

	tip, feeCap, ok := price(v, l.net.MaxFeePerGasWei)
	if l.heir != "" || l.row.frozen != "" || !ok {
		return nil
	}

	return l.signAndSend(ctx, unsigned, tip, feeCap)
}

func stored(s sendRow, a attemptRow) outgoing {
	return outgoing{
		row:    s,
		number: a.Number,
		hash:   common.HexToHash(a.Hash),
		raw:    a.Raw,
		tip:    number(a.Tip),
		feeCap: number(a.FeeCap),
	}
}

// signAndSend signs outside any transaction, stores all bytes in one write, and only then lets them out. What the
// signer did sign goes out even if it would not sign all of them.
func (l *lane) signAndSend(ctx context.Context, sends []sendRow, tip, feeCap *big.Int) error {
	before, err := attempts(ctx, l.r.db, sends)
	if err != nil {
		return fmt.Errorf("read attempts: %w", err)
	}

	out, unsigned := l.signAll(ctx, sends, before, tip, feeCap)
	failpoint.Hit("chain.signed_unsaved")

	if len(out) == 0 {
		return unsigned
	}

	err = l.write(ctx, func(tx *db.Tx) error {
		for _, o := range out {
			saveAttempt(tx, o)
			noteSigned(tx, o.row.ID)
		}

		return nil
	})
	if err != nil {
		return fmt.Errorf("store signed bytes: %w", err)
	}

	for i := range out {
		out[i].row.State = StateSigned
	}

	failpoint.Hit("chain.saved_unsent")

	return errors.Join(unsigned, l.broadcast(ctx, view{}, out, "chain.sent_unmarked"))
}

// signAll asks the signer for the next attempt of each send. The error is about those that it did not sign; it
// returns the others.
func (l *lane) signAll(
	ctx context.Context,
	sends []sendRow,
	before map[string][]attemptRow,
	tip, feeCap *big.Int,
) ([]outgoing, error) {
	l.waitsForSigner = ""
	waits := ""

	var out []outgoing

	for _, s := range sends {
		o, err := l.signed(ctx, s, tip, feeCap)
		if err != nil {
			goOn, err := l.unsigned(ctx, s, err)

			waits = cmp.Or(waits, l.waitsForSigner)
			if !goOn || err != nil {
				l.waitsForSigner = waits
				return out, err
			}

			continue
		}

		if list := before[s.ID]; len(list) > 0 { // released from hold: its numbers go on
			o.number = list[len(list)-1].Number + 1
		}

		out = append(out, o)
	}

	l.waitsForSigner = waits

	return out, nil
}

// signed makes the first attempt of a send.
func (l *lane) signed(ctx context.Context, s sendRow, tip, feeCap *big.Int) (outgoing, error) {
	to := common.HexToAddress(s.To)

	tx := types.NewTx(&types.DynamicFeeTx{
		ChainID:   l.net.ChainID,
		Nonce:     uint64(s.Nonce),
		To:        &to,
		Value:     number(s.Value),
		Data:      s.Data,
		Gas:       uint64(s.GasLimit),
		GasTipCap: tip,
		GasFeeCap: feeCap,
	})

	got, err := sign(ctx, l.net.Signer, tx, l.net.ChainID)
	if err != nil {
		return outgoing{}, fmt.Errorf("sign %s with nonce %d: %w", s.Key, s.Nonce, err)
	}

	raw, err := got.MarshalBinary()
	if err != nil {
		return outgoing{}, fmt.Errorf("encode %s: %w", s.Key, err)
	}

	return outgoing{
		row:    s,
		number: 1,
		hash:   got.Hash(),
		raw:    raw,
		tip:    tip,
		feeCap: feeCap,
	}, nil
}

// broadcast sends stored bytes to all nodes and marks them SENT whatever the nodes say: they may be on the wire now.
// point is passed between sending and marking.
func (l *lane) broadcast(ctx context.Context, v view, out []outgoing, point string) error {
	for len(out) > 0 {
		n := 0
		size := 0

		for n < len(out) && n < maxCallsPerBatch && (n == 0 || size+len(out[n].raw) <= maxBroadcastBytes) {
			size += len(out[n].raw)
			n++
		}

		if err := l.broadcastPart(ctx, v, out[:n], point); err != nil {
			return err
		}

		out = out[n:]
	}

	return nil
}

func (l *lane) broadcastPart(ctx context.Context, v view, out []outgoing, point string) error {
	raws := make([][]byte, len(out))
	for i, o := range out {
		raws[i] = o.raw
	}

	results := l.client.SendRaw(ctx, raws, func() { failpoint.Hit("chain.mid_broadcast") })

	if point != "" {
		failpoint.Hit(point)
	}

	foreign := ""

	for i := range out {
		out[i].outcome = merged(results, i)
		if out[i].outcome == Underpriced {
			foreign = fmt.Sprintf(
				"nonce %d of %s: a node holds another transaction with it",
				out[i].row.Nonce,
				out[i].row.Key,
			)
		}
	}

	if err := l.write(ctx, func(tx *db.Tx) error { return noteBroadcast(tx, out) }); err != nil {
		return fmt.Errorf("mark as sent: %w", err)
	}

	now := l.r.db.Now()

	for _, o := range out {
		l.sentAt[o.row.ID] = now
		if _, ok := l.sentOn[o.row.ID]; !ok && v.primary != nil {
			l.sentOn[o.row.ID] = v.head.Number
		}
	}

	l.counts.broadcasts.Add(int64(len(out)))

	if foreign != "" {
		return l.freeze(ctx, foreign)
	}

	return nil
}

// merged is the best thing any node said of an attempt, except that one node which holds a rival outweighs all.
func merged(results []SentResult, i int) Outcome {
	best := Unknown

	for _, r := range results {
		switch o := r.Outcomes[i]; {
		case o == Underpriced:
			return Underpriced
		case o == Accepted, o == KnownAlready && best != Accepted, best == Unknown:
			best = o
		}
	}

	return best
}

// price is what a transaction offers now: the suggested tip, and room for the base fee to double, within the ceiling.
// ok is false when the ceiling leaves no room for a base fee that rises by one step (an eighth, EIP-1559).
func price(v view, ceiling *big.Int) (tip, feeCap *big.Int, ok bool) {
	tip = new(big.Int).Set(v.tip)
	if tip.Sign() == 0 {
		tip.SetInt64(1)
	}

	least := new(big.Int).Div(new(big.Int).Mul(v.head.BaseFee, big.NewInt(9)), big.NewInt(8))
	if least.Add(least, tip).Cmp(ceiling) > 0 {
		return nil, nil, false
	}

	feeCap = new(big.Int).Add(new(big.Int).Mul(v.head.BaseFee, big.NewInt(2)), tip)
	if feeCap.Cmp(ceiling) > 0 {
		feeCap.Set(ceiling)
	}

	return tip, feeCap, true
}
