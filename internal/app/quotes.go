package app

import (
	"fmt"
	"math/big"
	"slices"

	"slipway/internal/core/money"
	"slipway/internal/directory/refdata"
	"slipway/internal/identity/organisation"
	"slipway/internal/payments/quote"
	"slipway/internal/platform/config"
)

// buildQuotes builds quotes. Without rates there are none.
func (a *App) buildQuotes() error {
	if a.rates == nil {
		return nil
	}

	d, err := pricesOf(a.Config)
	if err != nil {
		return err
	}

	d.DB = a.DB
	d.Rates = a.rates
	d.Seller = a.issuer().Seller()

	if slices.ContainsFunc(a.Config.AllLiquidity(), config.LiquidityProvider.House) {
		d.Stock = a.Stock
	}

	a.Quotes = quote.New(d)

	return nil
}

// pricesOf returns what a deployment charges, and its smallest amounts, as its configuration says.
func pricesOf(c *config.Config) (quote.Deps, error) {
	d := quote.Deps{
		Lifetime:     c.Quotes.Lifetime,
		HeldLifetime: c.Quotes.HeldLifetime,
		Unused:       quote.Unused{Free: int64(c.Quotes.UnusedFree), Limit: int64(c.Quotes.UnusedLimit)},
	}

	var err error
	if d.Schedule, err = scheduleOf(c.Fees); err != nil {
		return d, err
	}

	if d.Tolerance, err = config.ParsePercent(c.Quotes.RateTolerancePercent); err != nil {
		return d, fmt.Errorf("quotes.rate_tolerance_percent: %w", err)
	}

	if d.Unused.Spread, err = config.ParsePercent(c.Quotes.UnusedSpreadPercent); err != nil {
		return d, fmt.Errorf("quotes.unused_spread_percent: %w", err)
	}

	d.Minimum, err = minimumOf(c.Quotes)

	return d, err
}

// headroomOf returns by how much approvals exceed costs. The configuration was checked when it was read.
func headroomOf(c *config.Config) organisation.Headroom {
	h, _ := organisation.ParseHeadroom(c.Quotes.HeadroomPercent)
	return h
}

// scheduleOf returns the fees of the configuration.
func scheduleOf(c config.Fees) (quote.Schedule, error) {
	s := quote.Schedule{Pairs: map[quote.Pair]*big.Rat{}, Banking: map[string]quote.BankFees{}}

	var err error
	if s.Commission, err = config.ParsePercent(c.CommissionPercent); err != nil {
		return s, fmt.Errorf("fees.commission_percent: %w", err)
	}

	if s.NetworkUSD, err = amountOf("USD", c.NetworkUSD); err != nil {
		return s, fmt.Errorf("fees.network_usd: %w", err)
	}

	pairs, err := c.ParsePairs()
	if err != nil {
		return s, fmt.Errorf("fees.pair_commissions: %w", err)
	}

	for _, p := range pairs {
		if _, ok := refdata.All().Pair(p.Token, p.Currency); !ok {
			return s, fmt.Errorf("fees.pair_commissions: %s/%s is no trading pair", p.Token, p.Currency)
		}

		s.Pairs[quote.Pair{Base: p.Token, Quote: p.Currency}] = p.Share
	}

	banking, err := c.ParseBanking()
	if err != nil {
		return s, fmt.Errorf("fees.banking: %w", err)
	}

	for _, b := range banking {
		if _, ok := refdata.All().Rail(b.Rail); !ok {
			return s, fmt.Errorf("fees.banking: there is no rail %s", b.Rail)
		}

		var fee quote.BankFees
		if fee.Own, err = amountOf(b.Currency, b.Own); err == nil {
			fee.OnTheWay, err = amountOf(b.Currency, b.OnTheWay)
		}

		if err != nil {
			return s, fmt.Errorf("fees.banking, %s: %w", b.Rail, err)
		}

		s.Banking[b.Rail] = fee
	}

	return s, nil
}

// minimumOf returns the smallest deposits of the configuration.
func minimumOf(c config.Quotes) (quote.Minimum, error) {
	m := quote.Minimum{Currencies: map[string]money.Amount{}}

	var err error
	if m.USD, err = amountOf("USD", c.OnrampMinimumUSD); err != nil {
		return m, fmt.Errorf("quotes.onramp_minimum_usd: %w", err)
	}

	given, err := c.ParseOnrampMinimum()
	for _, x := range given {
		if err == nil {
			m.Currencies[x.Currency], err = amountOf(x.Currency, x.Amount)
		}
	}

	if err != nil {
		return m, fmt.Errorf("quotes.onramp_minimum: %w", err)
	}

	return m, nil
}

// amountOf parses an amount of a currency, with the currency's own decimals.
func amountOf(currency, text string) (money.Amount, error) {
	c, ok := refdata.All().Currency(currency)
	if !ok {
		return money.Amount{}, fmt.Errorf("there is no currency %s", currency)
	}

	a, err := money.ParseOrZero(money.Asset{Code: c.Code, Decimals: c.Decimals}, text)
	if err != nil {
		return a, fmt.Errorf("%s %s: %w", text, currency, err)
	}

	return a, nil
}
