package dayrate

import (
	"context"
	"fmt"
	"math/big"
	"time"

	"slipway/internal/platform/db"
	"slipway/internal/standards/ecb"
)

// A stored rate is never replaced.
var insertRate = db.InsertInto("day_rates", "day, currency, per_euro, source").OrIgnore("(day, currency)")

func insertDay(tx *db.Tx, d ecb.Day, source string) {
	for currency, rate := range d.Rates {
		digits, _ := rate.FloatPrec() // published rates are decimals, so this many digits are exact
		tx.Insert(insertRate, text(d.Date), currency, rate.FloatString(digits), source)
	}
}

// newestDay returns the last day with rates, or "".
func newestDay(ctx context.Context, q db.Querier) (string, error) {
	return db.Value[string](ctx, q, "SELECT COALESCE(MAX(day), '') FROM day_rates")
}

// Newest returns the last day with stored rates; zero: there is none.
func Newest(ctx context.Context, q db.Querier) (time.Time, error) {
	text, err := newestDay(ctx, q)
	if err != nil || text == "" {
		return time.Time{}, err
	}

	return time.Parse(time.DateOnly, text)
}

func storedDays(ctx context.Context, q db.Querier, since string) ([]string, error) {
	return db.Select(ctx, q, func(s *string) []any { return []any{s} },
		"SELECT DISTINCT day FROM day_rates WHERE day >= ?", since)
}

type rateRow struct{ currency, perEuro, source string }

func (r *rateRow) dest() []any { return []any{&r.currency, &r.perEuro, &r.source} }

// On returns the rates that count on the day of a time, in UTC: its own, or those of the last day before it that has
// some. It returns the zero Day if there are none or they are too old.
func On(ctx context.Context, q db.Querier, at time.Time) (Day, error) {
	oldest := text(Midnight(at).Add(-maxAge))

	on, err := db.Value[string](ctx, q,
		"SELECT COALESCE(MAX(day), '') FROM day_rates WHERE day <= ? AND day >= ?", text(at), oldest)
	if err != nil || on == "" {
		return Day{}, err
	}

	rows, err := db.Select(ctx, q, (*rateRow).dest,
		"SELECT currency, per_euro, source FROM day_rates WHERE day = ?", on)
	if err != nil {
		return Day{}, err
	}

	date, err := time.Parse(time.DateOnly, on)
	if err != nil {
		return Day{}, fmt.Errorf("day of rates: %w", err)
	}

	out := Day{Day: ecb.Day{Date: date, Rates: map[string]*big.Rat{}}}

	for _, r := range rows {
		rate, ok := new(big.Rat).SetString(r.perEuro)
		if !ok || rate.Sign() <= 0 {
			return Day{}, fmt.Errorf("rate of %s on %s: %q is none", r.currency, on, r.perEuro)
		}

		out.Rates[r.currency] = rate
		out.Source = r.source
	}

	return out, nil
}
