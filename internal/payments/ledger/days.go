package ledger

import (
	"time"

	"slipway/internal/core/day"
	"slipway/internal/platform/db"
)

// Days are when the event of a journal happened, as its evidence says. The zero value is the time of posting.
type Days struct {
	At     time.Time // the time of the block; zero: that of posting
	Booked time.Time // the day on which a bank booked it, midnight UTC; zero: the day of At where the book is kept
	Value  time.Time // the day from which the bank counts it, midnight UTC; zero: the day of the book
}

// OfBank returns the days of a bank's booking. A zero value day is that of the booking.
func OfBank(booked, value time.Time) Days { return Days{Booked: booked, Value: value} }

// OfBlock returns the days of what was carried out in a block. The zero time is that of posting.
func OfBlock(mined time.Time) Days { return Days{At: mined} }

// on is when a journal happened, as it is stored.
type on struct {
	happenedAt    int64
	booked, value string // days; empty: see Days
}

func (o *on) dest() []any { return []any{&o.happenedAt, &o.booked, &o.value} }

// stored returns the days of a journal that is posted at a time. A chain's clock may be ahead of ours: what is posted
// has happened.
func (d Days) stored(posted time.Time) on {
	out := on{happenedAt: db.Micros(posted)}

	switch {
	case !d.Booked.IsZero():
		out.happenedAt = db.Micros(d.Booked)
		out.booked = d.Booked.Format(time.DateOnly)
	case !d.At.IsZero() && d.At.Before(posted):
		out.happenedAt = db.Micros(d.At)
	}

	if !d.Value.IsZero() {
		out.value = d.Value.Format(time.DateOnly)
	}

	return out
}

// dayOf returns the day that a moment is in, in a time zone, as midnight UTC.
func dayOf(at time.Time, zone *time.Location) time.Time { return day.Of(at.In(zone)) }

// days returns the business day and the value day in a book that is kept in a time zone, each as midnight UTC.
func (o on) days(zone *time.Location) (booked, value time.Time) {
	booked = dayOf(db.Time(o.happenedAt), zone)
	if d, err := time.Parse(time.DateOnly, o.booked); err == nil {
		booked = d
	}

	value = booked
	if d, err := time.Parse(time.DateOnly, o.value); err == nil {
		value = d
	}

	return booked, value
}
