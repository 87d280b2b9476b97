// Package replica tells the processes that work on one database from each other, and ends the leases of those that
// are gone.
//
// A replica announces itself with a row and keeps writing the time into it. One that is silent for three seconds is
// taken for dead by the others: its row and its leases end in one transaction, so that somebody else goes on with its
// work at once instead of after the length of the lease. On SQLite there is one process on a file, which a lock makes
// sure of: all leases that it finds at its start have no holder any more.
//
// A lease is a row of a table that has the columns owner and lease_until, with a fencing number beside them.
//
// Promised: the leases of a replica that has died end within four seconds. Not promised: that one which is taken for
// dead is dead. It may have been paused, or cut off from the database. What it still writes is refused by its fencing
// number, not by anything here.
package replica

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"sync/atomic"
	"time"

	"slipway/internal/core/id"
	"slipway/internal/platform/db"
)

const (
	beatInterval = 750 * time.Millisecond
	silenceLimit = 3 * time.Second  // after which a replica is gone
	skewLimit    = 10 * time.Second // between this process's clock and the database's, before people are told
)

// Replica is this process among those that share a database. Its methods but Run are safe for concurrent use.
type Replica struct {
	db     *db.DB
	log    *slog.Logger
	id     string
	leases []leases
	joined atomic.Bool
	alone  atomic.Bool  // nobody else can work on this database
	beatAt atomic.Int64 // of the last heartbeat that was written, by the clock that nobody sets
	skewed bool         // of Run: people were told that the clocks differ
}

// leases is a table of leases, and what is called when some of them have ended.
type leases struct {
	table string
	wake  func()
}

// New returns a replica that has not announced itself. Its leases end by time alone until Join.
func New(d *db.DB, log *slog.Logger) *Replica {
	return &Replica{db: d, log: log, id: id.New("rep", d.Now())}
}

// ID is what leases name as their owner. It is another one after each start.
func (r *Replica) ID() string { return r.id }

// Leases names a table whose leases end with their owner; wake is called when that has happened to some. Call it
// before Join.
func (r *Replica) Leases(table string, wake func()) { r.leases = append(r.leases, leases{table, wake}) }

// MayTake reports whether leases may be taken now. It is false while no heartbeat of this replica came through for so
// long that the others take it for dead: after a pause of the process it is false before anybody has told it.
func (r *Replica) MayTake() bool {
	if !r.joined.Load() || r.alone.Load() {
		return true
	}

	return r.db.Clock().Elapsed()-time.Duration(r.beatAt.Load()) < silenceLimit
}

// Join announces the replica. On SQLite it returns db.ErrInUse when another process works on the file, and ends every
// lease that is left. On PostgreSQL it ends those whose owner is not announced. Run must follow.
func (r *Replica) Join(ctx context.Context) error {
	alone, err := r.db.TakeAlone()
	if err != nil {
		return err
	}

	r.alone.Store(alone)

	begun := r.db.Clock().Elapsed()

	err = r.db.Write(ctx, func(tx *db.Tx) error {
		if alone {
			return r.end(tx, "owner <> ''")
		}

		tx.Insert(insertReplica, r.id, db.Micros(r.db.ServerNow()))

		return r.end(tx, "owner NOT IN (SELECT id FROM replicas)")
	})
	if err != nil {
		return fmt.Errorf("announce this replica: %w", err)
	}

	r.beatAt.Store(int64(begun))
	r.joined.Store(true)

	return nil
}

// Run keeps the replica announced and ends the leases of those that are gone, until ctx ends. A database that is away
// is no error: the replica announces itself again when it is back.
func (r *Replica) Run(ctx context.Context) error {
	if r.alone.Load() {
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

// Beat writes one heartbeat and buries the replicas that are silent. Run calls it again and again. Nobody is buried
// by a replica whose own heartbeat does not come through.
func (r *Replica) Beat(ctx context.Context) error {
	ctx, cancel := context.WithTimeout(ctx, silenceLimit)
	defer cancel()

	if err := r.db.SyncClock(ctx); err != nil {
		return err
	}

	r.compareClocks()

	begun := r.db.Clock().Elapsed()

	err := r.db.Write(ctx, func(tx *db.Tx) error { beat(tx, r.id, r.db.ServerNow()); return nil })
	if errors.Is(err, db.ErrStale) {
		r.log.Warn("this replica was taken for dead: it announces itself again", "replica", r.id)
		return r.Join(ctx)
	}

	if err != nil {
		return err
	}

	r.beatAt.Store(int64(begun))

	others, err := readOthers(ctx, r.db, r.id)
	if err != nil {
		return err
	}

	for _, o := range others {
		if err := r.buryIfSilent(ctx, o); err != nil {
			return err
		}
	}

	return nil
}

// buryIfSilent ends a replica that has not been heard of for too long. A heartbeat further ahead than that was
// written before the database's clock was set back, and not repeated since: it counts as silence, too. One that comes
// at the same moment goes first.
func (r *Replica) buryIfSilent(ctx context.Context, other announced) error {
	silence := r.db.ServerNow().Sub(other.beatAt)
	if silence.Abs() < silenceLimit {
		return nil
	}

	err := r.db.Write(ctx, func(tx *db.Tx) error {
		bury(tx, other)
		return r.end(tx, "owner = ?", other.id)
	})
	if errors.Is(err, db.ErrStale) {
		return nil // it lives, or another one was first
	}

	if err != nil {
		return fmt.Errorf("end the leases of %s: %w", other.id, err)
	}

	r.log.Warn("a replica is gone: its leases have ended", "replica", other.id, "silent", silence.String())

	return nil
}

// end ends leases by a condition on their owner and wakes whoever takes them next.
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

// Leave ends the announcement and the leases at an orderly end. Run must have returned.
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

// compareClocks tells people when this process's clock is not the database's. Leases do not mind; expiry and value
// dates do.
func (r *Replica) compareClocks() {
	skew := r.db.Now().Sub(r.db.ServerNow())

	skewed := skew.Abs() > skewLimit
	if skewed && !r.skewed {
		r.log.Error(
			"the clock of this process and that of the database differ: set them by NTP",
			"by",
			skew.Round(time.Second).String(),
		)
	}

	r.skewed = skewed
}
