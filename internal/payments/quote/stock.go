package quote

import (
	"context"
	"math/big"
	"time"

	"slipway/internal/core/money"
	"slipway/internal/payments/stock"
	"slipway/internal/platform/db"
)

// What the house itself converts is reserved of its stock in the write that locks a quote, and freed in the one that
// ends it.

// houseSpreads returns the house's spread for each currency of a request that the stock serves.
func (s *Service) houseSpreads(in Request) map[string]*big.Rat {
	out := map[string]*big.Rat{}

	for _, l := range in.Lines {
		if s.Stock != nil && s.Stock.Serves(l.Currency.Code) {
			out[l.Currency.Code] = s.Stock.Spread
		}
	}

	return out
}

// exchanges returns what the stock converts of a quote, by currency.
func (s *Service) exchanges(q Quote) []stock.Exchange {
	var out []stock.Exchange

	index := map[string]int{}

	for _, l := range q.Lines {
		code := l.Currency.Code
		if s.Stock == nil || !s.Stock.Serves(code) {
			continue
		}

		token := stock.Leg{Place: q.Network, Amount: money.FromUnits(q.Token, l.TokenUnits)}
		fiat := stock.Leg{Place: code, Amount: money.FromUnits(l.Currency, l.FiatUnits)}

		x := stock.Exchange{Currency: code, In: token, Out: fiat}
		if q.Kind == Onramp {
			x.In, x.Out = fiat, token
		}

		if i, ok := index[code]; ok {
			out[i].In.Amount = out[i].In.Amount.Add(x.In.Amount)
			out[i].Out.Amount = out[i].Out.Amount.Add(x.Out.Amount)

			continue
		}

		index[code] = len(out)
		out = append(out, x)
	}

	return out
}

// reserve reserves what a quote takes out of the stock: while it is valid, or until it is drawn if the customer's
// deposit is here.
func (s *Service) reserve(ctx context.Context, tx *db.Tx, q Quote) error {
	if s.Stock == nil {
		return nil
	}

	expires := q.ExpiresAt
	if q.arrived {
		expires = time.Time{}
	}

	return s.Stock.Reserve(ctx, tx, q.Transaction, q.Organisation, expires, s.exchanges(q))
}

// Keep makes what a valid quote has reserved last until it is drawn, inside the write that accepts it. It returns
// ErrExpired when the quote is not valid any more, and db.ErrStale when it has reserved nothing.
func (s *Service) Keep(ctx context.Context, tx *db.Tx, q Quote) error {
	if err := q.Good(tx.Now); err != nil || s.Stock == nil {
		return err
	}

	var currencies []string
	for _, x := range s.exchanges(q) {
		currencies = append(currencies, x.Currency)
	}

	return stock.Keep(ctx, tx, q.Transaction, currencies)
}
