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
	sweepLimit = 200
)

// Sweep asks again for the job of transactions that stay PROCESSING without a send (I5). A job that still exists is left as it is.
func (s *Service) Sweep(ctx context.Context) error {
	ids, err := transaction.Stranded(ctx, s.DB, db.Micros(s.DB.Now().Add(-strandedIn)), sweepLimit)
	if err != nil || len(ids) == 0 {
		return err
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
