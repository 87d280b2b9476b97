package settlement

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"slipway/internal/core/fault"
	"slipway/internal/directory/bankaccount"
	"slipway/internal/payments/chart"
	"slipway/internal/payments/effect"
	"slipway/internal/payments/receivable"
	"slipway/internal/payments/transaction"
	"slipway/internal/platform/db"
	"slipway/internal/platform/words"
	"slipway/internal/rails/bank"
)

// heldReturn returns a return that is kept as fiat. It refuses if nothing may be paid for it: the organisation owes the
// house (D-08), or the content is not what was locked (I8).
func (s *Service) heldReturn(
	ctx context.Context,
	q db.Querier,
	transactionID string,
	position int,
) (t transaction.Transaction, x PayoutReturn, err error) {
	if t, err = transaction.ByID(ctx, q, transactionID); errors.Is(err, db.ErrNone) {
		return t, x, fault.Missing("transaction")
	} else if err != nil {
		return t, x, err
	}

	blocked, err := receivable.Blocked(ctx, q, t.Organisation)

	switch {
	case err != nil:
		return t, x, err
	case blocked:
		return t, x, notResendable(owesWhy)
	case !t.ContentUnchanged():
		return t, x, notResendable(changedWhy)
	}

	all, err := ReturnsOf(ctx, q, transactionID)
	if err != nil {
		return t, x, err
	}

	for _, r := range all {
		if r.Position == position && r.State == ReturnHeld {
			return t, r, nil
		}
	}

	return t, x, notResendable("Nothing of payment %d is kept as fiat.", position+1)
}

// resendPayout returns the payout that pays a returned payment again with what came back. It goes to the locked bank
// account or to another one of the same receiver, whose version repayment also returns. The payout has its own key and
// so another end-to-end identification.
func (s *Service) resendPayout(
	ctx context.Context, q db.Querier, t transaction.Transaction, x PayoutReturn, bankAccount string, now time.Time,
) (payout bank.Payout, version int64, err error) {
	p := t.Payments[x.Position]
	if p.Outcome != transaction.PaymentReturned {
		return payout, 0, notResendable(
			"A part of payment %d came back, and the rest is paid; have the worth of the part sent to the wallet.",
			x.Position+1,
		)
	}

	number, err := s.nextAttempt(ctx, q, t, x.Position)
	if err != nil {
		return payout, 0, err
	}

	if p.BankSnapshot, version, err = accountForResend(ctx, q, t, p, bankAccount, now); err != nil {
		return payout, 0, err
	}

	_, prices, err := s.prices(ctx, q, t)
	if err != nil {
		return payout, 0, err
	}

	p.FiatUnits = x.Amount.Units()

	payout, why, err := s.payoutOf(t, p, prices[x.Position], effect.PayoutOf(t.ID, x.Position).Nth(number))
	if err == nil && why != "" {
		err = notResendable("%s.", words.English(why))
	}

	return payout, version, err
}

// nextAttempt returns the number of the next attempt to pay a payment.
func (s *Service) nextAttempt(
	ctx context.Context,
	q db.Querier,
	t transaction.Transaction,
	position int,
) (int64, error) {
	all, err := s.Bank.Payouts(ctx, q, bank.PayoutFilter{Object: t.ID})
	if err != nil {
		return 0, fmt.Errorf("payouts of %s: %w", t.ID, err)
	}

	last := int64(1)

	for _, p := range all {
		if key, ok := effect.Parse(p.Key); ok && key.First() == effect.PayoutOf(t.ID, position) {
			last = max(last, key.Attempt)
		}
	}

	return last + 1, nil
}

// accountForResend returns the bank account for a second payout: the given one of the same receiver, with its version,
// or else the locked one.
func accountForResend(
	ctx context.Context, q db.Querier, t transaction.Transaction, p transaction.Payment, id string, now time.Time,
) (snapshot string, version int64, err error) {
	if id == "" {
		return p.BankSnapshot, 0, nil
	}

	a, err := bankaccount.ByID(ctx, q, t.Organisation, id)
	if err != nil {
		return "", 0, err
	}

	if a.Receiver != p.Receiver || a.Currency != p.Currency {
		return "", 0, notResendable("The bank account is not one of the receiver's in %s.", p.Currency)
	}

	if err := a.Takes(p.Reference); err != nil {
		return "", 0, err
	}

	return a.Snapshot(), a.Version, a.Usable(now)
}

// owesWhy is the refusal of an organisation that owes the house something (D-08).
const owesWhy = "The organisation owes for a deposit that was taken back; settle that first."

func notResendable(format string, args ...any) error {
	return fault.New(fault.Conflict, fault.ReturnNotOpen, format, args...)
}

// payAgain pays a returned payment again with what came back, by a payout that repayment has made.
func (s *Service) payAgain(
	ctx context.Context,
	tx *db.Tx,
	t transaction.Transaction,
	x PayoutReturn,
	payout bank.Payout,
) error {
	key, err := keyOf(payout.Key)
	if err != nil {
		return err
	}

	if err := chart.Post(tx, chart.PaidAgain{Payout: payoutEvent(t, key, x.Position, payout)}); err != nil {
		return err
	}

	if err := s.Bank.Plan(tx, payout); err != nil {
		return err
	}

	moveReturn(tx, x, ReturnResent)

	return s.advance(ctx, tx, t, transaction.Step{
		Status:     t.Status,
		Settlement: t.Settlement,
		Info:       t.StatusInfo,
		What:       "resent",
	})
}

// resendRefused keeps a payment's fiat again, after the bank has refused the second payout.
func (s *Service) resendRefused(
	ctx context.Context,
	tx *db.Tx,
	t transaction.Transaction,
	position int,
	p chart.Payout,
	why string,
) error {
	if err := chart.Post(tx, chart.PaidAgainRefused{Payout: p}); err != nil {
		return err
	}

	all, err := ReturnsOf(ctx, tx, t.ID)
	if err != nil {
		return err
	}

	for _, r := range slices.Backward(all) { // the last one is what was paid again
		if r.Position == position && r.State == ReturnResent {
			moveReturn(tx, r, ReturnHeld)
			break
		}
	}

	if t.Payments[position].Outcome != transaction.PaymentReturned {
		if err := setOutcome(
			tx,
			&t,
			position,
			transaction.PaymentReturned,
			words.Phrase("refused when it was paid again: %s", why),
		); err != nil {
			return err
		}
	}

	return s.advanceReturn(ctx, tx, t, "")
}
