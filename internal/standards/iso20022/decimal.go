package iso20022

import (
	"bytes"
	"math/big"
	"math/bits"
	"strings"
)

// maxDigits is the limit of an amount (ActiveOrHistoricCurrencyAndAmount: totalDigits 18). Some banks write more than
// its five decimals; their value is exact, so they are accepted.
const maxDigits = 18

// Decimal checks an amount as XML writes it (no exponent, no minus) and returns it without a plus, with at least one
// digit before the dot and without superfluous zeros there.
func Decimal(b []byte) ([]byte, bool) {
	if len(b) > 0 && b[0] == '+' {
		b = b[1:]
	}

	for len(b) > 1 && b[0] == '0' && b[1] != '.' {
		b = b[1:]
	}

	dots := 0

	count := 0
	for _, c := range b {
		switch {
		case c >= '0' && c <= '9':
			count++
		case c == '.':
			dots++
		default:
			return nil, false
		}
	}

	if count == 0 || count > maxDigits || dots > 1 {
		return nil, false
	}

	if b[0] == '.' { // .4 is a valid number in XML
		b = append([]byte{'0'}, b...)
	}

	return bytes.TrimSuffix(b, []byte{'.'}), true
}

// Sum adds amounts exactly. The zero value is 0.
type Sum struct {
	hi, lo uint64   // 128 bits of units of 10^-5, two's complement
	rest   *big.Int // units of 10^-18 that did not fit
}

const (
	smallScale = 5
	bigScale   = 18
)

// Add adds an amount that Decimal has accepted. For anything else it returns false and adds nothing.
func (s *Sum) Add(value string) bool { return s.add(value, false) }

// Sub subtracts an amount.
func (s *Sum) Sub(value string) bool { return s.add(value, true) }

func (s *Sum) add(value string, minus bool) bool {
	whole, fraction, _ := strings.Cut(value, ".")
	if len(whole) > maxDigits || len(fraction) > maxDigits || len(whole) == 0 || !digits(whole) || !digits(fraction) {
		return false
	}

	if len(whole) > 13 || len(fraction) > smallScale {
		s.addBig(whole, fraction, minus)
		return true
	}

	var units uint64 // at most 13 + 5 digits: fits
	for i := range len(whole) {
		units = units*10 + uint64(whole[i]-'0')
	}

	for i := range smallScale {
		units *= 10
		if i < len(fraction) {
			units += uint64(fraction[i] - '0')
		}
	}

	var carry uint64
	if minus {
		s.lo, carry = bits.Sub64(s.lo, units, 0)
		s.hi, _ = bits.Sub64(s.hi, 0, carry)
	} else {
		s.lo, carry = bits.Add64(s.lo, units, 0)
		s.hi, _ = bits.Add64(s.hi, 0, carry)
	}

	return true
}

func (s *Sum) addBig(whole, fraction string, minus bool) {
	n, _ := new(big.Int).SetString(whole+fraction+strings.Repeat("0", bigScale-len(fraction)), 10)
	if minus {
		n.Neg(n)
	}

	s.rest = new(big.Int).Add(orZero(s.rest), n)
}

// total returns the sum in units of 10^-18.
func (s *Sum) total() *big.Int {
	n := new(big.Int).Lsh(new(big.Int).SetUint64(s.hi), 64)
	n.Or(n, new(big.Int).SetUint64(s.lo))

	if s.hi>>63 == 1 {
		n.Sub(n, new(big.Int).Lsh(big.NewInt(1), 128))
	}

	n.Mul(n, new(big.Int).Exp(big.NewInt(10), big.NewInt(bigScale-smallScale), nil))

	if s.rest != nil {
		n.Add(n, s.rest)
	}

	return n
}

// AddSum adds another sum.
func (s *Sum) AddSum(o *Sum) {
	var carry uint64
	s.lo, carry = bits.Add64(s.lo, o.lo, 0)

	s.hi, _ = bits.Add64(s.hi, o.hi, carry)
	if o.rest != nil {
		s.rest = new(big.Int).Add(orZero(s.rest), o.rest)
	}
}

// SubSum subtracts another sum.
func (s *Sum) SubSum(o *Sum) {
	var borrow uint64
	s.lo, borrow = bits.Sub64(s.lo, o.lo, 0)

	s.hi, _ = bits.Sub64(s.hi, o.hi, borrow)
	if o.rest != nil {
		s.rest = new(big.Int).Sub(orZero(s.rest), o.rest)
	}
}

func orZero(n *big.Int) *big.Int {
	if n == nil {
		return new(big.Int)
	}

	return n
}

// Cmp compares two sums.
func (s *Sum) Cmp(o *Sum) int { return s.total().Cmp(o.total()) }

// Sign is -1, 0 or 1.
func (s *Sum) Sign() int { return s.total().Sign() }

// String formats the sum with at least two decimals, and more if necessary: 1234.50.
func (s *Sum) String() string {
	n := s.total()

	sign := ""
	if n.Sign() < 0 {
		sign = "-"
		n = n.Neg(n)
	}

	text := n.String()
	if len(text) <= bigScale {
		text = strings.Repeat("0", bigScale+1-len(text)) + text
	}

	whole := text[:len(text)-bigScale]
	fraction := strings.TrimRight(text[len(text)-bigScale:], "0")

	return sign + whole + "." + fraction + strings.Repeat("0", max(0, 2-len(fraction)))
}

// Equal reports whether a text, with or without a sign, is the same number.
func (s *Sum) Equal(value string) bool {
	var o Sum
	minus := strings.HasPrefix(value, "-")
	return o.add(strings.TrimLeft(value, "+-"), minus) && s.Cmp(&o) == 0
}

// MinorUnits returns how many decimals a currency has (ISO 4217, list one).
func MinorUnits(currency string) int {
	switch currency {
	case "BIF",
		"CLP",
		"DJF",
		"GNF",
		"ISK",
		"JPY",
		"KMF",
		"KRW",
		"PYG",
		"RWF",
		"UGX",
		"UYI",
		"VND",
		"VUV",
		"XAF",
		"XOF",
		"XPF":
		return 0

	case "BHD", "IQD", "JOD", "KWD", "LYD", "OMR", "TND":
		return 3
	case "CLF", "UYW":
		return 4
	}

	return 2
}
