package web

import (
	"context"
	"net/http"
	"sync/atomic"
	"time"

	"github.com/go-chi/chi/v5"

	"slipway/internal/core/caller"
	"slipway/internal/platform/limit"
	"slipway/internal/platform/server"
)

// requestTimeout ends a request that waits too long for a database or an outside party.
const requestTimeout = 30 * time.Second

// call is one request under way: its context, its ResponseWriter and everything known about it, in one allocation.
// Separate contexts for each of these, and a copy of the http.Request for each context, would cost more than a small
// operation does.
//
// Its context ends requestTimeout after it began, or with the connection, or with the request. A timer is set only when
// somebody waits for the end (Done). Most requests are over long before, having at most checked whether it has come
// (Err).
type call struct {
	recorder
	caller.Call
	key    *onceKey // nil: no bearer token was sent
	place  *chi.Context
	route  string          // pattern of the matched operation, for metrics
	whole  context.Context // the connection's, without requestTimeout: for what may take longer
	ending atomic.Pointer[ending]
	id     [1]string // value of X-Request-Id
	rate   [3]string // values of the RateLimit-* headers

	conn     *server.Conn // nil: there is none
	share    *limit.Share // of its caller; nil: it is not counted
	memory   int64        // of the budget for bodies
	has      placeKind
	holds    bool // share must be released
	bodyOver bool // nobody waits for more of the body: it was read to its end, or reading failed
}

// ending is a context that somebody can wait for.
type ending struct {
	context.Context
	cancel context.CancelFunc
}

// over is the ending of requests that nobody waited for.
var over = func() *ending {
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	return &ending{ctx, cancel}
}()

type (
	callKey     struct{}
	onceContext struct{}
)

// callOf returns the request that a context belongs to, or nil outside of one.
func callOf(ctx context.Context) *call {
	c, _ := ctx.Value(callKey{}).(*call)
	return c
}

// Value returns what the package stores with a request, and otherwise the value of the connection's context.
func (c *call) Value(key any) any {
	switch key.(type) {
	case callKey:
		return c

	case caller.Key:
		return &c.Call

	case limit.PublisherKey:
		return c

	case onceContext:
		if c.key != nil {
			return c.key
		}
	}

	if key == chi.RouteCtxKey && c.place != nil {
		return c.place
	}

	// package context looks here for what ends a context that is made out of this one
	if e := c.ending.Load(); e != nil && e != over {
		return e.Value(key)
	}

	return c.whole.Value(key)
}

// Deadline returns when the request's time is over.
func (c *call) Deadline() (time.Time, bool) {
	own := c.Request.Came.Add(requestTimeout)
	if d, ok := c.whole.Deadline(); ok && d.Before(own) {
		return d, true
	}

	return own, true
}

// Done returns a channel that is closed at the end. The first call sets the timer.
func (c *call) Done() <-chan struct{} {
	if e := c.ending.Load(); e != nil {
		return e.Done()
	}

	ctx, cancel := context.WithDeadline(c.whole, c.Request.Came.Add(requestTimeout))
	if !c.ending.CompareAndSwap(nil, &ending{ctx, cancel}) {
		cancel()
	}

	return c.ending.Load().Done()
}

// Err compares with the clock if no timer is set.
func (c *call) Err() error {
	if e := c.ending.Load(); e != nil {
		return e.Err()
	}

	if err := c.whole.Err(); err != nil {
		return err
	}

	if time.Since(c.Request.Came) >= requestTimeout {
		return context.DeadlineExceeded
	}

	return nil
}

// end ends the context for goroutines that the request has left behind.
func (c *call) end() {
	if !c.ending.CompareAndSwap(nil, over) {
		c.ending.Load().cancel()
	}
}

// The headers of every answer besides its request's id. Nobody changes these lists in place: to set another value, set
// another list.
var (
	noSniff      = []string{"nosniff"}
	noStore      = []string{"no-store"}
	noReferrer   = []string{"no-referrer"}
	jsonDocument = []string{"application/json"}
)

// standard sets the headers of every answer.
func (c *call) standard(h http.Header) {
	c.id[0] = c.Request.ID
	h["X-Request-Id"] = c.id[:]
	h["X-Content-Type-Options"] = noSniff
	h["Cache-Control"] = noStore
	h["Referrer-Policy"] = noReferrer
}

// recorder remembers the status that was sent.
type recorder struct {
	http.ResponseWriter
	status int
}

// WriteHeader records the status and passes it on.
func (w *recorder) WriteHeader(status int) {
	if w.status == 0 {
		w.status = status
	}

	w.ResponseWriter.WriteHeader(status)
}

// Write records that a body without a status means 200.
func (w *recorder) Write(b []byte) (int, error) {
	if w.status == 0 {
		w.status = http.StatusOK
	}

	return w.ResponseWriter.Write(b) //nolint:gosec // it hands on; pages escape with html/template
}

// Unwrap lets http.ResponseController reach the connection.
func (w *recorder) Unwrap() http.ResponseWriter { return w.ResponseWriter }
