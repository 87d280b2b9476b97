// Package replica registers the processes that work on one database, and ends the leases of those that are gone.
//
// A replica announces itself with a row and keeps updating the time in it. If it is silent for three seconds, the
// others consider it dead: its row and its leases end in one transaction, so another replica continues its work at once
// instead of after the lease expires. A process that has opened an SQLite file alone (db.Config.Alone) finds no lease
// at its start that has a holder any more.
//
// A lease is a row of a table with the columns owner and lease_until, and a fencing number beside them.
//
// It promises that the leases of a dead replica end within four seconds. It does not promise that a replica considered
// dead is dead: it may have been paused, or cut off from the database. What it still writes is refused by its fencing
// number, not by anything here.
//
// Read replica.go, then store.go (all SQL).
package replica

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"slices"
	"sync/atomic"
	"time"

	"slipway/internal/core/id"
	"slipway/internal/platform/db"
)

const (
	beatInterval = 750 * time.Millisecond
	silenceLimit = 3 * time.Second  // after which a replica is gone
	skewLimit    = 10 * time.Second // between this process's clock and the database's, before it is logged
)

// Replica is this process among those that share a database. All its methods except Run are safe for concurrent use.
type Replica struct {
	db     *db.DB
	log    *slog.Logger
	id     string
	leases []leases
	joined atomic.Bool
	beatAt atomic.Int64 // time of the last heartbeat written, by the monotonic clock
	skewed bool         // of Run: the difference of the clocks was logged
}

// leases is a table of leases, and what to call when some of them have ended.
type leases struct {
	table string
	wake  func()
}

// New returns a replica that has not announced itself. Its leases end by time alone until Join.
func New(d *db.DB, log *slog.Logger) *Replica {
	return &Replica{db: d, log: log, id: id.New("rep", d.Now())}
}

// ID returns the owner that leases name. It differs after each start.
func (r *Replica) ID() string { return r.id }

// Leases adds a table whose leases end with their owner. wake is called when some have ended. Call it before Join.
func (r *Replica) Leases(table string, wake func()) { r.leases = append(r.leases, leases{table, wake}) }

// MayTake reports whether leases may be taken now. It is false if no heartbeat of this replica has succeeded for so
// long that the others consider it dead. After a pause of the process it is false at once.
func (r *Replica) MayTake() bool {
	if !r.joined.Load() || r.db.Alone() {
		return true
	}

	return r.db.Clock().Elapsed()-time.Duration(r.beatAt.Load()) < silenceLimit
}

// Join announces the replica, and ends leases whose owner is not announced: every lease that is left, on a database on
// which nobody else works. Call Run afterwards.
func (r *Replica) Join(ctx context.Context) error {
	startedAt := r.db.Clock().Elapsed()

	err := r.db.Write(ctx, func(tx *db.Tx) error {
		if r.db.Alone() {
			return r.end(tx, "owner <> ''")
		}

		tx.Insert(insertReplica, r.id, db.Micros(r.db.ServerNow()))

		return r.end(tx, notAnnounced)
	})
	if err != nil {
		return fmt.Errorf("announce this replica: %w", err)
	}

	r.beatAt.Store(int64(startedAt))
	r.joined.Store(true)

	return nil
}

// Run keeps the replica announced and ends the leases of dead ones, until ctx ends. An unavailable
// database is no error: the replica announces itself again when it is back.
func (r *Replica) Run(ctx context.Context) error {
	if r.db.Alone() {
		<-ctx.Done()
		return nil
	}

	tick := time.NewTicker(beatInterval)
	defer tick.Stop()

	for {
		select {
		case <-ctx.Done():
			return nil
		case <-tick.C:
		}

		if err := r.Beat(ctx); err != nil && ctx.Err() == nil {
			r.log.Warn("heartbeat failed", "replica", r.id, "error", err)
		}
	}
}

// Beat writes one heartbeat and removes the replicas that are silent. Run calls it repeatedly. A replica whose own
// heartbeat fails removes nobody.
func (r *Replica) Beat(ctx context.Context) error {
	ctx, cancel := context.WithTimeout(ctx, silenceLimit)
	defer cancel()

	if err := r.db.SyncClock(ctx); err != nil {
		return err
	}

	r.compareClocks()

	startedAt := r.db.Clock().Elapsed()

	err := r.db.Write(ctx, func(tx *db.Tx) error { beat(tx, r.id, r.db.ServerNow()); return nil })
	if errors.Is(err, db.ErrStale) {
		r.log.Warn("this replica was taken for dead: it announces itself again", "replica", r.id)
		return r.Join(ctx)
	}

	if err != nil {
		return err
	}

	r.beatAt.Store(int64(startedAt))

	others, err := readOthers(ctx, r.db, r.id)
	if err != nil {
		return err
	}

	for _, o := range others {
		if err := r.removeIfSilent(ctx, o); err != nil {
			return err
		}
	}

	return nil
}

// Others reports whether another replica works on the database: one that has sent a heartbeat within the time after
// which it would be considered dead.
func (r *Replica) Others(ctx context.Context) (bool, error) {
	if r.db.Alone() {
		return false, nil
	}

	others, err := readOthers(ctx, r.db, r.id)

	return slices.ContainsFunc(others, func(o announced) bool { return !r.silent(o) }), err
}

// silent reports whether another replica has been silent for too long. A heartbeat in the future was written before the
// database's clock was set back and not repeated since: it counts as silence, too.
func (r *Replica) silent(other announced) bool {
	return r.db.ServerNow().Sub(other.beatAt).Abs() >= silenceLimit
}

// removeIfSilent removes a replica that has been silent for too long. A heartbeat at the same moment wins.
func (r *Replica) removeIfSilent(ctx context.Context, other announced) error {
	if !r.silent(other) {
		return nil
	}

	err := r.db.Write(ctx, func(tx *db.Tx) error {
		removeSilent(tx, other)
		return r.end(tx, "owner = ?", other.id)
	})
	if errors.Is(err, db.ErrStale) {
		return nil // it lives, or another one was first
	}

	if err != nil {
		return fmt.Errorf("end the leases of %s: %w", other.id, err)
	}

	r.log.Warn("a replica is gone: its leases have ended", "replica", other.id, "last", other.beatAt)

	return nil
}

// end ends leases by a condition on their owner, and wakes whoever takes them next.
func (r *Replica) end(tx *db.Tx, owner string, args ...any) error {
	for _, l := range r.leases {
		n, err := endLeases(tx, l.table, owner, args...)
		if err != nil {
			return fmt.Errorf("end leases of %s: %w", l.table, err)
		}

		if n > 0 && l.wake != nil {
			tx.OnCommit(l.wake)
		}
	}

	return nil
}

// Leave ends the announcement and the leases at a regular shutdown. Run must have returned.
func (r *Replica) Leave(ctx context.Context) error {
	err := r.db.Write(ctx, func(tx *db.Tx) error {
		if err := leave(tx, r.id); err != nil {
			return err
		}

		return r.end(tx, "owner = ?", r.id)
	})
	if err != nil {
		return fmt.Errorf("withdraw this replica: %w", err)
	}

	return nil
}

// compareClocks logs a warning if this process's clock differs from the database's. Leases are not affected; expiry and
// value dates are.
func (r *Replica) compareClocks() {
	skew := r.db.Now().Sub(r.db.ServerNow())

	skewed := skew.Abs() > skewLimit
	if skewed && !r.skewed {
		r.log.Error("the clock of this process and that of the database differ: set them by NTP",
			"by", skew.Round(time.Second).String())
	}

	r.skewed = skewed
}
