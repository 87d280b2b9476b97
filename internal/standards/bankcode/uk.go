package bankcode

import (
	"errors"
	"strings"

	"slipway/internal/core/text"
)

// Reasons why texts are not a bank account of the United Kingdom.
var (
	ErrSortCode      = errors.New("a sort code has six digits")
	ErrUKAccount     = errors.New("an account number in the United Kingdom has six to ten digits")
	ErrUKAccountNine = errors.New(
		"nine digits are an account number of Santander, and this sort code is not its; give the eight digits that " +
			"the bank prints for payments (Coventry Building Society: the last eight)",
	)
	ErrUKAccountTen = errors.New(
		"an account number of ten digits is shortened by a rule of its bank; give the eight digits that the bank " +
			"prints for payments",
	)
)

// SortCode identifies a branch in the United Kingdom: six digits.
type SortCode string

// ParseSortCode parses a sort code as people write it: 12-34-56, 12 34 56 or 123456.
func ParseSortCode(s string) (SortCode, error) {
	s = text.Compact(s)
	if !digits(s, 6) {
		return "", ErrSortCode
	}

	return SortCode(s), nil
}

// String returns the form for people: 12-34-56.
func (c SortCode) String() string {
	return string(c[:2] + "-" + c[2:4] + "-" + c[4:])
}

// santander lists the sort codes whose account numbers may have nine digits, as ranges (Vocalink, Validating Account
// Numbers: standard account number conversion).
func santander() [][2]SortCode {
	return [][2]SortCode{
		{"090000", "091900"},
		{"165710", "165710"},
		{"720000", "729999"},
		{"890000", "892999"},
	}
}

// UKAccount converts sort code and account number to the form of payments and of the modulus check: six and eight
// digits. Numbers of six and seven digits get leading zeros. Of nine digits at Santander, the first one replaces the
// last one of the sort code. At other banks the same would be the account of another branch, so they are refused, as
// ten digits are: which two to drop depends on the bank.
func UKAccount(code SortCode, account string) (SortCode, string, error) {
	account = text.Compact(account)
	if !digits(account, len(account)) {
		return "", "", ErrUKAccount
	}

	switch len(account) {
	case 6, 7, 8:
		return code, strings.Repeat("0", 8-len(account)) + account, nil
	case 9:
		for _, r := range santander() {
			if code >= r[0] && code <= r[1] {
				return code[:5] + SortCode(account[:1]), account[1:], nil
			}
		}

		return "", "", ErrUKAccountNine

	case 10:
		return "", "", ErrUKAccountTen
	}

	return "", "", ErrUKAccount
}
