package refdata

import (
	"sort"
	"strings"

	"github.com/biter777/countries"
)

// ibanCountries is where accounts have an IBAN: the SWIFT registry, with the territories that use their parent's prefix.
const ibanCountries = "AD AE AL AT AX AZ BA BE BG BH BI BL BR BY CH CR CY CZ DE DJ DK DO EE EG ES FI FK FO FR GB GE GF GG GI GL GP GR GT HN HR " +
	"HU IE IL IM IQ IS IT JE JO KW KZ LB LC LI LT LU LV LY MC MD ME MF MK MN MQ MR MT MU NC NI NL NO OM PF PK PL PM PS PT QA RE RO RS RU SA SC " +
	"SD SE SI SK SM SO ST SV TF TL TN TR UA VA VG WF YE YT"

// retired are codes that the library still carries and ISO 3166-1 does not: withdrawn ones, and Kosovo's, which is user-assigned.
const retired = "AN YU XK"

// countryTable takes the library's list, whose names are written for people, without what ISO does not hold.
func countryTable(c *Catalogue) []Country {
	var out []Country
	for _, x := range countries.All() {
		a := x.Alpha2()
		if listed(retired, a) {
			continue
		}
		out = append(out, Country{ID: "cty_" + strings.ToLower(a), Name: countryName(x), Alpha2: a, Alpha3: x.Alpha3(), Continent: x.Region().String(),
			Rails: railsOfCountry(c, a), IBAN: listed(ibanCountries, a)})
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
