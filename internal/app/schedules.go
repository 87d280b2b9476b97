package app

import (
	"context"
	"slices"
	"strings"
	"time"

	"slipway/internal/payments/schedule"
	"slipway/internal/payments/transaction"
	"slipway/internal/payments/transaction/fiat"
	"slipway/internal/rails/bank"
)

// buildSchedules builds payments on a day.
func (a *App) buildSchedules() {
	a.Schedules = schedule.New(schedule.Deps{
		DB:           a.DB,
		Jobs:         a.Jobs,
		Transactions: a.Transactions,
		Mail:         a.Mail.Queue,
		Calendars:    a.calendarsOf,
		Works:        worksOn,
		Restored: func(ctx context.Context) (time.Time, error) {
			past, err := a.Instance.Past(ctx, 1)
			if err != nil || len(past) == 0 {
				return time.Time{}, err
			}

			return past[0].At, nil
		},
	})
}

// calendarsOf names the rails that carry a transaction's payments, each with its currency: "SEPA EUR,SIC CHF".
func (a *App) calendarsOf(t transaction.Transaction) string {
	if t.Type != transaction.TypeFiat {
		return "" // chains never rest
	}

	kind := fiat.Kind{PayoutRails: a.payoutRails}

	var out []string
	for _, p := range t.Payments {
		out = append(out, kind.Rail(p)+" "+p.Currency)
	}

	slices.Sort(out)

	return strings.Join(slices.Compact(out), ",")
}

// worksOn reports whether a day is a working day of all rails that calendarsOf has named.
func worksOn(calendars string, day time.Time) bool {
	for _, of := range strings.Split(calendars, ",") {
		if rail, currency, _ := strings.Cut(of, " "); !bank.WorksOn(rail, currency, day) {
			return false
		}
	}

	return true
}
