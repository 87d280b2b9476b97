package ecb

import "time"

// published is the latest time at which the rates of a day are available. The bank publishes them at about 16:00 CET,
// which is 15:00 UTC in winter and 14:00 in summer.
const published = 15*time.Hour + 30*time.Minute

// WorkingDay reports whether T2 (TARGET) is open on a date: not at weekends, on New Year's Day, Good Friday, Easter
// Monday, 1 May, 25 and 26 December. Reference rates are published on its working days.
func WorkingDay(t time.Time) bool {
	y, m, d := t.Date()
	if day := t.Weekday(); day == time.Saturday || day == time.Sunday {
		return false
	}

	if m == time.January && d == 1 || m == time.May && d == 1 || m == time.December && (d == 25 || d == 26) {
		return false
	}

	easter := Easter(y)
	day := time.Date(y, m, d, 0, 0, 0, 0, time.UTC)

	return !day.Equal(easter.AddDate(0, 0, -2)) && !day.Equal(easter.AddDate(0, 0, 1))
}

// Easter returns Easter Sunday of a year of the Gregorian calendar (method of Meeus, Jones and Butcher).
func Easter(year int) time.Time {
	a := year % 19
	b := year / 100
	c := year % 100
	d := b / 4
	e := b % 4
	g := (8*b + 13) / 25
	h := (19*a + b - d - g + 15) % 30
	i := c / 4
	k := c % 4
	l := (32 + 2*e + 2*i - h - k) % 7
	m := (a + 11*h + 22*l) / 451
	n := h + l - 7*m + 114

	return time.Date(year, time.Month(n/31), n%31+1, 0, 0, 0, 0, time.UTC)
}

// Previous returns the last working day before a date, at midnight in UTC.
func Previous(t time.Time) time.Time {
	y, m, d := t.Date()

	day := time.Date(y, m, d, 0, 0, 0, 0, time.UTC)
	for {
		if day = day.AddDate(0, 0, -1); WorkingDay(day) {
			return day
		}
	}
}

// Latest returns the day whose rates should be published at a given time.
func Latest(now time.Time) time.Time {
	now = now.UTC()

	today := time.Date(now.Year(), now.Month(), now.Day(), 0, 0, 0, 0, time.UTC)
	if WorkingDay(today) && now.Sub(today) >= published {
		return today
	}

	return Previous(today)
}

// Missed returns the number of publications between a day's rates and now: 0 means that they are the latest, 1 that one
// newer set should be available. It stops counting at 10.
func Missed(day, now time.Time) int {
	n := 0
	for latest := Latest(now); latest.After(day) && n < 10; latest = Previous(latest) {
		n++
	}

	return n
}
