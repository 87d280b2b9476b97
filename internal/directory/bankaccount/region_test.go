package bankaccount

import (
	"testing"

	"github.com/stretchr/testify/require"

	"slipway/internal/core/fault"
	"slipway/internal/directory/refdata"
)

// For every country and currency: what a person is asked for is what the account needs, no more and no less.
func TestAsksForWhatAnAccountNeeds(t *testing.T) {
	for _, byIBAN := range []bool{false, true} {
		everyPlace(func(country refdata.Country, currency refdata.Currency) {
			asked := asks(country.Alpha2, currency.Code, byIBAN)

			for _, without := range append([]string{""}, asked...) {
				a := Account{Country: country.Alpha2, Currency: currency.Code}
				for field, into := range map[string]*string{
					"iban":          &a.IBAN,
					"bicSwift":      &a.BIC,
					"accountNumber": &a.AccountNumber,
					"sortCode":      &a.SortCode,
					"routingNumber": &a.RoutingNumber,
					"accountType":   &a.AccountType,
					"ifscCode":      &a.IFSC,
				} {
					for _, f := range asked {
						if f == field && f != without {
							*into = "given"
						}
					}
				}

				var l fault.List
				a.complete(&l, byIBAN)
				require.Equal(
					t,
					without == "",
					l.Empty(),
					"%s in %s without %q",
					currency.Code,
					country.Alpha2,
					without,
				)
			}
		})
	}
}

func everyPlace(what func(country refdata.Country, currency refdata.Currency)) {
	for _, country := range refdata.All().Countries {
		for _, currency := range refdata.All().Currencies {
			what(country, currency)
		}
	}
}
