package settlement

import (
	"context"
	"math/big"
	"time"

	"slipway/internal/payments/transaction"
	"slipway/internal/platform/db"
	"slipway/internal/rails/chain"
)

const (
	sweepEvery = time.Minute
	strandedIn = 2 * time.Minute // PROCESSING for longer than this without a send: its job may have been lost
	sweepPage  = 200
)

// Sweep asks again for the job of transactions that stay PROCESSING without a send (I5). Those with a send are the rail's; a job that
// still exists is left as it is. It looks at all of them, however many wait: the ones at the front must not hide the others.
func (s *Service) Sweep(ctx context.Context) error {
	before, after := db.Micros(s.DB.Now().Add(-strandedIn)), ""
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
			if !planned {
				lost = append(lost, t.ID)
			}
		}
		if err := s.askAgain(ctx, lost); err != nil {
			return err
		}
	}
}

func (s *Service) askAgain(ctx context.Context, ids []string) error {
	if len(ids) == 0 {
		return nil
	}
	ask := Ask(s.Jobs)
	return s.DB.Write(ctx, func(tx *db.Tx) error {
		for _, id := range ids {
			ask(tx, id)
		}
		return nil
	})
}

func gasCost(sent chain.Sent) *big.Int {
	if sent.GasPrice == nil {
		return new(big.Int)
	}
	return new(big.Int).Mul(sent.GasPrice, new(big.Int).SetUint64(sent.GasUsed))
}
