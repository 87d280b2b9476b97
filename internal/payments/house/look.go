package house

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"time"

	"slipway/internal/core/money"
	"slipway/internal/payments/ledger"
	"slipway/internal/platform/db"
	"slipway/internal/platform/halt"
	"slipway/internal/platform/trail"
)

// lookFor bounds one look at a network.
const lookFor = 30 * time.Second

// mostSeals bounds the batches of links that one look writes before it folds.
const mostSeals = 100

// Look folds what was posted, and compares everything once. What one side does not answer is UNKNOWN, and no error.
// Two at once do no harm: one of them is db.ErrStale.
func (s *Service) Look(ctx context.Context) error {
	if err := s.fold(ctx); err != nil {
		return err
	}

	errs := make([]error, len(s.Networks))

	var wg sync.WaitGroup
	for i, id := range s.Networks {
		wg.Go(func() {
			ctx, cancel := context.WithTimeout(ctx, lookFor)
			defer cancel()

			errs[i] = s.lookAtTreasury(ctx, id)
		})
	}

	wg.Wait()

	for _, a := range s.Accounts {
		errs = append(errs, s.lookAtAccount(ctx, a))
	}

	return errors.Join(errs...)
}

// fold brings the folded balances up to the newest journal.
func (s *Service) fold(ctx context.Context) error {
	for range mostSeals {
		n, err := ledger.Seal(ctx, s.DB, s.Keys)
		if err != nil {
			return fmt.Errorf("seal: %w", err)
		}

		if n == 0 {
			break
		}
	}

	err := ledger.Fold(ctx, s.DB)
	if errors.Is(err, db.ErrStale) {
		return nil // another process has folded the same
	}

	if err != nil {
		return fmt.Errorf("fold: %w", err)
	}

	return nil
}

// record writes what a look at one thing has found, and halts or lifts what follows from it.
func (s *Service) record(ctx context.Context, tx *db.Tx, subject, name string, asset money.Asset, l look) error {
	before, known, err := bySubject(ctx, tx, subject)
	if err != nil {
		return err
	}

	if !known {
		before = newCheck(tx, subject, name, asset)
	}

	now, verdict := before.after(l, tx.Now)
	now.Halts = name
	now.Asset = asset
	put(tx, now)
	s.tell(tx, before, now)

	switch verdict {
	case halts:
		return s.halt(ctx, tx, now)
	case lifts:
		return s.lift(ctx, tx, now, "the look of "+now.CheckedAt.UTC().Format(time.RFC3339)+" agrees")
	case stay:
		return nil
	}

	return nil
}

// tell alarms people of what a look has found that the one before had not.
func (s *Service) tell(tx *db.Tx, before, now Check) {
	figures := []any{
		"subject", now.Subject,
		"books", now.shown(now.Figures.Books),
		"outside", now.shown(now.Figures.Outside),
		"difference", now.shown(now.Difference),
		"at", now.Point,
	}

	if now.stale(before) {
		s.alarm(
			tx,
			"the house's balance did not agree for long",
			append(figures, "since", now.AgreedAt, "state", string(now.State), "note", now.Note)...)
	}

	if now.State != Short && now.State != Excess ||
		now.State == before.State && now.Difference.Cmp(before.Difference) == 0 {
		return
	}

	s.alarm(tx, "the house's balance is not what the books say", figures...)
}

// halt stops what a check is about.
func (s *Service) halt(ctx context.Context, tx *db.Tx, c Check) error {
	fresh, err := halt.Set(ctx, tx, c.Halts, c.Subject, c.reason())
	if err != nil || !fresh {
		return err
	}

	trail.Audit(ctx, tx, "", "house.halted", c.Subject, c.reason())
	s.alarm(tx, "the books and the world do not agree: nothing new leaves", "halted", c.Halts, "reason", c.reason())

	return nil
}

// lift lets what a check has halted go on.
func (s *Service) lift(ctx context.Context, tx *db.Tx, c Check, why string) error {
	ended, err := halt.Lift(tx, c.Halts, c.Subject)
	if err != nil || !ended {
		return err
	}

	trail.Audit(ctx, tx, "", "house.lifted", c.Subject, why)
	tx.OnCommit(func() { s.Log.Warn("what was halted goes on", "halted", c.Halts, "subject", c.Subject, "why", why) })

	return nil
}
