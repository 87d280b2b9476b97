package ledger

import (
	"context"
	"time"

	"slipway/internal/core/id"
	"slipway/internal/platform/db"
)

// A journal that is posted days after its business day has a row of its own, so that whoever has summed up a part of
// the book finds what has come to it since.

// lateAfter is by how much a journal is posted after it happened that is late.
const lateAfter = 4 * 24 * time.Hour

// OnTime is how long after the end of a day, by any clock in the world, its journals are posted that are not late.
const OnTime = lateAfter + 24*time.Hour

var insertLate = db.InsertInto("late_journals", "organisation, journal, happened_at")

func (r *journalRow) late() bool { return r.CreatedAt-r.happenedAt > lateAfter.Microseconds() }

// PostedUntil returns the identifier before which every journal has been written that was posted until a moment: one
// may be written some time after its identifier was made.
func PostedUntil(at time.Time) string { return id.First(at.Add(-lookBack)).String(journalPrefix) }

// Belated reports whether a journal that counts in a book before a day was posted late, after the one with an
// identifier. The answer may be true because of a journal of the day after. The day must be over by OnTime.
func Belated(ctx context.Context, q db.Querier, p Period, day time.Time, after string) (bool, error) {
	var w db.Where

	w.And("journal > ?", after)
	w.And("happened_at < ?", db.Micros(day.Add(24*time.Hour)))

	if !p.House {
		w.And("organisation = ?", p.Organisation)
	}

	return db.Value[bool](ctx, q, "SELECT EXISTS(SELECT 1 FROM late_journals"+w.SQL()+")", w.Args...)
}
