//go:build !nosandbox

package ratesim_test

import (
	"math/big"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"

	"slipway/internal/platform/clock"
	"slipway/internal/rails/rates"
	"slipway/internal/rails/rates/ratesim"
)

func rate(t *testing.T, m *ratesim.Market, base, quote string) rates.Rate {
	t.Helper()
	r, err := m.Rate(t.Context(), base, quote)
	require.NoError(t, err)

	return r
}

func TestRatesFollowTheClockSlowlyAndAreTheSameInEveryProcess(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c := clock.New()
		a := ratesim.New(c)
		b := ratesim.New(c)
		last := rate(t, a, "USDC", "EUR")
		changed := 0
		low := big.NewRat(90, 100)

		high := big.NewRat(94, 100)
		for range 3 * 24 * 60 {
			c.Advance(time.Minute)
			r := rate(t, a, "USDC", "EUR")
			require.Equal(t, rate(t, b, "USDC", "EUR").Value, r.Value)
			require.Equal(t, c.Now().Truncate(time.Minute), r.AsOf)
			require.True(t, r.Value.Cmp(low) > 0 && r.Value.Cmp(high) < 0, r.Value.FloatString(6))
			step := new(big.Rat).Sub(r.Value, last.Value)
			require.Negative(t, step.Abs(step).Cmp(big.NewRat(1, 10_000)), "a minute moves it little")

			if r.Value.Cmp(last.Value) != 0 {
				changed++
			}

			last = r
		}

		require.Greater(t, changed, 1_000)
		product := new(big.Rat).Mul(rate(t, a, "EUR", "INR").Value, rate(t, a, "INR", "EUR").Value)
		require.Equal(t, "1/1", product.String(), "both ways are exact inverses")
	})
}

func TestTestersSteerIt(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		m := ratesim.New(clock.New())
		require.NoError(t, m.Set("USDC", "EUR", big.NewRat(9, 10)))
		require.Equal(t, "9/10", rate(t, m, "USDC", "EUR").Value.String())
		require.Equal(t, "10/9", rate(t, m, "EUR", "USDC").Value.String())
		require.NoError(t, m.Set("EUR", "USDC", big.NewRat(2, 1)))
		require.Equal(
			t,
			"1/2",
			rate(t, m, "USDC", "EUR").Value.String(),
			"the later word counts, whichever way it was given",
		)
		require.Error(t, m.Set("USDC", "EUR", new(big.Rat)))

		m.Stale(true)
		_, err := m.Rate(t.Context(), "USDC", "EUR")
		require.ErrorIs(t, err, rates.ErrStale)
		m.Down(true)
		_, err = m.Rate(t.Context(), "USDC", "EUR")
		require.ErrorIs(t, err, rates.ErrUnavailable)
		m.Reset()
		require.NotEqual(t, "1/2", rate(t, m, "USDC", "EUR").Value.String())
		_, err = m.Rate(t.Context(), "USDC", "XXX")
		require.ErrorIs(t, err, rates.ErrUnknownPair)
	})
}
