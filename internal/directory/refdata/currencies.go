package refdata

import (
	"sort"
	"strings"

	"github.com/biter777/countries"
)

// withdrawn are codes that the library still carries and ISO 4217 has withdrawn, and codes of accounts between
// central banks.
const withdrawn = "HRK SLL VEF YUD ZWL XDR XUA XSU UYI"

// offered are the currencies that lists show; the rest are known, so that records which name them can be read.
const offered = "EUR USD GBP CHF INR AED AUD BRL CAD CZK DKK HKD HUF ILS JPY MXN NOK NZD PLN RON SEK SGD THB TRY ZAR"

// Decimals that are not 2 (ISO 4217, list one). The library's own figures differ from the standard for a dozen
// currencies.
const (
	noDecimals    = "BIF CLP DJF GNF ISK JPY KMF KRW PYG RWF UGX VND VUV XAF XOF XPF"
	threeDecimals = "BHD IQD JOD KWD LYD OMR TND"
	fourDecimals  = "CLF UYW"
)

// newer are currencies the library does not have yet.
func newer() map[string]string {
	return map[string]string{"SLE": "Leone", "VED": "Bolívar Soberano", "ZWG": "Zimbabwe Gold"}
}

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

func decimalsOf(code string) int {
	switch {
	case listed(noDecimals, code):
		return 0
	case listed(threeDecimals, code):
		return 3
	case listed(fourDecimals, code):
		return 4
	}

	return 2
}

// currencyTable puts the offered ones first, in the order of the list above; the others follow by code.
func currencyTable(c *Catalogue) []Currency {
	names := newer()
	for _, x := range countries.AllCurrencies() {
		if a := x.Alpha(); !listed(withdrawn, a) {
			names[a] = x.String()
		}
	}

	signs := symbols()

	var out []Currency
	for code, name := range names {
		sign := signs[code]
		if sign == "" {
			sign = code
		}

		out = append(out, Currency{
			ID:       "cur_" + strings.ToLower(code),
			Name:     name,
			Symbol:   sign,
			Code:     code,
			Decimals: decimalsOf(code),
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
