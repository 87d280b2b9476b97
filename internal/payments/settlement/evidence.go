package settlement

import (
	"context"

	"slipway/internal/payments/chart"
	"slipway/internal/payments/effect"
	"slipway/internal/payments/evidence"
	"slipway/internal/payments/ledger"
	"slipway/internal/payments/outbound"
	"slipway/internal/payments/transaction"
	"slipway/internal/platform/db"
	"slipway/internal/platform/words"
	"slipway/internal/rails/chain"
)

// Seen is called when a send is in a block for the first time, or again after a reorganisation. It moves the
// transaction to RELEASED. It posts nothing, because a block may still be replaced.
func (s *Service) Seen(ctx context.Context, tx *db.Tx, sent chain.Sent) error {
	key, err := keyOf(sent.Key)

	switch {
	case err != nil:
		return err
	case key.Word == effect.Delivery:
		_, t, err := outbound.ByRail(ctx, tx, key)
		if err != nil {
			return err
		}

		return s.deliverySeen(ctx, tx, t)
	case key.ByTreasury():
		return nil // a refund counts only once it is final
	}

	t, err := s.transactionOf(ctx, tx, key)
	if err != nil || t.Type == transaction.TypeFiat {
		return err // the tokens are on their way to the treasury; that releases nothing
	}

	step := transaction.Step{
		Status:     transaction.StatusReleased,
		Settlement: transaction.SettlementSent,
		What:       "released",
	}
	if t.Status == transaction.StatusReleased {
		step.Info = words.Phrase("On the chain again after a reorganisation.")
		step.What = "resent"
	}

	return s.advance(ctx, tx, t, step)
}

// Lost is called when the block of a send was replaced; the rail sends the same bytes again. The interface has no way
// back from RELEASED, so Lost changes only statusInfo.
func (s *Service) Lost(ctx context.Context, tx *db.Tx, sent chain.Sent) error {
	key, err := keyOf(sent.Key)
	if err != nil || key.ByTreasury() && key.Word != effect.Delivery {
		return err
	}

	t, err := s.transactionOf(ctx, tx, key)
	if err != nil {
		return err
	}

	return s.advance(ctx, tx, t, transaction.Step{
		Status: t.Status, What: "reorganised",
		Info: words.Phrase("The chain replaced the block; the same transaction was sent again."),
	})
}

// Refused is called when the rail gives a send up before anything was signed: it would revert, or could never be paid
// for.
func (s *Service) Refused(ctx context.Context, tx *db.Tx, send, reason string) error {
	key, err := keyOf(send)
	if err != nil {
		return err
	}

	if key.ByTreasury() {
		return s.Outbound.RefusedByRail(ctx, tx, key, reason)
	}

	t, err := s.transactionOf(ctx, tx, key)
	if err != nil {
		return err
	}

	return s.doubt(ctx, tx, t, evidence.Refuses(reason))
}

// Final is called when a send can no longer be undone. It posts the evidence and records the outcome of every payment.
func (s *Service) Final(ctx context.Context, tx *db.Tx, sent chain.Sent) error {
	if chain.IsFiller(sent.Key) {
		return evidence.PostGas(tx, chart.Of{}, sent)
	}

	key, err := keyOf(sent.Key)
	if err != nil {
		return err
	}

	if key.ByTreasury() {
		return s.Outbound.FinalOnChain(ctx, tx, key, sent)
	}

	t, err := s.transactionOf(ctx, tx, key)
	if err != nil {
		return err
	}

	if err := evidence.PostGas(tx, ofTransaction(t), sent); err != nil {
		return err
	}

	if t.Type == transaction.TypeFiat {
		return s.pulled(ctx, tx, t, sent)
	}

	outcome, err := s.outcome(ctx, tx, t, sent)
	switch {
	case err != nil:
		return s.hold(ctx, tx, t, evidence.Contradicts(err))
	case outcome.Reverted:
		return s.doubt(ctx, tx, t, evidence.Reverted)
	}

	return s.post(ctx, tx, t, ledger.OfBlock(sent.MinedAt), outcome.Legs)
}
