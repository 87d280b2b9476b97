// Package inprocess carries HTTP requests to a handler within the process; nothing listens. A sandbox and its tests use
// it to reach simulators of outside parties with the same clients that reach the real ones.
//
// Read inprocess.go, then steer.go (how a test makes a simulator misbehave).
package inprocess

import (
	"bytes"
	"io"
	"net/http"
)

// Transport returns a transport that sends every request to the handler, whatever its host. The answer is complete
// before it is returned. A handler that panics with http.ErrAbortHandler cuts the connection: the caller gets
// io.ErrUnexpectedEOF. If the caller's context has ended meanwhile, its error is returned.
func Transport(h http.Handler) http.RoundTripper { return transport{h} }

type transport struct{ handler http.Handler }

// RoundTrip implements http.RoundTripper.
func (t transport) RoundTrip(r *http.Request) (res *http.Response, err error) {
	if err := r.Context().Err(); err != nil {
		return nil, err
	}

	defer func() {
		//nolint:errorlint // a panic's value, which net/http compares like this
		if p := recover(); p == http.ErrAbortHandler {
			res = nil
			err = io.ErrUnexpectedEOF
		} else if p != nil {
			panic(p)
		}
	}()

	in := r.Clone(r.Context())
	if in.Body == nil {
		in.Body = http.NoBody
	}

	defer func() { _ = in.Body.Close() }()

	if in.Host == "" {
		in.Host = in.URL.Host
	}

	rec := &recorder{header: http.Header{}}
	t.handler.ServeHTTP(rec, in)

	if err := r.Context().Err(); err != nil {
		return nil, err
	}

	rec.WriteHeader(http.StatusOK)

	return &http.Response{
		StatusCode:    rec.status,
		Status:        http.StatusText(rec.status),
		Proto:         "HTTP/1.1",
		ProtoMajor:    1,
		ProtoMinor:    1,
		Header:        rec.header,
		Body:          io.NopCloser(&rec.body),
		ContentLength: int64(rec.body.Len()),
		Request:       r,
	}, nil
}

// recorder collects an answer.
type recorder struct {
	header http.Header
	status int
	body   bytes.Buffer
}

// Header implements http.ResponseWriter.
func (r *recorder) Header() http.Header { return r.header }

// WriteHeader implements http.ResponseWriter. Only the first status counts.
func (r *recorder) WriteHeader(status int) {
	if r.status == 0 {
		r.status = status
	}
}

// Write implements http.ResponseWriter.
func (r *recorder) Write(p []byte) (int, error) {
	r.WriteHeader(http.StatusOK)
	return r.body.Write(p)
}
