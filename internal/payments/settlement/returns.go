package settlement

import (
	"context"
	"errors"
	"fmt"
	"strconv"

	"slipway/internal/core/money"
	"slipway/internal/payments/chart"
	"slipway/internal/payments/effect"
	"slipway/internal/payments/evidence"
	"slipway/internal/payments/ledger"
	"slipway/internal/payments/reconcile"
	"slipway/internal/payments/transaction"
	"slipway/internal/platform/db"
	"slipway/internal/platform/words"
	"slipway/internal/rails/bank"
)

// A payment that comes back is worth what its fiat is worth then: the conversion was final, and nobody holds an option
// on its rate. The organisation's policy decides whether its value goes back to the wallet in tokens or stays here as
// fiat. The difference to its value when it was paid is booked on an account of its own.

// returnKind is the kind of the job that gives a return back in tokens.
const returnKind = "return"

// Returned is called when money of an executed payout came back (D-09), all of it or a part. The transaction keeps its
// status: COMPLETED never goes back. A payment of which only charges are missing is RETURNED.
func (s *Service) Returned(ctx context.Context, tx *db.Tx, p bank.Payout, r bank.Return) error {
	key, err := keyOf(p.Key)
	if err != nil {
		return err
	}

	if key.Word == effect.SendBack {
		return s.refundReturned(ctx, tx, key.Subject, r)
	}

	t, position, err := s.paymentOf(ctx, tx, key)
	if err != nil {
		return err
	}

	booked := bookingOf(p, r.Entry.Amount)

	return s.recordReturn(ctx, tx, t, position, key, p, r, daysOf(r.Entry), chart.Returned{Booked: &booked})
}

// settleAsReturn makes a deposit in suspense the return of a payment, as two people have decided (F-10).
func (s *Service) settleAsReturn(
	ctx context.Context,
	tx *db.Tx,
	d *reconcile.Deposit,
	payout string,
) (transaction.Transaction, error) {
	none := reconcile.NoReturn("There is no such payment of ours to a bank account.")

	key, ok := effect.Parse(payout)
	if !ok || key.Word != effect.Payout {
		return transaction.Transaction{}, none
	}

	t, position, err := s.paymentOf(ctx, tx, key)
	if errors.Is(err, db.ErrNone) {
		return t, none
	}

	if err != nil {
		return t, err
	}

	p, r, err := s.Bank.RecordReturn(ctx, tx, payout, d.Entry)
	if errors.Is(err, bank.ErrNotReturn) {
		return t, reconcile.NoReturn(
			"The payment was not executed from the account of the deposit, or less of it is still out.",
		)
	}

	if err != nil {
		return t, err
	}

	if err := s.Deposits.Attribute(tx, d, t.Organisation); err != nil {
		return t, err
	}

	return t, s.recordReturn(
		ctx,
		tx,
		t,
		position,
		key,
		p,
		r,
		ledger.Days{},
		chart.Returned{Deposit: &chart.ReturnDeposit{
			Deposit: d.ForBook(),
			Account: d.Account(),
		}},
	)
}

// recordReturn records that money of a payment came back and carries out the organisation's policy. e says how
// the money arrived.
func (s *Service) recordReturn(
	ctx context.Context,
	tx *db.Tx,
	t transaction.Transaction,
	position int,
	key effect.Key,
	p bank.Payout,
	r bank.Return,
	on ledger.Days,
	e chart.Returned,
) error {
	before, err := ReturnsOf(ctx, tx, t.ID)
	if err != nil {
		return err
	}

	policy, err := PolicyOf(ctx, tx, t.Organisation)
	if err != nil {
		return fmt.Errorf("return policy of %s: %w", t.Organisation, err)
	}

	x := newReturn(t, position, p, r, policy)
	x.Charges = chargesOf(before, p.Key, r)
	e.Of = ofTransaction(t)
	e.Payout = p.Key
	e.Return = x.ID
	e.Payment = t.PaymentID(position)
	e.Receiver = t.Payments[position].Receiver
	e.Amount = x.Amount
	e.Charges = x.Charges
	e.Kept = x.kept()

	if err := chart.PostOn(tx, on, e); err != nil {
		return err
	}

	insertReturn(tx, x)

	if x.State == ReturnReceived {
		s.Jobs.Enqueue(tx, returnKind, returnKind+"/"+x.ID, x.ID)
	}

	part := words.Phrase("%[1]s of payment %[2]s came back.", evidence.Sum(x.Amount), strconv.Itoa(position+1))
	if r.Complete && isLatestPayout(before, key, position) &&
		transaction.PaymentTable().Allows(t.Payments[position].Outcome, transaction.PaymentReturned) {
		part = ""

		if err := setOutcome(
			tx,
			&t,
			position,
			transaction.PaymentReturned,
			words.Phrase("sent back by the bank: %s", reasonText(r.Reason)),
		); err != nil {
			return err
		}
	}

	return s.advanceReturn(ctx, tx, t, part)
}

