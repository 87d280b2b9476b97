//go:build !nosandbox

package app

import (
	"context"
	"time"

	"slipway/internal/core/fault"
	"slipway/internal/core/money"
	"slipway/internal/platform/web"
	"slipway/internal/rails/liquidity/liquiditysim"
	"slipway/internal/rails/rates"
	"slipway/internal/rails/rates/ratesim"
)

type ratesIn struct {
	Body struct {
		Op    string `json:"op" enum:"set,look,stale,down,reset" doc:"set a rate, look at one, make all too old, switch the source off, forget everything that was set"`
		Base  string `json:"base,omitempty" maxLength:"16" example:"USDC"`
		Quote string `json:"quote,omitempty" maxLength:"16" example:"EUR"`
		Rate  string `json:"rate,omitempty" maxLength:"64" doc:"set: what one base is worth in quote" example:"0.92"`
	}
}

// rateState is a rate of the simulated market; empty texts when none was asked for or none can be had.
type rateState struct {
	Base  string     `json:"base"`
	Quote string     `json:"quote"`
	Rate  string     `json:"rate" example:"0.92" pattern:"^([0-9]+([.][0-9]+)?)?$" doc:"what one base is worth in quote"`
	AsOf  *time.Time `json:"asOf"`
}

type liquidityIn struct {
	Body struct {
		Mode  string `json:"mode" enum:"normal,slow,drop,reject,hold,down" doc:"slow: take orders and do not answer; drop: take them and cut the connection; hold: take them and fill them later"`
		Times int    `json:"times,omitempty" minimum:"0" maximum:"1000" doc:"for so many requests; 0: until it is set anew"`

		Statement string `json:"statement,omitempty" enum:"true,missing,alone,amount,twice,late,restated" doc:"what the provider's statement says of the last order from now on; without it, as before"`
	}
}

// liquidityState is the books of the simulated provider.
type liquidityState struct {
	Mode   string            `json:"mode"`
	Orders []sandboxSwap     `json:"orders" nullable:"false" doc:"the latest 50"`
	Held   map[string]string `json:"balances" doc:"whole units, by asset"`
}

type sandboxSwap struct {
	Key    string `json:"key"`
	Status string `json:"status"`
	Sell   string `json:"sell"`
	Buy    string `json:"buy"`
	Sold   string `json:"sold" doc:"base units"`
	Bought string `json:"bought" doc:"base units"`
	Reason string `json:"reason"`
}

// shownSwaps limits what an answer lists.
const shownSwaps = 50

// marketRoutes registers the controls of the simulated market and of the provider that trades on it. They answer 404 if
// this process has other ones.
func marketRoutes(a *App, api *web.API) {
	ratesOp := control("/sandbox/rates", "sandboxRates", "Steer the simulated market")
	ratesOp.Codes = []fault.Code{fault.PairUnknown}
	web.Register(api, ratesOp, func(ctx context.Context, in *ratesIn) (*rateState, error) {
		m, ok := a.rates.(*ratesim.Market)
		if !ok {
			return nil, fault.Missing("simulated market")
		}

		if err := steerMarket(m, in); err != nil {
			return nil, err
		}

		return look(ctx, m, in.Body.Base, in.Body.Quote), nil
	})

	liquidityOp := control("/sandbox/liquidity", "sandboxLiquidity", "Steer the simulated liquidity provider")
	liquidityOp.Codes = []fault.Code{fault.PairUnknown}
	web.Register(api, liquidityOp, func(_ context.Context, in *liquidityIn) (*liquidityState, error) {
		s := a.simulatedProvider()
		if s == nil {
			return nil, fault.Missing("simulated liquidity provider")
		}

		s.Steer(liquiditysim.Behaviour(in.Body.Mode), in.Body.Times)

		switch in.Body.Statement {
		case "":
		case "true":
			s.Tell()
		default:
			s.Tell(liquiditysim.Lie(in.Body.Statement))
		}

		return booksOf(s, in.Body.Mode), nil
	})
}

// simulatedProvider returns the first provider of liquidity that is simulated in this process, or nil.
func (a *App) simulatedProvider() *liquiditysim.Server {
	for _, p := range a.providers {
		if s, ok := p.(*liquiditysim.Server); ok {
			return s
		}
	}

	return nil
}

// steerMarket carries out a control of the market.
func steerMarket(m *ratesim.Market, in *ratesIn) error {
	b := in.Body
	switch b.Op {
	case "stale":
		m.Stale(true)
	case "down":
		m.Down(true)
	case "reset":
		m.Reset()

	case "set":
		var l fault.List
		for _, x := range []struct{ at, value string }{{"/base", b.Base}, {"/quote", b.Quote}} {
			if x.value == "" {
				l.Add(x.at, fault.Required, "is required to set a rate.")
			}
		}

		rate, err := money.Parse(money.Asset{Code: "rate", Decimals: money.MaxDecimals}, b.Rate)
		if err != nil {
			l.Add("/rate", fault.FormatInvalid, "must be a decimal text such as 0.92, and more than zero.")
		}

		if err := l.Err(); err != nil {
			return err
		}

		return m.Set(b.Base, b.Quote, rate.Rat())
	}

	return nil
}

// look returns a rate, if there is one.
func look(ctx context.Context, s rates.Source, base, quote string) *rateState {
	out := &rateState{Base: base, Quote: quote}
	if r, err := s.Rate(ctx, base, quote); err == nil {
		out.Rate = r.Value.FloatString(12)
		out.AsOf = &r.AsOf
	}

	return out
}

// booksOf returns the latest orders of the provider, and its balances of their assets.
func booksOf(s *liquiditysim.Server, mode string) *liquidityState {
	out := &liquidityState{Mode: mode, Orders: []sandboxSwap{}, Held: map[string]string{}}

	orders := s.Orders()
	for _, o := range orders {
		for _, asset := range []string{o.Sell.Asset, o.Buy.Asset} {
			if out.Held[asset] == "" {
				out.Held[asset] = s.Balance(asset).FloatString(6)
			}
		}
	}

	for _, o := range orders[max(0, len(orders)-shownSwaps):] {
		out.Orders = append(out.Orders, sandboxSwap{
			Key:    o.Key,
			Status: string(o.Status),
			Sell:   o.Sell.Asset,
			Buy:    o.Buy.Asset,
			Sold:   o.Sold,
			Bought: o.Bought,
			Reason: o.Reason,
		})
	}

	return out
}
