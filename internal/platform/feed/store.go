package feed

import (
	"context"
	"slices"
	"time"

	"slipway/internal/platform/db"
	"slipway/internal/platform/trail"
)

var (
	feedRow   = db.InsertInto("feed", "organisation, number, event, previous, sealed_at")
	recordRow = db.InsertInto("feed_records", "object, organisation, event")
)

func insertFeed(tx *db.Tx, e Event) {
	tx.Insert(feedRow, e.Organisation, e.Number, e.ID, e.Previous, db.Micros(tx.Now))
}

// readRecords returns the newest numbered event of records, and of those of other organisations with the same
// identifiers. A record without one is not in it.
func readRecords(ctx context.Context, q db.Querier, objects []string) (map[recordKey]newest, error) {
	type row struct {
		recordKey
		newest
	}

	if len(objects) == 0 {
		return nil, nil
	}

	slices.Sort(objects)

	var w db.Where
	db.In(&w, "r.object", slices.Compact(objects))

	rows, err := db.Select(ctx, q, func(r *row) []any {
		return []any{&r.object, &r.organisation, &r.event, &r.data}
	}, "SELECT r.object, r.organisation, r.event, coalesce((SELECT e.data FROM events e "+
		"WHERE e.organisation = r.organisation AND e.id = r.event), '') FROM feed_records r"+w.SQL(), w.Args...)

	out := make(map[recordKey]newest, len(rows))
	for _, r := range rows {
		r.stored = r.event
		out[r.recordKey] = r.newest
	}

	return out, err
}

// writeRecords stores the newest event of each record, unless another sealing has done so since they were read.
func writeRecords(tx *db.Tx, records map[recordKey]newest) {
	for k, n := range records {
		if n.stored == "" {
			tx.Insert(recordRow, k.object, k.organisation, n.event)
			continue
		}

		tx.Change("UPDATE feed_records SET event = ? WHERE object = ? AND organisation = ? AND event = ?",
			n.event, k.object, k.organisation, n.stored)
	}
}

// head is where the next sealing begins.
type head struct{ position, version int64 }

func readHead(ctx context.Context, q db.Querier) (head, error) {
	return db.One(ctx, q, func(h *head) []any { return []any{&h.position, &h.version} },
		"SELECT position, version FROM feed_head WHERE id = 'feed'")
}

// moveHead lets the next sealing begin at a position. The transaction fails if another sealing was first.
func moveHead(tx *db.Tx, from head, position int64) {
	tx.Change("UPDATE feed_head SET position = ?, version = version + 1 WHERE id = 'feed' AND version = ?",
		position, from.version)
}

// unsealed returns events that have no number, from a position on in the order of their commits, and where the next
// sealing begins. In place of its number each has the newest one of its organisation.
//
// Events whose transaction ended late have a position before those that were sealed already, so the search begins at
// the oldest transaction that might still commit then. A database that was put back on another server counts its
// transactions anew: it is searched once as far back as the feed goes.
func unsealed(ctx context.Context, d *db.DB, from int64, limit int) (events []Event, next int64, err error) {
	below := "(" + trail.PositionLimit(d.Dialect()) + ")"

	events, next, err = readUnsealed(ctx, d, from, below, limit)
	if err != nil || next >= from {
		return events, next, err
	}

	events, next, err = readUnsealed(ctx, d, 0, endOfPositions, limit)
	if len(events) == limit {
		next = from // there may be more: the next sealing searches everything again
	}

	return events, next, err
}

// endOfPositions is behind every position.
const endOfPositions = "9223372036854775807"

const eventColumns = "coalesce(e.id, ''), coalesce(e.organisation, ''), coalesce(e.type, ''), " +
	"coalesce(e.object, ''), coalesce(e.sequence, 0), coalesce(e.data, ''), coalesce(e.created_at, 0)"

func readUnsealed(
	ctx context.Context,
	d *db.DB,
	from int64,
	below string,
	limit int,
) (events []Event, next int64, err error) {
	type row struct {
		Event
		next, position, at int64
	}

	rows, err := db.Select(ctx, d, func(r *row) []any {
		return []any{
			&r.next, &r.position, &r.Number,
			&r.ID, &r.Organisation, &r.Type, &r.Object, &r.Sequence, &r.Data, &r.at,
		}
	}, "SELECT n.position, coalesce(e.position, 0), coalesce(e.newest, 0), "+eventColumns+
		" FROM ("+trail.NextPosition(d.Dialect())+") n LEFT JOIN ("+
		"SELECT u.position, u.id, u.organisation, u.type, u.object, u.sequence, u.data, u.created_at, "+
		"(SELECT max(f.number) FROM feed f WHERE f.organisation = u.organisation) AS newest "+
		"FROM events u WHERE u.position >= ? AND u.position < "+below+" AND u.created_at >= ? "+
		"AND (SELECT 1 FROM feed s WHERE s.event = u.id LIMIT 1) IS NULL "+
		"ORDER BY u.position, u.id LIMIT ?) e ON TRUE ORDER BY e.position, e.id",
		from, db.Micros(d.Now().Add(-Kept)), int64(limit))
	if err != nil {
		return nil, 0, err
	}

	for _, r := range rows {
		next = r.next

		if r.ID != "" {
			r.At = db.Time(r.at)
			events = append(events, r.Event)
		}
	}

	if len(events) == limit { // those behind the last one were not read
		next = min(next, rows[len(rows)-1].position)
	}

	return events, next, nil
}

// bounds are the oldest and the newest number that can be read; 0 for none.
type bounds struct{ oldest, newest int64 }

func readBounds(ctx context.Context, q db.Querier, organisation string) (b bounds, err error) {
	const end = "SELECT number FROM (SELECT number FROM feed WHERE organisation = ? ORDER BY number "

	ends, err := db.Select(ctx, q, func(n *int64) []any { return []any{n} },
		end+"LIMIT 1) oldest UNION ALL "+end+"DESC LIMIT 1) newest", organisation, organisation)
	if err != nil || len(ends) == 0 {
		return b, err
	}

	return bounds{oldest: slices.Min(ends), newest: slices.Max(ends)}, nil
}

// Read returns an organisation's events after a number, at most limit.
func Read(ctx context.Context, q db.Querier, organisation string, after int64, limit int) ([]Event, error) {
	type row struct {
		Event
		at int64
	}

	rows, err := db.Select(ctx, q, func(r *row) []any {
		return []any{&r.Number, &r.ID, &r.Organisation, &r.Type, &r.Object, &r.Sequence, &r.Data, &r.Previous, &r.at}
	}, "SELECT f.number, e.id, e.organisation, e.type, e.object, e.sequence, e.data, f.previous, e.created_at "+
		"FROM feed f "+
		"JOIN events e ON e.organisation = f.organisation AND e.id = f.event "+
		"WHERE f.organisation = ? AND f.number > ? ORDER BY f.number LIMIT ?", organisation, after, int64(limit))

	events := make([]Event, len(rows))
	for i, r := range rows {
		events[i] = r.Event
		events[i].At = db.Time(r.at)
	}

	return events, err
}

func forget(tx *db.Tx, before time.Time, limit int) (int64, error) {
	return tx.Exec("DELETE FROM feed WHERE event IN (SELECT f.event FROM feed f WHERE f.sealed_at < ? AND f.number < "+
		"(SELECT max(n.number) FROM feed n WHERE n.organisation = f.organisation) ORDER BY f.sealed_at LIMIT ?)",
		db.Micros(before), int64(limit))
}
