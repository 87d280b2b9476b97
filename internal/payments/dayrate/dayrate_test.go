package dayrate_test

import (
	"context"
	"errors"
	"math/big"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"slipway/internal/core/money"
	"slipway/internal/payments/dayrate"
	"slipway/internal/platform/db"
	"slipway/internal/platform/db/dbtest"
	"slipway/internal/standards/ecb"
)

// press publishes what a test says. The days of the tests are in the future, since a clock only goes on.
type press struct {
	days  []ecb.Day
	err   error
	asked int

	meanwhile func() // while it is asked
}

func (p *press) Name() string { return "press" }

func (p *press) Days(context.Context) ([]ecb.Day, error) {
	p.asked++
	if p.meanwhile != nil {
		p.meanwhile()
	}

	return p.days, p.err
}

func published(date string, dollars string) ecb.Day {
	on, _ := time.Parse(time.DateOnly, date)
	rate, _ := new(big.Rat).SetString(dollars)

	return ecb.Day{Date: on, Rates: map[string]*big.Rat{"USD": rate, "CHF": big.NewRat(15, 16)}}
}

func on(t *testing.T, d *db.DB, date string) dayrate.Day {
	t.Helper()
	at, err := time.Parse(time.DateOnly, date)
	require.NoError(t, err)

	day, err := dayrate.On(t.Context(), d, at.Add(13*time.Hour))
	require.NoError(t, err)

	return day
}

// A day has its own rates, else those of the last day before it, and none where the last ones are too old. What is
// stored stays, whatever is published later.
func TestDayHasItsRatesOrTheLastOnesBefore(t *testing.T) {
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		p := &press{days: []ecb.Day{published("2031-11-21", "1.25"), published("2031-11-20", "1.1234567")}}
		s := dayrate.New(d, p)
		d.Clock().Advance(time.Date(2031, 11, 24, 12, 0, 0, 0, time.UTC).Sub(d.Now()))

		require.False(t, on(t, d, "2031-11-21").Known())
		require.NoError(t, s.Refresh(t.Context()))

		for asked, of := range map[string]string{
			"2031-11-20": "2031-11-20",
			"2031-11-21": "2031-11-21",
			"2031-11-22": "2031-11-21",
			"2031-11-24": "2031-11-21",
			"2031-11-28": "2031-11-21",
		} {
			require.Equal(t, of, on(t, d, asked).Date.Format(time.DateOnly), asked)
		}

		require.False(t, on(t, d, "2031-11-19").Known(), "nothing before it")
		require.False(t, on(t, d, "2031-11-29").Known(), "too old")
		require.Equal(t, "11234567/10000000", on(t, d, "2031-11-20").Rates["USD"].String(), "exact")
		require.Equal(t, "press", on(t, d, "2031-11-20").Source)

		p.days = []ecb.Day{published("2031-11-24", "1.3"), published("2031-11-21", "9")}

		d.Clock().Advance(24 * time.Hour)
		require.NoError(t, s.Refresh(t.Context()))
		require.Equal(t, "5/4", on(t, d, "2031-11-21").Rates["USD"].String(), "a stored rate never changes")
		require.Equal(t, "13/10", on(t, d, "2031-11-25").Rates["USD"].String())
	})
}

// The publisher is asked only while something is missing, and not more often than every few minutes.
func TestPublisherIsAskedForWhatIsMissing(t *testing.T) {
	d := dbtest.SQLite(t)
	p := &press{err: errors.New("away")}
	s := dayrate.New(d, p)
	d.Clock().Advance(time.Date(2031, 11, 21, 18, 0, 0, 0, time.UTC).Sub(d.Now()))

	require.ErrorContains(t, s.Refresh(t.Context()), "away")
	require.NoError(t, s.Refresh(t.Context()), "not at once again")
	require.Equal(t, 1, p.asked)

	p.err = nil
	p.days = []ecb.Day{published("2031-11-21", "1.25")}

	d.Clock().Advance(11 * time.Minute)
	require.NoError(t, s.Refresh(t.Context()))
	require.Equal(t, 2, p.asked)

	d.Clock().Advance(2 * 24 * time.Hour)
	require.NoError(t, s.Refresh(t.Context()), "a Sunday: nothing newer can be there")
	require.Equal(t, 2, p.asked)

	require.NoError(t, dayrate.New(d, nil).Refresh(t.Context()), "nobody publishes")
}

// Whoever comes while the publisher is asked waits for the answer, and does not read without it.
func TestASecondCallWaitsForTheFirst(t *testing.T) {
	d := dbtest.SQLite(t)
	p := &press{days: []ecb.Day{published("2031-11-21", "1.25")}}
	s := dayrate.New(d, p)
	d.Clock().Advance(time.Date(2031, 11, 21, 18, 0, 0, 0, time.UTC).Sub(d.Now()))

	p.meanwhile = func() {
		ctx, cancel := context.WithTimeout(t.Context(), 50*time.Millisecond)
		defer cancel()

		require.ErrorIs(t, s.Refresh(ctx), context.DeadlineExceeded)
	}

	require.NoError(t, s.Refresh(t.Context()))
	require.Equal(t, 1, p.asked)
}

func TestValueOfAnAmount(t *testing.T) {
	day := dayrate.Day{Day: published("2031-11-21", "1.25")}
	euro := money.Asset{Code: "EUR", Decimals: 2}
	franc := money.Asset{Code: "CHF", Decimals: 2}

	for _, c := range []struct {
		asset, amount string
		decimals      int
		in            money.Asset
		want          string
	}{
		{"USDC", "1.25", 6, euro, "1.00"},
		{"DAI", "0.006250000000000001", 18, euro, "0.01"},
		{"USD", "0.00625", 5, euro, "0.00"}, // half to even
		{"EUR", "7.00", 2, euro, "7.00"},
		{"EUR", "16.00", 2, franc, "15.00"},
		{"USDT", "20.00", 6, franc, "15.00"},
	} {
		a, err := money.Parse(money.Asset{Code: c.asset, Decimals: c.decimals}, c.amount)
		require.NoError(t, err)

		v, ok := day.Value(a, c.in)
		require.True(t, ok)
		require.Equal(t, c.want, v.String(), "%s %s", c.amount, c.asset)

		minus, _ := day.Value(a.Neg(), c.in)
		require.Zero(t, v.Add(minus).Sign(), "both ways alike")
	}

	a, err := money.Parse(money.Asset{Code: "ETH", Decimals: 18}, "1")
	require.NoError(t, err)

	_, ok := day.Value(a, euro)
	require.False(t, ok, "nothing is pegged to anything here")
}
