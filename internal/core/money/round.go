package money

import (
	"fmt"
	"math/big"
)

// Rounding names what becomes of a part of a base unit. There is no default: who rounds says how.
type Rounding int

// The roundings of amounts that are not negative.
const (
	Down     Rounding = iota + 1 // the part is dropped
	Up                           // any part counts as a whole unit
	HalfEven                     // to the nearest, and from the middle to the even neighbour
)

// Rat is the amount in whole units (1.25 for 1.25 EUR), exactly, as a copy.
func (a Amount) Rat() *big.Rat {
	return new(big.Rat).SetFrac(a.Units(), pow10(a.asset.Decimals))
}

// FromRat makes an amount of a number of whole units, rounded to base units. A negative number panics: for it, up and
// down would need to say from where.
func FromRat(asset Asset, whole *big.Rat, r Rounding) Amount {
	if whole.Sign() < 0 {
		panic(fmt.Sprintf("money: %s %s is negative", whole, asset.Code))
	}

	return Amount{asset: asset, units: Scale(pow10(asset.Decimals), whole, r)}
}

// Scale multiplies base units by a factor and rounds to whole units. Neither may be negative.
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

// roundsUp says whether a rest of units/denominator becomes one more unit.
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
