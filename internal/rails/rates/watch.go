package rates

import (
	"context"
	"errors"
	"log/slog"
	"strings"
	"sync"
	"time"

	"slipway/internal/platform/clock"
)

const (
	watchEvery   = time.Minute
	watchTimeout = 15 * time.Second // of one look
	lookKept     = 2 * watchEvery   // how long a look answers those who ask
)

// Probe is the rate by which a source is watched.
type Probe struct {
	Name        string // of the source, for people and figures
	Base, Quote string
	Source      Source
}

// Condition is how a source was when it was last asked.
type Condition struct {
	Name    string
	AsOf    time.Time // of its newest rate; zero: it has given none since the start
	Problem string    // why it has no rate that may be used; "": it has one
	Since   time.Time // when a look found it so first; zero: since the start
}

// Watch asks sources of rates again and again, so that a source that is dead is known before somebody needs a rate. It
// keeps the latest look in memory: each process has its own, since each asks by itself. It is safe for concurrent use.
type Watch struct {
	probes []Probe
	clock  *clock.Clock
	log    *slog.Logger

	turn sync.Mutex // held while sources are asked
	mu   sync.Mutex
	last []Condition
	at   time.Time
}

// NewWatch returns a watch. It asks nobody before Look or Run.
func NewWatch(c *clock.Clock, log *slog.Logger, probes ...Probe) *Watch {
	w := &Watch{
		probes: probes,
		clock:  c,
		log:    log,
		last:   make([]Condition, len(probes)),
	}

	for i, p := range probes {
		w.last[i].Name = p.Name
	}

	return w
}

// Run looks every minute until ctx ends.
func (w *Watch) Run(ctx context.Context) error {
	tick := time.NewTicker(watchEvery)
	defer tick.Stop()

	for {
		w.look(ctx)

		select {
		case <-ctx.Done():
			return nil
		case <-tick.C:
		}
	}
}

// Look returns how every source is, in the order of the probes. It asks them if that is not known or too old.
func (w *Watch) Look(ctx context.Context) []Condition {
	if last, fresh := w.latest(); fresh {
		return last
	}

	w.look(ctx)
	last, _ := w.latest()

	return last
}

// latest returns the latest look, and whether it is young enough.
func (w *Watch) latest() (last []Condition, fresh bool) {
	w.mu.Lock()
	defer w.mu.Unlock()

	return append([]Condition{}, w.last...), !w.at.IsZero() && w.clock.Now().Sub(w.at) < lookKept
}

// look asks every source at once. What was cut short by the end of ctx proves nothing and is not kept.
func (w *Watch) look(ctx context.Context) {
	w.turn.Lock()
	defer w.turn.Unlock()

	limited, cancel := context.WithTimeout(ctx, watchTimeout)
	defer cancel()

	before, _ := w.latest()
	now := make([]Condition, len(w.probes))

	var wg sync.WaitGroup
	for i, p := range w.probes {
		wg.Go(func() { now[i] = w.condition(limited, p, before[i]) })
	}

	wg.Wait()

	if ctx.Err() != nil {
		return
	}

	w.mu.Lock()
	w.last = now
	w.at = w.clock.Now()
	w.mu.Unlock()

	for i, c := range now {
		w.tell(before[i], c)
	}
}

// condition asks one source.
func (w *Watch) condition(ctx context.Context, p Probe, before Condition) Condition {
	c := Condition{
		Name:  p.Name,
		AsOf:  before.AsOf,
		Since: before.Since,
	}

	r, err := p.Source.Rate(ctx, p.Base, p.Quote)

	var stale *Stale

	switch {
	case err == nil:
		c.AsOf = r.AsOf
	case errors.As(err, &stale):
		c.AsOf = stale.AsOf
	}

	if err != nil {
		c.Problem = strings.ReplaceAll(err.Error(), "\n", "; ")
	}

	if (c.Problem == "") != (before.Problem == "") {
		c.Since = w.clock.Now()
	}

	return c
}

// tell logs what has changed for a source.
func (w *Watch) tell(before, now Condition) {
	switch {
	case now.Problem != "" && before.Problem == "":
		w.log.Warn("a source of rates cannot be used", "source", now.Name, "as_of", now.AsOf, "why", now.Problem)
	case now.Problem == "" && before.Problem != "":
		w.log.Info("a source of rates can be used again", "source", now.Name, "as_of", now.AsOf)
	}
}
