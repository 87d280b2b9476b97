// Package feed hands events out to those who follow an organisation, in one order that never changes.
//
// The trail writes an event with the change itself. Its identifier and its time are made before the commit, so whoever
// pages over them loses what commits late. A sealer therefore numbers committed events, for each organisation from 1
// and without a gap, and whoever has read up to a number never finds anything new before it. Of two events of one
// record the earlier one has the lower number. What the later one has changed is found by the sealer and stored with
// its number, so it is the same whenever it is read.
//
// What it promises: every committed event gets one number, once, soon after its commit. Followers in the process that
// committed are woken by the commit; those in others learn of it within pollInterval, by one read for the process and
// not one for each follower. A number is handed out for Kept; then the event stays in the trail and leaves the feed.
//
// Read in this order: feed.go, seal.go (who gets which number), previous.go (what an event has changed), follow.go
// (waiting for more), store.go, http.go.
package feed

import (
	"context"
	"log/slog"
	"sync"
	"time"

	"slipway/internal/platform/db"
	"slipway/internal/platform/trail"
)

// Kept is how long events can be read from the feed.
const Kept = 90 * 24 * time.Hour

// How often a process looks for what others have committed or sealed.
const (
	pollInterval = 200 * time.Millisecond // while somebody follows
	idleInterval = time.Second
)

// gatherTime is the pause after events were sealed. What is committed meanwhile is sealed together.
const gatherTime = 20 * time.Millisecond

// Event is an event with its number.
type Event struct {
	Number           int64
	Organisation     string
	ID, Type, Object string
	Sequence         int64  // the record's version
	Data             string // JSON
	Previous         string // JSON: members of Data that the event before had otherwise, as they were; empty: none
	At               time.Time
}

// Feed numbers events and lets callers wait for them.
type Feed struct {
	db      *db.DB
	log     *slog.Logger
	heard   <-chan struct{} // an event was committed by this process
	writers []Writer

	mu      sync.Mutex
	topics  map[string]*topic // of the organisations that somebody follows
	version int64             // of the head, as last seen
	closed  chan struct{}
	closing sync.Once
}

// Writer writes what belongs to newly numbered events in the transaction that numbers them. prepare may read, and its
// result may run more than once.
type Writer func(ctx context.Context, events []Event) (write func(tx *db.Tx), err error)

// New returns a feed that nobody seals: call Run, or Seal.
func New(d *db.DB, log *slog.Logger) *Feed {
	return &Feed{
		db:     d,
		log:    log,
		heard:  d.Listen(trail.Topic),
		topics: map[string]*topic{},
		closed: make(chan struct{}),
	}
}

// With has w write with every sealing from now on. Call it before Run.
func (f *Feed) With(w Writer) { f.writers = append(f.writers, w) }

// Run seals events as they are committed, until ctx ends. Several processes may run it on one database.
func (f *Feed) Run(ctx context.Context) error {
	for ctx.Err() == nil {
		n, err := f.Seal(ctx)
		if err != nil && ctx.Err() == nil {
			f.log.Error("seal events", "error", err.Error())
		}

		switch {
		case err != nil:
			pause(ctx, idleInterval)
		case n > 0:
			pause(ctx, gatherTime)
		default:
			f.idle(ctx)
		}
	}

	return nil
}

// Close ends the waiting of all followers. A second call does nothing.
func (f *Feed) Close() { f.closing.Do(func() { close(f.closed) }) }

// idle blocks until an event was committed, or it is time to look for those of other processes.
func (f *Feed) idle(ctx context.Context) {
	interval := idleInterval
	if f.followed() {
		interval = pollInterval
	}

	t := time.NewTimer(interval)
	defer t.Stop()

	select {
	case <-f.heard:
	case <-t.C:
	case <-ctx.Done():
	}
}

func pause(ctx context.Context, d time.Duration) {
	t := time.NewTimer(d)
	defer t.Stop()

	select {
	case <-t.C:
	case <-ctx.Done():
	}
}
