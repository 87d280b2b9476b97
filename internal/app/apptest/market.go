//go:build !nosandbox

package apptest

import (
	"math/big"
	"testing"

	"github.com/stretchr/testify/require"

	"slipway/internal/app"
	"slipway/internal/platform/clock"
	"slipway/internal/rails/rates"
	"slipway/internal/rails/rates/ratesim"
)

// Market is the simulated market of one harness, which a test steers.
type Market struct {
	*ratesim.Market
	t testing.TB
}

// Fix sets what one token is worth in a currency from now on, in ten-thousandths.
func (m *Market) Fix(currency string, per int64) {
	m.t.Helper()

	for _, token := range []string{"USDC", "USDT", "DAI"} {
		require.NoError(m.t, m.Set(token, currency, big.NewRat(per, 10_000)))
	}
}

// EachMarket is Each with a market that stands still: one token is 1 USD, 0.90 EUR, 0.80 GBP, 85 INR, 0.85 CHF.
func EachMarket(t *testing.T, test func(t *testing.T, h *Harness, m *Market)) {
	t.Helper()

	EachURL(t, func(t *testing.T, url string) {
		m := &Market{t: t}

		h := New(t, Config{Tune: func(out *app.Outside) {
			out.Banking.Rates = func(c *clock.Clock) rates.Source {
				m.Market = ratesim.New(c)
				return m.Market
			}
		}}, url)

		for currency, per := range map[string]int64{
			"USD": 10_000,
			"EUR": 9_000,
			"GBP": 8_000,
			"INR": 850_000,
			"CHF": 8_500,
			"AED": 36_725,
		} {
			m.Fix(currency, per)
		}

		test(t, h, m)
	})
}
