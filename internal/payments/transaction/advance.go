package transaction

import (
	"context"
	"errors"
	"fmt"

	"slipway/internal/core/caller"
	"slipway/internal/core/fault"
	"slipway/internal/payments/quote"
	"slipway/internal/platform/db"
	"slipway/internal/platform/trail"
	"slipway/internal/platform/words"
)

// Step is one move of a transaction: the new status, the reason, and the name of the event that announces it.
type Step struct {
	Status     Status
	Settlement SettlementStatus // empty: unchanged
	Info       string           // the new statusInfo, a value of words.Phrase; it replaces the old one
	What       string           // event type after "transaction."
}

// Advance moves a transaction that was read in this write body and returns it as it is afterwards. It is the only
// writer of status: it checks both tables, guards the row by its version, and writes timeline, event and audit line. If
// another write moved the row in the meantime, the whole write fails with db.ErrStale.
func (s *Service) Advance(ctx context.Context, tx *db.Tx, t Transaction, step Step) (Transaction, error) {
	next, err := t.moved(step)
	if err != nil {
		return t, err
	}

	next.UpdatedAt = tx.Now
	storeMove(tx, t, next, "")
	next.steps = insertStep(tx, t, next, actorOf(ctx))

	if t.Type != TypeCrypto && next.Status == StatusFailed && t.Status != StatusFailed {
		if err := quote.Release(tx, t.ID); err != nil { // an amount that was not paid counts towards no limit
			return t, err
		}
	}

	if err := s.notifyPayables(ctx, tx, next); err != nil {
		return t, err
	}

	return next, s.record(ctx, tx, next, step.What)
}

// Relock stores the new price of a waiting transaction, of its payments and of its reservation, with a new content
// hash. Like Advance it takes the transaction as this write body has read it.
func (s *Service) Relock(ctx context.Context, tx *db.Tx, t Transaction) error {
	t.ContentHash = t.contentHash()
	lockPrice(tx, t)

	if t.Manner != "" { // the signature was for another debit
		if err := unsign(tx, t.ID); err != nil {
			return err
		}

		t.Manner = ""
	}

	reserveAnew(tx, t)

	_, err := s.Advance(ctx, tx, t, Step{Status: t.Status, What: "quoted"})

	return err
}

// Change runs a body in a write, with the caller's transaction as that write has read it.
func (s *Service) Change(ctx context.Context, transactionID string, body func(tx *db.Tx, t Transaction) error) error {
	return s.Write(ctx, func(tx *db.Tx) error {
		t, err := s.Find(ctx, tx, transactionID)
		if err != nil {
			return err
		}

		return body(tx, t)
	})
}

// Commented counts a comment that the transaction shows from now on, in the write of the comment. Like every change it
// raises the version: who accepts with the version read before it is told to look again. It refuses nothing.
func (s *Service) Commented(ctx context.Context, tx *db.Tx, transactionID string) error {
	t, err := find(ctx, tx, transactionID)
	if err != nil {
		return err
	}

	addComment(tx, t)
	t.Version++

	return s.record(ctx, tx, t, "commented")
}

// Write runs a body that reads what it changes. Of two concurrent writes, the second can meet a row of the first before
// the database reports that its snapshot is out of date. In that case the body runs once more and sees what the first
// has written.
func (s *Service) Write(ctx context.Context, body func(tx *db.Tx) error) error {
	err := s.DB.Write(ctx, body)
	if overtaken(err) {
		err = s.DB.Write(ctx, body)
	}

	return err
}

// overtaken reports whether a write failed because another one moved the transaction in the meantime, or closed a gate.
func overtaken(err error) bool {
	return db.Overtaken(err, "transaction_history", "journals", "reservations", "quotes")
}

// moved returns the transaction with a step applied. It writes nothing.
func (t Transaction) moved(step Step) (Transaction, error) {
	next := t
	next.Status = step.Status
	next.StatusInfo = step.Info

	next.Version = t.Version + 1
	if step.Settlement != "" {
		next.Settlement = step.Settlement
	}

	if !TableOf(t.Type).Allows(t.Status, next.Status) {
		return t, fmt.Errorf("transaction %s: %s to %s is no move", t.ID, t.Status, next.Status)
	}

	if !SettlementTableOf(t.Type).Allows(t.Settlement, next.Settlement) {
		return t, fmt.Errorf("transaction %s: settlement %s to %s is no move", t.ID, t.Settlement, next.Settlement)
	}

	return next, nil
}

