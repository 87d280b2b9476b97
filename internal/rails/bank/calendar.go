package bank

import (
	"errors"
	"fmt"
	"time"
	_ "time/tzdata" // cut-off times are local; a container may have no time zone database

	"slipway/internal/rails/bank/format"
	"slipway/internal/standards/ecb"
)

// schedule holds when a rail accepts payments: until a local time of day, on its working days.
type schedule struct {
	zone    string
	cutOff  string                   // "15:00"; "" for a rail that runs around the clock
	holiday func(day time.Time) bool // nil: every day is a working day
}

// scheduleOf returns a rail's working days and the time until which files of a day are accepted. These times are
// earlier than those of the clearing, as banks require. An account's own cut-off replaces them.
func scheduleOf(rail, currency string) schedule {
	switch rail {
	case "SEPA_INSTANT":
		return schedule{zone: "Europe/Brussels"}
	case "FASTER_PAYMENTS":
		return schedule{zone: "Europe/London"}
	case "IMPS", "NEFT": // NEFT runs round the clock since 16 December 2019 (Reserve Bank of India)
		return schedule{zone: "Asia/Kolkata"}
	case "SEPA":
		return schedule{zone: "Europe/Brussels", cutOff: "14:00", holiday: targetHoliday}
	case "CHAPS":
		return schedule{zone: "Europe/London", cutOff: "15:00", holiday: britishHoliday}
	case "ACH":
		return schedule{zone: "America/New_York", cutOff: "15:00", holiday: federalReserveHoliday}
	case "FEDWIRE":
		return schedule{zone: "America/New_York", cutOff: "16:00", holiday: federalReserveHoliday}
	case "SIC":
		return schedule{zone: "Europe/Zurich", cutOff: "14:00", holiday: swissHoliday}
	}

	own, ok := map[string]string{"EUR": "SEPA", "GBP": "CHAPS", "USD": "FEDWIRE", "CHF": "SIC"}[currency]
	if !ok {
		return schedule{zone: "UTC", cutOff: "12:00", holiday: func(time.Time) bool { return false }}
	}

	s := scheduleOf(own, currency) // SWIFT: the working days of the currency's own clearing
	s.cutOff = "14:00"

	return s
}

// ExecutionDay returns the first day on which a rail executes what is handed over at a moment: midnight UTC of that
// date. cutOff replaces the rail's default; empty keeps it.
func ExecutionDay(rail, currency, cutOff string, at time.Time) (time.Time, error) {
	s := scheduleOf(rail, currency)

	zone, err := time.LoadLocation(s.zone)
	if err != nil {
		return time.Time{}, fmt.Errorf("time zone of %s: %w", rail, err)
	}

	local := at.In(zone)

	day := time.Date(local.Year(), local.Month(), local.Day(), 0, 0, 0, 0, time.UTC)
	if s.holiday == nil {
		return day, nil
	}

	if cutOff == "" {
		cutOff = s.cutOff
	}

	if local.Format("15:04") >= cutOff {
		day = day.AddDate(0, 0, 1)
	}

	for weekend(day) || s.holiday(day) {
		day = day.AddDate(0, 0, 1)
	}

	return day, nil
}

// executionDay returns the day of execution of a file that an account hands over at a moment, as its format has it.
func executionDay(a HouseAccount, rail string, f format.Format, at time.Time) (time.Time, error) {
	var failed error

	out := f.Day(a.formatAccount(), at, func(at time.Time) time.Time {
		day, err := ExecutionDay(rail, a.Currency, a.CutOff, at)
		failed = errors.Join(failed, err)

		return day
	})

	return out, failed
}

// dayAfter returns the working day of a rail after a day, midnight UTC.
func dayAfter(rail, currency string, day time.Time) (time.Time, error) {
	zone, err := time.LoadLocation(scheduleOf(rail, currency).zone)
	if err != nil {
		return day, fmt.Errorf("time zone of %s: %w", rail, err)
	}

	return ExecutionDay(rail, currency, "", time.Date(day.Year(), day.Month(), day.Day()+1, 0, 0, 0, 0, zone))
}

// WorksOn reports whether a day, midnight UTC, is a working day of a rail.
func WorksOn(rail, currency string, day time.Time) bool {
	s := scheduleOf(rail, currency)
	return s.holiday == nil || !weekend(day) && !s.holiday(day)
}

func weekend(day time.Time) bool {
	return day.Weekday() == time.Saturday || day.Weekday() == time.Sunday
}

// afterEaster reports whether a day is the given number of days after Easter Sunday.
func afterEaster(day time.Time, days int) bool {
	return day.Equal(ecb.Easter(day.Year()).AddDate(0, 0, days))
}

// onDate reports whether a day is one of the dates, given as month and day.
func onDate(day time.Time, dates ...[2]int) bool {
	for _, d := range dates {
		if int(day.Month()) == d[0] && day.Day() == d[1] {
			return true
		}
	}

	return false
}

// nthWeekday reports whether a day is the n-th of its weekday in a month; n is -1 for the last.
func nthWeekday(day time.Time, month time.Month, weekday time.Weekday, n int) bool {
	if day.Month() != month || day.Weekday() != weekday {
		return false
	}

	if n < 0 {
		return day.AddDate(0, 0, 7).Month() != month
	}

	return (day.Day()-1)/7+1 == n
}

// targetHoliday reports closing days of T2, the clearing of the euro.
func targetHoliday(day time.Time) bool { return !ecb.WorkingDay(day) }

// swissHoliday reports closing days of Swiss Interbank Clearing.
func swissHoliday(day time.Time) bool {
	return targetHoliday(day) || onDate(day, [2]int{1, 2}, [2]int{8, 1}) || afterEaster(day, 39) || afterEaster(day, 50)
}

// britishHoliday reports bank holidays of England and Wales. A holiday on a weekend moves to the next working day.
func britishHoliday(day time.Time) bool {
	if afterEaster(day, -2) || afterEaster(day, 1) || nthWeekday(day, time.May, time.Monday, 1) ||
		nthWeekday(day, time.May, time.Monday, -1) ||
		nthWeekday(day, time.August, time.Monday, -1) {
		return true
	}

	year := day.Year()
	newYear := time.Date(year, 1, 1, 0, 0, 0, 0, time.UTC)
	christmas := time.Date(year, 12, 25, 0, 0, 0, 0, time.UTC)
	first := nextWorkingDay(newYear)
	second := nextWorkingDay(christmas)
	third := nextWorkingDay(second.AddDate(0, 0, 1))

	return day.Equal(first) || day.Equal(second) || day.Equal(third)
}

func nextWorkingDay(day time.Time) time.Time {
	for weekend(day) {
		day = day.AddDate(0, 0, 1)
	}

	return day
}

// federalReserveHoliday reports closing days of the Federal Reserve Banks. A holiday on a Sunday moves to Monday; one
// on a Saturday is lost.
func federalReserveHoliday(day time.Time) bool {
	fixed := func(d time.Time) bool {
		return onDate(d, [2]int{1, 1}, [2]int{6, 19}, [2]int{7, 4}, [2]int{11, 11}, [2]int{12, 25})
	}

	return fixed(day) || day.Weekday() == time.Monday && fixed(day.AddDate(0, 0, -1)) ||
		nthWeekday(
			day,
			time.January,
			time.Monday,
			3,
		) || nthWeekday(day, time.February, time.Monday, 3) || nthWeekday(day, time.May, time.Monday, -1) ||
		nthWeekday(
			day,
			time.September,
			time.Monday,
			1,
		) || nthWeekday(day, time.October, time.Monday, 2) || nthWeekday(day, time.November, time.Thursday, 4)
}
