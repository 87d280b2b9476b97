//go:build !nosandbox

package banksim

import (
	"fmt"
	"math/big"
	"strings"
)

// digitsOf returns the decimals of a currency (ISO 4217): two, with these exceptions.
func digitsOf(currency string) int {
	switch currency {
	case "BIF", "CLP", "DJF", "GNF", "ISK", "JPY", "KMF", "KRW", "PYG", "RWF", "UGX", "VND", "VUV", "XAF", "XOF", "XPF":
		return 0
	case "BHD", "IQD", "JOD", "KWD", "LYD", "OMR", "TND":
		return 3
	}

	return 2
}

// parseAmount parses a message's amount into minor units. It accepts zeros after the currency's last decimal, as the
// schema and banks do.
func parseAmount(currency, text string) (*big.Int, error) {
	integer, frac, point := strings.Cut(text, ".")

	digits := digitsOf(currency)
	if point && len(frac) > digits {
		if strings.Trim(frac[digits:], "0") != "" {
			return nil, fmt.Errorf("%s has more decimals than %s", text, currency)
		}

		frac = frac[:digits]
	}

	all := integer + frac + strings.Repeat("0", digits-len(frac))
	if integer == "" || len(all) > 18 || strings.Trim(all, "0123456789") != "" {
		return nil, fmt.Errorf("%q is not an amount", text)
	}

	units, ok := new(big.Int).SetString(all, 10)
	if !ok {
		return nil, fmt.Errorf("%q is not an amount", text)
	}

	return units, nil
}

// formatAmount formats minor units as in messages, without a sign.
func formatAmount(currency string, units *big.Int) string {
	digits := digitsOf(currency)

	text := new(big.Int).Abs(units).String()
	if digits == 0 {
		return text
	}

	if len(text) <= digits {
		text = strings.Repeat("0", digits-len(text)+1) + text
	}

	return text[:len(text)-digits] + "." + text[len(text)-digits:]
}

// unitsOf parses minor units from the books.
func unitsOf(text string) (*big.Int, error) {
	units, ok := new(big.Int).SetString(text, 10)
	if !ok {
		return nil, fmt.Errorf("the books contain %q, which is not a number", text)
	}

	return units, nil
}

// plainSum adds amounts as written, whatever their currency: the control sum of a payment file.
func plainSum(amounts []string) (*big.Rat, error) {
	sum := new(big.Rat)
	for _, a := range amounts {
		r, err := plain(a)
		if err != nil {
			return nil, err
		}

		sum.Add(sum, r)
	}

	return sum, nil
}

func plain(text string) (*big.Rat, error) {
	if text == "" || strings.Trim(text, "0123456789.") != "" {
		return nil, fmt.Errorf("%q is not a decimal", text)
	}

	r, ok := new(big.Rat).SetString(text)
	if !ok {
		return nil, fmt.Errorf("%q is not a decimal", text)
	}

	return r, nil
}
