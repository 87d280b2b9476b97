package money_test

import (
	"math/big"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"slipway/internal/core/money"
)

// B-08: what is not written exactly as an amount is refused, with the reason.
func TestParseRefusesEveryOtherForm(t *testing.T) {
	usdc := money.Asset{Code: "USDC", Decimals: 6}

	for s, want := range map[string]error{
		"":                             money.ErrForm,
		" ":                            money.ErrForm,
		" 1":                           money.ErrForm,
		"1 ":                           money.ErrForm,
		"1 000":                        money.ErrForm,
		"1,5":                          money.ErrForm,
		"1'000":                        money.ErrForm,
		"1_000":                        money.ErrForm,
		"+1":                           money.ErrForm,
		"-1":                           money.ErrForm,
		"--1":                          money.ErrForm,
		"−1":                           money.ErrForm,
		".5":                           money.ErrForm,
		"5.":                           money.ErrForm,
		".":                            money.ErrForm,
		"1.2.3":                        money.ErrForm,
		"1e5":                          money.ErrForm,
		"1E5":                          money.ErrForm,
		"1e-19":                        money.ErrForm,
		"10^30":                        money.ErrForm,
		"0x10":                         money.ErrForm,
		"NaN":                          money.ErrForm,
		"Inf":                          money.ErrForm,
		"null":                         money.ErrForm,
		"00":                           money.ErrForm,
		"01":                           money.ErrForm,
		"007.5":                        money.ErrForm,
		"00.5":                         money.ErrForm,
		"١٠":                           money.ErrForm,
		"１０":                           money.ErrForm,
		"1\u066b5":                     money.ErrForm,
		"1\x00":                        money.ErrForm,
		"1\n":                          money.ErrForm,
		"½":                            money.ErrForm,
		"0.0000001":                    money.ErrPrecision,
		"1.0000000":                    money.ErrPrecision,
		"0":                            money.ErrZero,
		"0.0":                          money.ErrZero,
		"0.000000":                     money.ErrZero,
		strings.Repeat("9", 61):        money.ErrTooLarge,
		"1" + strings.Repeat("0", 54):  money.ErrTooLarge,
		"0." + strings.Repeat("1", 37): money.ErrTooLarge,
	} {
		_, err := money.Parse(usdc, s)
		require.ErrorIs(t, err, want, "%q", s)
	}
}

// B-08: 10^30 is a number like any other: nothing is lost, and base units never outgrow a token contract's 256 bits.
func TestParseTakesLargeAmountsExactly(t *testing.T) {
	dai := money.Asset{Code: "DAI", Decimals: 18}
	a, err := money.Parse(dai, "1000000000000000000000000000001.000000000000000001")
	require.NoError(t, err)
	require.Equal(t, "1000000000000000000000000000001000000000000000001", a.Units().String())
	require.Equal(t, "1000000000000000000000000000001.000000000000000001", a.String())

	most, err := money.Parse(dai, strings.Repeat("9", 42)+"."+strings.Repeat("9", 18))
	require.NoError(t, err)
	require.Less(t, most.Units().BitLen(), 256)

	_, err = money.Parse(dai, "1"+strings.Repeat("0", 42))
	require.ErrorIs(t, err, money.ErrTooLarge)
}

// decisions 2.1, money: parse, store, print is identity for 0 to 18 decimals.
func TestParseStorePrintIsIdentity(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		asset := money.Asset{Code: "X", Decimals: rapid.IntRange(0, 18).Draw(t, "decimals")}

		written := rapid.StringMatching(`(0|[1-9][0-9]{0,30})`).Draw(t, "whole")
		if frac := rapid.StringMatching(`[0-9]{0,18}`).Draw(t, "fraction"); asset.Decimals > 0 && frac != "" {
			written += "." + frac[:min(len(frac), asset.Decimals)]
		}

		a, err := money.ParseOrZero(asset, written)
		if err != nil {
			t.Fatalf("%q with %d decimals: %v", written, asset.Decimals, err)
		}

		units, ok := new(big.Int).SetString(a.Units().String(), 10) // as it is stored: digit text
		if !ok {
			t.Fatal("units are no digits")
		}

		printed := money.FromUnits(asset, units).String()

		again, err := money.ParseOrZero(asset, printed)
		if err != nil || again.Cmp(a) != 0 {
			t.Fatalf("%q became %q: %v", written, printed, err)
		}

		if again.String() != printed {
			t.Fatalf("%q prints as %q and then as %q", written, printed, again)
		}

		if value(written).Cmp(value(printed)) != 0 {
			t.Fatalf("%q and %q are different values", written, printed)
		}
	})
}

