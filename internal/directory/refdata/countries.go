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

// countryName is the library's name, newer where the country has changed its own.
func countryName(x countries.CountryCode) string {
	switch x.Alpha2() {
	case "TR":
		return "Türkiye"
	case "SZ":
		return "Eswatini"
	case "MK":
		return "North Macedonia"
	case "CZ":
		return "Czechia"
	}

	return x.String()
}
