package trail

import (
	"context"
	"time"

	"slipway/internal/platform/db"
)

// Line is one line of the audit log.
type Line struct {
	ID, Organisation, Actor, Action, Object string
	RequestID, Source, Detail               string
	At                                      time.Time
}

// Filter selects lines. Organisation is always set; the other fields select everything when empty.
type Filter struct {
	Organisation, Actor, Action, Object string
	From, To                            time.Time
}

func (f Filter) where() db.Where {
	var w db.Where
	w.And("organisation = ?", f.Organisation)

	for _, c := range []struct{ condition, value string }{
		{"actor = ?", f.Actor},
		{"action = ?", f.Action},
		{"object = ?", f.Object},
	} {
		if c.value != "" {
			w.And(c.condition, c.value)
		}
	}

	if !f.From.IsZero() {
		w.And("created_at >= ?", db.Micros(f.From))
	}

	if !f.To.IsZero() {
		w.And("created_at < ?", db.Micros(f.To))
	}

	return w
}

// List returns lines newest first, those before one or all from offset on, and how many match.
func List(ctx context.Context, q db.Querier, f Filter, before string, limit, offset int) ([]Line, int64, error) {
	w := f.where()

	total, err := db.Value[int64](ctx, q, "SELECT count(*) FROM audit_log"+w.SQL(), w.Args...)
	if err != nil {
		return nil, 0, err
	}

	if before != "" {
		w.And("id < ?", before)
	}

	type row struct {
		Line
		at int64
	}

	const columns = "id, organisation, actor, action, object, request_id, source, detail, created_at"
	query := "SELECT " + columns + " FROM audit_log" + w.SQL() + " ORDER BY id DESC LIMIT ? OFFSET ?"

	rows, err := db.Select(ctx, q, func(r *row) []any {
		return []any{&r.ID, &r.Organisation, &r.Actor, &r.Action, &r.Object, &r.RequestID, &r.Source, &r.Detail, &r.at}
	}, query, append(w.Args, int64(limit), int64(offset))...)

	out := make([]Line, len(rows))
	for i, r := range rows {
		out[i] = r.Line
		out[i].At = db.Time(r.at)
	}

	return out, total, err
}
