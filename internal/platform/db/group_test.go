package db

import (
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"

	"slipway/internal/platform/clock"
)

// A writer waits a little for clients that were answered together. One that comes alone, a while after them, waits for
// nobody: it would never come.
func TestAWriterWaitsForWhoeverIsExpectedBack(t *testing.T) {
	for name, c := range map[string]struct {
		since, waits time.Duration
		pending      int64
	}{
		"many were answered just now":                    {since: time.Millisecond, pending: 1, waits: gatherLimit},
		"many were answered a while ago":                 {since: expectedWithin + 1, pending: 1},
		"many were answered a while ago, one is at work": {since: expectedWithin + 1, pending: 2, waits: gatherLimit},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				d := &DB{
					queue:    make(chan *request, 10),
					stop:     make(chan struct{}),
					maxGroup: 10,
					clock:    clock.New(),
				}

				d.pending.Store(8)
				d.recordPeak()
				d.answer(&request{done: make(chan error, 1)}, nil)
				d.pending.Store(c.pending)
				time.Sleep(c.since)

				began := time.Now()
				require.Len(t, d.gather(&request{}), 1)
				require.Equal(t, c.waits, time.Since(began))
			})
		})
	}
}
