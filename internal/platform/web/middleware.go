package web

import (
	"fmt"
	"log/slog"
	"net/http"
	"runtime/debug"
	"time"

	"slipway/internal/core/caller"
	"slipway/internal/core/id"
	"slipway/internal/platform/secret"
)

// Metrics receives every request when it is over. Route is the pattern, never the path, so it has few values.
type Metrics interface {
	Request(method, route string, status int, elapsed time.Duration)
}

// proofHeader carries a proof of work, where one was asked for (429 PROOF_OF_WORK_REQUIRED). Its name is in canonical
// form.
const proofHeader = "Proof-Of-Work"

// ModeHeader is the header of answers that carries Config.Mode.
const ModeHeader = "Slipway-Mode"

// Handler returns the whole API as one handler: request ids, recovery, logging, places, then the routes.
func (a *API) Handler() http.Handler {
	a.room.most = int64(inFlight(a.config))
	a.room.ofOne = max(1, a.room.most/shareOfOne)

	for _, e := range a.endpoints {
		if e.op.Method == http.MethodPut || e.op.Method == http.MethodPatch {
			e.reader = a.readerOf(e.op.Path)
		}
	}

	var build []string // one for all answers: nobody changes it
	if a.config.Build != "" {
		build = []string{a.config.Build}
	}

	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		begin := time.Now()
		c, r := newCall(w, r, caller.Request{
			ID:         requestID(r, begin),
			Language:   first(r.Header, "Accept-Language"),
			Path:       r.URL.Path,
			Proof:      first(r.Header, proofHeader),
			ReceivedAt: begin,
		})
		c.Admitter = a
		a.identify(c, r)

		c.standard(w.Header())

		if a.config.Mode != "" {
			w.Header().Set(ModeHeader, a.config.Mode)
		}

		if len(build) > 0 {
			w.Header()[BuildHeader] = build
		}

		defer c.breakOff()
		defer a.release(c)
		defer c.sendHead()
		defer a.finish(c, r)
		a.serve(c, r)
		c.limitUnread(r)
	})
}

// breakOff ends the connection of an answer that has no end. net/http knows no other way to do so than this panic;
// after a normal return, the caller would take the part that was sent for everything.
func (c *call) breakOff() {
	if c.broken {
		panic(http.ErrAbortHandler)
	}
}

// finish answers a request whose handler has panicked. It counts and logs every request.
func (a *API) finish(c *call, r *http.Request) {
	if p := recover(); p != nil {
		a.config.Log.LogAttrs(r.Context(), slog.LevelError, "panic",
			slog.String("requestId", c.Request.ID),
			slog.String("path", secret.Path(r.URL.Path)),
			slog.String("panic", fmt.Sprint(p)),
			slog.String("stack", string(debug.Stack())))

		if c.status == 0 {
			a.refuse(c, r, fmt.Errorf("panic: %v", p))
		}
	}

	a.finished(c, r, time.Since(c.Request.ReceivedAt))
}

// finished logs and counts a request. The query is left out, because it may contain tokens, and so is what may be one
// in the path.
func (a *API) finished(c *call, r *http.Request, elapsed time.Duration) {
	if a.config.Metrics != nil {
		a.config.Metrics.Request(r.Method, c.route, c.status, elapsed)
	}

	level := slog.LevelInfo
	if c.status < 400 && reads(r.Method) {
		level = slog.LevelDebug
	}

	if !a.config.Log.Enabled(r.Context(), level) {
		return
	}

	a.config.Log.LogAttrs(r.Context(), level, "request",
		slog.String("requestId", c.Request.ID),
		slog.String("method", r.Method),
		slog.String("path", secret.Path(r.URL.Path)),
		slog.Int("status", c.status),
		slog.Duration("elapsed", elapsed),
		slog.String("source", c.Request.Source))
}

// reads reports whether a method changes nothing.
func reads(method string) bool { return method == http.MethodGet || method == http.MethodHead }

// first returns the first value of a header whose name is in canonical form, which Header.Get would compute each time.
func first(h http.Header, name string) string {
	if values := h[name]; len(values) > 0 {
		return values[0]
	}

	return ""
}

// requestID returns the caller's X-Request-Id if it is short and plain, else a new one.
func requestID(r *http.Request, now time.Time) string {
	s := first(r.Header, "X-Request-Id")
	if s == "" || len(s) > 64 {
		return id.New("req", now)
	}

	for i := range len(s) {
		c := s[i]
		if !(c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= '0' && c <= '9' || c == '-' || c == '_' || c == '.') {
			return id.New("req", now)
		}
	}

	return s
}
