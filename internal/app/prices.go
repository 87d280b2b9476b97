package app

import (
	"context"
	"fmt"
	"math/big"
	"strings"

	"github.com/ethereum/go-ethereum/common"

	"slipway/internal/core/money"
	"slipway/internal/directory/refdata"
	"slipway/internal/payments/quote"
	"slipway/internal/platform/config"
	"slipway/internal/rails/chain"
	"slipway/internal/rails/liquidity"
	"slipway/internal/rails/rates"
)

// source is who says what tokens and currencies are worth: the market where it is configured or somebody swaps at it,
// else the outside's own. nil: nobody does, and FIAT and ONRAMP are not carried out.
func (a *App) source() (rates.Source, error) {
	simulated := a.outside.Banking.Rates
	if a.Config.Rates.Source == "market" || simulated == nil && a.Config.Liquidity.Provider == "http" {
		s, err := a.market()
		if err != nil {
			return nil, fmt.Errorf("rates: %w", err)
		}

		return s, nil
	}

	if simulated == nil {
		return nil, nil
	}

	return simulated(a.DB.Clock()), nil
}

// market is the configured price feeds, and the central bank's reference rates where there is no feed or none that is
// fresh. A feed that is further from the reference rate than the deployment tolerates makes the pair unavailable.
// What neither has is crossed by way of the dollar and the euro.
func (a *App) market() (rates.Source, error) {
	c := a.Config.Rates

	given, err := c.ParseFeeds()
	if err != nil {
		return nil, err
	}

	feeds := make([]rates.Feed, len(given))
	for i, f := range given {
		feeds[i] = rates.Feed{
			Base:      f.Base,
			Quote:     f.Quote,
			Network:   networkID(f.Network),
			Address:   common.HexToAddress(f.Address),
			Heartbeat: f.Heartbeat,
		}
	}

	uptime, err := c.ParseSequencerFeeds()
	if err != nil {
		return nil, err
	}

	sequencers := make([]rates.Sequencer, len(uptime))
	for i, s := range uptime {
		sequencers[i] = rates.Sequencer{
			Network: networkID(s.Network),
			Address: common.HexToAddress(s.Address),
			Grace:   s.Grace,
		}
	}

	deviation, err := config.ParsePercent(c.MaxDeviationPercent)
	if err != nil {
		return nil, err
	}

	link, err := rates.NewChainlink(contracts{a.Rail}, a.DB.Clock(), feeds, sequencers)
	if err != nil {
		return nil, err
	}

	ecb := rates.NewECB(rates.ECBConfig{URL: c.ECBURL, Clock: a.DB.Clock(), MaxMissed: c.ECBMissed})

	return rates.Cross(rates.Checked(rates.First(rates.Cross(link), ecb), ecb, deviation), "USD", "EUR"), nil
}

// networkID is a configured network's identifier in the directory.
func networkID(configured string) string { return "net_" + strings.TrimPrefix(configured, "net_") }

// contracts reads from contracts through the rail's nodes.
type contracts struct{ rail *chain.Rail }

// Call is rates.Contracts'.
func (c contracts) Call(ctx context.Context, network string, to common.Address, data []byte) ([]byte, error) {
	client, err := c.rail.Client(network)
	if err != nil {
		return nil, err
	}

	return client.Call(ctx, chain.CallMsg{To: to, Data: data})
}

// liquidity opens the configured providers of liquidity. nil: nobody swaps.
func (a *App) liquidity() (*liquidity.Providers, error) {
	var all []liquidity.Named

	for _, c := range a.Config.AllLiquidity() {
		p, err := a.liquidityProvider(c)
		if err != nil {
			return nil, fmt.Errorf("liquidity provider %s: %w", c.ID, err)
		}

		if p == nil {
			return nil, nil
		}

		all = append(all, liquidity.Named{Name: c.ID, Provider: p, Currencies: c.Currencies})
	}

	return liquidity.NewProviders(all[0], all[1:]...)
}

// liquidityProvider opens one provider. This is where adapters are registered: another protocol is another case, and a
// word of the setting. What is opened here is closed with the App. nil: there is none.
func (a *App) liquidityProvider(c config.LiquidityProvider) (liquidity.Provider, error) {
	switch {
	case c.Provider == "http":
		return liquidity.NewClient(liquidity.ClientConfig{
			URL:     c.URL,
			KeyID:   c.KeyID,
			Secret:  c.Secret,
			Timeout: c.Timeout,
			Clock:   a.DB.Clock(),
		})

	case a.outside.Banking.Liquidity == nil:
		return nil, nil
	}

	p, closer, err := a.outside.Banking.Liquidity(c.ID, a.DB.Clock(), a.rates)
	if closer != nil {
		a.providers = append(a.providers, closer)
	}

	return p, err
}

// pricesOf is what a deployment charges, and from which amounts on, as its configuration says.
func pricesOf(c *config.Config) (quote.Deps, error) {
	d := quote.Deps{
		Lifetime: c.Quotes.Lifetime,
		Unused:   quote.Unused{Free: int64(c.Quotes.UnusedFree), Limit: int64(c.Quotes.UnusedLimit)},
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

// amountOf reads an amount of a currency with the decimals that the currency has.
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

// pairOf finds a trading pair as clients name it.
func pairOf(ref string) (string, bool) {
	for _, p := range refdata.All().Pairs {
		if p.ID == ref {
			return p.ID, true
		}
	}

	return "", false
}
