package settlement

import (
	"context"
	"fmt"

	"slipway/internal/core/money"
	"slipway/internal/payments/effect"
	"slipway/internal/payments/outbound"
	"slipway/internal/payments/transaction"
	"slipway/internal/platform/db"
	"slipway/internal/platform/failpoint"
	"slipway/internal/platform/words"
)

// exchange is what is sold and what is to be bought for it.
type exchange struct{ sell, buy money.Amount }

// order stores the orders that a transaction misses, each for one of its currencies, before any provider is asked.
// exchanges runs in the same write and returns what each currency's order is to sell and buy.
func (s *Service) order(
	ctx context.Context,
	state State,
	exchanges func(tx *db.Tx, t transaction.Transaction) (map[string]exchange, error),
) error {
	known := map[effect.Key]bool{}
	for _, x := range state.Orders {
		known[x.Key] = true
	}

	err := s.DB.Write(ctx, func(tx *db.Tx) error {
		t, err := transaction.ByID(ctx, tx, state.T.ID)
		if err != nil || t.Version != state.T.Version {
			return err // the next run decides on the state that is stored then
		}

		wanted, err := exchanges(tx, t)
		if err != nil {
			return err
		}

		for _, currency := range state.Currencies {
			if !known[effect.ConversionOf(t.ID, currency)] {
				s.Outbound.WantOrder(tx, t, currency, wanted[currency].sell, wanted[currency].buy)
			}
		}

		return nil
	})
	if err = outbound.IgnoreStale(err); err != nil {
		return fmt.Errorf("store orders of %s: %w", state.T.ID, err)
	}

	failpoint.Hit("convert.asked")

	return nil
}

var unknownOrder = words.Phrase(
	"It is not known yet whether the conversion was carried out; the provider is being asked again.",
)

// markUncertain records, once, that the outcome of an order is unknown.
func (s *Service) markUncertain(ctx context.Context, transactionID string) error {
	return s.DB.Write(ctx, func(tx *db.Tx) error {
		t, err := transaction.ByID(ctx, tx, transactionID)
		if err != nil || t.Status != transaction.StatusProcess || t.Settlement == transaction.SettlementUncertain {
			return err
		}

		return s.hold(ctx, tx, t, unknownOrder)
	})
}
