package settlement

import (
	"context"
	"errors"

	"github.com/ethereum/go-ethereum/common"

	"slipway/internal/directory/network"
	"slipway/internal/payments/effect"
	"slipway/internal/payments/evidence"
	"slipway/internal/payments/transaction"
	"slipway/internal/platform/db"
)

// Resolve asks the router whether a doubtful transaction's number was used. If not, nothing of the transaction has
// moved, and nothing will, because its only send is over: the amount goes back and the transaction is FAILED. If it was
// used, a person must check. A second call finds the doubt resolved, or asks again.
func (s *Service) Resolve(ctx context.Context, transactionID string) error {
	t, err := transaction.ByID(ctx, s.DB, transactionID)
	if errors.Is(err, db.ErrNone) {
		return nil
	}

	if err != nil || t.Settlement != transaction.SettlementUncertain {
		return err
	}

	n, _, err := network.WithToken(ctx, s.DB, t.Network, t.Token)
	if err != nil {
		return err
	}

	client, err := s.client(ctx, t.Network)
	if err != nil {
		return err
	}

	used, err := evidence.Used(ctx, client, common.HexToAddress(n.Router()), t.Number)
	if err != nil {
		return err // unknown is not failed: the job asks again
	}

	return s.DB.Write(ctx, func(tx *db.Tx) error {
		now, err := transaction.ByID(ctx, tx, transactionID)
		if err != nil || now.Settlement != transaction.SettlementUncertain {
			return err
		}

		if used {
			return s.hold(ctx, tx, now, evidence.UsedBefore)
		}

		over, err := evidence.Over(ctx, s.Rail, tx, effect.BatchOf(now.ID).String())
		if err != nil || !over {
			return err
		}

		if err := releaseClearing(tx, now); err != nil {
			return err
		}

		return s.end(ctx, tx, now, now.StatusInfo)
	})
}
