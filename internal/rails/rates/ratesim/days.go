//go:build !nosandbox

package ratesim

import (
	"context"
	"math/big"
	"slices"
	"time"

	"slipway/internal/standards/ecb"
)

// history is how many days the simulator publishes, as many as the central bank's smaller history.
const history = 90

// digits is how many decimals of a published rate there are.
const digits = 6

// Name implements rates.Publisher.
func (*Market) Name() string { return Name }

// Days implements rates.Publisher: the market's prices on the afternoons of the last working days. What testers set
// changes no published day.
func (m *Market) Days(context.Context) ([]ecb.Day, error) {
	var out []ecb.Day

	for on := ecb.Latest(m.clock.Now()); len(out) < history; on = ecb.Previous(on) {
		at := on.Add(14 * time.Hour)
		euro := moved(ecb.Euro, m.usd[ecb.Euro], at)
		day := ecb.Day{Date: on, Rates: map[string]*big.Rat{}}

		for code, middle := range m.usd {
			if code == ecb.Euro || slices.Contains([]string{"USDC", "USDT", "DAI"}, code) {
				continue
			}

			text := new(big.Rat).Quo(euro, moved(code, middle, at)).FloatString(digits)
			day.Rates[code], _ = new(big.Rat).SetString(text)
		}

		out = append(out, day)
	}

	return out, nil
}
