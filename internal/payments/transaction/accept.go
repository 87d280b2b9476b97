package transaction

import (
	"context"
	"errors"

	"slipway/internal/core/caller"
	"slipway/internal/core/fault"
	"slipway/internal/directory/analysis"
	"slipway/internal/directory/wallet"
	"slipway/internal/identity/organisation"
	"slipway/internal/payments/chart"
	"slipway/internal/payments/quote"
	"slipway/internal/platform/db"
	"slipway/internal/platform/failpoint"
	"slipway/internal/platform/trail"
	"slipway/internal/rails/chain/contract"
)

// Accept commits the organisation to paying the transaction. One write moves the transaction to PROCESSING, holds its
// amount in the ledger and enqueues the settlement job. From then on the payment happens exactly once, whatever fails.
//
// The gates stand in the same guarded statement as the move: organisation APPROVED, member AUTHORIZED, its policy,
// wallet proven and screened. So a revocation that committed first wins (N-04).
//
// A second call is refused: the transaction is no longer WAITING_ACCEPTANCE. Of many concurrent calls, one takes effect
// (N-01).
//
// Accept does not read again what this process submitted itself: the guard compares version and content hash. It does
// read what another process submitted, or what was submitted too long ago to be cached.
func (s *Service) Accept(ctx context.Context, transactionID string, done Done) error {
	t, ok := s.recalled.submitted.Find(transactionID)
	if ok && t.Organisation == caller.Of(ctx).Organisation {
		err := s.accept(ctx, t, 0, done)
		if err == nil || errors.Is(err, db.ErrUnknown) || s.recalled.current(ctx, t) {
			return err
		}
	}

	t, err := s.Find(ctx, s.DB, transactionID)
	if err != nil {
		return err
	}

	return s.accept(ctx, t, 0, done)
}

// AcceptSigned stores what the payer has signed and accepts the transaction with it: see Sign and Accept. If accept
// refuses, the signature stays stored.
func (s *Service) AcceptSigned(
	ctx context.Context,
	transactionID string,
	m contract.Manner,
	body SignedBody,
	done Done,
) error {
	if err := s.Sign(ctx, transactionID, m, body); err != nil {
		return err
	}

	t, err := s.Find(ctx, s.DB, transactionID)
	if err != nil {
		return err
	}

	return s.accept(ctx, t, 1, done)
}

// accept accepts a transaction whose version this request has raised by so many itself.
func (s *Service) accept(ctx context.Context, t Transaction, raised int64, done Done) error {
	guard, judged, err := s.acceptable(ctx, t, raised)
	if err != nil {
		return err
	}

	err = s.DB.Write(ctx, func(tx *db.Tx) error {
		if guard != nil {
			if err := guard(ctx, tx); err != nil {
				return err
			}
		}

		if err := checkAgain(ctx, tx, t); err != nil {
			return err
		}

		judged := judged // a write body may run twice

		var err error
		if judged.Several, err = s.EnoughAccept(ctx, tx, t); err != nil {
			return err
		}

		next, err := s.recordAcceptance(ctx, tx, t, judged)
		if err != nil {
			return err
		}

		failpoint.Hit("accept.before_commit")
		s.recalled.dropSubmitted(tx, t.ID)

		return done(tx, next)
	})
	if err == nil {
		failpoint.Hit("accept.after_commit")
		return nil
	}

	if overtaken(err) {
		return s.whyNotAccepted(ctx, t.ID)
	}

	if errors.Is(err, quote.ErrExpired) { // the quote was still valid a moment ago
		if _, err = s.Kinds[t.Type].Acceptable(ctx, s, t); err == nil { // another caller has locked a new price since
			return s.whyNotAccepted(ctx, t.ID)
		}
	}

	return err
}

// acceptable asks, before the write, everything that the outside must answer. It returns what is checked again inside
// the write, and the policy versions that the accepting statement compares with.
func (s *Service) acceptable(
	ctx context.Context,
	t Transaction,
	raised int64,
) (guard Guard, by organisation.Judged, err error) {
	if err := caller.Unchanged(ctx, t.Version-raised); err != nil {
		return nil, by, err // the accepting statement compares it with the version that was read here
	}

	if err := s.offers(t); err != nil {
		return nil, by, err
	}

	if guard, err = s.Kinds[t.Type].Acceptable(ctx, s, t); err != nil {
		return nil, by, err
	}

	if _, err := s.screen(ctx, t, analysis.ForAccept); err != nil {
		return nil, by, err
	}

	if err := s.checkProof(ctx, t); err != nil {
		return nil, by, err
	}

	if err := s.checkIntent(ctx, t); err != nil {
		return nil, by, err
	}

	by, err = s.Judge(ctx, t)

	return guard, by, err
}

// Judge compares the caller, and the wallet that pays, with the organisation's policy. It returns the versions that an
// accepting statement compares with (organisation.AcceptGate), or the refusal. CheckGates says which gate was closed.
func (s *Service) Judge(ctx context.Context, t Transaction) (by organisation.Judged, err error) {
	if by.Payer, err = s.payerRules(ctx, t); err != nil {
		return by, err
	}

	by.StandsInFor = caller.Of(ctx).StandsInFor
	by.FourEyes, err = s.fourEyes(ctx, t)

	return by, err
}

