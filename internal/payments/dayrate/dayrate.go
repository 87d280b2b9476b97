// Package dayrate keeps the reference rates of days, and returns what an amount was worth on a day.
//
// It promises that a stored rate never changes, so the value of a day that is stored never changes either. A day
// without rates of its own (a weekend, a holiday, today before the publication) has those of the last day before it,
// and shows that day's date. A day whose last rates are older than a week has none: there is no value then, never a
// guess. A token that is pegged to a currency counts as one unit of it. It does not promise that anyone trades at these
// rates.
//
// Read in this order: dayrate.go (days and values), service.go (where rates come from), store.go.
package dayrate

import (
	"math/big"
	"time"

	"slipway/internal/core/money"
	"slipway/internal/directory/refdata"
	"slipway/internal/standards/ecb"
)

// maxAge is how old the rates of a day may be. Between two publications are five days at most, at Easter.
const maxAge = 7 * 24 * time.Hour

// Day holds the rates that count on a day.
type Day struct {
	ecb.Day        // of the day they were published for
	Source  string // who published them: "ECB"
}

// Known reports whether there are rates at all.
func (d Day) Known() bool { return !d.Date.IsZero() }

// Rate returns the units of a currency that one whole unit of an asset, a currency or a pegged token, was worth.
func (d Day) Rate(asset, currency string) (*big.Rat, bool) {
	asset = Counts(asset)

	if asset == currency {
		return big.NewRat(1, 1), true
	}

	return d.Cross(asset, currency)
}

// Counts returns the currency whose rates an asset has: itself, or the one that a token is pegged to.
func Counts(asset string) string {
	if t, ok := refdata.All().Token(asset); ok && t.Peg != "" {
		return t.Peg
	}

	return asset
}

// Value returns what an amount was worth in a currency, rounded half to even. The value of what is below zero is below
// zero.
func (d Day) Value(a money.Amount, in money.Asset) (money.Amount, bool) {
	rate, ok := d.Rate(a.Asset().Code, in.Code)
	if !ok {
		return money.Amount{}, false
	}

	if a.Sign() < 0 {
		return money.FromRat(in, rate.Mul(rate, a.Neg().Rat()), money.HalfEven).Neg(), true
	}

	return money.FromRat(in, rate.Mul(rate, a.Rat()), money.HalfEven), true
}

// Midnight returns the beginning of a time's day in UTC.
func Midnight(t time.Time) time.Time {
	y, m, d := t.UTC().Date()
	return time.Date(y, m, d, 0, 0, 0, 0, time.UTC)
}
