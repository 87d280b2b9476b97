package overview

import (
	"context"
	"errors"
	"fmt"
	"strconv"
	"strings"
	"time"

	"slipway/internal/core/money"
	"slipway/internal/platform/db"
)

var (
	insertCursor  = db.InsertInto("overview_cursors", "organisation, last_event")
	insertPaid    = db.InsertInto("paid_days", "organisation, day, currency, decimals, units, payments")
	insertSettled = db.InsertInto("settled_days", "organisation, day, seconds, transactions")
)

// cursor is how far an organisation's events are counted.
type cursor struct {
	organisation, last string
	known              bool // it is stored
}

// cursorOf returns the cursor of an organisation; an empty one before the first count.
func cursorOf(ctx context.Context, q db.Querier, organisation string) (cursor, error) {
	last, err := db.Value[string](ctx, q,
		"SELECT last_event FROM overview_cursors WHERE organisation = ?", organisation)
	if errors.Is(err, db.ErrNone) {
		return cursor{organisation: organisation}, nil
	}

	return cursor{organisation: organisation, last: last, known: true}, err
}

// dueCursors returns organisations that have events which are not counted and older than a moment, after a given one,
// in the order of their identifiers. It looks only for the first such event, which the index of events finds at once.
func dueCursors(ctx context.Context, q db.Querier, after string, before time.Time, limit int) ([]cursor, error) {
	return db.Select(ctx, q, func(c *cursor) []any { return []any{&c.organisation, &c.last, &c.known} },
		`SELECT o.id, COALESCE(c.last_event, ''), c.organisation IS NOT NULL
			FROM organisations o LEFT JOIN overview_cursors c ON c.organisation = o.id
			WHERE o.id > ? AND (SELECT e.created_at FROM events e
			WHERE e.organisation = o.id AND e.id > COALESCE(c.last_event, '')
			ORDER BY e.id LIMIT 1) < ? ORDER BY o.id LIMIT ?`,
		after, db.Micros(before), int64(limit))
}

// moveCursor stores how far events are counted. If somebody else has moved it since c was read, the write fails, and
// with it the figures that belong to it.
func moveCursor(tx *db.Tx, c cursor, last string) {
	if !c.known {
		tx.Insert(insertCursor, c.organisation, last)
		return
	}

	tx.Change("UPDATE overview_cursors SET last_event = ? WHERE organisation = ? AND last_event = ?",
		last, c.organisation, c.last)
}

// settledKey names a day and a class in figures.
func settledKey(day string, class int64) string { return day + " " + strconv.FormatInt(class, 10) }

func readSettledKey(key string) (day string, class int64) {
	day, number, _ := strings.Cut(key, " ")
	class, _ = strconv.ParseInt(number, 10, 64)

	return day, class
}

// storedFigures returns what is added up of the days from one on.
func storedFigures(ctx context.Context, q db.Querier, organisation string, from time.Time) (figures, error) {
	type paid struct {
		day      string
		amount   money.Stored
		payments int64
	}

	f := newFigures()
	day := from.Format(time.DateOnly)

	rows, err := db.Select(ctx, q, func(r *paid) []any {
		return []any{&r.day, &r.amount.Code, &r.amount.Decimals, &r.amount.Units, &r.payments}
	}, `SELECT day, currency, decimals, units, payments FROM paid_days WHERE organisation = ? AND day >= ?`,
		organisation, day)
	if err != nil {
		return f, err
	}

	for _, r := range rows {
		amount, err := r.amount.Amount()
		if err != nil {
			return f, fmt.Errorf("paid on %s: %w", r.day, err)
		}

		if f.paid[r.day] == nil {
			f.paid[r.day] = sums{}
		}

		f.paid[r.day].add(amount, r.payments)
	}

	type settled struct {
		day            string
		class, counted int64
	}

	classed, err := db.Select(ctx, q, func(r *settled) []any { return []any{&r.day, &r.class, &r.counted} },
		"SELECT day, seconds, transactions FROM settled_days WHERE organisation = ? AND day >= ?", organisation, day)
	for _, r := range classed {
		f.settled[settledKey(r.day, r.class)] += r.counted
	}

	return f, err
}

// addFigures adds figures to the stored days.
func addFigures(ctx context.Context, tx *db.Tx, organisation string, f figures) error {
	for day, all := range f.paid {
		for _, x := range all {
			if err := addPaid(ctx, tx, organisation, day, *x); err != nil {
				return err
			}
		}
	}

	for key, n := range f.settled {
		day, class := readSettledKey(key)

		changed, err := tx.Exec(`UPDATE settled_days SET transactions = transactions + ?
			WHERE organisation = ? AND day = ? AND seconds = ?`, n, organisation, day, class)
		if err != nil {
			return err
		}

		if changed == 0 {
			tx.Insert(insertSettled, organisation, day, class, n)
		}
	}

	return nil
}

// addPaid adds a sum to a day. Units are added here, because SQL adds no money.
func addPaid(ctx context.Context, tx *db.Tx, organisation, day string, x sum) error {
	key := []any{organisation, day, x.asset.Code, int64(x.asset.Decimals)}

	const where = " WHERE organisation = ? AND day = ? AND currency = ? AND decimals = ?"

	before, err := db.Value[string](ctx, tx, "SELECT units FROM paid_days"+where, key...)
	if errors.Is(err, db.ErrNone) {
		tx.Insert(insertPaid, append(key, x.units.String(), x.payments)...)
		return nil
	}

	if err != nil {
		return err
	}

	units, err := money.ParseUnits(before)
	if err != nil {
		return fmt.Errorf("paid on %s: %w", day, err)
	}

	_, err = tx.Exec("UPDATE paid_days SET units = ?, payments = payments + ?"+where,
		append([]any{units.Add(units, x.units).String(), x.payments}, key...)...)

	return err
}

// everPaid reports whether the job has counted a payment of the organisation.
func everPaid(ctx context.Context, q db.Querier, organisation string) (bool, error) {
	n, err := db.Value[int64](ctx, q,
		"SELECT count(*) FROM (SELECT 1 FROM paid_days WHERE organisation = ? LIMIT 1) AS found", organisation)

	return n > 0, err
}
