package refdata

import (
	"sort"
	"strings"

	"github.com/biter777/countries"

	"slipway/internal/standards/iban"
)

// retired are codes that the library still carries and ISO 3166-1 does not: withdrawn ones, and Kosovo's, which is
// user-assigned.
const retired = "AN YU XK"

// countryTable takes the library's list, whose names are written for people, without what ISO does not hold.
func countryTable(c *Catalogue) []Country {
	var out []Country
	for _, x := range countries.All() {
		a := x.Alpha2()
		if listed(retired, a) {
			continue
		}

		out = append(out, Country{
			ID:        "cty_" + strings.ToLower(a),
			Name:      countryName(x),
			Alpha2:    a,
			Alpha3:    x.Alpha3(),
			Continent: x.Region().String(),
			Rails:     railsOfCountry(c, a),
			IBAN:      iban.Uses(a),
		})
	}

	sort.Slice(out, func(i, j int) bool { return out[i].Name < out[j].Name })

	return out
}

// countryNames are those that ISO 3166-1 and the United Nations use today, in their short form, where the library has
// older or longer ones.
var countryNames = map[string]string{
	"AX": "Åland Islands",
	"BL": "Saint Barthélemy",
	"BN": "Brunei",
	"BQ": "Bonaire, Sint Eustatius and Saba",
	"CD": "Congo (Democratic Republic)",
	"CG": "Congo (Republic)",
	"CI": "Côte d'Ivoire",
	"CV": "Cabo Verde",
	"CW": "Curaçao",
	"CZ": "Czechia",
	"FK": "Falkland Islands",
	"FM": "Micronesia",
	"HK": "Hong Kong",
	"IM": "Isle of Man",
	"IR": "Iran",
	"KP": "North Korea",
	"KR": "South Korea",
	"LA": "Laos",
	"LY": "Libya",
	"MD": "Moldova",
	"MF": "Saint Martin (French part)",
	"MK": "North Macedonia",
	"MO": "Macao",
	"PS": "Palestine",
	"RE": "Réunion",
	"RU": "Russia",
	"SH": "Saint Helena, Ascension and Tristan da Cunha",
	"SJ": "Svalbard and Jan Mayen",
	"SX": "Sint Maarten (Dutch part)",
	"SY": "Syria",
	"SZ": "Eswatini",
	"TL": "Timor-Leste",
	"TR": "Türkiye",
	"TW": "Taiwan",
	"TZ": "Tanzania",
	"VA": "Vatican City",
	"VG": "Virgin Islands (British)",
	"VI": "Virgin Islands (U.S.)",
	"WF": "Wallis and Futuna",
}

func countryName(x countries.CountryCode) string {
	if name, ok := countryNames[x.Alpha2()]; ok {
		return name
	}

	return x.String()
}
