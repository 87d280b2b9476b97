package trail

import (
	"context"
	"time"

	"slipway/internal/platform/db"
)

// Columns of events that others may join on: organisation, id, created_at.

// Entry is one event as it was written.
type Entry struct {
	ID, Type, Object string
	Sequence         int64
	Data             string // JSON
	At               time.Time
}

// Span is a piece of an organisation's events: those after one (empty: from the first), up to and with another.
type Span struct{ Organisation, After, UpTo string }

// Events returns the events of a span that are of these types, oldest first, at most limit.
func Events(ctx context.Context, q db.Querier, s Span, types []string, limit int) ([]Entry, error) {
	var w db.Where
	w.And("organisation = ?", s.Organisation)
	w.And("id > ?", s.After)
	w.And("id <= ?", s.UpTo)
	db.In(&w, "type", types)

	type row struct {
		Entry
		at int64
	}

	query := "SELECT id, type, object, sequence, data, created_at FROM events" + w.SQL() + " ORDER BY id LIMIT ?"

	rows, err := db.Select(ctx, q, func(r *row) []any {
		return []any{&r.ID, &r.Type, &r.Object, &r.Sequence, &r.Data, &r.at}
	}, query, append(w.Args, int64(limit))...)

	out := make([]Entry, len(rows))
	for i, r := range rows {
		out[i] = r.Entry
		out[i].At = db.Time(r.at)
	}

	return out, err
}

// Newest returns the newest event of an organisation that was written before a moment, or db.ErrNone. A write that
// began before it may still be under way: whoever follows events leaves it time to end.
func Newest(ctx context.Context, q db.Querier, organisation string, before time.Time) (string, error) {
	const query = "SELECT id FROM events WHERE organisation = ? AND created_at < ? ORDER BY id DESC LIMIT 1"
	return db.Value[string](ctx, q, query, organisation, db.Micros(before))
}
