package app

import (
	"slipway/internal/payments/bookkeeping"
	"slipway/internal/payments/dayrate"
	"slipway/internal/platform/config"
	"slipway/internal/rails/bank"
	"slipway/internal/rails/chain"
	"slipway/internal/rails/rates"
)

// buildBookkeeping builds the reference rates of days, and the exports for organisations' own books.
func (a *App) buildBookkeeping() {
	a.DayRates = dayrate.New(a.DB, a.publisher())
	a.Bookkeeping = bookkeeping.New(bookkeeping.Deps{
		DB:        a.DB,
		Rates:     a.DayRates,
		Approvals: a.Approvals,
		Currency:  a.Config.Operator.Currency,
		Outside: bookkeeping.Outside{
			Hashes:     chain.HashesOf,
			EndToEnd:   bank.EndToEndOf,
			References: bank.ReferencesOf,
		},
	})

	a.Jobs.Every(dayrate.Job, dayrate.Every, a.DayRates.Refresh)
}

// publisher returns who publishes the reference rates of days: the simulated market where prices come from it, else the
// central bank. A sandbox without prices has none.
func (a *App) publisher() rates.Publisher {
	if p, ok := a.rates.(rates.Publisher); ok {
		return p
	}

	if a.rates == nil && a.Config.Mode != config.Live {
		return nil
	}

	return rates.ECBHistory{URL: a.Config.Rates.ECBHistoryURL}
}
