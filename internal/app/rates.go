package app

import (
	"fmt"
	"strings"

	"github.com/ethereum/go-ethereum/common"

	"slipway/internal/platform/config"
	"slipway/internal/rails/liquidity"
	"slipway/internal/rails/rates"
)

// buildRates builds the source of exchange rates.
func (a *App) buildRates() (err error) {
	a.rates, err = a.rateSource()
	return err
}

// rateSource returns the market where one is configured or swaps are made at one, else the outside's own source. It
// returns nil if there is neither: FIAT and ONRAMP transactions are not carried out then.
func (a *App) rateSource() (rates.Source, error) {
	simulated := a.outside.Banking.Rates
	swaps := !a.Config.Liquidity.Simulated() || a.outside.Banking.Liquidity != nil

	if a.Config.Rates.Source == "market" || simulated == nil && swaps {
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

// market returns the configured price feeds, and the central bank's reference rates for pairs that have no feed or no
// fresh one. A pair is unavailable while its feed is further from the reference rate than the configuration tolerates.
// Pairs that neither source has are crossed by way of the dollar and the euro.
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

	link, err := rates.NewChainlink(a.chains, a.DB.Clock(), feeds, sequencers)
	if err != nil {
		return nil, err
	}

	ecb := rates.NewECB(rates.ECBConfig{URL: c.ECBURL, Clock: a.DB.Clock(), MaxMissed: c.ECBMissed})

	return rates.Cross(rates.Checked(rates.First(rates.Cross(link), ecb), ecb, deviation), "USD", "EUR"), nil
}

// networkID returns a configured network's identifier in the directory.
func networkID(configured string) string { return "net_" + strings.TrimPrefix(configured, "net_") }

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

		all = append(all, liquidity.Named{Name: c.ID, Provider: p, Currencies: c.Currencies})
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
