// Package clock returns the time, and lets a sandbox or a test move it forward.
//
// Code that stores or compares a time calls a Clock, never time.Now, so that tests can show expiry, retries and leases
// without waiting. Only Sandbox control and tests call Advance; only tests call Jump.
package clock

import (
	"sync/atomic"
	"time"
)

// Clock is the wall clock plus an offset. The zero value is the wall clock. It is safe for concurrent use.
type Clock struct {
	advanced atomic.Int64 // only grows
	jumped   atomic.Int64
}

// New returns the wall clock.
func New() *Clock { return &Clock{} }

// Now returns the current time in UTC, truncated to microseconds, which both databases store.
func (c *Clock) Now() time.Time { return c.At(time.Now()) }

// At returns the clock's time for a moment of the wall clock that the caller has read already.
func (c *Clock) At(wall time.Time) time.Time {
	return wall.Add(c.Advanced() + time.Duration(c.jumped.Load())).UTC().Truncate(time.Microsecond)
}

// Advance moves the clock forward for everyone who uses it. A negative duration is ignored: time never goes back.
func (c *Clock) Advance(d time.Duration) {
	if d > 0 {
		c.advanced.Add(int64(d))
	}
}

// Advanced returns by how much Advance has moved the clock in all.
func (c *Clock) Advanced() time.Duration { return time.Duration(c.advanced.Load()) }

// Jump sets the clock forward or back, as a person or a time server does.
func (c *Clock) Jump(d time.Duration) { c.jumped.Add(int64(d)) }

// begin is when the process began, with a reading of the monotonic clock.
var begin = time.Now()

// Elapsed returns the time since the process began. Setting the clock does not change it, so two readings measure a
// duration.
func (c *Clock) Elapsed() time.Duration { return time.Since(begin) }
