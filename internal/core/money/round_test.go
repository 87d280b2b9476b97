package money_test

import (
	"math/big"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"slipway/internal/core/money"
)

func TestRoundingIsNamed(t *testing.T) {
	euro := money.Asset{Code: "EUR", Decimals: 2}
	for _, test := range []struct{ whole, down, up, halfEven string }{
		{"1.234", "1.23", "1.24", "1.23"},
		{"1.235", "1.23", "1.24", "1.24"},
		{"1.245", "1.24", "1.25", "1.24"},
		{"1.2451", "1.24", "1.25", "1.25"},
		{"1.23", "1.23", "1.23", "1.23"},
		{"0", "0.00", "0.00", "0.00"},
		{"1/3", "0.33", "0.34", "0.33"},
		{"0.001", "0.00", "0.01", "0.00"},
		{"0.005", "0.00", "0.01", "0.00"},
		{"0.015", "0.01", "0.02", "0.02"},
	} {
		x, ok := new(big.Rat).SetString(test.whole)
		require.True(t, ok)
		require.Equal(t, test.down, money.FromRat(euro, x, money.Down).String(), test.whole)
		require.Equal(t, test.up, money.FromRat(euro, x, money.Up).String(), test.whole)
		require.Equal(t, test.halfEven, money.FromRat(euro, x, money.HalfEven).String(), test.whole)
	}

	require.Panics(t, func() { money.FromRat(euro, big.NewRat(-1, 2), money.Down) })
	require.Panics(t, func() { money.FromRat(euro, big.NewRat(1, 2), 0) })
}

// For every number of decimals: an amount that is made a number and back is the same under every rounding; down and
// up are neighbours around the exact value.
func TestAmountsAreNumbersAndBack(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		asset := money.Asset{Code: "X", Decimals: rapid.IntRange(0, money.MaxDecimals).Draw(t, "decimals")}

		a := money.FromUnits(asset, new(big.Int).SetBytes(rapid.SliceOfN(rapid.Byte(), 0, 24).Draw(t, "units")))
		for _, r := range []money.Rounding{money.Down, money.Up, money.HalfEven} {
			if back := money.FromRat(asset, a.Rat(), r); back.Cmp(a) != 0 {
				t.Fatalf("%s became %s", a, back)
			}
		}

		x := new(big.Rat).Quo(a.Rat(), big.NewRat(rapid.Int64Range(1, 1<<40).Draw(t, "by"), 1))
		down := money.FromRat(asset, x, money.Down)

		up := money.FromRat(asset, x, money.Up)
		if down.Rat().Cmp(x) > 0 || up.Rat().Cmp(x) < 0 || up.Sub(down).Units().Cmp(big.NewInt(1)) > 0 {
			t.Fatalf("%s is not between %s and %s", x, down, up)
		}
	})
}
