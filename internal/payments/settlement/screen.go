package settlement

import (
	"context"
	"fmt"

	"slipway/internal/core/fault"
	"slipway/internal/directory/analysis"
	"slipway/internal/payments/reconcile"
	"slipway/internal/payments/transaction"
	"slipway/internal/platform/db"
	"slipway/internal/platform/words"
)

// Screening is asked again before value leaves: before a transaction's own batch is planned, before money is converted,
// paid out or paid again, before a deposit goes back, and before the treasury sends tokens. What is not approved stays
// where it is. A rejection ends a transaction only while nothing of it has moved. Otherwise, and while a question is
// open, the transaction waits and continues by itself when the reason is gone.

// movesValue reports whether an action lets value leave, or converts it into what the payee gets. An order that was
// placed is followed to its end whatever screening answers, because the house must know what it owns.
func (s State) movesValue(a Action) bool {
	switch a {
	case Send, PayOut, Deliver, GiveBack:
		return true
	case Convert:
		return !s.hasOpenOrder()
	case Nothing, Fail, Hold, Wait, PlanSend: // the treasury's own send asks when it is planned
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

// wait holds a transaction for a rule and records each reason once. A CRYPTO transaction stays where it is; others are
// ON_HOLD. The sweep checks it again, and it continues by itself when the reason is gone.
func (s *Service) wait(
	ctx context.Context,
	tx *db.Tx,
	t transaction.Transaction,
	at transaction.SettlementStatus,
	why string,
) error {
	if t.Settlement == at && t.StatusInfo == why {
		return nil
	}

	s.alarm(tx, "transaction held", "transaction", t.ID, "why", why)

	return s.advance(ctx, tx, t, transaction.Step{
		Status:     t.Status,
		Settlement: at,
		Info:       why,
		What:       "held",
	})
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

// sendable reports whether screening lets the treasury send to the wallets of a sending. A sending that it does not
// permit stays wanted and the sweep retries it; until then the house keeps the tokens.
func (s *Service) sendable(ctx context.Context, t transaction.Transaction, x TreasurySend) (bool, error) {
	o, err := s.Screening.Ask(ctx, analysis.Inquiry{
		Organisation: t.Organisation,
		Object:       t.ID,
		Content:      x.Key.String(),
		Purpose:      analysis.ForSending,
		Parties: func() (out []analysis.Party, err error) {
			for _, l := range x.Legs {
				out = append(out, analysis.Party{Network: x.Network, Address: l.To})
			}

			return out, nil
		},
	})
	if err != nil {
		return false, fmt.Errorf("screen %s before sending: %w", x.Key, err)
	}

	if !o.Clear() {
		s.Log.ErrorContext(ctx, "treasury send held by screening", "sending", x.Key.String(), "why", o.Why())
	}

	return o.Clear(), nil
}
