// Package clock tells the time, and lets a sandbox or a test move it forward.
//
// Everything that stores or compares a time asks a Clock, never time.Now, so that expiry, retries and leases can be shown in tests
// without waiting. Only Sandbox control and tests call Advance.
package clock

import (
	"sync/atomic"
	"time"
)

// Clock is the wall clock plus an offset that only grows. The zero value is the wall clock. Safe for concurrent use.
type Clock struct{ offset atomic.Int64 }

// New is the wall clock.
func New() *Clock { return &Clock{} }

// Now is the current time in UTC, cut to whole microseconds: what both databases store.
func (c *Clock) Now() time.Time { return c.At(time.Now()) }

// At is what the clock shows at a moment of the wall clock, for those who have looked at that already.
func (c *Clock) At(wall time.Time) time.Time {
	return wall.Add(time.Duration(c.offset.Load())).UTC().Truncate(time.Microsecond)
}

// Advance moves the clock forward for everyone who holds it. A negative duration is ignored: time never goes back.
func (c *Clock) Advance(d time.Duration) {
	if d > 0 {
		c.offset.Add(int64(d))
	}
}
