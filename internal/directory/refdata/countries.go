package refdata

import (
	"sort"
	"strings"

	"slipway/internal/standards/iban"
)

// countryTable returns the countries of countries.tsv, by name.
func countryTable(c *Catalogue) []Country {
	var out []Country
	for _, row := range rowsOf(countriesFile, 4) {
		alpha2 := row[0]
		out = append(out, Country{
			ID:        "cty_" + strings.ToLower(alpha2),
			Name:      row[3],
			Alpha2:    alpha2,
			Alpha3:    row[1],
			Continent: row[2],
			Rails:     railsOfCountry(c, alpha2),
			IBAN:      iban.Uses(alpha2),
		})
	}

	sort.Slice(out, func(i, j int) bool { return out[i].Name < out[j].Name })

	return out
}
