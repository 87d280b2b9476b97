package app

import (
	"fmt"

	"slipway/internal/payments/stock"
	"slipway/internal/platform/config"
)

// buildStock builds the stock that the house converts out of, which is a provider of liquidity. Operators can fill it
// before the configuration names it as one.
func (a *App) buildStock() error {
	d, err := stockOf(a.Config.Stock)
	if err != nil {
		return err
	}

	d.DB = a.DB
	d.Log = a.Log
	d.Keys = a.Keys
	d.Rates = a.rates
	d.Serves = func(currency string) bool {
		return a.liquidity != nil && a.liquidity.By(a.liquidity.For(currency)) == a.Stock
	}
	a.Stock = stock.New(d)

	return nil
}

// stockOf returns the spread and the limits of the stock as the configuration has them.
func stockOf(c config.Stock) (d stock.Deps, err error) {
	if d.Spread, err = config.ParsePercent(c.SpreadPercent); err != nil {
		return d, fmt.Errorf("stock.spread_percent: %w", err)
	}

	if d.Limits.Organisation, err = config.ParsePercent(c.OrganisationPercent); err != nil {
		return d, fmt.Errorf("stock.organisation_percent: %w", err)
	}

	if d.Limits.Order, err = config.ParseStockAmounts(c.OrderLimits); err != nil {
		return d, fmt.Errorf("stock.order_limits: %w", err)
	}

	if d.Limits.Floor, err = config.ParseStockAmounts(c.Floors); err != nil {
		return d, fmt.Errorf("stock.floors: %w", err)
	}

	if d.Limits.Ceiling, err = config.ParseStockAmounts(c.Ceilings); err != nil {
		return d, fmt.Errorf("stock.ceilings: %w", err)
	}

	return d, nil
}
