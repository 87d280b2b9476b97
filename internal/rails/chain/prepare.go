package chain

import (
	"context"
	"errors"
	"fmt"
	"math/big"

	"github.com/ethereum/go-ethereum/common"

	"slipway/internal/platform/db"
	"slipway/internal/platform/halt"
)

// prepare gives nonces to planned sends, stores their signed bytes and broadcasts them. It does not wait for the chain.
// more reports whether further sends are planned.
func (l *lane) prepare(ctx context.Context, v view) (more bool, err error) {
	if l.row.next >= 0 && l.compared && v.confirmed && v.mined > uint64(l.row.next) {
		return false, l.freeze(
			ctx,
			fmt.Sprintf(
				"the chain counts %d transactions of the signer, our next nonce is %d: someone else uses the key, "+
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
		note = noteHalted // clients read this text: the figures are for operators
	case l.waitsForSigner != "":
		note = l.waitsForSigner
	case !l.compared:
		note = "the nodes' answers contradict what was seen before"

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
		if ready, note, err = l.selectReady(ctx, v, planned, feeCap); err != nil {
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

// noteHalted is the note while new sends are halted.
const noteHalted = "new sends are halted while the house's balances or the network's tokens are checked"

// halted returns why new sends are halted. It asks only if there are planned sends.
func (l *lane) halted(ctx context.Context, planned []sendRow) (string, error) {
	if len(planned) == 0 {
		return "", nil
	}

	return halt.Why(ctx, l.r.db, HaltName(l.net.ID))
}

// selectReady returns the planned sends that can go now: within the limit of sends in flight, with a gas limit, and
// affordable. note states why others cannot.
func (l *lane) selectReady(
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

	planned, decided, err := l.withoutEffect(ctx, v, planned)
	if err != nil || len(planned) == 0 {
		return nil, decided, err
	}

	if planned, err = l.estimateGas(ctx, v, planned); Classify(err) == Unfunded {
		l.short = true
		return nil, fmt.Sprintf("the signer %s is out of gas money: it holds %s wei", l.address, v.balance), nil
	} else if err != nil {
		return nil, "", err
	}

	fees, err := l.dataFees(ctx, v, planned)
	if err != nil {
		return nil, "", err
	}

	left, err := l.reserved(ctx, v.mined)
	if err != nil {
		return nil, "", fmt.Errorf("read reserved gas: %w", err)
	}

	left.Sub(v.balance, left)

	for i, s := range planned {
		gas := uint64(s.GasLimit)
		room := cost(gas, new(big.Int).Sub(l.net.MaxFeePerGasWei, feeCap), new(big.Int))

		if fees[i].Cmp(room) > 0 {
			const dear = "the fee for data on Ethereum is above the ceiling: %s wei for %s, besides %d gas at %s"
			return planned[:i], fmt.Sprintf(dear, fees[i], s.Key, gas, feeCap), nil
		}

		left.Sub(left, cost(gas, feeCap, number(s.Value)))
		left.Sub(left, fees[i])

		if left.Sign() < 0 {
			l.short = true

			return planned[:i], fmt.Sprintf(
				"the signer %s is out of gas money: it holds %s wei and lacks %s",
				l.address,
				v.balance,
				new(big.Int).Neg(left),
			), nil
		}
	}

	return planned, decided, nil
}

// estimateGas sets each send's gas limit: the planner's, or the node's estimate plus a quarter or the network's
// headroom. A send that reverts in several blocks, or needs more gas than a transaction may have, is refused: nothing
// of it was signed.
func (l *lane) estimateGas(ctx context.Context, v view, planned []sendRow) ([]sendRow, error) {
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

// reverted counts an estimate that reverts, once per head. If enough estimates revert and enough nodes agree, the send
// is refused. If another node has an estimate, reverted returns that one: a call that reverts on the chain costs gas, a
// wrong refusal costs a payment. Any other error is returned: it proves nothing about the send.
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
		return 0, fmt.Errorf("only one node answers: %w", err)
	}

	return 0, l.refuse(ctx, s, revertReason(err))
}

func estimateCall(from common.Address, s sendRow) call {
	m := CallMsg{From: from, To: common.HexToAddress(s.To), Data: s.Data, Value: number(s.Value)}
	return call{"eth_estimateGas", []any{m.wire()}}
}

// revertReason returns the node's text with the revert data, which the caller's contract binding can decode.
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
		if s.Reopened { // it was posted as final: a person must check
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

// price returns the fees of a new transaction: the suggested tip, and room for the base fee to double, within the
// ceiling. ok is false if the ceiling leaves no room for a base fee that rises by one step (an eighth, EIP-1559).
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
