package web

import (
	"cmp"
	"context"
	"fmt"
	"log/slog"
	"net/http"
	"runtime/debug"
	"time"

	"slipway/internal/core/fault"
	"slipway/internal/core/id"
)

// requestTimeout ends a request that waits too long for a database or an outside party.
const requestTimeout = 30 * time.Second

// Metrics is told of every request when it is over. Route is the pattern, never the path: its values are few.
type Metrics interface {
	Request(method, route string, status int, took time.Duration)
}

// call is what one request needs, in one piece of memory.
type call struct {
	recorder
	request Request
	headers [4]string
}

// standard sets what every answer carries. The values lie in the call, one allocation instead of five.
func (c *call) standard(h http.Header) {
	c.headers = [4]string{c.request.ID, "nosniff", "no-store", "no-referrer"}
	h["X-Request-Id"] = c.headers[0:1:1]
	h["X-Content-Type-Options"] = c.headers[1:2:2]
	h["Cache-Control"] = c.headers[2:3:3]
	h["Referrer-Policy"] = c.headers[3:4:4]
}

// inFlight is how many requests are served at once.
func inFlight(c Config) int { return cmp.Or(c.MaxInFlight, 4096) }

// Handler is the whole API as one handler: limits, request ids, recovery, logging, then the routes.
func (a *API) Handler() http.Handler {
	slots := make(chan struct{}, inFlight(a.config))
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		c := &call{recorder: recorder{ResponseWriter: w}, request: Request{ID: requestID(r), Source: a.source(r), Path: r.URL.Path, header: w.Header()}}
		c.request.whole = r.Context()
		ctx, cancel := context.WithTimeout(context.WithValue(r.Context(), requestKey{}, &c.request), requestTimeout)
		defer cancel()
		c.standard(w.Header())
		a.serve(&c.recorder, r.WithContext(ctx), slots)
	})
}

func (a *API) serve(w *recorder, r *http.Request, slots chan struct{}) {
	begin := time.Now()
	defer func() {
		if p := recover(); p != nil {
			a.config.Log.Error("panic", "requestId", RequestOf(r.Context()).ID, "path", r.URL.Path, "panic", fmt.Sprint(p), "stack", string(debug.Stack()))
			if w.status == 0 {
				a.refuse(w, r, fmt.Errorf("panic: %v", p))
			}
		}
		a.finished(w, r, RequestOf(r.Context()).route, time.Since(begin))
	}()
	select {
	case slots <- struct{}{}:
		defer func() { <-slots }()
		a.mux.ServeHTTP(w, r)
	default:
		a.refuse(w, r, fault.New(fault.Unavailable, fault.Overloaded, "Too many requests wait at the moment. Try again."))
	}
}

// finished logs and counts a request. The query is left out: it may carry tokens.
func (a *API) finished(w *recorder, r *http.Request, route string, took time.Duration) {
	if a.config.Metrics != nil {
		a.config.Metrics.Request(r.Method, route, w.status, took)
	}
	level := slog.LevelInfo
	if w.status < 400 && r.Method == http.MethodGet {
		level = slog.LevelDebug
	}
	if !a.config.Log.Enabled(r.Context(), level) {
		return
	}
	req := RequestOf(r.Context())
	a.config.Log.LogAttrs(r.Context(), level, "request", slog.String("requestId", req.ID), slog.String("method", r.Method),
		slog.String("path", r.URL.Path), slog.Int("status", w.status), slog.Duration("took", took), slog.String("source", req.Source))
}

// requestID takes the caller's X-Request-Id when it is short and plain, else makes one.
func requestID(r *http.Request) string {
	s := r.Header.Get("X-Request-Id")
	if s == "" || len(s) > 64 {
		return id.New("req", time.Now())
	}
	for i := range len(s) {
		c := s[i]
		if !(c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= '0' && c <= '9' || c == '-' || c == '_' || c == '.') {
			return id.New("req", time.Now())
		}
	}
	return s
}

// recorder remembers the status that was sent.
type recorder struct {
	http.ResponseWriter
	status int
	rate   [3]string // values of the RateLimit-* headers: one piece of memory with the call
}

// WriteHeader notes the status and passes it on.
func (w *recorder) WriteHeader(status int) {
	if w.status == 0 {
		w.status = status
	}
	w.ResponseWriter.WriteHeader(status)
}

// Write notes that a body without a status means 200.
func (w *recorder) Write(b []byte) (int, error) {
	if w.status == 0 {
		w.status = http.StatusOK
	}
	return w.ResponseWriter.Write(b)
}

// Unwrap lets http.ResponseController reach the connection.
func (w *recorder) Unwrap() http.ResponseWriter { return w.ResponseWriter }
