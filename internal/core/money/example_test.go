package money_test

import (
	"errors"
	"fmt"
	"math/big"

	"slipway/internal/core/money"
)

// An amount is parsed from decimal text, never from a floating-point number, and keeps its asset.
func ExampleParse() {
	eur := money.Asset{Code: "EUR", Decimals: 2}

	a, err := money.Parse(eur, "1250.5")
	fmt.Println(a, a.Units(), err)

	_, err = money.Parse(eur, "0.001")
	fmt.Println(errors.Is(err, money.ErrPrecision))

	// Output:
	// 1250.50 125050 <nil>
	// true
}

// Amounts of one asset are added, subtracted and compared exactly, however large they are.
func ExampleAmount_Add() {
	dai := money.Asset{Code: "DAI", Decimals: 18}
	one, _ := money.Parse(dai, "1")
	least := money.FromUnits(dai, big.NewInt(1))

	sum := one.Add(least)
	fmt.Println(sum)
	fmt.Println(sum.Sub(one).Cmp(least))

	// Output:
	// 1.000000000000000001
	// 0
}

// A conversion names its rounding: there is no default.
func ExampleFromRat() {
	eur := money.Asset{Code: "EUR", Decimals: 2}
	third := big.NewRat(100, 3)

	fmt.Println(money.FromRat(eur, third, money.Down))
	fmt.Println(money.FromRat(eur, third, money.Up))

	// Output:
	// 33.33
	// 33.34
}
