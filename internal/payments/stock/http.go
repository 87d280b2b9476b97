package stock

import (
	"context"
	"math/big"
	"time"

	"slipway/internal/core/fault"
	"slipway/internal/core/money"
	"slipway/internal/identity/approval"
	"slipway/internal/platform/db"
	"slipway/internal/platform/web"
)

// positionView is a position as operators see it.
type positionView struct {
	Place     string     `json:"place" doc:"id of the network of a token, or the currency"`
	Asset     string     `json:"asset"`
	Stock     string     `json:"stock" doc:"what the ledger has: capital, traded, exchanged and expense together"`
	Capital   string     `json:"capital" doc:"what the owners have assigned to it"`
	Traded    string     `json:"traded" doc:"what conversions of customers brought (plus) or took (minus)"`
	Exchanged string     `json:"exchanged" doc:"what was bought elsewhere (plus) or sold there (minus)"`
	Expense   string     `json:"expense" doc:"fees of that; not above zero"`
	Reserved  string     `json:"reserved" doc:"promised to customers by locked quotes and accepted transactions"`
	Free      string     `json:"free" doc:"what can still be promised, less stock.floors; below zero: nothing can"`
	Floor     *string    `json:"floor" doc:"what is never promised; null: nothing is kept back"`
	Ceiling   *string    `json:"ceiling" doc:"up to where conversions fill it; null: there is no limit"`
	PriceUSD  *string    `json:"priceUSD" doc:"of one unit at the market; null: there is no price at present"`
	PricedAt  *time.Time `json:"pricedAt" doc:"when the market had that price"`
	ValueUSD  *string    `json:"valueUSD" doc:"of the stock at that price"`
	ResultUSD *string    `json:"resultUSD" doc:"value of what the stock has more, or less, than its capital"`
}

// stockView is the stock as operators see it.
type stockView struct {
	Positions []positionView `json:"positions" doc:"one for each token and currency"`
	ValueUSD  *string        `json:"valueUSD" doc:"of all positions at the market; null: one has no price at present"`
	ResultUSD *string        `json:"resultUSD" doc:"profit (plus) or loss (minus) of the stock at the market: what it is worth more than the capital that the owners have assigned would be"`
}

func (s *Service) viewOf(all []Position) *stockView {
	v := &stockView{Positions: make([]positionView, len(all))}
	value := new(big.Rat)
	result := new(big.Rat)
	priced := true

	for i, p := range all {
		limit := func(of map[string]*big.Rat) *string {
			x := of[p.asset().Code]
			if x == nil {
				return nil
			}

			text := decimal(x, p.asset())

			return &text
		}

		v.Positions[i] = positionView{
			Place:     p.Place,
			Asset:     p.asset().Code,
			Stock:     p.Amount.String(),
			Capital:   p.Capital.String(),
			Traded:    p.Traded.String(),
			Exchanged: p.Exchanged.String(),
			Expense:   p.Expense.String(),
			Reserved:  p.Reserved.String(),
			Free:      p.Free.String(),
			Floor:     limit(s.Limits.Floor),
			Ceiling:   limit(s.Limits.Ceiling),
		}

		if p.Price == nil {
			priced = false
			continue
		}

		at := p.PricedAt.Truncate(time.Millisecond)
		price := money.FromRat(money.Asset{Code: dollar, Decimals: 8}, p.Price, money.HalfEven).String()

		v.Positions[i].PriceUSD = &price
		v.Positions[i].PricedAt = &at
		v.Positions[i].ValueUSD = cents(p.Value)
		v.Positions[i].ResultUSD = cents(p.Result)
		value.Add(value, p.Value)
		result.Add(result, p.Result)
	}

	if priced {
		v.ValueUSD = cents(value)
		v.ResultUSD = cents(result)
	}

	return v
}

// cents returns US dollars, which may be below zero, with two decimals.
func cents(x *big.Rat) *string {
	amount := money.FromRat(money.Asset{Code: dollar, Decimals: 2}, new(big.Rat).Abs(x), money.HalfEven)
	if x.Sign() < 0 {
		amount = amount.Neg()
	}

	text := amount.String()

	return &text
}

type changeIn struct {
	Body Change
}

// Routes registers what operators see of the stock, and record about it.
func (s *Service) Routes(api *web.API) {
	web.Register(api, web.Operation{
		Method:  "GET",
		Path:    "/operations/stock",
		ID:      "getStock",
		Tag:     "operations",
		Access:  web.Operator,
		Summary: "Show the house's stock, what is promised of it, and its profit or loss",
		Description: "Positions by token and currency, as the ledger has them, at the market's prices. The stock " +
			"serves the currencies of a liquidity provider that is `house`.",
	}, func(ctx context.Context, _ *struct{}) (*stockView, error) {
		all, err := s.Positions(ctx)
		return s.viewOf(all), err
	})
	web.Register(api, web.Operation{
		Method:  "POST",
		Path:    "/operations/stock/changes",
		ID:      "changeStock",
		Tag:     "operations",
		Access:  web.Operator,
		StepUp:  true,
		Status:  202,
		Summary: "Ask a second operator to record what came into the house's stock, or left it",
		Description: "What the owners assign or take out, and what was bought and sold elsewhere. Nothing can be " +
			"taken that is promised to customers, and no tokens brought in that the treasury does not have.",
		Codes: []fault.Code{
			fault.StockChangeRecorded,
			fault.StockNotCovered,
			fault.TokenUnknown,
			fault.TokenNotOnNetwork,
			fault.CurrencyUnknown,
			fault.AmountForm,
		},
	}, func(ctx context.Context, in *changeIn) (*approval.View, error) {
		return web.OnceOf(ctx, 202, s.approvals.Show(ctx), func(done func(*db.Tx, approval.Approval) error) error {
			return s.AskChange(ctx, in.Body, done)
		})
	})
}
