package settlement

import (
	"context"
	"errors"

	"slipway/internal/core/fault"
	"slipway/internal/payments/effect"
	"slipway/internal/payments/outbound"
	"slipway/internal/payments/transaction"
	"slipway/internal/platform/db"
)

// Reject refuses a transaction as the result of the platform's review. There are two cases.
//
// If nothing of the transaction can have left the house, it is refused for good (transaction.Service.Reject).
//
// If a FIAT transaction is held with its tokens at the treasury, for example because its payee was put on a list, it is
// not paid any more. All its tokens are to go back to its wallet, and it is FAILED when they are there. Screening
// checks that wallet before they go; if it is the listed one, the tokens stay.
//
// Everything else is answered 409, and so is a second call.
func (s *Service) Reject(ctx context.Context, transactionID, reason string, done transaction.Done) error {
	err := s.Transactions.Reject(ctx, transactionID, reason, s.MayHaveEffect, transaction.ReleaseHold, done)
	if !fault.Is(err, fault.TxNotReviewable) {
		return err
	}

	taken := false
	back := s.DB.Write(ctx, func(tx *db.Tx) (err error) {
		taken, err = s.takeBack(ctx, tx, transactionID, "Rejected in review: "+reason, done)
		return err
	})
	// neither applies, or another write moved it at the same moment
	if outbound.IgnoreStale(back) == nil && !(back == nil && taken) {
		return err
	}

	return back
}

// takeBack gives all tokens of a held transaction back. It returns false if there is nothing to give back, or if
// something may have been paid.
func (s *Service) takeBack(
	ctx context.Context,
	tx *db.Tx,
	transactionID, why string,
	done transaction.Done,
) (bool, error) {
	t, err := transaction.ByID(ctx, tx, transactionID)
	if err != nil || t.Type != transaction.TypeFiat || t.Status != transaction.StatusProcess ||
		t.Settlement != transaction.SettlementHeld {
		return false, err
	}

	state, err := s.readState(ctx, tx, t)
	if err != nil || !state.Planned || state.Changed || state.Blocked || state.ordersOpen() || len(state.Sends) > 0 {
		return false, err
	}

	refused := map[int]string{}
	for _, p := range t.Payments {
		if _, err := s.Bank.Status(ctx, tx, effect.PayoutOf(t.ID, p.Position).String()); !errors.Is(err, db.ErrNone) {
			return false, err // it is planned, and may be paid
		}

		refused[p.Position] = why
	}

	if err := s.refundAll(ctx, tx, t, refused); err != nil {
		return false, err
	}

	if t, err = transaction.ByID(ctx, tx, transactionID); err != nil {
		return false, err
	}

	return true, done(tx, t)
}

// MayHaveEffect reports whether a send of the transaction has been planned; a review can then no longer stop it.
func (s *Service) MayHaveEffect(ctx context.Context, q db.Querier, t transaction.Transaction) (bool, error) {
	if t.Type == transaction.TypeOnramp {
		// somebody's money is here
		return t.Status != transaction.StatusDraft && t.Settlement != transaction.SettlementAwaiting, nil
	}

	return s.planned(ctx, q, t)
}