// recordAcceptance moves the transaction to PROCESSING in one guarded statement with all gates, holds its debit in the
// ledger and enqueues the settlement job.
func (s *Service) recordAcceptance(
	ctx context.Context,
	tx *db.Tx,
	t Transaction,
	by organisation.Judged,
) (Transaction, error) {
	user := caller.Of(ctx).User

	next, err := t.moved(Step{Status: StatusProcess, Settlement: s.Kinds[t.Type].Traits().Accepted})
	if err != nil {
		return t, err
	}

	next.AcceptedBy = user
	next.AcceptedAt = tx.Now
	next.UpdatedAt = tx.Now

	args := []any{t.ContentHash}
	args = append(args, organisation.GateArgs(t.Organisation, user, by, tx.Now)...)
	args = append(args, wallet.UsableGateArgs(t.Wallet, tx.Now)...)
	storeMove(tx, t, next, " AND content_hash = ? AND "+organisation.AcceptGate+" AND "+wallet.UsableGate, args...)
	next.steps = insertStep(tx, t, next, user)
	next.begun = true

	if err := chart.Post(tx, chart.Accepted{Debit: t.DebitEvent()}); err != nil {
		return t, err
	}

	s.Settle(tx, t.ID)

	if by.StandsInFor != "" {
		trail.Audit(ctx, tx, t.Organisation, "transaction.accepted_for", t.ID, by.StandsInFor)
	}

	return next, s.record(ctx, tx, next, "accepted")
}

// DebitEvent returns what the transaction takes from its wallet, for the events of the book.
func (t Transaction) DebitEvent() chart.Debit {
	return chart.Debit{
		Of:      chart.Of{Organisation: t.Organisation, Transaction: t.ID},
		Network: t.Network,
		Wallet:  t.WalletAddress,
		Amount:  t.DebitAmount(),
	}
}

// ReleaseHold posts the reversal of the hold in the ledger. Call it only when nothing was sent and nothing will be.
func ReleaseHold(tx *db.Tx, t Transaction) error {
	return chart.Post(tx, chart.Released{Debit: t.DebitEvent()})
}

// NotWaiting returns the refusal to accept the transaction in its present status.
func (t Transaction) NotWaiting() error {
	return fault.New(
		fault.Conflict,
		fault.TxNotWaiting,
		"The transaction is %s; only one that is WAITING_ACCEPTANCE can be accepted.",
		t.Status,
	)
}

// whyNotAccepted reads the transaction again after the guarded move touched no row, and returns the gate that was
// closed as an error.
func (s *Service) whyNotAccepted(ctx context.Context, transactionID string) error {
	t, err := s.stillWaits(ctx, transactionID)
	if err != nil {
		return err
	}

	if t.paidByWallet() {
		if _, err := s.payerVersion(ctx, t); err != nil {
			return err
		}
	}

	if _, err := s.enoughVersion(ctx, s.DB, t); err != nil {
		return err
	}

	return changedMeanwhile()
}

// stillWaits reads a transaction that waits and whose gates are open, or returns what is closed.
func (s *Service) stillWaits(ctx context.Context, transactionID string) (Transaction, error) {
	t, err := s.Find(ctx, s.DB, transactionID)
	if err != nil {
		return t, err
	}

	if t.Status != StatusWaiting {
		return t, t.NotWaiting()
	}

	return t, s.CheckGates(ctx, t)
}

func changedMeanwhile() error {
	return fault.New(fault.Conflict, fault.TxChanged, "The transaction was changed at the same moment. Read it again.")
}

// CheckGates checks one by one the gates of accept's statement and returns the reason of the first that is closed. What
// the wallet has signed is not looked at: a price that is locked anew comes first, and is signed anew.
func (s *Service) CheckGates(ctx context.Context, t Transaction) error {
	p := caller.Of(ctx)

	o, err := organisation.ByID(ctx, s.DB, t.Organisation)
	if err != nil {
		return err
	}

	if err := o.Approved(); err != nil {
		return err
	}

	m, err := organisation.MemberOf(ctx, s.DB, t.Organisation, p.User)
	if err != nil {
		return err
	}

	if err := organisation.MayAccept(ctx, s.DB, m, p.StandsInFor, s.DB.Now()); err != nil {
		return err
	}

	if _, err := s.policyVersion(ctx, s.DB, p, t); err != nil {
		return err
	}

	w, err := s.payingWallet(ctx, t)
	if err != nil {
		return err
	}

	return w.Usable(s.DB.Now())
}

// payingWallet reads the wallet that pays. If the wallet was deleted, the refusal is a reason against the transaction
// and not an unknown record, because the transaction that was asked for exists.
func (s *Service) payingWallet(ctx context.Context, t Transaction) (wallet.Wallet, error) {
	w, err := wallet.ByID(ctx, s.DB, t.Organisation, t.Wallet)
	if fault.Is(err, fault.NotFoundCode) {
		return w, fault.New(fault.Invalid, fault.WalletUnknown, "The paying wallet is deleted.")
	}

	return w, err
}
