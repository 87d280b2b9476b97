// Package money holds amounts: whole numbers of base units (cents, wei) with the number of decimals of their asset.
//
// It never uses floats. Parse accepts the one written form that the interface allows and refuses everything else;
// String writes the same value back. Arithmetic between different assets panics, because that is a programming error
// and not a caller's.
//
// Read in this order: money.go, round.go (fractions of a base unit), stored.go (as columns of the database), grouped.go
// (for people).
package money

import (
	"errors"
	"fmt"
	"math/big"
	"strconv"
	"strings"
)

// Limits of Parse. No asset has more than 36 decimals, and no amount more than 60 digits of base units, which fits the
// 256 bits of a token contract.
const (
	MaxDecimals = 36
	maxDigits   = 60
)

// The errors of a written amount.
var (
	ErrForm = errors.New("an amount is digits with at most one point, such as 1250 or 0.50: no sign, no exponent, no " +
		"spaces, no leading zeros")
	ErrPrecision = errors.New("the amount has more decimals than its asset")
	ErrZero      = errors.New("the amount must be more than zero")
	ErrTooLarge  = errors.New("the amount has too many digits")
)

// Asset is a currency or token. Decimals is the power of ten between the unit that people write and the base unit.
type Asset struct {
	Code     string // "USDC", "EUR", "ETH"
	Decimals int
}

// Amount is a number of base units of an asset. The zero value is an amount of zero without an asset. Amounts are
// values: no method changes one.
type Amount struct {
	asset Asset
	units *big.Int // never exposed; nil is zero
}

// FromUnits returns an amount of base units. The number is copied.
func FromUnits(asset Asset, units *big.Int) Amount {
	return Amount{asset: asset, units: new(big.Int).Set(units)}
}

// Zero returns an amount of zero of the asset.
func Zero(asset Asset) Amount { return Amount{asset: asset} }

// Parse parses a written amount. It refuses signs, exponents, spaces, leading zeros, a point without digits on both
// sides, digits other than 0 to 9, more decimals than the asset has (even zeros), and zero itself.
func Parse(asset Asset, s string) (Amount, error) {
	a, err := ParseOrZero(asset, s)
	if err != nil {
		return Amount{}, err
	}

	if a.Sign() == 0 {
		return Amount{}, ErrZero
	}

	return a, nil
}

// ParseOrZero is like Parse but accepts zero.
func ParseOrZero(asset Asset, s string) (Amount, error) {
	if err := CheckForm(s); err != nil {
		return Amount{}, err
	}

	whole, frac, _ := strings.Cut(s, ".")
	if len(frac) > asset.Decimals {
		return Amount{}, ErrPrecision
	}

	if len(whole)+asset.Decimals <= maxSmall {
		return small(asset, whole, frac), nil
	}

	digits := strings.TrimLeft(whole+frac, "0") + strings.Repeat("0", asset.Decimals-len(frac))
	if len(digits) > maxDigits {
		return Amount{}, ErrTooLarge
	}

	if digits == "" {
		return Zero(asset), nil
	}

	units, ok := new(big.Int).SetString(digits, 10)
	if !ok {
		return Amount{}, ErrForm
	}

	return Amount{asset: asset, units: units}, nil
}

// maxSmall is how many decimal digits always fit into 64 bits. Nearly every amount is that small, and is parsed and
// written in 64 bits.
const maxSmall = 18

// small returns an amount of at most maxSmall digits, with zeros for the decimals that are not written.
func small(asset Asset, whole, frac string) Amount {
	n := int64(0)
	for i := range len(whole) {
		n = n*10 + int64(whole[i]-'0')
	}

	for i := range asset.Decimals {
		n *= 10
		if i < len(frac) {
			n += int64(frac[i] - '0')
		}
	}

	if n == 0 {
		return Zero(asset)
	}

	return Amount{asset: asset, units: big.NewInt(n)}
}

// CheckForm returns an error if s is not written as an amount, whatever the asset.
func CheckForm(s string) error {
	whole, frac, point := strings.Cut(s, ".")
	if whole == "" || (point && frac == "") || (len(whole) > 1 && whole[0] == '0') {
		return ErrForm
	}

	for _, part := range []string{whole, frac} {
		for i := range len(part) {
			if part[i] < '0' || part[i] > '9' {
				return ErrForm
			}
		}
	}

	if len(whole)+len(frac) > maxDigits || len(frac) > MaxDecimals {
		return ErrTooLarge
	}

	return nil
}

// Asset returns the amount's asset.
func (a Amount) Asset() Asset { return a.asset }

// Units returns the base units, as a copy.
func (a Amount) Units() *big.Int { return new(big.Int).Set(a.value()) }

var none = new(big.Int)

// value returns the base units without a copy. Callers must not change them.
func (a Amount) value() *big.Int {
	if a.units == nil {
		return none
	}

	return a.units
}

// Sign returns -1, 0 or 1.
func (a Amount) Sign() int {
	if a.units == nil {
		return 0
	}

	return a.units.Sign()
}

// Add returns a + b. It panics if the assets differ.
func (a Amount) Add(b Amount) Amount {
	a.same(b)
	return Amount{asset: a.asset, units: new(big.Int).Add(a.value(), b.value())}
}

// Sub returns a - b, which may be negative. It panics if the assets differ.
func (a Amount) Sub(b Amount) Amount {
	a.same(b)
	return Amount{asset: a.asset, units: new(big.Int).Sub(a.value(), b.value())}
}

// Neg returns -a.
func (a Amount) Neg() Amount {
	return Amount{asset: a.asset, units: new(big.Int).Neg(a.value())}
}

// Cmp returns -1, 0 or 1, comparing a with b. It panics if the assets differ.
func (a Amount) Cmp(b Amount) int {
	a.same(b)
	return a.value().Cmp(b.value())
}

func (a Amount) same(b Amount) {
	if a.asset != b.asset {
		panic(fmt.Sprintf("money: %v and %v are different assets", a.asset, b.asset))
	}
}

// String returns the amount with the decimals of its asset, without trailing zeros beyond the second: "1250.00"; "0.5"
// of a token is "0.50"; "1" of an asset without decimals is "1". Parse reads it back to the same amount.
func (a Amount) String() string {
	return Format(a.value(), a.asset.Decimals)
}

// Format returns base units with the given number of decimals, written like Amount.String.
func Format(units *big.Int, decimals int) string {
	var number, text [maxDigits + 4]byte // large enough for most
	digits := number[:0]
	out := text[:0]

	if units.IsInt64() {
		digits = strconv.AppendInt(digits, units.Int64(), 10)
	} else {
		digits = units.Append(digits, 10)
	}

	if digits[0] == '-' {
		out = append(out, '-')
		digits = digits[1:]
	}

	whole := max(len(digits)-decimals, 0)
	if whole == 0 {
		out = append(out, '0')
	}

	out = append(out, digits[:whole]...)
	if decimals == 0 {
		return string(out)
	}

	out = append(out, '.')

	least := len(out) + min(2, decimals)
	for range decimals - len(digits) {
		out = append(out, '0')
	}

	out = append(out, digits[whole:]...)
	for len(out) > least && out[len(out)-1] == '0' {
		out = out[:len(out)-1]
	}

	return string(out)
}
