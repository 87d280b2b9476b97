package outbound

import (
	"context"
	"fmt"

	"slipway/internal/directory/network"
	"slipway/internal/payments/chart"
	"slipway/internal/payments/effect"
	"slipway/internal/payments/evidence"
	"slipway/internal/payments/ledger"
	"slipway/internal/payments/transaction"
	"slipway/internal/platform/db"
	"slipway/internal/rails/chain"
)

// ByRail returns the send that a key of the chain's rail belongs to, and its transaction. The rail reports of no other
// attempt than the latest one.
func ByRail(ctx context.Context, tx *db.Tx, key effect.Key) (Effect, transaction.Transaction, error) {
	x, err := ByKey(ctx, tx, key)
	if err != nil {
		return x, transaction.Transaction{}, err
	}

	t, err := transaction.ByID(ctx, tx, x.Transaction)
	if err != nil {
		return x, t, fmt.Errorf("transaction of send %s: %w", key, err)
	}

	if x.RailKey() != key.String() {
		return x, t, fmt.Errorf("send %s is at another attempt than %s", x.Key, key)
	}

	return x, t, nil
}

// RefusedByRail is called when the rail gives a send up before anything was signed.
func (s *Service) RefusedByRail(ctx context.Context, tx *db.Tx, key effect.Key, reason string) error {
	x, _, err := ByRail(ctx, tx, key)
	if err != nil {
		return err
	}

	return s.doubt(tx, &x, evidence.Refuses(reason))
}

// FinalOnChain is called when a send can no longer be undone. It posts the evidence and records the outcome.
func (s *Service) FinalOnChain(ctx context.Context, tx *db.Tx, key effect.Key, sent chain.Sent) error {
	x, t, err := ByRail(ctx, tx, key)
	if err != nil {
		return err
	}

	n, token, err := network.WithToken(ctx, tx, t.Network, t.Token)
	if err != nil {
		return err
	}

	if err := evidence.PostGas(tx, x.event().Of, sent); err != nil {
		return err
	}

	outcome, err := evidence.Outcome(n, batchOf(x, t, token), sent)
	switch {
	case err != nil:
		return s.unclear(ctx, tx, x, t, evidence.Contradicts(err))
	case outcome.Reverted:
		return s.doubt(tx, &x, evidence.Reverted)
	}

	paid, failed, unclear, why := evidence.Summary(outcome.Legs)

	switch {
	case unclear > 0 || paid > 0 && failed > 0:
		return s.unclear(ctx, tx, x, t, why)
	case failed > 0:
		return s.movedNothing(ctx, tx, x, t, why)
	}

	if err := chart.PostOn(tx, ledger.OfBlock(sent.MinedAt), chart.SendSettled{
		Send:   x.event(),
		Wallet: x.To,
		Hash:   sent.Hash.Hex(),
	}); err != nil {
		return err
	}

	x.Info = ""
	if err := s.become(tx, &x, Final); err != nil {
		return err
	}

	return s.Moved(ctx, tx, t, x)
}

// movedNothing records that a send was carried out and moved nothing: its number is used up and nothing arrived.
// Whether the treasury was short or the wallet refuses is checked outside of this write.
func (s *Service) movedNothing(
	ctx context.Context,
	tx *db.Tx,
	x Effect,
	t transaction.Transaction,
	why string,
) error {
	x.Info = why
	s.alarm(tx, "treasury send moved nothing", x)
	s.Proceed(tx, x.Transaction)

	if err := s.become(tx, &x, Refused); err != nil {
		return err
	}

	return s.Moved(ctx, tx, t, x)
}
