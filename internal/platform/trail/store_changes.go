package trail

import (
	"context"
	"errors"
	"strconv"

	"slipway/internal/platform/db"
)

// Change is that a record has reached a version.
type Change struct {
	Organisation, Object string
	Sequence             int64 // the record's version
}

// changesLimit limits the changes that are read before a reader is too far behind.
const changesLimit = 100_000

// The rows of one statement. The number stands in its text: of a parameter PostgreSQL would assume a tenth of the
// table, and read all of it.
const (
	fewChanges  = 2_000
	manyChanges = 50_000
)

// ErrFarBehind is the error of a reader that has too many changes before it. It reads the records themselves anew.
var ErrFarBehind = errors.New("too many changes have been made since")

// NextPosition is the query of where a later reading begins that misses nothing: behind everything that has ended at
// the moment of this one. On PostgreSQL writers commit side by side, so it is the oldest transaction that may still
// commit, and what later ones have written is read again.
func NextPosition(d db.Dialect) string {
	if d == db.Postgres {
		return "SELECT pg_snapshot_xmin(pg_current_snapshot())::text::bigint AS position"
	}

	return "SELECT coalesce(max(position), 0) + 1 AS position FROM events"
}

// PositionLimit is the query of the position that no event visible now has reached. Behind it there may be those of a
// database that was put back on another server, whose transactions have other numbers.
func PositionLimit(d db.Dialect) string {
	if d == db.Postgres {
		return "SELECT pg_snapshot_xmax(pg_current_snapshot())::text::bigint AS position"
	}

	return NextPosition(d)
}

// Position returns where Changes begins for a reader that has read everything in the present snapshot.
func Position(ctx context.Context, q db.Querier, d db.Dialect) (int64, error) {
	return db.Value[int64](ctx, q, NextPosition(d))
}

// Changes returns what has been committed from a position on, and the position of the next reading. It misses no change
// and may return some that an earlier reading has returned, or that it has returned itself. It returns ErrFarBehind if
// there are too many.
func Changes(ctx context.Context, q db.Querier, d db.Dialect, from int64) (all []Change, next int64, err error) {
	limit := fewChanges

	for {
		part, n, last, err := readChanges(ctx, q, d, from, limit)
		if err != nil {
			return nil, 0, err
		}

		if next == 0 {
			next = n
		}

		all = append(all, part...)

		switch {
		case len(part) < limit:
			return all, next, nil
		case len(all) > changesLimit || (last == from && limit == manyChanges):
			return nil, 0, ErrFarBehind
		case last == from: // one transaction wrote all of them, and more
			limit = manyChanges
		default:
			from = last
		}
	}
}

// readChanges returns changes in their order, and the position of the last one.
func readChanges(
	ctx context.Context,
	q db.Querier,
	d db.Dialect,
	from int64,
	limit int,
) (all []Change, next, last int64, err error) {
	type row struct {
		Change
		next, position int64
	}

	rows, err := db.Select(ctx, q, func(r *row) []any {
		return []any{&r.next, &r.position, &r.Organisation, &r.Object, &r.Sequence}
	}, "SELECT n.position, coalesce(e.position, 0), coalesce(e.organisation, ''), coalesce(e.object, ''), "+
		"coalesce(e.sequence, 0) FROM ("+NextPosition(d)+") n LEFT JOIN ("+
		"SELECT position, organisation, object, sequence FROM events WHERE position >= ? "+
		"ORDER BY position LIMIT "+strconv.Itoa(limit)+") e ON TRUE",
		from)

	for _, r := range rows {
		next = r.next

		if r.position != 0 {
			all = append(all, r.Change)
			last = max(last, r.position)
		}
	}

	return all, next, last, err
}
