package settlement

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"slipway/internal/core/fault"
	"slipway/internal/payments/outbound"
	"slipway/internal/payments/receivable"
	"slipway/internal/payments/transaction"
	"slipway/internal/platform/db"
	"slipway/internal/platform/failpoint"
	"slipway/internal/platform/words"
)

// stepBank advances a FIAT or ONRAMP transaction by one step and reports whether another step is due now.
//
// It asks the outside first, then decides, then decides again inside the write that carries the decision out. If the
// two decisions differ, nothing is written and the next run starts over. Calling it twice is safe: the second call sees
// what the first one wrote.
func (s *Service) stepBank(ctx context.Context, t transaction.Transaction) (more bool, err error) {
	state, err := s.askOutside(ctx, t)
	if err != nil {
		return false, err // unknown is not failed: the job asks again
	}

	action, _ := next(state)
	switch action {
	case Nothing:
		return false, nil
	case Advance:
		more, err := s.Outbound.Drive(ctx, t, state.waiting())
		if errors.Is(err, outbound.ErrUnknown) {
			err = errors.Join(err, s.markUncertain(ctx, t.ID))
		}

		return more, err

	case Convert:
		if t.Type == transaction.TypeOnramp {
			return s.convertDeposit(ctx, state)
		}

		return true, s.order(ctx, state, func(tx *db.Tx, t transaction.Transaction) (map[string]exchange, error) {
			return s.fiatExchanges(ctx, tx, t)
		})

	case Fail, Hold, Send, Wait, PayOut, Deliver, GiveBack: // a write is enough
	}

	err = s.recordStep(ctx, state, action)
	action.hitFailpoint()

	if refusal, ok := fault.As(err); ok && action == GiveBack {
		return false, s.holdOnramp(ctx, t, words.Detailed(
			"The deposit could not be converted, and cannot be sent back by itself.",
			"The deposit could not be converted, and cannot be sent back by itself: "+refusal.Detail,
		))
	}

	return action == PayOut || action == Deliver, outbound.IgnoreStale(err)
}

// askOutside returns everything that the next action is decided from, with the answers of the chain and of screening
// where the action depends on them.
func (s *Service) askOutside(ctx context.Context, t transaction.Transaction) (State, error) {
	state, err := s.readState(ctx, s.DB, t)
	if err != nil {
		return state, err
	}

	if t.Type == transaction.TypeFiat && !state.Planned && t.Status == transaction.StatusProcess {
		if state.Facts, _, _, err = s.facts(ctx, t); err != nil {
			return state, err
		}

		failpoint.Hit("settle.asked")
	}

	if action, _ := next(state); action.movesValue() {
		state.Screening, err = s.screen(ctx, t)
	}

	return state, err
}

// recordStep decides once more on what the database has now, and writes the step in the same transaction.
func (s *Service) recordStep(ctx context.Context, before State, action Action) error {
	return s.DB.Write(ctx, func(tx *db.Tx) error {
		now, err := s.rereadState(ctx, tx, before)
		if err != nil {
			return err
		}

		again, why := next(now)
		if again != action {
			return nil // it has moved in the meantime: the next run decides again
		}

		return s.carryOut(ctx, tx, now, action, why)
	})
}

// hitFailpoint stops the process, in tests, after a write that has planned something.
func (a Action) hitFailpoint() {
	switch a {
	case Send:
		failpoint.Hit("settle.planned")
	case PayOut:
		failpoint.Hit("payout.planned")
	case Deliver:
		failpoint.Hit("onramp.delivery_planned")
	case Nothing, Fail, Hold, Wait, Convert, GiveBack, Advance: // nothing was planned that could be lost
	}
}

// next returns the decision for the transaction's type, after screening has limited it.
func next(state State) (Action, string) {
	decide := NextFiat
	if state.T.Type == transaction.TypeOnramp {
		decide = NextOnramp
	}

	action, why := decide(state)
	if action.movesValue() {
		return screened(action, why, state.Screening)
	}

	return action, why
}

// carryOut writes what was decided on the state read in the same write.
func (s *Service) carryOut(ctx context.Context, tx *db.Tx, state State, action Action, why string) (err error) {
	t := state.T
	switch action {
	case Wait:
		return s.wait(ctx, tx, t, transaction.SettlementHeld, why)
	case PayOut:
		return s.payOut(ctx, tx, t, state)
	case Deliver:
		return s.deliver(ctx, tx, t)
	case GiveBack:
		return s.sendDepositBack(ctx, tx, t, words.Phrase("The deposit could not be converted."))
	case Fail, Hold, Send:
		if !state.Planned { // one that was held before its tokens were pulled continues there
			if t, err = s.resume(ctx, tx, t, transaction.SettlementPulling); err != nil {
				return err
			}
		}

	case Nothing, Convert, Advance: // never carried out by a write alone
	}

	switch action {
	case Fail:
		return s.fail(ctx, tx, t, why)
	case Hold:
		return s.hold(ctx, tx, t, why)
	case Send:
		return s.pull(ctx, tx, t)
	default:
		return fmt.Errorf("transaction %s: no write carries out action %d", t.ID, action)
	}
}

// readState reads everything that the next action is decided from.
func (s *Service) readState(ctx context.Context, q db.Querier, t transaction.Transaction) (state State, err error) {
	state.T = t
	state.Changed = !t.ContentUnchanged()

	state.Currencies = []string{t.AmountCurrency}
	if t.Type == transaction.TypeFiat {
		state.Currencies = currencies(t)
		if state.Planned, err = s.planned(ctx, q, t); err != nil {
			return state, err
		}
	}

	if state.Blocked, err = receivable.Blocked(ctx, q, t.Organisation); err != nil {
		return state, err
	}

	all, err := outbound.Of(ctx, q, t.ID)
	for _, x := range all {
		if x.IsOrder() {
			state.Orders = append(state.Orders, x)
		} else {
			state.Sends = append(state.Sends, x)
		}
	}

	return state, err
}

// rereadState reads it again inside a write, and keeps the answers from outside.
func (s *Service) rereadState(ctx context.Context, tx *db.Tx, before State) (State, error) {
	t, err := transaction.ByID(ctx, tx, before.T.ID)
	if err != nil {
		return State{}, err
	}

	state, err := s.readState(ctx, tx, t)
	state.Facts = before.Facts
	state.Screening = before.Screening

	return state, err
}

// currencies returns the currencies of the payments, each once, in the order of first mention.
func currencies(t transaction.Transaction) []string {
	var out []string
	for _, p := range t.Payments {
		if !slices.Contains(out, p.Currency) {
			out = append(out, p.Currency)
		}
	}

	return out
}
