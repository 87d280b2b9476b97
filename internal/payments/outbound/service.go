package outbound

import (
	"context"
	"errors"
	"fmt"
	"log/slog"

	"slipway/internal/directory/analysis"
	"slipway/internal/payments/transaction"
	"slipway/internal/platform/db"
	"slipway/internal/platform/words"
	"slipway/internal/rails/chain"
	"slipway/internal/rails/liquidity"
)

// Deps are the service's dependencies.
type Deps struct {
	DB        *db.DB
	Rail      *chain.Rail
	Liquidity *liquidity.Providers // nil: there are no orders
	Screening *analysis.Service
	Log       *slog.Logger

	// Client returns the client for a network's nodes once the network has passed its check.
	Client func(ctx context.Context, network string) (*chain.Client, error)
	// Proceed enqueues the next step of a transaction.
	Proceed func(tx *db.Tx, transaction string)
	// Moved tells a transaction what has become of a send of its. Of what is in doubt it is told only where a person
	// has to look.
	Moved func(ctx context.Context, tx *db.Tx, t transaction.Transaction, x Effect) error
}

// become stores an effect in its next state, guarded by the version that was read.
func (s *Service) become(tx *db.Tx, x *Effect, to State) error {
	if !states.Allows(x.State, to) {
		return fmt.Errorf("effect %s cannot become %s from %s", x.Key, to, x.State)
	}

	before := x.Version
	x.State = to
	x.Version++
	x.UpdatedAt = tx.Now
	table.Update(tx, rowOf(*x), before)

	return nil
}

// want stores an effect that has been decided.
func (s *Service) want(tx *db.Tx, x Effect) {
	x.State = Wanted
	x.Version = 1
	x.CreatedAt = tx.Now
	x.UpdatedAt = tx.Now
	table.Insert(tx, rowOf(x))
}

// unlessOvertaken runs a body on an effect as it is now, if it is still as it was read. Otherwise another run was
// first, and has stored what came of it.
func (s *Service) unlessOvertaken(ctx context.Context, was Effect, body func(tx *db.Tx, x Effect) error) error {
	err := s.DB.Write(ctx, func(tx *db.Tx) error {
		x, err := ByKey(ctx, tx, was.Key)
		if err != nil || x.Version != was.Version {
			return err
		}

		return body(tx, x)
	})

	return IgnoreStale(err)
}

// IgnoreStale returns nil if another run wrote the same first; its result is stored already.
func IgnoreStale(err error) error {
	if errors.Is(err, db.ErrStale) {
		return nil
	}

	for _, table := range []string{"journals", "transaction_history", "effects", "bank_payouts"} {
		if db.IsUnique(err, table) {
			return nil
		}
	}

	return err
}

// alarm logs an error for operators once the write is committed.
func (s *Service) alarm(tx *db.Tx, what string, x Effect) {
	tx.OnCommit(func() {
		s.Log.Error(what, "effect", x.Key.String(), "network", x.Network, "why", words.English(x.Info))
	})
}

// Service carries effects out.
type Service struct{ Deps }

// New returns the service.
func New(d Deps) *Service { return &Service{Deps: d} }

// nextRound wants a send again under another number.
func (s *Service) nextRound(tx *db.Tx, x Effect) error {
	x.Round++
	x.Attempt++
	x.Number = 0
	x.Info = ""

	return s.become(tx, &x, Wanted)
}
