package overview

import (
	"context"
	"maps"
	"slices"
	"time"

	"slipway/internal/payments/payable"
	"slipway/internal/platform/db"
)

// dueDays is how many days ahead the overview looks, and mostDue how many payables it adds up.
const (
	dueDays = 30
	mostDue = 20_000
)

// DueView is what falls due in one currency.
type DueView struct {
	Currency string    `json:"currency" doc:"code of the currency or token"`
	Overdue  SumView   `json:"overdue" doc:"of days before today, UTC"`
	Days     []DayView `json:"days" nullable:"false" doc:"today and the next 30 days, those on which something falls due"`
}

// DayView is what falls due on a day.
type DayView struct {
	Day string `json:"day" format:"date" doc:"of expectedPaymentDate" example:"2026-11-30"`
	SumView
}

// SumView is a sum in one currency.
type SumView struct {
	Amount   string `json:"amount" doc:"in whole units of the currency"`
	Payments int64  `json:"payments" example:"4" doc:"how many payments or payables the sum is of"`
}

// due adds up open payables by currency and day. complete is false if there are more than mostDue.
func due(
	ctx context.Context, q db.Querier, organisation string, now time.Time,
) (views []DueView, complete bool, err error) {
	today := now.Truncate(24 * time.Hour)

	open, err := payable.DueUntil(ctx, q, organisation, today.AddDate(0, 0, dueDays), mostDue+1)
	if err != nil {
		return nil, false, err
	}

	complete = len(open) <= mostDue
	open = open[:min(len(open), mostDue)]

	days := map[string]sums{} // "" is overdue
	for _, x := range open {
		day := ""
		if !x.Day.Before(today) {
			day = x.Day.UTC().Format(time.DateOnly)
		}

		if days[day] == nil {
			days[day] = sums{}
		}

		days[day].add(x.Amount, 1)
	}

	currencies := map[string]bool{}
	for _, d := range days {
		for currency := range d {
			currencies[currency] = true
		}
	}

	views = []DueView{}

	for _, currency := range slices.Sorted(maps.Keys(currencies)) {
		v := DueView{Currency: currency, Overdue: days[""].view(currency), Days: []DayView{}}

		for _, day := range slices.Sorted(maps.Keys(days)) {
			if _, some := days[day][currency]; some && day != "" {
				v.Days = append(v.Days, DayView{Day: day, SumView: days[day].view(currency)})
			}
		}

		views = append(views, v)
	}

	return views, complete, nil
}