// newReturn returns the record of a return.
func newReturn(t transaction.Transaction, position int, p bank.Payout, r bank.Return, policy Policy) PayoutReturn {
	x := PayoutReturn{
		ID:           r.Entry.ID,
		Payout:       p.Key,
		Transaction:  t.ID,
		Position:     position,
		Organisation: t.Organisation,
		Amount:       r.Amount,
		Deducted:     r.Deducted,
		Reason:       reasonCode(r.Reason.Code),
		RawReason:    r.Reason.Code,
		Scheme:       schemeOf(p.Rail),
		EndToEndID:   p.EndToEndID,
		Policy:       policy,
		State:        ReturnHeld,
		ReceivedAt:   r.Entry.BookedAt,
	}
	if policy == PolicyRecredit {
		x.State = ReturnReceived
	}

	return x
}

// chargesOf returns what banks have kept of a payout by its latest return, without what is booked of it already. It is
// below zero if a part arrives that was taken for charges.
func chargesOf(before []PayoutReturn, payout string, r bank.Return) money.Amount {
	charges := money.Zero(r.Amount.Asset())
	if r.Complete {
		charges = r.Deducted
	}

	for _, x := range before {
		if x.Payout == payout {
			charges = charges.Sub(x.Charges)
		}
	}

	return charges
}

// isLatestPayout reports whether a payout is the last one of its payment, so that none was paid again after it.
func isLatestPayout(returns []PayoutReturn, key effect.Key, position int) bool {
	resent := int64(0)
	for _, r := range returns {
		if r.Position == position && r.State == ReturnResent {
			resent++
		}
	}

	return max(key.Attempt, 1) > resent
}

// advanceReturn moves a transaction to RETURNED with the event transaction.returned, if it has come far enough. One
// that still has payments at the bank reports the return when it is completed. part is the statusInfo for a payment
// that stays paid.
func (s *Service) advanceReturn(ctx context.Context, tx *db.Tx, t transaction.Transaction, part string) error {
	step := transaction.Step{
		Status: t.Status,
		Info:   words.List(words.Spaces, statusInfo(t, countOutcomes(t), 0, 0), part),
		What:   "returned",
	}
	if t.Status == transaction.StatusCompleted &&
		transaction.SettlementTableOf(t.Type).Allows(t.Settlement, transaction.SettlementReturned) {
		step.Settlement = transaction.SettlementReturned
	}

	return s.advance(ctx, tx, t, step)
}

// reasonCode returns a bank's reason as the code that clients see, whatever the scheme: ISO 20022 external return
// reasons (EPC135-18 lists those of SEPA) and NACHA's R-codes.
func reasonCode(code string) string {
	switch code {
	case "AC04", "AC07", "R02":
		return "ACCOUNT_CLOSED"
	case "AC01", "AC02", "AC03", "AC13", "R03", "R04", "R13":
		return "ACCOUNT_UNKNOWN"
	case "AC06", "AC14", "R16", "R20":
		return "ACCOUNT_BLOCKED"
	case "BE01", "BE04", "BE05", "R17":
		return "NAME_MISMATCH"
	case "MS02", "MS03", "MD07", "CUST", "R23":
		return "REFUSED_BY_BENEFICIARY"
	case "RR01", "RR02", "RR03", "RR04", "AG01", "R31":
		return "REGULATORY"
	case "AM05", "DUPL", "R24":
		return "DUPLICATE"
	case "FRAD", "FRTR":
		return "FRAUD"
	case "TECH", "CNOR", "DNOR", "ED05", "TM01":
		return "TECHNICAL"
	}

	return "NOT_SPECIFIED"
}

// schemeOf returns the name of a rail's scheme, as returns use it.
func schemeOf(rail string) string {
	switch rail {
	case "SEPA_INSTANT":
		return "SEPA"
	case "FASTER_PAYMENTS":
		return "FPS"
	}

	return rail
}
