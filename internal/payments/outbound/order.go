package outbound

import (
	"context"
	"errors"
	"fmt"
	"math/big"
	"time"

	"slipway/internal/core/money"
	"slipway/internal/payments/chart"
	"slipway/internal/payments/effect"
	"slipway/internal/payments/transaction"
	"slipway/internal/platform/db"
	"slipway/internal/platform/failpoint"
	"slipway/internal/rails/liquidity"
)

// slackPercent is by how many percent the provider's price may be worse than the locked quote. Up to that the house
// bears the difference. Beyond it the order is rejected and the customer gets everything back.
const slackPercent = 1

// OrderRetryInterval is how long to wait before asking again about an order that the provider has accepted and not yet
// carried out.
const OrderRetryInterval = 2 * time.Second

// WantOrder stores that a transaction's money is to be converted into, or out of, a currency, by the provider that
// serves it at present. From then on the order may have been carried out.
func (s *Service) WantOrder(tx *db.Tx, t transaction.Transaction, currency string, sell, buy money.Amount) {
	s.want(tx, Effect{
		Key:          effect.ConversionOf(t.ID, currency),
		Transaction:  t.ID,
		Position:     Whole,
		Organisation: t.Organisation,
		Network:      t.Network,
		Amount:       sell,
		Order:        Order{Provider: s.Liquidity.For(currency), Buy: buy},
	})
}

// advanceOrder asks the order's own provider about it and records its final state, with what it is for the book. It
// looks the order up first, because it may have been placed and carried out before. It calls outside of any write and
// under the order's own key, so a second call is harmless. Unknown is not an answer: ErrUnknown.
func (s *Service) advanceOrder(ctx context.Context, _ transaction.Transaction, x Effect) (more bool, err error) {
	provider := s.Liquidity.By(x.Provider)

	r, err := provider.Look(ctx, x.Key.String())
	if errors.Is(err, liquidity.ErrNoOrder) {
		r, err = provider.Place(ctx, x.order())
	}

	failpoint.Hit("convert.answered")

	if err == nil {
		err = x.contradiction(r)
	}

	if err != nil {
		return false, fmt.Errorf("order %s: %w: %w", x.Key, ErrUnknown, err)
	}

	if r.Status != liquidity.Filled && r.Status != liquidity.Rejected {
		return false, fmt.Errorf("order %s: %w", x.Key, ErrPending)
	}

	err = s.unlessOvertaken(ctx, x, func(tx *db.Tx, x Effect) error {
		x.Ref = r.Ref
		if r.Status == liquidity.Rejected {
			x.Info = r.Reason
			return s.become(tx, &x, Failed)
		}

		x.Sold = r.SoldUnits
		x.Bought = r.BoughtUnits

		if err := s.become(tx, &x, Final); err != nil || s.Liquidity.IsStock(x.Provider) {
			return err
		}

		return chart.Post(tx, x.Traded())
	})

	failpoint.Hit("convert.recorded")

	return err == nil, err
}

// Traded returns what an order that was carried out is for the book.
func (x Effect) Traded() chart.Traded {
	side := func(promised money.Amount, got *big.Int) chart.Swapped {
		s := chart.Swapped{
			Place:    x.Network,
			Promised: promised,
			Got:      money.FromUnits(promised.Asset(), got),
		}
		if promised.Asset().Code == x.Key.Item {
			s.Place = x.Key.Item
		}

		return s
	}

	return chart.Traded{
		Key:      x.Key,
		Provider: x.Provider,
		Sell:     side(x.Amount, x.Sold),
		Buy:      side(x.Buy, x.Bought),
	}
}

// order returns a conversion as the provider is asked for it. Into fiat, the fiat amount is fixed: it is what the
// payees get. Out of fiat, the deposit is fixed. The order depends only on the stored row, so every call sends the same
// one.
func (x Effect) order() liquidity.Order {
	o := liquidity.Order{
		Key:          x.Key.String(),
		Sell:         x.Amount.Asset().Code,
		Buy:          x.Buy.Asset().Code,
		SellDecimals: x.Amount.Asset().Decimals,
		BuyDecimals:  x.Buy.Asset().Decimals,
		LimitUnits:   x.limit(),
		Network:      x.Network,
	}
	if x.buysFiat() {
		o.BuyUnits = x.Buy.Units()
	} else {
		o.SellUnits = x.Amount.Units()
	}

	return o
}

// limit returns the worst acceptable value of the open side of a conversion.
func (x Effect) limit() *big.Int {
	if x.buysFiat() {
		return percent(x.Amount.Units(), 100+slackPercent)
	}

	return percent(x.Buy.Units(), 100-slackPercent)
}

// buysFiat reports whether a conversion is into fiat. Tokens have more decimals than any currency of ISO 4217.
func (x Effect) buysFiat() bool { return x.Buy.Asset().Decimals < x.Amount.Asset().Decimals }

func percent(units *big.Int, n int64) *big.Int {
	out := new(big.Int).Mul(units, big.NewInt(n))
	return out.Quo(out, big.NewInt(100))
}

// contradiction returns how a provider's answer differs from what was ordered, or nil if it does not.
func (x Effect) contradiction(r liquidity.Result) error {
	switch {
	case r.Key != "" && r.Key != x.Key.String():
		return fmt.Errorf("the provider answered for %s", r.Key)
	case r.Status != liquidity.Filled:
		return nil
	case r.SoldUnits == nil || r.BoughtUnits == nil || r.SoldUnits.Sign() <= 0 || r.BoughtUnits.Sign() <= 0:
		return errors.New("the provider reports it filled without amounts")
	case x.buysFiat() && r.BoughtUnits.Cmp(x.Buy.Units()) != 0:
		return errors.New("the provider bought another amount than ordered")
	case !x.buysFiat() && r.SoldUnits.Cmp(x.Amount.Units()) != 0:
		return errors.New("the provider sold another amount than ordered")
	case x.buysFiat() && r.SoldUnits.Cmp(x.limit()) > 0, !x.buysFiat() && r.BoughtUnits.Cmp(x.limit()) < 0:
		return errors.New("the provider carried it out beyond its limit")
	}

	return nil
}
