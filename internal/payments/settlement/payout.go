package settlement

import (
	"cmp"
	"context"
	"fmt"
	"slices"

	"slipway/internal/core/fault"
	"slipway/internal/directory/bankaccount"
	"slipway/internal/payments/chart"
	"slipway/internal/payments/effect"
	"slipway/internal/payments/transaction"
	"slipway/internal/platform/db"
	"slipway/internal/platform/words"
	"slipway/internal/rails/bank"
)

// The bank's rail reports through these methods, each called inside the write that records the evidence. A payout's key
// names its subject: a payment, or a deposit that goes back to its sender.

// HandedOver is called when the bank has received a payout's file for certain.
func (s *Service) HandedOver(ctx context.Context, tx *db.Tx, p bank.Payout) error {
	t, position, ok, err := s.paidBy(ctx, tx, p)
	if err != nil || !ok {
		return err
	}

	if err := setOutcome(tx, &t, position, transaction.PaymentSent, ""); err != nil {
		return err
	}

	return s.progress(ctx, tx, t)
}

// Booked is called when the bank has booked the debit of a payout: it is paid.
func (s *Service) Booked(ctx context.Context, tx *db.Tx, p bank.Payout, e bank.Entry) error {
	key, err := keyOf(p.Key)
	if err != nil {
		return err
	}

	if key.Word == effect.SendBack {
		return s.refundBooked(ctx, tx, key, p, e)
	}

	t, position, err := s.paymentOf(ctx, tx, key)
	if err != nil {
		return err
	}

	if err := chart.PostOn(tx, daysOf(e), chart.PayoutBooked{
		Payout:   payoutEvent(t, key, position, p),
		Receiver: t.Payments[position].Receiver,
		Booked:   bookingOf(p, e.Amount),
	}); err != nil {
		return err
	}

	if t.Payments[position].Outcome == "" { // the booking may be the bank's first report about it
		if err := setOutcome(tx, &t, position, transaction.PaymentSent, ""); err != nil {
			return err
		}
	}

	if err := setOutcome(tx, &t, position, transaction.PaymentCompleted, ""); err != nil {
		return err
	}

	return s.progress(ctx, tx, t)
}

// Rejected is called when the bank has refused a payout for good. The payment is FAILED, and its tokens go back to the
// wallet at the rate of the transaction.
func (s *Service) Rejected(ctx context.Context, tx *db.Tx, p bank.Payout, r bank.Reason) error {
	key, err := keyOf(p.Key)
	if err != nil {
		return err
	}

	if key.Word == effect.SendBack {
		return s.refundRejected(ctx, tx, key, p, reasonText(r))
	}

	t, position, err := s.paymentOf(ctx, tx, key)
	if err != nil {
		return err
	}

	if key.Later() { // a second payout after a return was refused: the state before it is restored
		return s.resendRefused(ctx, tx, t, position, payoutEvent(t, key, position, p), reasonText(r))
	}

	locked, prices, err := s.prices(ctx, tx, t)
	if err != nil {
		return err
	}

	trade, err := tradeOf(ctx, tx, t)
	if err != nil {
		return err
	}

	if err := chart.Post(tx, payoutRefused(trade, t, position, p, key, locked, prices)); err != nil {
		return err
	}

	why := words.Phrase("the bank refused it: %s", reasonText(r))
	if err := s.failPayment(tx, &t, position, why, refundOf(locked, prices[position])); err != nil {
		return err
	}

	s.enqueueStep(tx, t.ID)

	return s.progress(ctx, tx, t)
}

// Held is called when it is unknown whether a payout was or will be executed. A person acts next, and nothing is
// refunded.
func (s *Service) Held(ctx context.Context, tx *db.Tx, p bank.Payout, why string) error {
	s.alarm(tx, "payout held: outcome unknown", "payout", p.Key, "why", why)

	t, position, ok, err := s.paidBy(ctx, tx, p)
	if err != nil || !ok {
		return err
	}

	if t.Payments[position].Outcome == transaction.PaymentUnknown {
		return nil // it is being looked at already
	}

	if err := setOutcome(
		tx,
		&t,
		position,
		transaction.PaymentUnknown,
		words.Phrase("it is not known yet whether the bank has executed it"),
	); err != nil {
		return err
	}

	return s.progress(ctx, tx, t)
}

