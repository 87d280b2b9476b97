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

// dueMornings returns people whose morning mail is due, after a given one, in the order of their identifiers.
func dueMornings(ctx context.Context, q db.Querier, now time.Time, after string, limit int) ([]morning, error) {
	type row struct {
		user string
		next int64
		ends bool
	}

	rows, err := db.Select(ctx, q, func(r *row) []any { return []any{&r.user, &r.next, &r.ends} },
		"SELECT user_id, next_at, ends FROM morning_mails WHERE next_at <= ? AND user_id > ? ORDER BY user_id LIMIT ?",
		db.Micros(now), after, int64(limit))

	out := make([]morning, len(rows))
	for i, r := range rows {
		out[i] = morning{r.user, db.Time(r.next), r.ends}
	}

	return out, err
}

// moveMorning stores when the next morning mail is due, or forgets a person who gets none any more. It reports whether
// nobody else has done so since m was read.
func moveMorning(tx *db.Tx, m morning, next time.Time) (bool, error) {
	if m.ends {
		n, err := tx.Exec("DELETE FROM morning_mails WHERE user_id = ? AND next_at = ? AND ends = TRUE",
			m.user, db.Micros(m.next))

		return n == 1, err
	}

	n, err := tx.Exec("UPDATE morning_mails SET next_at = ? WHERE user_id = ? AND next_at = ?",
		db.Micros(next), m.user, db.Micros(m.next))

	return n == 1, err
}

// skipMornings has mornings of before a time left out.
func skipMornings(tx *db.Tx, before time.Time) error {
	_, err := tx.Exec("UPDATE morning_mails SET next_at = 0 WHERE next_at <= ?", db.Micros(before))
	return err
}
