package db

import (
	"context"
	"fmt"
	"time"
)

// ClockTolerance is by how much the times that two processes get from ServerNow may differ. A time further in the
// future was written before the database's clock was set back.
const ClockTolerance = time.Second

// serverTime is the time of the server's clock at a moment of the process.
type serverTime struct {
	shown   time.Time
	elapsed time.Duration // by the process's monotonic clock
}

// ServerNow returns the time by the database's clock, which all processes share: PostgreSQL's, or on SQLite the
// process's, since there is only one. Leases and the due times of jobs use it, so it does not matter how a process's
// own clock is set.
//
// It makes no query: it counts on from the last SyncClock, by a monotonic clock. Advance of the process's clock moves
// it, too.
func (d *DB) ServerNow() time.Time {
	s := d.server.Load()
	if s == nil {
		return d.clock.Now()
	}

	since := d.clock.Elapsed() - s.elapsed

	return s.shown.Add(since + d.clock.Advanced()).UTC().Truncate(time.Microsecond)
}

// SyncClock asks the server for its time, from which ServerNow counts on. Open calls it. Holders of leases call it
// repeatedly, because clocks drift and are set.
func (d *DB) SyncClock(ctx context.Context) error {
	before := d.clock.Elapsed()

	shown, err := d.engine.clock(ctx)
	if err != nil {
		return asUnavailable(fmt.Errorf("ask for the time: %w", err))
	}

	if shown.IsZero() {
		return nil
	}

	after := d.clock.Elapsed()
	d.server.Store(&serverTime{
		shown:   shown,
		elapsed: before + (after-before)/2,
	})

	return nil
}