func value(s string) *big.Rat {
	r, _ := new(big.Rat).SetString(s)
	return r
}

func TestFormatKeepsTwoDecimalsAndNoMoreThanNeeded(t *testing.T) {
	type amount struct {
		units    int64
		decimals int
		want     string
	}

	for _, c := range []amount{
		{125000, 2, "1250.00"},
		{5, 1, "0.5"},
		{500000, 6, "0.50"},
		{1, 6, "0.000001"},
		{1, 0, "1"},
		{0, 0, "0"},
		{0, 6, "0.00"},
		{-5, 2, "-0.05"},
		{-1250000, 6, "-1.25"},
		{1234567, 6, "1.234567"},
		{100, 2, "1.00"},
		{10, 1, "1.0"},
	} {
		t.Run(c.want, func(t *testing.T) {
			require.Equal(t, c.want, money.Format(big.NewInt(c.units), c.decimals))
		})
	}
}

// Amounts of every size print to their exact value: those of 64 bits and those beyond, with more digits than any
// token has.
func TestFormatIsExactForEverySize(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		units := new(big.Int).SetBytes(rapid.SliceOfN(rapid.Byte(), 0, 40).Draw(t, "units"))
		if rapid.Bool().Draw(t, "negative") {
			units.Neg(units)
		}

		decimals := rapid.IntRange(0, money.MaxDecimals).Draw(t, "decimals")
		printed := money.Format(units, decimals)

		exact := new(big.Rat).SetFrac(units, new(big.Int).Exp(big.NewInt(10), big.NewInt(int64(decimals)), nil))
		if value(printed) == nil || value(printed).Cmp(exact) != 0 {
			t.Fatalf("%s with %d decimals is printed as %q", units, decimals, printed)
		}
	})
}

// An amount is the same number whether it is written with all of its decimals or without, on both sides of what 64
// bits hold.
func TestParseIsExactAroundSixtyFourBits(t *testing.T) {
	for digits := 16; digits <= 21; digits++ {
		for decimals := range digits {
			asset := money.Asset{Code: "X", Decimals: decimals}
			nines := strings.Repeat("9", digits)
			written := nines[:digits-decimals] + "." + nines[digits-decimals:]
			a, err := money.Parse(asset, strings.TrimSuffix(written, "."))
			require.NoError(t, err)
			require.Equal(t, nines, a.Units().String())

			short, err := money.Parse(asset, nines[:digits-decimals])
			require.NoError(t, err)
			require.Equal(t, nines[:digits-decimals]+strings.Repeat("0", decimals), short.Units().String())
		}
	}
}

func TestArithmeticIsExactAndChangesNothingInPlace(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		asset := money.Asset{Code: "X", Decimals: 6}
		draw := func(name string) (money.Amount, *big.Int) {
			n := big.NewInt(rapid.Int64().Draw(t, name))
			return money.FromUnits(asset, n), n
		}
		a, x := draw("a")

		b, y := draw("b")
		for name, got := range map[string][2]*big.Int{
			"add": {a.Add(b).Units(), new(big.Int).Add(x, y)},
			"sub": {a.Sub(b).Units(), new(big.Int).Sub(x, y)},
			"neg": {a.Neg().Units(), new(big.Int).Neg(x)},
			"a":   {a.Units(), x},
			"b":   {b.Units(), y},
		} {
			if got[0].Cmp(got[1]) != 0 {
				t.Fatalf("%s: %s, not %s", name, got[0], got[1])
			}
		}

		if a.Cmp(b) != x.Cmp(y) || a.Sign() != x.Sign() {
			t.Fatal("order")
		}
	})
}

func TestAmountIsNotChangedThroughWhatItWasMadeOf(t *testing.T) {
	n := big.NewInt(5)
	a := money.FromUnits(money.Asset{Code: "X"}, n)
	n.SetInt64(9)
	a.Units().SetInt64(7)
	require.Equal(t, "5", a.String())
}

func TestDifferentAssetsNeverMix(t *testing.T) {
	eur := money.Zero(money.Asset{Code: "EUR", Decimals: 2})
	usd := money.Zero(money.Asset{Code: "USD", Decimals: 2})

	wide := money.Zero(money.Asset{Code: "EUR", Decimals: 6})
	for _, other := range []money.Amount{usd, wide, {}} {
		require.Panics(t, func() { eur.Add(other) })
		require.Panics(t, func() { eur.Sub(other) })
		require.Panics(t, func() { eur.Cmp(other) })
	}
}
