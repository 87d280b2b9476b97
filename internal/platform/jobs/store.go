package jobs

import (
	"context"
	"slices"
	"strings"
	"time"

	"slipway/internal/platform/db"
)

var jobRow = db.InsertInto("jobs", "id, kind, key, payload, run_at, planned_at, created_at").OrIgnore("(key)")

func insertJob(tx *db.Tx, j Job, now, at time.Time) {
	tx.Insert(jobRow, j.ID, j.Kind, j.Key, j.Payload, db.Micros(at), db.Micros(now), db.Micros(tx.Now))
}

const wakeText = "UPDATE jobs SET wakes = wakes + 1, run_at = ?, planned_at = ? WHERE key = ?"

func wakeJob(tx *db.Tx, key string, now time.Time) error {
	_, err := tx.Exec(wakeText, db.Micros(now), db.Micros(now), key)
	return err
}

// demandJob wakes a job that this transaction has created or found.
func demandJob(tx *db.Tx, key string, now time.Time) {
	tx.Change(wakeText, db.Micros(now), db.Micros(now), key)
}

// dueText is the condition of a job that may be taken. A lease that expires later than its length allows was taken
// before the clock was set back, and is void.
//
// A runner never takes over its own lease, although it has expired: its handler still runs. The clock was set forward,
// or the handler is slower than its lease; another process may take the job then.
const dueText = "dead = FALSE AND run_at <= ? AND (lease_until < ? OR lease_until > ?) " +
	"AND (lease_until = 0 OR owner <> ?)"

// The jobs that are taken are chosen once, apart from the update: PostgreSQL may plan a condition with LIMIT and SKIP
// LOCKED so that it is answered for each row anew, each time by other jobs, and would take all that are due.
const (
	chooseText = "WITH due AS MATERIALIZED (SELECT id FROM jobs WHERE " + dueText
	takeText   = `) UPDATE jobs SET fence = fence + 1, owner = ?, lease_until = ? WHERE id IN (SELECT id FROM due)
		RETURNING id, kind, key, payload, attempts, fence, wakes`
)

// kinds returns the condition of the jobs that a runner may take, which begins with AND, or is empty.
func (c Config) kinds() (condition string, args []any) {
	condition, kinds := " AND kind IN (?", c.Only
	if len(kinds) == 0 {
		condition, kinds = " AND kind NOT IN (?", c.Except
	}

	if len(kinds) == 0 {
		return "", nil
	}

	for _, k := range kinds {
		args = append(args, k)
	}

	return condition + strings.Repeat(", ?", len(kinds)-1) + ")", args
}

// claim takes due jobs under a lease. On PostgreSQL several replicas claim at once without waiting for each other's
// rows, which no common text for both databases can express.
func claim(ctx context.Context, d *db.DB, owner string, n int, c Config) ([]Job, error) {
	now := d.ServerNow()
	lease := c.Lease
	kinds, kindArgs := c.kinds()

	dueArgs := func(now time.Time) []any {
		latest := now.Add(lease + db.ClockTolerance) // a lease that ends later is void, see dueText
		return slices.Concat([]any{db.Micros(now), db.Micros(now), db.Micros(latest), owner}, kindArgs)
	}

	due, err := db.Value[int64](ctx, d, "SELECT count(*) FROM (SELECT 1 FROM jobs WHERE "+dueText+kinds+
		" LIMIT 1) AS due", dueArgs(now)...)
	if err != nil || due == 0 {
		return nil, err
	}

	text := chooseText + kinds + " ORDER BY run_at LIMIT ?"
	if d.Dialect() == db.Postgres {
		text += " FOR UPDATE SKIP LOCKED"
	}

	var out []Job
	err = d.Write(ctx, func(tx *db.Tx) (err error) {
		now := d.ServerNow()
		until := now.Add(lease)

		out, err = db.Select(ctx, tx, func(j *Job) []any {
			return []any{&j.ID, &j.Kind, &j.Key, &j.Payload, &j.Attempts, &j.fence, &j.wakes}
		}, text+takeText, append(dueArgs(now), int64(n), owner, db.Micros(until))...)

		return err
	})

	return out, err
}

