//go:build !nosandbox

package app

import (
	"math/big"

	"slipway/internal/app/world"
	"slipway/internal/core/money"
	"slipway/internal/payments/quote"
	"slipway/internal/platform/clock"
	"slipway/internal/rails/bank"
	"slipway/internal/rails/rates"
	"slipway/internal/rails/rates/ratesim"
)

// sandboxBanking is the simulated market, prices to look at, and our accounts at the sandbox's bank.
func sandboxBanking() Banking {
	return Banking{
		Rates:  func(c *clock.Clock) rates.Source { return ratesim.New(c) },
		Prices: quote.Deps{Schedule: sandboxPrices()},
		House:  sandboxHouse(),
	}
}

// sandboxPrices charge a little of everything, so that every fee is seen.
func sandboxPrices() quote.Schedule {
	cents := func(currency string, units int64) money.Amount {
		return money.FromUnits(money.Asset{Code: currency, Decimals: 2}, big.NewInt(units))
	}
	own := func(a money.Amount) quote.BankFees { return quote.BankFees{Own: a} }
	return quote.Schedule{
		Commission: big.NewRat(1, 200),
		NetworkUSD: cents("USD", 50),
		Banking: map[string]quote.BankFees{
			"SEPA": own(cents("EUR", 20)), "SEPA_INSTANT": own(cents("EUR", 50)), "FASTER_PAYMENTS": own(cents("GBP", 30)), "CHAPS": own(cents("GBP", 15_00)),
			"ACH": own(cents("USD", 40)), "FEDWIRE": own(cents("USD", 12_00)), "IMPS": own(cents("INR", 25_00)), "NEFT": own(cents("INR", 20_00)),
			"SIC": own(cents("CHF", 30)), "SWIFT": {Own: cents("USD", 15_00), OnTheWay: cents("USD", 20_00)},
		},
	}
}

// sandboxRails is what the sandbox's bank takes files for, by the account's currency, best first.
func sandboxRails(currency string) []string {
	switch currency {
	case "EUR":
		return []string{"SEPA", "SEPA_INSTANT", "SWIFT"}
	case "GBP":
		return []string{"FASTER_PAYMENTS", "CHAPS", "SWIFT"}
	case "USD":
		return []string{"ACH", "FEDWIRE", "SWIFT"}
	case "INR":
		return []string{"IMPS", "NEFT", "SWIFT"}
	case "CHF":
		return []string{"SIC", "SWIFT"}
	}
	return []string{"SWIFT"}
}

func sandboxHouse() []bank.HouseAccount {
	accounts := world.HouseAccounts()
	out := make([]bank.HouseAccount, len(accounts))
	for i, a := range accounts {
		out[i] = bank.HouseAccount{ID: a.ID, Currency: a.Currency, Country: a.Country, IBAN: a.IBAN, BIC: a.BIC, AccountNumber: a.AccountNumber, SortCode: a.SortCode,
			RoutingNumber: a.RoutingNumber, IFSC: a.IFSC, Holder: a.Holder, BankName: a.BankName, BankAddress: a.BankAddress, Rails: sandboxRails(a.Currency)}
	}
	return out
}
