//go:build !nosandbox

package app

import (
	"context"
	"errors"
	"log/slog"
	"math/big"
	"strings"
	"testing"

	"github.com/ethereum/go-ethereum/common"
	"github.com/stretchr/testify/require"

	"slipway/internal/payments/quote"
	"slipway/internal/platform/clock"
	"slipway/internal/platform/config"
	"slipway/internal/platform/db/dbtest"
	"slipway/internal/rails/liquidity"
	"slipway/internal/rails/rates"
	"slipway/internal/rails/rates/ratesim"
)

func configured(t *testing.T, settings ...string) *config.Config {
	t.Helper()
	c, err := config.Load(config.Source{Environ: settings})
	require.NoError(t, err)

	return c
}

func TestPricesOfTheConfiguration(t *testing.T) {
	d, err := pricesOf(
		configured(
			t,
			"SLIPWAY_FEES__PAIR_COMMISSIONS=USDC/JPY=0.4",
			"SLIPWAY_QUOTES__ONRAMP_MINIMUM=JPY=150000,KWD=300.125",
		),
	)
	require.NoError(t, err)
	require.Equal(t, "1/200", d.Schedule.Commission.String())
	require.Equal(t, "1/250", d.Schedule.Pairs[quote.Pair{Base: "USDC", Quote: "JPY"}].String())
	require.Equal(t, "0.20", d.Schedule.Banking["SEPA"].Own.String())
	require.Equal(t, "20.00", d.Schedule.Banking["SWIFT"].OnTheWay.String())
	require.Len(t, d.Schedule.Banking, 10)
	require.Equal(t, "1/100", d.Tolerance.String())
	require.Equal(t, "1000.00", d.Minimum.USD.String())
	require.Equal(t, "150000", d.Minimum.Currencies["JPY"].String())
	require.Equal(t, "300.125", d.Minimum.Currencies["KWD"].String())

	for setting, says := range map[string]string{
		"FEES__PAIR_COMMISSIONS=USDC/XYZ=0.4": "no trading pair",
		"FEES__BANKING=PIGEON=1 EUR":          "no rail PIGEON",
		"FEES__BANKING=SEPA=1 XYZ":            "no currency XYZ",
		"FEES__BANKING=SEPA=0.201 EUR":        "more decimals",
		"QUOTES__ONRAMP_MINIMUM=JPY=1.5":      "more decimals",
	} {
		_, err := pricesOf(configured(t, "SLIPWAY_"+setting))
		require.ErrorContains(t, err, says, setting)
	}
}

func TestNobodyTradesWhereNothingIsConfigured(t *testing.T) {
	a := &App{Config: configured(t)}
	s, _, err := a.rateSource()
	require.NoError(t, err)
	require.Nil(t, s, "a live deployment without a provider carries out CRYPTO alone")
	p, err := a.liquidityProviders()
	require.NoError(t, err)
	require.Nil(t, p)

	a.Config = configured(
		t,
		"SLIPWAY_LIQUIDITY__PROVIDER=http",
		"SLIPWAY_LIQUIDITY__URL=https://lp.example",
		"SLIPWAY_LIQUIDITY__KEY_ID=k",
		"SLIPWAY_LIQUIDITY__SECRET=s",
		"SLIPWAY_FEES__COMMISSION_PERCENT=0",
	)
	a.outside.Banking.Liquidity = nil
	require.IsType(t, &liquidity.Client{}, mustProvider(t, a))
}

func mustProvider(t *testing.T, a *App) liquidity.Provider {
	t.Helper()
	a.DB = dbtest.SQLite(t)
	p, err := a.liquidityProviders()
	require.NoError(t, err)

	return p.By(p.For("EUR"))
}

func TestTheMarketIsAskedForWhatIsConfigured(t *testing.T) {
	a := &App{
		Config: configured(t, "SLIPWAY_RATES__SOURCE=market", "SLIPWAY_RATES__ECB_URL=http://127.0.0.1:1/none"),
		DB:     dbtest.SQLite(t),
	}

	a.outside.Banking.Rates = func(c *clock.Clock) rates.Source { return ratesim.New(c) }
	s, _, err := a.rateSource()
	require.NoError(t, err)

	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	_, err = s.Rate(ctx, "USD", "EUR")
	require.ErrorIs(t, err, rates.ErrUnavailable, "the central bank is asked, not the simulator")

	a.Config.Rates.Source = ""
	s, _, err = a.rateSource()
	require.NoError(t, err)
	require.IsType(t, &ratesim.Market{}, s)
}

// silent is a chain whose contracts do not answer.
type silent struct{}

// Call answers nothing.
func (silent) Call(context.Context, string, common.Address, []byte) ([]byte, error) {
	return nil, errors.New("no node answers")
}

// Each configured feed and the central bank are watched by themselves, whatever replaces them when they fail.
func TestEachSourceOfTheMarketIsWatched(t *testing.T) {
	_, probes, err := Market(config.Rates{
		ECBURL:              "http://127.0.0.1:1/none",
		MaxDeviationPercent: "2",
		Feeds: []string{
			"USDC/USD ethereum 0x8fFfFfd4AfB6115b954Bd326cbe7B4BA576818f6 24h",
			"EUR/USD base 0xc91D87E81faB8f93699ECf7Ee9B44D11e1D53F0F 24h",
		},
	}, silent{}, clock.New())
	require.NoError(t, err)
	require.Len(t, probes, 3)

	for i, found := range rates.NewWatch(clock.New(), slog.New(slog.DiscardHandler), probes...).Look(t.Context()) {
		require.Equal(t, []string{"ECB", "USDC/USD net_ethereum", "EUR/USD net_base"}[i], found.Name)
		require.Contains(t, found.Problem, []string{"refused", "no node answers", "no node answers"}[i])
	}
}

func TestTestersSteerMarketAndProvider(t *testing.T) {
	c := clock.New()
	m := ratesim.New(c)
	in := &ratesIn{}
	in.Body.Op = "set"
	in.Body.Base = "USDC"
	in.Body.Quote = "EUR"
	in.Body.Rate = "0.5"
	require.NoError(t, steerMarket(m, in))
	require.Equal(t, "0.500000000000", look(t.Context(), m, "USDC", "EUR").Rate)
	in.Body.Rate = "-1"
	require.ErrorContains(t, steerMarket(m, in), "/rate")

	for op, want := range map[string]bool{"stale": false, "down": false, "reset": true} {
		in.Body.Op = op
		m.Reset()
		require.NoError(t, steerMarket(m, in))
		require.Equal(t, want, look(t.Context(), m, "USDC", "EUR").Rate != "", op)
	}

	m.Reset()
	provider, server, err := SimulatedLiquidity("", c, m)
	require.NoError(t, err)
	_, err = provider.Place(t.Context(), liquidity.Order{
		Key:          "k",
		Sell:         "USDC",
		Buy:          "EUR",
		SellDecimals: 6,
		BuyDecimals:  2,
		BuyUnits:     big.NewInt(100),
	})
	require.NoError(t, err)
	books := booksOf(server, "normal")
	require.Equal(t, "FILLED", books.Orders[0].Status)
	require.Equal(t, "999999999.000000", books.Held["EUR"])
	require.True(t, strings.HasPrefix(books.Held["USDC"], "1000000001."), books.Held["USDC"])
}
