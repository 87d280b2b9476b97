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

// checkTimeout bounds one check at a network.
const checkTimeout = 30 * time.Second

// maxSeals bounds the batches of links that one check writes before it folds.
const maxSeals = 100

// CheckAll folds what was posted, and compares everything once. What one side does not answer is UNKNOWN, and no error.
// Two at once do no harm: one of them is db.ErrStale.
func (s *Service) CheckAll(ctx context.Context) error {
	if err := s.fold(ctx); err != nil {
		return err
	}

	errs := make([]error, len(s.Networks))

	var wg sync.WaitGroup
	for i, id := range s.Networks {
		wg.Go(func() {
			ctx, cancel := context.WithTimeout(ctx, checkTimeout)
			defer cancel()

			errs[i] = s.checkTreasury(ctx, id)
		})
	}

	wg.Wait()

	for _, a := range s.Accounts {
		errs = append(errs, s.checkAccount(ctx, a))
	}

	return errors.Join(errs...)
}

// fold brings the folded balances up to the newest journal.
func (s *Service) fold(ctx context.Context) error {
	for range maxSeals {
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

// record writes what a check at one thing has found, and halts or lifts what follows from it.
func (s *Service) record(ctx context.Context, tx *db.Tx, subject, name string, asset money.Asset, l reading) error {
	before, known, err := bySubject(ctx, tx, subject)
	if err != nil {
		return err
	}

	if !known {
		before = newCheck(tx, subject, name, asset)
	}

	now, verdict := before.apply(l, tx.Now)
	now.Halts = name
	now.Asset = asset
	storeCheck(tx, now)
	s.notify(tx, before, now)

	if name == "" { // it is only told
		return nil
	}

	switch verdict {
	case setHalt:
		return s.halt(ctx, tx, now)
	case liftHalt:
		return s.lift(ctx, tx, now, "the check of "+now.CheckedAt.UTC().Format(time.RFC3339)+" agrees")
	case noChange:
		return nil
	}

	return nil
}

// notify alarms people of what a check has found that the one before had not.
func (s *Service) notify(tx *db.Tx, before, now Check) {
	figures := []any{
		"subject", now.Subject,
		"books", now.format(now.Figures.Books),
		"outside", now.format(now.Figures.Outside),
		"difference", now.format(now.Difference),
		"at", now.Point,
	}

	if now.stale(before) {
		s.alarm(
			tx,
			"house balance has not agreed for long",
			append(figures, "since", now.AgreedAt, "state", string(now.State), "note", now.Note)...)
	}

	if now.State != Short && now.State != Excess ||
		now.State == before.State && now.Difference.Cmp(before.Difference) == 0 {
		return
	}

	s.alarm(tx, "house balance differs from the books", figures...)
}

// halt stops what a check is about.
func (s *Service) halt(ctx context.Context, tx *db.Tx, c Check) error {
	fresh, err := halt.Set(ctx, tx, c.Halts, c.Subject, c.reason())
	if err != nil || !fresh {
		return err
	}

	trail.Audit(ctx, tx, "", "house.halted", c.Subject, c.reason())
	s.alarm(tx, "books and reports differ: halted", "halted", c.Halts, "reason", c.reason())

	return nil
}

// lift lets what a check has halted go on.
func (s *Service) lift(ctx context.Context, tx *db.Tx, c Check, why string) error {
	ended, err := halt.Lift(tx, c.Halts, c.Subject)
	if err != nil || !ended {
		return err
	}

	trail.Audit(ctx, tx, "", "house.lifted", c.Subject, why)
	tx.OnCommit(func() { s.Log.Warn("halt lifted", "halted", c.Halts, "subject", c.Subject, "why", why) })

	return nil
}
