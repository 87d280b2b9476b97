package stock

import (
	"context"
	"fmt"
	"math/big"
	"slices"
	"strings"
	"time"

	"slipway/internal/core/money"
	"slipway/internal/directory/network"
	"slipway/internal/directory/refdata"
	"slipway/internal/payments/ledger"
	"slipway/internal/platform/db"
)

// Position is what the stock has of one asset at one place, by the ledger, and what it is worth.
type Position struct {
	Leg // Amount is what the ledger has

	Capital, Traded, Exchanged, Expense money.Amount // where it is from: they add up to it
	Reserved                            money.Amount // promised to customers
	Free                                money.Amount // what can still be promised; below zero: nothing can

	Price         *big.Rat // in US dollars, at the market; nil: there is none
	PricedAt      time.Time
	Value, Result *big.Rat // in US dollars: of the position, and of what it has more than its capital
}

// Positions returns every position of the stock. It asks the market what they are worth; what has no price there has
// no value.
func (s *Service) Positions(ctx context.Context) ([]Position, error) {
	var out []Position

	err := s.DB.Snapshot(ctx, func(q db.Querier) error {
		b, err := s.book(ctx, q)
		if err != nil {
			return err
		}

		out, err = s.positions(ctx, q, b)

		return err
	})
	if err != nil {
		return nil, fmt.Errorf("positions of the stock: %w", err)
	}

	for i := range out {
		s.value(ctx, &out[i])
	}

	return out, nil
}

// positions reads what the ledger has of each position.
func (s *Service) positions(ctx context.Context, q db.Querier, b book) ([]Position, error) {
	var out []Position

	for account, assets := range b.sums {
		where, ok := strings.CutPrefix(string(account), "stock/")
		if !ok {
			continue
		}

		for code := range assets {
			asset, err := assetAt(ctx, q, where, code)
			if err != nil {
				return nil, err
			}

			of := func(account func(string) ledger.Account) money.Amount {
				return money.FromUnits(asset, b.sums.Of(account(where), code))
			}

			p := Position{
				Leg:       Leg{Place: where, Amount: of(ledger.StockAccount)},
				Capital:   of(ledger.CapitalAccount).Neg(),
				Traded:    of(ledger.TradeAccount).Neg(),
				Exchanged: of(ledger.ExchangeAccount).Neg(),
				Expense:   of(ledger.StockExpense).Neg(),
			}
			p.Reserved = b.taken(p.Leg)
			p.Free = b.free(p.Leg, s.Limits.Floor[code])
			out = append(out, p)
		}
	}

	slices.SortFunc(out, func(x, y Position) int {
		return strings.Compare(x.Place+" "+x.asset().Code, y.Place+" "+y.asset().Code)
	})

	return out, nil
}

// assetAt returns an asset with the decimals that it has at a place.
func assetAt(ctx context.Context, q db.Querier, where, code string) (money.Asset, error) {
	if where == code {
		currency, ok := refdata.All().Currency(code)
		if !ok {
			return money.Asset{}, fmt.Errorf("there is no currency %s", code)
		}

		return money.Asset{Code: code, Decimals: currency.Decimals}, nil
	}

	t, err := network.TokenOn(ctx, q, where, code)
	if err != nil {
		return money.Asset{}, fmt.Errorf("token %s on %s: %w", code, where, err)
	}

	return money.Asset{Code: code, Decimals: t.Decimals}, nil
}

const dollar = "USD"

// value asks the market what a position is worth. Without a price it has no value.
func (s *Service) value(ctx context.Context, p *Position) {
	switch {
	case p.asset().Code == dollar:
		p.Price = big.NewRat(1, 1)
		p.PricedAt = s.DB.Now()

	case s.Rates == nil:
		return

	default:
		r, err := s.Rates.Rate(ctx, p.asset().Code, dollar)
		if err != nil {
			s.Log.Warn("price of a position", "asset", p.asset().Code, "error", err.Error())
			return
		}

		p.Price = r.Value
		p.PricedAt = r.AsOf
	}

	p.Value = new(big.Rat).Mul(p.Amount.Rat(), p.Price)
	p.Result = new(big.Rat).Mul(p.Amount.Sub(p.Capital).Rat(), p.Price)
}
