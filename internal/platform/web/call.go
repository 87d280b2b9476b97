package web

import (
	"context"
	"net/http"
	"strconv"
	"time"

	"github.com/go-chi/chi/v5"

	"slipway/internal/core/caller"
	"slipway/internal/platform/limit"
	"slipway/internal/platform/server"
)

// requestTimeout ends a request that waits too long for a database or an outside party.
const requestTimeout = 30 * time.Second

// call is what is known about one request under way, and its ResponseWriter. The request's context is r.Context().
type call struct {
	recorder
	caller.Call
	key     *onceKey     // nil: no Idempotency-Key was sent
	routing *chi.Context // of a pattern with parameters
	route   string       // pattern of the matched operation, for metrics
	id      [1]string    // value of X-Request-Id
	rate    [3]string    // values of the RateLimit-* headers
	conn    *server.Conn // nil: there is none
	share   *limit.Share // of its caller; nil: it is not counted
	memory  int64        // of the budget for bodies
	has     placeKind

	cancel     context.CancelFunc // ends the request's context
	connection context.Context    // without requestTimeout, for what may take longer
	holds      bool               // share must be released
	broken     bool               // the answer is a part of what was promised: the connection ends
	bodyOver   bool               // nobody waits for more of the body: it was read to its end, or reading failed
}

// callKey is the key of a request in its context.
type callKey struct{}

// newCall returns a request that was received just now with its context, which ends requestTimeout later, with the
// connection, or with release.
func newCall(w http.ResponseWriter, r *http.Request, from caller.Request) (*call, *http.Request) {
	c := &call{
		recorder:   recorder{ResponseWriter: w, bodyless: r.Method == http.MethodHead},
		Call:       caller.Call{Request: from},
		connection: r.Context(),
	}

	ctx, cancel := context.WithDeadline(r.Context(), from.ReceivedAt.Add(requestTimeout))
	c.cancel = cancel
	ctx = context.WithValue(ctx, callKey{}, c)
	ctx = limit.WithPublisher(ctx, c)

	return c, r.WithContext(caller.WithCall(ctx, &c.Call))
}

// callOf returns the request that a context belongs to, or nil outside of one.
func callOf(ctx context.Context) *call {
	c, _ := ctx.Value(callKey{}).(*call)
	return c
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

// recorder remembers the status that was sent. Of an answer to HEAD it counts the body, and sends the header alone,
// when the handler has ended.
type recorder struct {
	http.ResponseWriter
	status   int
	bodyless bool
	size     int64 // of a body that is not sent
}

// WriteHeader records the status and passes it on.
func (w *recorder) WriteHeader(status int) {
	if w.status == 0 {
		w.status = status
	}

	if !w.bodyless {
		w.ResponseWriter.WriteHeader(status)
	}
}

// Write records that a body without a status means 200.
func (w *recorder) Write(b []byte) (int, error) {
	if w.status == 0 {
		w.status = http.StatusOK
	}

	if w.bodyless {
		w.size += int64(len(b))
		return len(b), nil
	}

	return w.ResponseWriter.Write(b) //nolint:gosec // it hands on; pages escape with html/template
}

// FlushError sends what was written. The header that answers HEAD waits for its end.
func (w *recorder) FlushError() error {
	if w.bodyless {
		return nil
	}

	return http.NewResponseController(w.ResponseWriter).Flush()
}

// sendHead sends the header that answers HEAD. Its Content-Length is that of the answer to GET.
func (w *recorder) sendHead() {
	if !w.bodyless || w.status == 0 {
		return
	}

	h := w.Header()
	if w.size > 0 && len(h["Content-Length"]) == 0 {
		h["Content-Length"] = []string{strconv.FormatInt(w.size, 10)}
	}

	w.ResponseWriter.WriteHeader(w.status)
}

// Unwrap lets http.ResponseController reach the connection.
func (w *recorder) Unwrap() http.ResponseWriter { return w.ResponseWriter }
