package app

import (
	"fmt"
	"strings"

	"github.com/ethereum/go-ethereum/common"

	"slipway/internal/platform/clock"
	"slipway/internal/platform/config"
	"slipway/internal/rails/liquidity"
	"slipway/internal/rails/rates"
)

// buildRates builds the source of exchange rates, and what watches it.
func (a *App) buildRates() error {
	source, probes, err := a.rateSource()
	if err != nil {
		return err
	}

	a.rates = source
	a.ratesWatch = rates.NewWatch(a.DB.Clock(), a.Log, probes...)

	return nil
}

// rateSource returns the market where one is configured or swaps are made at one, else the outside's own source, and by
// which rates it is watched. It returns nil if there is neither: FIAT and ONRAMP transactions are not carried out then.
func (a *App) rateSource() (rates.Source, []rates.Probe, error) {
	simulated := a.outside.Banking.Rates
	swaps := !a.Config.Liquidity.Simulated() || a.outside.Banking.Liquidity != nil

	if a.Config.Rates.Source == "market" || simulated == nil && swaps {
		s, probes, err := Market(a.Config.Rates, a.chains, a.DB.Clock())
		if err != nil {
			return nil, nil, fmt.Errorf("rates: %w", err)
		}

		return s, probes, nil
	}

	if simulated == nil {
		return nil, nil, nil
	}

	s := simulated(a.DB.Clock())

	return s, []rates.Probe{{
		Name:   "simulator",
		Base:   dollar,
		Quote:  euro,
		Source: s,
	}}, nil
}

const (
	dollar = "USD"
	euro   = "EUR"
)

// Market returns the configured price feeds, and the central bank's reference rates for pairs that have no feed or no
// fresh one. A pair is unavailable while its feed is further from the reference rate than the configuration tolerates.
// Pairs that neither source has are crossed by way of the dollar and the euro. The probes are each feed and the central
// bank, asked as payments ask them.
func Market(c config.Rates, contracts rates.Contracts, clock *clock.Clock) (rates.Source, []rates.Probe, error) {
	deviation, err := config.ParsePercent(c.MaxDeviationPercent)
	if err != nil {
		return nil, nil, err
	}

	feeds, sequencers, err := feedsOf(c)
	if err != nil {
		return nil, nil, err
	}

	link, err := rates.NewChainlink(contracts, clock, feeds, sequencers)
	if err != nil {
		return nil, nil, err
	}

	ecb := rates.NewECB(rates.ECBConfig{URL: c.ECBURL, Clock: clock, MaxMissed: c.ECBMissed})
	probes := []rates.Probe{{
		Name:   "ECB",
		Base:   euro,
		Quote:  dollar,
		Source: ecb,
	}}

	for _, f := range feeds {
		probes = append(probes, rates.Probe{
			Name:   f.Base + "/" + f.Quote + " " + f.Network,
			Base:   f.Base,
			Quote:  f.Quote,
			Source: rates.Checked(link, ecb, deviation),
		})
	}

	source := rates.Cross(rates.Checked(rates.First(rates.Cross(link), ecb), ecb, deviation), dollar, euro)

	return source, probes, nil
}

// feedsOf returns the configured feeds of prices, and those of rollups' sequencers.
func feedsOf(c config.Rates) ([]rates.Feed, []rates.Sequencer, error) {
	given, err := c.ParseFeeds()
	if err != nil {
		return nil, nil, err
	}

	feeds := make([]rates.Feed, len(given))
	for i, f := range given {
		feeds[i] = rates.Feed{
			Base:      f.Base,
			Quote:     f.Quote,
			Network:   NetworkID(f.Network),
			Address:   common.HexToAddress(f.Address),
			Heartbeat: f.Heartbeat,
		}
	}

	uptime, err := c.ParseSequencerFeeds()
	if err != nil {
		return nil, nil, err
	}

	sequencers := make([]rates.Sequencer, len(uptime))
	for i, s := range uptime {
		sequencers[i] = rates.Sequencer{
			Network: NetworkID(s.Network),
			Address: common.HexToAddress(s.Address),
			Grace:   s.Grace,
		}
	}

	return feeds, sequencers, nil
}

// NetworkID returns a configured network's identifier in the directory.
func NetworkID(configured string) string { return "net_" + strings.TrimPrefix(configured, "net_") }

// buildLiquidity opens the configured providers of liquidity.
func (a *App) buildLiquidity() (err error) {
	a.liquidity, err = a.liquidityProviders()
	return err
}

// liquidityProviders opens the configured providers, or returns nil if nobody swaps.
func (a *App) liquidityProviders() (*liquidity.Providers, error) {
	var all []liquidity.Named

	for _, c := range a.Config.AllLiquidity() {
		p, err := a.liquidityProvider(c)
		if err != nil {
			return nil, fmt.Errorf("liquidity provider %s: %w", c.ID, err)
		}

		if p == nil {
			return nil, nil
		}

		all = append(all, liquidity.Named{Name: c.ID, Provider: p, Currencies: c.Currencies, Own: c.House()})
	}

	return liquidity.NewProviders(all[0], all[1:]...)
}

// liquidityProvider opens one provider, or returns nil if there is none. Adapters are registered here: another protocol
// is another case, and another value of the setting.
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

	case c.House():
		return a.Stock, nil

	case a.outside.Banking.Liquidity == nil:
		return nil, nil
	}

	p, closer, err := a.outside.Banking.Liquidity(c.ID, a.DB.Clock(), a.rates)
	if closer != nil {
		a.providers = append(a.providers, closer)
	}

	return p, err
}