// settle records the outcome. Every statement contains the fence, so a worker that has lost its lease changes nothing.
func settle(ctx context.Context, d *db.DB, j Job, res Result, failed error) error {
	return d.Write(ctx, func(tx *db.Tx) error {
		now := d.ServerNow()

		nowMicros := db.Micros(now)
		if failed != nil {
			_, err := tx.Exec(
				`UPDATE jobs
					SET lease_until = 0, attempts = attempts + 1, last_error = ?, run_at = ?, planned_at = ?
					WHERE id = ? AND fence = ?`,
				failed.Error(),
				db.Micros(now.Add(pause(j.Attempts))),
				nowMicros,
				j.ID,
				j.fence,
			)

			return err
		}

		if res.again {
			_, err := tx.Exec(`UPDATE jobs
				SET lease_until = 0, attempts = 0, last_error = '', run_at = CASE WHEN wakes = ? THEN CAST(? AS
				BIGINT) ELSE CAST(? AS BIGINT) END, planned_at = ?
				WHERE id = ? AND fence = ?`,
				j.wakes, db.Micros(now.Add(res.after)), nowMicros, nowMicros, j.ID, j.fence)

			return err
		}

		n, err := tx.Exec("DELETE FROM jobs WHERE id = ? AND fence = ? AND wakes = ?", j.ID, j.fence, j.wakes)
		if err != nil || n == 1 {
			return err
		}

		_, err = tx.Exec(
			"UPDATE jobs SET lease_until = 0, attempts = 0, run_at = ?, planned_at = ? WHERE id = ? AND fence = ?",
			nowMicros,
			nowMicros,
			j.ID,
			j.fence,
		)

		return err
	})
}

// reschedule lets jobs that were planned in what is now the future wait for as long as intended, and no longer.
func reschedule(ctx context.Context, d *db.DB) (n int64, err error) {
	err = d.Write(ctx, func(tx *db.Tx) error {
		now := d.ServerNow()
		n, err = tx.Exec("UPDATE jobs SET run_at = run_at - planned_at + ?, planned_at = ? WHERE planned_at > ?",
			db.Micros(now), db.Micros(now), db.Micros(now.Add(db.ClockTolerance)))

		return err
	})

	return n, err
}

// giveBack ends the leases of an owner, except those of some jobs.
func giveBack(ctx context.Context, d *db.DB, owner string, but []string, c Config) error {
	kinds, kindArgs := c.kinds()

	args := append([]any{owner}, kindArgs...)
	for _, id := range but {
		args = append(args, id)
	}

	not := ""
	if len(but) > 0 {
		not = " AND id NOT IN (?" + strings.Repeat(", ?", len(but)-1) + ")"
	}

	return d.Write(ctx, func(tx *db.Tx) error {
		_, err := tx.Exec("UPDATE jobs SET lease_until = 0 WHERE lease_until <> 0 AND owner = ?"+kinds+not, args...)
		return err
	})
}

// Backlog is the figures about jobs for monitoring.
type Backlog struct {
	Due, Failing int64
	OldestDue    time.Time
}

// Look returns the numbers of jobs that are due and those that keep failing.
func Look(ctx context.Context, d *db.DB) (Backlog, error) {
	type row struct{ due, failing, oldest int64 }
	v, err := db.One(
		ctx,
		d,
		func(v *row) []any { return []any{&v.due, &v.failing, &v.oldest} },
		`SELECT COALESCE(SUM(CASE WHEN run_at <= ? THEN 1 ELSE 0 END), 0), COALESCE(SUM(CASE WHEN attempts >= 5
			THEN 1 ELSE 0 END), 0), COALESCE(MIN(run_at), 0) FROM jobs
			WHERE dead = FALSE`,
		db.Micros(d.ServerNow()),
	)

	return Backlog{Due: v.due, Failing: v.failing, OldestDue: db.Time(v.oldest)}, err
}

// Waiting returns the number of jobs of a kind that have not ended, and when the oldest of them was created; zero if
// none is left. It reads the whole table of jobs, which holds nothing but what is still to do.
func Waiting(ctx context.Context, d *db.DB, kind string) (count int64, oldest time.Time, err error) {
	return db.Backlog(ctx, d, "SELECT count(*), COALESCE(MIN(created_at), 0) FROM jobs WHERE kind = ?", kind)
}
