// Package inprocess carries requests to a handler within the process: nothing listens. It is how a sandbox and its
// tests reach simulators of outside parties with the very clients that reach the real ones.
package inprocess

import (
	"bytes"
	"io"
	"net/http"
)

// Transport returns a transport whose every request goes to the handler, whatever its host. The answer is whole before
// it is given out. A handler that panics with http.ErrAbortHandler cuts the connection: the caller sees
// io.ErrUnexpectedEOF. When the caller's context has ended meanwhile, its error is the answer.
func Transport(h http.Handler) http.RoundTripper { return transport{h} }

type transport struct{ handler http.Handler }

// RoundTrip is http.RoundTripper's.
func (t transport) RoundTrip(r *http.Request) (res *http.Response, err error) {
	if err := r.Context().Err(); err != nil {
		return nil, err
	}

	defer func() {
		if p := recover(); p == http.ErrAbortHandler { //nolint:errorlint // a panic's value, which net/http compares like this
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

// recorder keeps an answer.
type recorder struct {
	header http.Header
	status int
	body   bytes.Buffer
}

// Header is http.ResponseWriter's.
func (r *recorder) Header() http.Header { return r.header }

// WriteHeader is http.ResponseWriter's. The first status counts.
func (r *recorder) WriteHeader(status int) {
	if r.status == 0 {
		r.status = status
	}
}

// Write is http.ResponseWriter's.
func (r *recorder) Write(p []byte) (int, error) {
	r.WriteHeader(http.StatusOK)
	return r.body.Write(p)
}