func actorOf(ctx context.Context) string {
	if p := caller.Of(ctx); p.User != "" {
		return p.User
	}

	return trail.System
}

// SetOutcome records the outcome of one payment of a transaction that was read in this write body. An Advance in the
// same write must raise the transaction's version, or readers will not look at its payments again. SetOutcome returns
// an error when the payment's table has no such move from its present outcome. Outcomes on a chain are final, so a
// CRYPTO payment has one only once. If another write moved the payment in the meantime, the whole write fails with
// db.ErrStale.
func SetOutcome(tx *db.Tx, t Transaction, position int, outcome PaymentStatus, info string) error {
	if position < 0 || position >= len(t.Payments) {
		return fmt.Errorf("transaction %s has no payment %d", t.ID, position)
	}

	from := t.Payments[position].Outcome
	if !paymentTable.Allows(from, outcome) || (t.Type == TypeCrypto && from != "") {
		return fmt.Errorf("transaction %s: payment %d from %q to %s is no move", t.ID, position, from, outcome)
	}

	setOutcome(tx, t.ID, from, Payment{Position: position, Outcome: outcome, StatusInfo: info})

	return nil
}

// SetInfo records what there is to say of one payment, whose outcome stays as it is. It is like SetOutcome in all else.
func SetInfo(tx *db.Tx, t Transaction, position int, info string) error {
	if position < 0 || position >= len(t.Payments) {
		return fmt.Errorf("transaction %s has no payment %d", t.ID, position)
	}

	at := t.Payments[position].Outcome
	setOutcome(tx, t.ID, at, Payment{Position: position, Outcome: at, StatusInfo: info})

	return nil
}

// ReleaseReservation frees what submit reserved of the wallet; a draft has reserved nothing.
func ReleaseReservation(tx *db.Tx, t Transaction) {
	if t.Status != StatusDraft {
		releaseReservation(tx, t.ID)
	}
}

// Stranded returns transactions that have been PROCESSING since before a moment, without their payments. It returns at
// most limit of them, those after an id, so that the sweep can page through them and enqueue their jobs again.
func Stranded(ctx context.Context, q db.Querier, before int64, after string, limit int) ([]Transaction, error) {
	return stranded(ctx, q, before, after, limit)
}

// Reject refuses a transaction for good, as the result of the platform's review. It is refused itself once an effect
// outside may have been sent.
func (s *Service) Reject(
	ctx context.Context,
	transactionID, reason string,
	mayHaveEffect func(ctx context.Context, q db.Querier, t Transaction) (bool, error),
	releaseHold func(tx *db.Tx, t Transaction) error,
	done Done,
) error {
	return s.Write(ctx, func(tx *db.Tx) error {
		t, err := find(ctx, tx, transactionID)
		if errors.Is(err, db.ErrNone) {
			return fault.Missing("transaction")
		}

		if err != nil {
			return err
		}

		if err := caller.Unchanged(ctx, t.Version); err != nil {
			return err
		}

		sent, err := mayHaveEffect(ctx, tx, t)
		if err != nil {
			return err
		}

		if sent || !TableOf(t.Type).Allows(t.Status, StatusRejected) {
			return fault.New(
				fault.Conflict,
				fault.TxNotReviewable,
				"The transaction is %s and may already have had an effect; it can no longer be rejected.",
				t.Status,
			)
		}

		step := Step{
			Status: StatusRejected,
			Info:   words.Phrase("Rejected in review: %s", reason),
			What:   "rejected",
		}
		if t.Status == StatusProcess { // accept put the debit on hold
			step.Settlement = SettlementIdle

			if err := releaseHold(tx, t); err != nil {
				return err
			}
		}

		if err := s.Kinds[t.Type].Cancel(tx, t); err != nil {
			return err
		}

		if t, err = s.Advance(ctx, tx, t, step); err != nil {
			return err
		}

		return done(tx, t)
	})
}
