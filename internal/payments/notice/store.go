package notice

import (
	"context"
	"time"

	"slipway/internal/platform/db"
)

var insertCursor = db.InsertInto("notice_cursors", "organisation, last_event, next_at")

// cursor is how far an organisation's events have been announced.
type cursor struct {
	organisation, last string
	at                 time.Time // the end of the pause
	known              bool      // it is stored
}

// dueCursors returns organisations that have new events and are not in a pause, after a given one, in the order of
// their identifiers. It looks only for the first new event, which the index of events finds however many there are.
func dueCursors(ctx context.Context, q db.Querier, after string, now time.Time, limit int) ([]cursor, error) {
	return db.Select(
		ctx,
		q,
		func(c *cursor) []any { return []any{&c.organisation, &c.last, &c.known} },
		`SELECT o.id, COALESCE(c.last_event, ''), c.organisation IS NOT NULL
			FROM organisations o LEFT JOIN notice_cursors c ON c.organisation = o.id
			WHERE o.id > ? AND COALESCE(c.next_at, 0) <= ? AND (SELECT e.created_at
			FROM events e
			WHERE e.organisation = o.id AND e.id > COALESCE(c.last_event, '')
			ORDER BY e.id LIMIT 1) < ? ORDER BY o.id LIMIT ?`,
		after,
		db.Micros(now),
		db.Micros(now.Add(-Settle)),
		int64(limit),
	)
}

// moveCursor stores the new cursor, unless somebody else has moved it since c was read.
func moveCursor(tx *db.Tx, c, next cursor) {
	if !c.known {
		tx.Insert(insertCursor, next.organisation, next.last, db.Micros(next.at))
		return
	}

	tx.Change(
		"UPDATE notice_cursors SET last_event = ?, next_at = ? WHERE organisation = ? AND last_event = ?",
		next.last,
		db.Micros(next.at),
		next.organisation,
		c.last,
	)
}
