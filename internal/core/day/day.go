// Package day reads calendar days, such as a date of birth. Clients write them as a date or as a date-time, since the
// interface calls them timestamps. The date is what is written: an offset does not move it.
//
// Read day.go, then zone.go (time zones, by name and by country).
package day

import (
	"cmp"
	"encoding/json"
	"errors"
	"strings"
	"time"

	"slipway/internal/core/fault"
)

var errNoText = errors.New("a day is a text")

// Parse returns midnight (UTC) of the day that a date or a date-time (ParseTime) names.
func Parse(s string) (time.Time, error) {
	s = strings.TrimSpace(s)
	if t, err := time.Parse(time.DateOnly, s); err == nil {
		return t, nil
	}

	t, err := ParseTime(s)

	return Of(t), err
}

// ParseTime returns the moment that a date-time names: RFC 3339, and the ways in which people and programs write it
// besides. A blank may stand in place of the T and before the offset, seconds may be left out, and an offset may lack
// its colon or its minutes (ISO 8601). In a query that was not escaped, the plus sign is a blank. Without an offset it
// is no moment.
func ParseTime(s string) (time.Time, error) {
	s = strings.ToUpper(strings.ReplaceAll(strings.TrimSpace(s), "\u2212", "-"))

	const date = len(time.DateOnly)
	if len(s) > date && s[date] == ' ' {
		s = s[:date] + "T" + s[date+1:]
	}

	if at := strings.LastIndexByte(s, ' '); at > date {
		sign := "+"
		if strings.ContainsAny(s[at+1:], "+-Z") {
			sign = ""
		}

		s = s[:at] + sign + s[at+1:]
	}

	var first error

	for _, clock := range [...]string{"T15:04:05", "T15:04"} {
		for _, offset := range [...]string{"Z07:00", "Z0700", "Z07"} {
			t, err := time.Parse(time.DateOnly+clock+offset, s)
			if err == nil {
				return t, nil
			}

			first = cmp.Or(first, err)
		}
	}

	return time.Time{}, first
}

// Of returns midnight (UTC) of the day that a time has where it was written.
func Of(t time.Time) time.Time {
	return time.Date(t.Year(), t.Month(), t.Day(), 0, 0, 0, 0, time.UTC)
}

// Day is a day in a request. The zero Day is none.
type Day struct{ time.Time }

// JSONKind returns the expected form, for refusals.
func (Day) JSONKind() string { return "a day such as 1980-05-17, or a date-time" }

// UnmarshalJSON reads a date or a date-time. null and an empty text are no day.
func (d *Day) UnmarshalJSON(raw []byte) error {
	*d = Day{}

	if string(raw) == "null" {
		return nil
	}

	var s string
	if err := json.Unmarshal(raw, &s); err != nil {
		return errNoText
	}

	if s == "" {
		return nil
	}

	var (
		l   fault.List
		err error
	)

	if d.Time, err = Parse(s); err != nil {
		l.Add("", fault.FormatInvalid, "must be %s.", d.JSONKind())
	}

	return l.Err()
}
