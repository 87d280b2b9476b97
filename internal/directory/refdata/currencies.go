package refdata

import (
	"sort"
	"strings"
)

// offered are the currencies that lists show; the rest are known, so that records which name them can be read.
const offered = "EUR USD GBP CHF INR AED AUD BRL CAD CZK DKK HKD HUF ILS JPY MXN NOK NZD PLN RON SEK SGD THB TRY ZAR"

func symbols() map[string]string {
	return map[string]string{
		"EUR": "€",
		"USD": "$",
		"GBP": "£",
		"CHF": "CHF",
		"INR": "₹",
		"AED": "د.إ",
		"AUD": "A$",
		"BRL": "R$",
		"CAD": "C$",
		"CZK": "Kč",
		"DKK": "kr",
		"HKD": "HK$",
		"HUF": "Ft",
		"ILS": "₪",
		"JPY": "¥",
		"MXN": "MX$",
		"NOK": "kr",
		"NZD": "NZ$",
		"PLN": "zł",
		"RON": "lei",
		"SEK": "kr",
		"SGD": "S$",
		"THB": "฿",
		"TRY": "₺",
		"ZAR": "R",
		"CNY": "CN¥",
		"KRW": "₩",
		"NGN": "₦",
		"PHP": "₱",
		"UAH": "₴",
		"VND": "₫",
	}
}

// currencyTable returns the currencies of currencies.tsv. It puts the offered ones first, in the order of the list
// above; the others follow by code.
func currencyTable(c *Catalogue) []Currency {
	signs := symbols()

	var out []Currency
	for _, row := range rowsOf(currenciesFile, 3) {
		code := row[0]

		sign := signs[code]
		if sign == "" {
			sign = code
		}

		out = append(out, Currency{
			ID:       "cur_" + strings.ToLower(code),
			Name:     row[2],
			Symbol:   sign,
			Code:     code,
			Decimals: digitOf(row[1]),
			Hidden:   !listed(offered, code),
			Rails:    railsOfCurrency(c, code),
		})
	}

	rank := func(x Currency) int {
		if x.Hidden {
			return len(offered)
		}

		return strings.Index(offered, x.Code)
	}
	sort.Slice(out, func(i, j int) bool {
		a := rank(out[i])
		b := rank(out[j])
		return a < b || a == b && out[i].Code < out[j].Code
	})

	return out
}
