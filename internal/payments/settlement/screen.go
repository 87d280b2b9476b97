package settlement

import (
	"context"
	"fmt"

	"slipway/internal/core/fault"
	"slipway/internal/directory/analysis"
	"slipway/internal/payments/reconcile"
	"slipway/internal/payments/transaction"
	"slipway/internal/platform/words"
)

// Screening is asked again before value leaves: before a transaction's own batch is planned, before money is converted,
// paid out or paid again, before a deposit goes back, and before the treasury sends tokens. What is not approved stays
// where it is. A rejection ends a transaction only while nothing of it has moved. Otherwise, and while a question is
// open, the transaction waits and continues by itself when the reason is gone.

// movesValue reports whether an action lets value leave, or converts it into what the payee gets. An order that was
// placed is followed to its end whatever screening answers, because the house must know what it owns.
func (a Action) movesValue() bool {
	switch a {
	case Send, Convert, PayOut, Deliver, GiveBack:
		return true
	case Nothing, Fail, Hold, Wait, Advance: // the treasury's own send asks when it is planned
		return false
	}

	return false
}

// screened returns the action that screening permits in place of an action that moves value.
func screened(a Action, why string, o analysis.Outcome) (Action, string) {
	switch {
	case o.Clear():
		return a, why
	case a == Send && o.Rejected():
		return Fail, notCleared(o)
	}

	return Wait, notCleared(o)
}

// notCleared returns the statusInfo of a transaction that screening stops.
func notCleared(o analysis.Outcome) string {
	if o.Rejected() {
		return words.Detailed("Screening has rejected somebody or a wallet that has a part in it.", o.Why())
	}

	return words.Detailed("Screening has not cleared everybody who has a part in it yet.", o.Why())
}

// screen asks screening about everybody that a transaction moves value from or to, and about the sender of its deposit.
// It calls outside, so it runs before the write.
func (s *Service) screen(ctx context.Context, t transaction.Transaction) (analysis.Outcome, error) {
	var senders []string

	if t.Type == transaction.TypeOnramp {
		deposits, err := reconcile.OfTransactions(ctx, s.DB, t.ID)
		if err != nil {
			return analysis.Outcome{}, fmt.Errorf("deposits of %s: %w", t.ID, err)
		}

		for _, d := range deposits[t.ID] {
			senders = append(senders, d.SenderName)
		}
	}

	o, err := s.Screening.Ask(ctx, transaction.Inquiry(t, analysis.ForSending, senders...))
	if err != nil {
		return o, fmt.Errorf("screen %s before sending: %w", t.ID, err)
	}

	return o, nil
}

// returnable refuses to send a deposit back to somebody whom screening does not approve.
func (s *Service) returnable(ctx context.Context, d reconcile.Deposit) error {
	o, err := s.Screening.Ask(ctx, analysis.Inquiry{
		Organisation: d.Organisation,
		Object:       d.Entry,
		Purpose:      analysis.ForSending,
		Parties:      func() ([]analysis.Party, error) { return []analysis.Party{{Name: d.SenderName}}, nil },
	})
	if err != nil {
		return fmt.Errorf("screen the sender of deposit %s: %w", d.Entry, err)
	}

	if !o.Clear() {
		return fault.New(fault.Conflict, fault.DepositNotReturnable, "The deposit stays here. %s", o.Why())
	}

	return nil
}
