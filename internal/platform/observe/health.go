package observe

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"net/http"
	"sync"
	"sync/atomic"
	"time"
)

// How long a check may take where it says nothing, and how long an answer is kept: /readyz is open to everybody, the
// database is not.
const (
	checkLimit = 2 * time.Second
	checkKept  = time.Second
)

// Check is something without which requests cannot be served, such as the database.
type Check struct {
	Name     string
	Group    string        // of alternatives: ready while one of the group passes; empty: this one must pass
	Optional bool          // some requests are served without it: the answer is degraded while it fails
	Limit    time.Duration // 0: two seconds
	Probe    func(ctx context.Context) error
}

// Healthz answers 200 as long as the process can answer at all. It checks nothing else: a restart would not bring a
// lost database back.
func Healthz() http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		writeJSON(w, http.StatusOK, map[string]string{"status": "ok"})
	})
}

// Readiness serves /readyz. It answers 200 if every check passes ("ok"), or if only optional ones or some of a group
// fail ("degraded"). It answers 503 if a required check fails, if all of a group fail, or after Drain. The answer names
// the checks but not why they failed, since it is open to everybody; the log has the reasons.
type Readiness struct {
	log      *slog.Logger
	checks   []Check
	draining atomic.Bool

	mu   sync.Mutex // held while the checks run, so that many callers ask once
	at   time.Time
	last answer
}

type answer struct {
	Status string   `json:"status"`
	Checks []result `json:"checks"`
}

type result struct {
	Name   string `json:"name"`
	Status string `json:"status"` // ok, failed, late
	Millis int64  `json:"millis"`
}

// NewReadiness returns the handler.
func NewReadiness(log *slog.Logger, checks ...Check) *Readiness {
	return &Readiness{log: log, checks: checks}
}

// Drain makes every later answer 503, so that load balancers send no new requests while those under way end.
func (r *Readiness) Drain() { r.draining.Store(true) }

// ServeHTTP runs the checks, or repeats an answer that is younger than a second.
func (r *Readiness) ServeHTTP(w http.ResponseWriter, _ *http.Request) {
	if r.draining.Load() {
		writeJSON(w, http.StatusServiceUnavailable, answer{Status: "draining", Checks: []result{}})
		return
	}

	r.mu.Lock()
	if r.at.IsZero() || time.Since(r.at) >= checkKept {
		r.last = r.run() //nolint:contextcheck // the answer is for everybody who asks within a second
		r.at = time.Now()
	}

	a := r.last
	r.mu.Unlock()

	status := http.StatusOK
	if a.Status == "unavailable" {
		status = http.StatusServiceUnavailable
	}

	writeJSON(w, status, a)
}

func (r *Readiness) run() answer {
	a := answer{Status: "ok", Checks: make([]result, len(r.checks))}

	var wg sync.WaitGroup
	for i, c := range r.checks {
		wg.Go(func() { a.Checks[i] = r.check(c) })
	}

	wg.Wait()
	a.Status = r.statusOf(a.Checks)

	return a
}

// statusOf returns the status that follows from the results of the checks.
func (r *Readiness) statusOf(results []result) string {
	status := "ok"

	serves := map[string]bool{}
	for i, x := range results {
		group := r.checks[i].Group

		serves[group] = serves[group] || x.Status == "ok"
		if x.Status != "ok" {
			status = "degraded"
		}
	}

	for i, x := range results {
		if c := r.checks[i]; x.Status != "ok" && !c.Optional && (c.Group == "" || !serves[c.Group]) {
			return "unavailable"
		}
	}

	return status
}

// check times out a probe that is late, even one that ignores its context.
func (r *Readiness) check(c Check) result {
	if c.Limit == 0 {
		c.Limit = checkLimit
	}

	ctx, cancel := context.WithTimeout(context.Background(), c.Limit)
	defer cancel()
	begin := time.Now()

	done := make(chan error, 1)
	go func() {
		defer func() {
			if p := recover(); p != nil {
				done <- fmt.Errorf("panic: %v", p)
			}
		}()

		done <- c.Probe(ctx)
	}()

	var err error
	select {
	case err = <-done:
	case <-ctx.Done():
		err = ctx.Err()
	}

	out := result{Name: c.Name, Status: "ok", Millis: time.Since(begin).Milliseconds()}
	switch {
	case errors.Is(err, context.DeadlineExceeded):
		out.Status = "late"
	case err != nil:
		out.Status = "failed"
	}

	if err != nil && r.log != nil {
		r.log.Warn("not ready", "check", c.Name, "error", err)
	}

	return out
}

func writeJSON(w http.ResponseWriter, status int, v any) {
	w.Header().Set("Content-Type", "application/json")
	w.Header().Set("Cache-Control", "no-store")
	w.WriteHeader(status)
	_ = json.NewEncoder(w).Encode(v)
}
