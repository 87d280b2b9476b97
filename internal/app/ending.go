package app

import (
	"context"
	"errors"
	"log/slog"
	"sync"
	"time"

	"slipway/internal/platform/clock"
)

// A process that is told to stop ends in this order, within shutdown.drain, shutdown.grace and closeLimit:
//
//  1. /readyz is 503, and everything else goes on, for shutdown.drain: whoever balances load looks elsewhere.
//  2. Nothing new begins. Streams and long polls end; requests and jobs under way have shutdown.grace.
//  3. What is open outside is closed. A part that does not end is left, and the log names it. Nothing is lost by that:
//     what was acknowledged is durable, and what was not is taken up by the next process.

const (
	// closeLimit limits the third part.
	closeLimit = 10 * time.Second
	// partLimit is how much of it one part may have. The database, which comes last, has what is left.
	partLimit = 2 * time.Second
	// graceMargin is how long after the grace time it is waited for what was cut off to end.
	graceMargin = time.Second
)

// drained returns a context that ends when the drain time after the end of ctx is over. With the end of ctx, /readyz
// becomes 503. Call cancel in the end.
func (a *App) drained(ctx context.Context) (working context.Context, cancel func()) {
	working, end := context.WithCancel(context.WithoutCancel(ctx))

	drain := a.Config.Shutdown.Drain
	if a.Config.Mode.Personal() {
		drain = 0 // nobody balances load there, and a person waits for the end
	}

	stop := context.AfterFunc(ctx, func() {
		defer end()

		a.health.Drain()
		a.Log.Info("stopping", "drain", drain.String(), "grace", a.Config.Shutdown.Grace.String())

		wait := time.NewTimer(drain)
		defer wait.Stop()

		select {
		case <-wait.C:
		case <-working.Done():
		}
	})

	return working, func() { stop(); end() }
}

// ending is the time in which all parts have to be closed. It begins with the first of them.
type ending struct {
	clock *clock.Clock

	mu    sync.Mutex
	began bool
	at    time.Duration // by the clock's Elapsed
}

// within returns a context that ends with the time of all, or after most.
func (e *ending) within(most time.Duration) (context.Context, context.CancelFunc) {
	e.mu.Lock()
	defer e.mu.Unlock()

	now := e.clock.Elapsed()
	if !e.began {
		e.began = true
		e.at = now
	}

	return context.WithTimeout(context.Background(), min(most, e.at+closeLimit-now))
}

// end calls a function that ends a part and returns its error. A part that does not end in time is left, with a warning
// that names it, which is no error.
func (a *App) end(part string, most time.Duration, do func(ctx context.Context) error) error {
	ctx, cancel := a.ending.within(most)
	defer cancel()

	ended := make(chan error, 1)
	go func() { ended <- do(ctx) }()

	var err error
	select {
	case err = <-ended:
	case <-ctx.Done():
		err = ctx.Err()
	}

	if errors.Is(err, context.DeadlineExceeded) {
		a.Log.Warn("a part does not end in time, and is left: nothing is lost", slog.String("part", part))
		return nil
	}

	return err
}
