//go:build !nosandbox

// Package ratesim is a simulated source of rates for sandboxes and tests: a small market whose prices move slowly with
// the clock.
//
// The same time gives the same rates in every process: prices are computed from the time alone, and the only state is
// what a tester has set. Prices move by at most half a percent around their middle, a little every minute.
//
// Read ratesim.go, then days.go (the reference rates of days).
package ratesim

import (
	"context"
	"fmt"
	"hash/fnv"
	"math/big"
	"sync"
	"time"

	"slipway/internal/platform/clock"
	"slipway/internal/rails/rates"
)

// Name is the source's name in rates.
const Name = "simulator"

// step is how often prices move.
const step = time.Minute

// Market is the simulator. It is safe for concurrent use.
type Market struct {
	clock *clock.Clock
	usd   map[string]*big.Rat // middle price in US dollars

	mu    sync.Mutex
	fixed map[pair]*big.Rat
	down  bool
	stale bool
}

type pair struct{ base, quote string }

// New returns a market that follows the clock.
func New(c *clock.Clock) *Market {
	m := &Market{clock: c, usd: map[string]*big.Rat{}, fixed: map[pair]*big.Rat{}}
	for code, micro := range prices() {
		m.usd[code] = big.NewRat(micro, 1_000_000)
	}

	return m
}

// prices are the middle prices in millionths of a US dollar.
func prices() map[string]int64 {
	return map[string]int64{
		"USDC": 1_000_000,
		"USDT": 1_000_000,
		"DAI":  1_000_000,
		"USD":  1_000_000,
		"EUR":  1_085_000,
		"GBP":  1_270_000,
		"CHF":  1_120_000,
		"INR":  11_900,
		"AED":  272_300,
		"AUD":  655_000,
		"BRL":  178_000,
		"CAD":  725_000,
		"CZK":  43_400,
		"DKK":  145_400,
		"HKD":  128_200,
		"HUF":  2_750,
		"ILS":  273_000,
		"JPY":  6_650,
		"MXN":  54_500,
		"NOK":  93_000,
		"NZD":  598_000,
		"PLN":  251_000,
		"RON":  218_000,
		"SEK":  95_500,
		"SGD":  745_000,
		"THB":  28_400,
		"TRY":  29_000,
		"ZAR":  54_800,
	}
}

// Rate implements rates.Source.
func (m *Market) Rate(_ context.Context, base, quote string) (rates.Rate, error) {
	now := m.clock.Now()
	m.mu.Lock()
	defer m.mu.Unlock()

	asOf := now.Truncate(step)
	switch {
	case m.down:
		return rates.Rate{}, fmt.Errorf("%s: %w: it was switched off", Name, rates.ErrUnavailable)

	case m.stale:
		return rates.Rate{}, &rates.Stale{
			Base:   base,
			Quote:  quote,
			Source: Name,
			AsOf:   asOf.Add(-24 * time.Hour),
			Limit:  "1h",
		}
	}

	v, ok := m.value(base, quote, asOf)
	if !ok {
		return rates.Rate{}, fmt.Errorf("%s: %w: %s/%s", Name, rates.ErrUnknownPair, base, quote)
	}

	return rates.Rate{
		Base:   base,
		Quote:  quote,
		Value:  v,
		AsOf:   asOf,
		Source: Name,
	}, nil
}

// value returns what was set for the pair, in either direction, otherwise the ratio of the prices. The caller holds mu.
func (m *Market) value(base, quote string, at time.Time) (*big.Rat, bool) {
	if v, ok := m.fixed[pair{base, quote}]; ok {
		return new(big.Rat).Set(v), true
	}

	if v, ok := m.fixed[pair{quote, base}]; ok {
		return new(big.Rat).Inv(v), true
	}

	b, okBase := m.usd[base]

	q, okQuote := m.usd[quote]
	if !okBase || !okQuote {
		return nil, false
	}

	return new(big.Rat).Quo(moved(base, b, at), moved(quote, q, at)), true
}

// moved returns a price at a time: its middle and two slow oscillations whose periods and phases follow from the code.
// The dollar is constant.
func moved(code string, middle *big.Rat, at time.Time) *big.Rat {
	if code == "USD" {
		return new(big.Rat).Set(middle)
	}

	h := fnv.New64a()
	_, _ = h.Write([]byte(code)) // never fails
	seed := h.Sum64()
	minute := at.Unix() / int64(step/time.Second)
	swing := triangle(minute+int64(seed%1440), 1440+int64(seed%300))*4 + triangle(
		minute+int64(seed>>32%360),
		360+int64(seed>>40%60),
	)
	parts := int64(1_000_000) + swing // millionths: at most ± (4 × 1,000 + 1,000)

	return new(big.Rat).Mul(middle, big.NewRat(parts, 1_000_000))
}

// triangle rises evenly from -1,000 to 1,000 and falls back within a period.
func triangle(at, period int64) int64 {
	place := (at%period + period) % period * 4_000 / period // 0 to 3,999

	switch {
	case place < 1_000:
		return place
	case place < 3_000:
		return 2_000 - place
	default:
		return place - 4_000
	}
}

// Set fixes a rate until Reset: the value of one base in quote.
func (m *Market) Set(base, quote string, value *big.Rat) error {
	if value.Sign() <= 0 {
		return fmt.Errorf("a rate is more than zero, not %s", value)
	}

	m.mu.Lock()
	defer m.mu.Unlock()
	delete(m.fixed, pair{quote, base})
	m.fixed[pair{base, quote}] = new(big.Rat).Set(value)

	return nil
}

// Down switches the source off and on: while it is off no rate is available.
func (m *Market) Down(off bool) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.down = off
}

// Stale makes all rates stale, or fresh again.
func (m *Market) Stale(old bool) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.stale = old
}

// Reset removes everything that was set.
func (m *Market) Reset() {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.fixed = map[pair]*big.Rat{}
	m.down = false
	m.stale = false
}
