package db

import (
	"context"
	"errors"
	"sync"
	"time"

	"slipway/internal/core/id"
)

// insertConfirmation writes the row of a commit that has no other purpose.
var insertConfirmation = InsertInto("confirmations", "id")

// Confirm returns after a commit of its own is durable, and with it everything that could be read before the call. What
// can be read is not always durable yet: a commit that waited for the standby counts after a crash of the server
// without having reached it. A second call commits again. It leaves no row behind.
func (d *DB) Confirm(ctx context.Context) error {
	return d.Write(ctx, func(tx *Tx) error {
		name := id.New("cfm", tx.Now)
		tx.Insert(insertConfirmation, name)
		tx.Change("DELETE FROM confirmations WHERE id = ?", name)

		return nil
	})
}

// commits records whether the database confirms what is written. The zero value is ready.
type commits struct {
	mu      sync.Mutex
	open    map[*session]time.Duration // since when a transaction talks to the database, by the clock's Elapsed
	failing time.Duration              // since when none was confirmed; only if failed
	failed  bool                       // the last transaction that ended was given up by the database
	last    time.Duration              // when the last one was confirmed; only if any
	any     bool
}

// begun notes that a transaction begins to talk to the database. A second call keeps the first time.
func (c *commits) begun(s *session, now time.Duration) {
	c.mu.Lock()
	defer c.mu.Unlock()

	if c.open == nil {
		c.open = map[*session]time.Duration{}
	}

	if _, known := c.open[s]; !known {
		c.open[s] = now
	}
}

// ended notes how a transaction has ended. One that its body has refused proves nothing.
func (c *commits) ended(s *session, now time.Duration) {
	c.mu.Lock()
	defer c.mu.Unlock()

	since, known := c.open[s]
	if !known {
		return
	}

	delete(c.open, s)

	switch {
	case s.confirmed:
		c.failed = false
		c.any = true
		c.last = now
	case s.lost && !c.failed:
		c.failed = true
		c.failing = since
	}
}

// unconfirmed returns for how long the database has confirmed nothing of what it was told to write.
func (c *commits) unconfirmed(now time.Duration) time.Duration {
	c.mu.Lock()
	defer c.mu.Unlock()

	since := now
	if c.failed {
		since = c.failing
	}

	for _, at := range c.open {
		since = min(since, at)
	}

	return now - since
}

// within reports whether a transaction was confirmed so lately.
func (c *commits) within(age, now time.Duration) bool {
	c.mu.Lock()
	defer c.mu.Unlock()

	return c.any && now-c.last <= age
}

// Unconfirmed returns for how long the database has confirmed no commit although there was something to write; 0 if
// nothing waits. The time of a transaction that reads much before it writes counts, too.
func (d *DB) Unconfirmed() time.Duration { return d.commits.unconfirmed(d.clock.Elapsed()) }

// writesWithin is how long ago a commit must have been confirmed for Writes to make none of its own.
const writesWithin = 2 * time.Second

// Writes returns nil if the database confirms commits: it has confirmed one a moment ago, or confirms one now.
func (d *DB) Writes(ctx context.Context) error {
	if d.commits.within(writesWithin, d.clock.Elapsed()) {
		return nil
	}

	return d.Confirm(ctx)
}

// lostIn reports whether an error says that the database, and not a body, has ended a transaction.
func lostIn(err error) bool {
	return errors.Is(err, ErrUnknown) || errors.Is(asUnavailable(err), ErrUnavailable)
}
