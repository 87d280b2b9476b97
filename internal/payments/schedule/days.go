package schedule

import "time"

// Repeats is how often a schedule pays.
type Repeats string

// How often.
const (
	Once    Repeats = "ONCE"
	Weekly  Repeats = "WEEKLY"
	Monthly Repeats = "MONTHLY" // on the first day's day; on the last day of a month that does not have it
)

// Plan is on which days a schedule pays. Days are midnight UTC.
type Plan struct {
	First     time.Time
	Repeats   Repeats
	Until     time.Time // the last planned day there may be; zero: no end
	Times     int       // how many days at most; 0: no limit
	Calendars string    // of the rails; empty: every day is a working day
}

// planned returns the day with a number, counted from 0, or the zero time if the plan has ended by then.
func (p Plan) planned(number int) time.Time {
	day := p.First

	switch p.Repeats {
	case Once:
		if number > 0 {
			return time.Time{}
		}
	case Weekly:
		day = day.AddDate(0, 0, 7*number)
	case Monthly:
		day = inMonth(p.First, number)
	}

	if p.Times > 0 && number >= p.Times || !p.Until.IsZero() && day.After(p.Until) {
		return time.Time{}
	}

	return day
}

// inMonth returns the same day so many months later, or the last one of a month that is shorter.
func inMonth(first time.Time, months int) time.Time {
	month := time.Date(first.Year(), first.Month()+time.Month(months), 1, 0, 0, 0, 0, time.UTC)
	last := month.AddDate(0, 1, -1)

	return month.AddDate(0, 0, min(first.Day(), last.Day())-1)
}

// longestRest limits the search for a working day. No rail rests for longer.
const longestRest = 14

// paidOn returns the first working day on or after a planned one.
func (s *Service) paidOn(p Plan, planned time.Time) time.Time {
	day := planned
	for range longestRest {
		if p.Calendars == "" || s.Works(p.Calendars, day) {
			break
		}

		day = day.AddDate(0, 0, 1)
	}

	return day
}

// next returns the schedule with the first day from a number on that is paid no earlier than a day. NextDay is zero if
// there is none.
func (s *Service) next(x Schedule, number int, from time.Time) Schedule {
	for x.Number = number; ; x.Number++ {
		planned := x.planned(x.Number)
		if planned.IsZero() {
			x.NextDay = time.Time{}
			return x
		}

		if x.NextDay = s.paidOn(x.Plan, planned); !x.NextDay.Before(from) {
			return x
		}
	}
}

// due returns the number of the latest day that is to be paid today or was missed before.
func (s *Service) due(x Schedule, today time.Time) int {
	number := x.Number

	for {
		planned := x.planned(number + 1)
		if planned.IsZero() || s.paidOn(x.Plan, planned).After(today) {
			return number
		}

		number++
	}
}

// Coming is a day to come.
type Coming struct{ Planned, PaidOn time.Time }

// coming returns the next days, at most a limit of them.
func (s *Service) coming(x Schedule, limit int) []Coming {
	var out []Coming

	if x.NextDay.IsZero() {
		return nil
	}

	for number := x.Number; len(out) < limit; number++ {
		planned := x.planned(number)
		if planned.IsZero() {
			break
		}

		out = append(out, Coming{planned, s.paidOn(x.Plan, planned)})
	}

	return out
}
