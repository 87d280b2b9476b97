package bank_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"slipway/internal/rails/bank"
)

// F-08, P-09: what comes after the cut-off or on a day off is executed on the next working day of its rail.
func TestExecutionDay(t *testing.T) {
	for _, c := range []struct{ rail, currency, at, want, why string }{
		{"SEPA", "EUR", "2026-11-20T10:00:00Z", "2026-11-20", "Friday morning"},
		{"SEPA", "EUR", "2026-11-20T12:59:59Z", "2026-11-20", "13:59 in Brussels"},
		{"SEPA", "EUR", "2026-11-20T13:00:00Z", "2026-11-23", "14:00 in Brussels, then a week-end"},
		{"SEPA", "EUR", "2026-07-17T12:00:00Z", "2026-07-20", "14:00 in Brussels in summer time"},
		{"SEPA", "EUR", "2026-03-27T12:59:59Z", "2026-03-27", "13:59 in Brussels, the last working day of winter time"},
		{"SEPA", "EUR", "2026-03-30T11:59:59Z", "2026-03-30", "13:59 in Brussels, the first of summer time"},
		{"SEPA", "EUR", "2026-10-26T12:59:59Z", "2026-10-26", "13:59 in Brussels, the first of winter time"},
		{"SEPA", "EUR", "2028-02-28T13:00:00Z", "2028-02-29", "14:00 in Brussels before a leap day"},
		{"SEPA", "EUR", "2028-02-29T13:00:00Z", "2028-03-01", "14:00 in Brussels on a leap day"},
		{"ACH", "USD", "2026-11-02T19:59:00Z", "2026-11-02", "14:59 in New York, the first working day of winter time"},
		{"SEPA", "EUR", "2026-11-21T10:00:00Z", "2026-11-23", "Saturday"},
		{"SEPA", "EUR", "2026-04-02T15:00:00Z", "2026-04-07", "over Good Friday and Easter Monday"},
		{"SEPA", "EUR", "2026-05-01T08:00:00Z", "2026-05-04", "1 May and a week-end"},
		{"SEPA", "EUR", "2026-12-24T15:00:00Z", "2026-12-28", "Christmas"},
		{"SEPA", "EUR", "2026-12-31T15:00:00Z", "2027-01-04", "New Year"},
		{"SEPA_INSTANT", "EUR", "2026-12-25T10:00:00Z", "2026-12-25", "round the clock"},
		{"SEPA_INSTANT", "EUR", "2026-11-20T23:30:00Z", "2026-11-21", "half past midnight in Brussels"},
		{"FASTER_PAYMENTS", "GBP", "2026-12-25T10:00:00Z", "2026-12-25", "round the clock"},
		{"CHAPS", "GBP", "2026-08-31T09:00:00Z", "2026-09-01", "the August bank holiday"},
		{"CHAPS", "GBP", "2026-12-25T09:00:00Z", "2026-12-29", "Boxing Day on a Saturday is made up for on Monday"},
		{"CHAPS", "GBP", "2022-12-26T09:00:00Z", "2022-12-28", "Christmas on a Sunday is made up for on Tuesday"},
		{"CHAPS", "GBP", "2021-12-27T09:00:00Z", "2021-12-29", "Christmas on a Saturday: Monday and Tuesday off"},
		{"CHAPS", "GBP", "2025-12-25T09:00:00Z", "2025-12-29", "Thursday, Friday, week-end"},
		{"ACH", "USD", "2026-11-20T19:59:00Z", "2026-11-20", "14:59 in New York"},
		{"ACH", "USD", "2026-11-20T20:00:00Z", "2026-11-23", "15:00 in New York"},
		{"FEDWIRE", "USD", "2026-11-26T15:00:00Z", "2026-11-27", "Thanksgiving"},
		{"FEDWIRE", "USD", "2026-07-03T15:00:00Z", "2026-07-03", "Independence Day on a Saturday is not made up for"},
		{"FEDWIRE", "USD", "2027-07-05T15:00:00Z", "2027-07-06", "on a Sunday it is, on Monday"},
		{"FEDWIRE", "USD", "2026-01-19T15:00:00Z", "2026-01-20", "Martin Luther King's birthday"},
		{"NEFT", "INR", "2026-11-22T20:00:00Z", "2026-11-23", "half past one in India, on a Monday"},
		{"SIC", "CHF", "2026-05-14T08:00:00Z", "2026-05-15", "Ascension Day"},
		{"SWIFT", "USD", "2026-11-26T15:00:00Z", "2026-11-27", "the days of the currency"},
		{"SWIFT", "JPY", "2026-11-21T08:00:00Z", "2026-11-23", "week-ends at least"},
	} {
		at, err := time.Parse(time.RFC3339, c.at)
		require.NoError(t, err)
		day, err := bank.ExecutionDay(c.rail, c.currency, "", at)
		require.NoError(t, err)
		require.Equal(t, c.want, day.Format("2006-01-02"), "%s %s: %s", c.rail, c.at, c.why)
	}

	at := time.Date(2026, 11, 20, 10, 30, 0, 0, time.UTC)
	day, err := bank.ExecutionDay("SEPA", "EUR", "11:00", at)
	require.NoError(t, err)
	require.Equal(t, "2026-11-23", day.Format("2006-01-02"), "the account's own cut-off")
}

// Accounts that could not work are refused at start, with every reason.
func TestHouseAccountsAreChecked(t *testing.T) {
	bad := []bank.HouseAccount{
		{
			ID:        "Eur!",
			Currency:  "euro",
			Country:   "Germany",
			IBAN:      "DE00370400440532013000",
			BIC:       "XX",
			CutOff:    "25:00",
			BooksFrom: "camt.052",
			Rails:     []string{"PIGEON"},
		},
		{
			ID:            "us",
			Currency:      "USD",
			Country:       "US",
			Holder:        "H",
			RoutingNumber: "123",
			AccountNumber: "12-3",
		},
	}

	_, err := bank.New(bank.Config{Accounts: append(bad, houseAccounts()[0], houseAccounts()[0])})
	for _, want := range []string{
		"the id is", `"euro"`, `"Germany"`, "iban DE00", "bic XX", "25:00", "books_from", "PIGEON", "holder", "routing_number 123", "account_number has", "rails needs",
		"eur is configured twice",
	} {
		require.ErrorContains(t, err, want)
	}
}

// WorksOn is about days alone: no hour makes a day one on which a rail rests.
func TestWorksOnWorkingDaysOfTheRail(t *testing.T) {
	for _, x := range []struct {
		rail, currency, day string
		works               bool
	}{
		{"SEPA", "EUR", "2026-12-24", true},
		{"SEPA", "EUR", "2026-12-25", false},
		{"SEPA", "EUR", "2026-12-26", false},
		{"SEPA", "EUR", "2026-12-28", true},
		{"SEPA_INSTANT", "EUR", "2026-12-25", true},
		{"SIC", "CHF", "2027-01-02", false},
		{"SWIFT", "USD", "2026-11-26", false},
		{"SWIFT", "EUR", "2026-11-26", true},
		{"CHAPS", "GBP", "2026-12-28", false},
	} {
		day, err := time.Parse(time.DateOnly, x.day)
		require.NoError(t, err)
		require.Equal(t, x.works, bank.WorksOn(x.rail, x.currency, day), "%+v", x)
	}
}
