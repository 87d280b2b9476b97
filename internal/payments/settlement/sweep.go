package settlement

import (
	"context"
	"errors"
	"time"

	"slipway/internal/payments/outbound"
	"slipway/internal/payments/transaction"
	"slipway/internal/platform/db"
)

const (
	sweepEvery    = time.Minute
	strandedAfter = 2 * time.Minute // PROCESSING for longer than this without a send: its job may have been lost
	sweepPage     = 200
)

// Sweep enqueues again the jobs of transactions that stay PROCESSING without a send (I5). Those with a send belong to
// the rail, and a job that still exists is left alone. Sweep pages through all of them, so that those in front do not
// hide the others. Among FIAT and ONRAMP transactions in any state, it also finds unfinished orders and unplanned
// treasury sendings, and has the router asked about refused ones.
func (s *Service) Sweep(ctx context.Context) error {
	if err := s.sweepOpen(ctx); err != nil {
		return err
	}

	before := db.Micros(s.DB.Now().Add(-strandedAfter))

	after := ""
	for {
		page, err := transaction.Stranded(ctx, s.DB, before, after, sweepPage)
		if err != nil || len(page) == 0 {
			return err
		}

		after = page[len(page)-1].ID

		var lost []string
		for _, t := range page {
			planned, err := s.planned(ctx, s.DB, t)
			if err != nil {
				return err
			}

			if !planned || t.Type != transaction.TypeCrypto {
				lost = append(lost, t.ID)
			}
		}

		if err := s.enqueueSteps(ctx, lost); err != nil {
			return err
		}
	}
}

// sweepOpen handles unfinished work that does not show in a transaction's state.
func (s *Service) sweepOpen(ctx context.Context) error {
	before := db.Micros(s.DB.Now().Add(-strandedAfter))

	doubts := s.Outbound.AskRouter(ctx, before, sweepPage)
	ids, err := outbound.Stuck(ctx, s.DB, before, sweepPage)

	return errors.Join(doubts, err, s.enqueueSteps(ctx, ids))
}

func (s *Service) enqueueSteps(ctx context.Context, ids []string) error {
	if len(ids) == 0 {
		return nil
	}

	enqueue := Enqueue(s.Jobs)

	return s.DB.Write(ctx, func(tx *db.Tx) error {
		for _, id := range ids {
			enqueue(tx, id)
		}

		return nil
	})
}
