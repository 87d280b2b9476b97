package bank

import (
	"fmt"
	"strings"

	"slipway/internal/core/money"
	"slipway/internal/standards/iso20022"
)

// Asset is a currency as amounts take it: its code with the decimals of ISO 4217.
func Asset(currency string) money.Asset {
	return money.Asset{Code: currency, Decimals: iso20022.MinorUnits(currency)}
}

// decimalUnits turns a bank's decimal into digits of minor units. Zeros beyond the currency's decimals are cut;
// anything else there is refused, since a bank that books fractions of a cent books something that we do not
// understand.
func decimalUnits(currency, value string) (string, error) {
	decimals := Asset(currency).Decimals

	integer, frac, _ := strings.Cut(value, ".")
	if len(frac) > decimals {
		if strings.Trim(frac[decimals:], "0") != "" {
			return "", fmt.Errorf("the amount %s has more decimals than %s", value, currency)
		}

		frac = frac[:decimals]
	}

	for len(frac) < decimals {
		frac += "0"
	}

	digits := strings.TrimLeft(integer+frac, "0")
	switch {
	case digits == "":
		return "0", nil
	case len(digits) > 30:
		return "", fmt.Errorf("the amount %s is out of range", value)
	}

	for i := range len(digits) {
		if digits[i] < '0' || digits[i] > '9' {
			return "", fmt.Errorf("%q is not an amount", value)
		}
	}

	return digits, nil
}
