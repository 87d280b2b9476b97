package app

import (
	"context"

	"slipway/internal/directory/refdata"
	"slipway/internal/identity/user"
	"slipway/internal/platform/db"
)

// The identity nouns may not import the directory: these functions hand them its reference data.

// countryOf returns the country that a client names by code or identifier, or db.ErrNone.
func countryOf(_ context.Context, _ db.Querier, ref string) (user.Country, error) {
	c, ok := refdata.All().Country(ref)
	if !ok {
		return user.Country{}, db.ErrNone
	}

	return user.Country{Code: c.Alpha2, View: c.Embedded()}, nil
}

// alpha3 returns the three letters of a country for its two, or "" if there is no such country.
func alpha3(alpha2 string) string {
	c, ok := refdata.All().Country(alpha2)
	if !ok || c.Alpha2 != alpha2 {
		return ""
	}

	return c.Alpha3
}

// pairOf returns the identifier of a trading pair as clients name it.
func pairOf(ref string) (string, bool) {
	for _, p := range refdata.All().Pairs {
		if p.ID == ref {
			return p.ID, true
		}
	}

	return "", false
}

// currencyOrToken reports whether a code is that of a currency or a token.
func currencyOrToken(code string) bool {
	c, isCurrency := refdata.All().Currency(code)
	return isCurrency && c.Code == code || tokenCode(code)
}

// tokenCode reports whether a code is a token's.
func tokenCode(code string) bool {
	t, known := refdata.All().Token(code)
	return known && t.Code == code
}
