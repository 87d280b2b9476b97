// Package day reads calendar days, such as a date of birth. Clients write them as a date or as a date-time, since the
// interface calls them timestamps. The date is what is written: an offset does not move it.
package day

import (
	"encoding/json"
	"errors"
	"time"

	"slipway/internal/core/fault"
)

var errNoText = errors.New("a day is a text")

// Parse returns midnight (UTC) of the day that a date or a date-time (RFC 3339) names.
func Parse(s string) (time.Time, error) {
	if t, err := time.Parse(time.DateOnly, s); err == nil {
		return t, nil
	}

	t, err := time.Parse(time.RFC3339, s)

	return Of(t), err
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