// PayeeChecked is called when the bank has compared a payee's name with the account's, and when it waits no longer for
// a decision about it. While it waits, the payment and the transaction say so; a payment that has ended says how.
func (s *Service) PayeeChecked(ctx context.Context, tx *db.Tx, p bank.Payout, c bank.PayeeCheck) error {
	t, position, ok, err := s.paidBy(ctx, tx, p)
	if err != nil || !ok || t.Payments[position].Outcome != transaction.PaymentSent {
		return err
	}

	why := ""
	if c.Waits {
		why = payeeText(c.Status)
	}

	if t.Payments[position].StatusInfo == why {
		return nil
	}

	if err := transaction.SetInfo(tx, t, position, why); err != nil {
		return err
	}

	t.Payments = slices.Clone(t.Payments)
	t.Payments[position].StatusInfo = why

	return s.progress(ctx, tx, t)
}

// Corrected is called when two operators have decided that what a bank says about the account of a payment is right.
// The payment was made; the payee's account is changed for the next one. What goes back to a sender has no account of a
// payee.
func (s *Service) Corrected(ctx context.Context, tx *db.Tx, p bank.Payout, right bank.Corrected) error {
	t, position, ok, err := s.paidBy(ctx, tx, p)
	if err != nil {
		return err
	}

	if !ok {
		return fault.New(fault.Conflict, fault.ApprovalOvertaken,
			"It sends a deposit back: there is no account of a payee to change.")
	}

	account, err := t.Payments[position].Account()
	if err != nil {
		return fmt.Errorf("bank account of payment %d of %s: %w", position, t.ID, err)
	}

	return s.CorrectAccount(ctx, tx, account, func(a *bankaccount.Account) {
		a.RoutingNumber = cmp.Or(right.RoutingNumber, a.RoutingNumber)
		a.AccountNumber = cmp.Or(right.AccountNumber, a.AccountNumber)
		a.AccountType = cmp.Or(right.AccountType, a.AccountType)
	})
}

// payeeText returns the statusInfo of a payment that waits because of its payee's name.
func payeeText(found bank.PayeeStatus) string {
	switch found {
	case bank.PayeeDiffers:
		return words.Phrase("the account is not in the payee's name, and the bank waits for a decision")
	case bank.PayeeClose:
		return words.Phrase("the account's name is only close to the payee's, and the bank waits for a decision")
	case bank.PayeeUnsupported:
		return words.Phrase("nobody tells in whose name the account is, and the bank waits for a decision")
	case bank.PayeeMatched, bank.PayeePending: // of a file in which another one differs
	}

	return words.Phrase("a payee's name is not the account's, and the bank waits for a decision")
}

// Credited is called with booked credits that are not returns of our payouts. It records them; a separate step matches
// those that name a transaction.
func (s *Service) Credited(ctx context.Context, tx *db.Tx, entries []bank.Entry) error {
	return s.Deposits.Credited(ctx, tx, depositsOf(entries))
}

// Debited is called with booked debits that are not payouts of ours.
func (s *Service) Debited(ctx context.Context, tx *db.Tx, entries []bank.Entry) error {
	return s.Deposits.Debited(ctx, tx, debitsOf(entries))
}

// Withdrawn is called with the movements of a booking that the bank has reported anew. See reconcile.Service.Withdrawn.
func (s *Service) Withdrawn(ctx context.Context, tx *db.Tx, entries []bank.Entry) (bool, error) {
	ids := make([]string, len(entries))
	for i, e := range entries {
		ids[i] = e.ID
	}

	return s.Deposits.Withdrawn(ctx, tx, ids)
}

// paidBy returns the payment that a payout pays, and false if it sends a deposit back.
func (s *Service) paidBy(
	ctx context.Context,
	tx *db.Tx,
	p bank.Payout,
) (t transaction.Transaction, position int, ok bool, err error) {
	key, err := keyOf(p.Key)
	if err != nil || key.Word == effect.SendBack {
		return t, 0, false, err
	}

	t, position, err = s.paymentOf(ctx, tx, key)

	return t, position, err == nil, err
}
