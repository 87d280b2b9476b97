package money

import (
	"fmt"
	"math/big"
)

// Rounding is how a fraction of a base unit is rounded. There is no default: every caller names one.
type Rounding int

// The roundings of amounts that are not negative.
const (
	Down     Rounding = iota + 1 // the fraction is dropped
	Up                           // any fraction counts as a whole unit
	HalfEven                     // to the nearest unit; from the middle, to the even one
)

// Rat returns the exact amount in whole units (1.25 for 1.25 EUR), as a copy.
func (a Amount) Rat() *big.Rat {
	return new(big.Rat).SetFrac(a.Units(), pow10(a.asset.Decimals))
}

// FromRat returns an amount of whole units, rounded to base units. It panics on a negative number, for which up and
// down would be ambiguous.
func FromRat(asset Asset, whole *big.Rat, r Rounding) Amount {
	if whole.Sign() < 0 {
		panic(fmt.Sprintf("money: %s %s is negative", whole, asset.Code))
	}

	return Amount{asset: asset, units: Scale(pow10(asset.Decimals), whole, r)}
}

// Scale multiplies base units by a factor and rounds to whole units. It panics if either is negative.
func Scale(units *big.Int, by *big.Rat, r Rounding) *big.Int {
	if units.Sign() < 0 || by.Sign() < 0 {
		panic(fmt.Sprintf("money: %s times %s is negative", units, by))
	}

	out, rest := new(big.Int).QuoRem(new(big.Int).Mul(units, by.Num()), by.Denom(), new(big.Int))
	if roundsUp(out, rest, by.Denom(), r) {
		out.Add(out, big.NewInt(1))
	}

	return out
}

// roundsUp reports whether a remainder of units/denominator becomes one more unit.
func roundsUp(units, rest, denominator *big.Int, r Rounding) bool {
	switch r {
	case Down:
		return false
	case Up:
		return rest.Sign() > 0
	case HalfEven:
		half := new(big.Int).Lsh(rest, 1).Cmp(denominator)
		return half > 0 || half == 0 && units.Bit(0) == 1
	}

	panic(fmt.Sprintf("money: %d is no rounding", r))
}

func pow10(n int) *big.Int { return new(big.Int).Exp(big.NewInt(10), big.NewInt(int64(n)), nil) }
