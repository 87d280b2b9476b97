package app

import (
	"slipway/internal/payments/quote"
	"slipway/internal/payments/transaction"
	"slipway/internal/platform/clock"
	"slipway/internal/rails/bank"
	"slipway/internal/rails/rates"
)

// Banking is what a deployment has so that tokens become fiat and fiat tokens. Without Rates it carries out CRYPTO transactions alone.
type Banking struct {
	// Rates says what one thing is worth in another, in the service's time.
	Rates func(*clock.Clock) rates.Source
	// Prices is what customers are charged, and how far a rate they expect may be off.
	Prices quote.Deps
	// House is our accounts at banks: payouts leave from them, deposits arrive on them.
	House []bank.HouseAccount
}

// banking gives transactions their prices and the accounts for deposits.
func (a *App) banking() transaction.Banking {
	out := transaction.Banking{DepositAccounts: func() []transaction.DepositAccount { return a.deposits }}
	if a.outside.Banking.Rates == nil {
		return out
	}
	d := a.outside.Banking.Prices
	d.DB, d.Rates = a.DB, a.outside.Banking.Rates(a.DB.Clock())
	a.Quotes = quote.New(d)
	out.Quotes = a.Quotes
	a.deposits = depositAccounts(a.outside.Banking.House)
	return out
}

// depositAccounts are the house's accounts as depositors are told them: the first of each currency.
func depositAccounts(house []bank.HouseAccount) []transaction.DepositAccount {
	var out []transaction.DepositAccount
	taken := map[string]bool{}
	for _, h := range house {
		if taken[h.Currency] {
			continue
		}
		taken[h.Currency] = true
		rail := ""
		if len(h.Rails) > 0 {
			rail = h.Rails[0]
		}
		out = append(out, transaction.DepositAccount{ID: h.ID, Currency: h.Currency, Country: h.Country, Holder: h.Holder, BankName: h.BankName, BankAddress: h.BankAddress,
			IBAN: h.IBAN, BIC: h.BIC, AccountNumber: h.AccountNumber, SortCode: h.SortCode, RoutingNumber: h.RoutingNumber, IFSC: h.IFSC, Rail: rail})
	}
	return out
}
