package stock

import (
	"context"
	"errors"
	"fmt"
	"math/big"
	"time"

	"slipway/internal/core/money"
	"slipway/internal/platform/db"
	"slipway/internal/rails/liquidity"
)

// Place carries an order out by drawing its reservation, at the amounts of the quote that was locked with it. A second
// call returns the same result. An order without a reservation that counts is refused for good: nothing was promised.
// It implements liquidity.Provider.
func (s *Service) Place(ctx context.Context, o liquidity.Order) (out liquidity.Result, err error) {
	err = s.DB.Write(ctx, func(tx *db.Tx) error {
		r, err := byKey(ctx, tx, o.Key)

		switch {
		case errors.Is(err, db.ErrNone):
			r = refusal(o, tx.Now)
			insert(tx, r)

		case err != nil:
			return err

		case r.State == Drawn || r.State == Booked || r.State == Refused:
			if !r.matches(o) && r.State != Refused {
				return liquidity.ErrKeyTaken
			}

		default:
			next := r
			next.State = Drawn

			switch {
			case !r.counts(tx.Now):
				next.State = Refused
				next.Reason = liquidity.ReasonLiquidity
			case !r.matches(o):
				next.State = Refused
				next.Reason = liquidity.ReasonPrice
			}

			if err := move(tx, r, next); err != nil {
				return err
			}

			next.DoneAt = tx.Now
			r = next
		}

		out = r.result()

		return nil
	})
	if err != nil && !errors.Is(err, liquidity.ErrKeyTaken) {
		err = fmt.Errorf("%w: %w", liquidity.ErrUnknown, err)
	}

	return out, err
}

// Look returns the order of a key, or liquidity.ErrNoOrder if none was placed. It implements liquidity.Provider.
func (s *Service) Look(ctx context.Context, key string) (liquidity.Result, error) {
	r, err := byKey(ctx, s.DB, key)

	switch {
	case errors.Is(err, db.ErrNone):
		return liquidity.Result{}, liquidity.ErrNoOrder
	case err != nil:
		return liquidity.Result{}, fmt.Errorf("%w: %w", liquidity.ErrUnknown, err)
	case r.State == Reserved || r.State == Freed:
		return liquidity.Result{}, liquidity.ErrNoOrder
	}

	return r.result(), nil
}

// matches reports whether an order is what the reservation promises: the fixed side is exact, and the open side keeps
// the order's limit.
func (r Reservation) matches(o liquidity.Order) bool {
	in := r.In.Amount
	out := r.Out.Amount

	if o.Sell != in.Asset().Code || o.SellDecimals != in.Asset().Decimals ||
		o.Buy != out.Asset().Code || o.BuyDecimals != out.Asset().Decimals ||
		o.Network != r.In.Place && o.Network != r.Out.Place {
		return false
	}

	if given(o.BuyUnits) {
		return o.BuyUnits.Cmp(out.Units()) == 0 && (!given(o.LimitUnits) || in.Units().Cmp(o.LimitUnits) <= 0)
	}

	return given(o.SellUnits) && o.SellUnits.Cmp(in.Units()) == 0 &&
		(!given(o.LimitUnits) || out.Units().Cmp(o.LimitUnits) >= 0)
}

func given(units *big.Int) bool { return units != nil && units.Sign() > 0 }

// refusal returns the record of an order for which nothing is reserved, so that its answer stays the same for ever.
func refusal(o liquidity.Order, now time.Time) Reservation {
	leg := func(code string, decimals int, units *big.Int) Leg {
		if units == nil {
			units = new(big.Int)
		}

		return Leg{Amount: money.FromUnits(money.Asset{Code: code, Decimals: decimals}, units)}
	}

	return Reservation{
		Exchange: Exchange{
			In:  leg(o.Sell, o.SellDecimals, o.SellUnits),
			Out: leg(o.Buy, o.BuyDecimals, o.BuyUnits),
		},
		Key:        o.Key,
		State:      Refused,
		Reason:     liquidity.ReasonLiquidity,
		ReservedAt: now,
		DoneAt:     now,
	}
}

// result returns a reservation as the state of its order.
func (r Reservation) result() liquidity.Result {
	out := liquidity.Result{Key: r.Key, Ref: "stock"}

	if r.State == Refused {
		out.Status = liquidity.Rejected
		out.Reason = r.Reason

		return out
	}

	out.Status = liquidity.Filled
	out.SoldUnits = r.In.Amount.Units()
	out.BoughtUnits = r.Out.Amount.Units()
	out.FilledAt = r.DoneAt

	return out
}
