package web

import (
	"context"
	"io"
	"net/http"
)

// Unhurried lets a mounted handler take a form with a file as an operation takes an upload: for as long as its sender
// makes progress, up to the time of an upload, and with at most this many bytes. What the server's own timeouts and
// requestTimeout allow for does not count; errors of reading the body are refusals. The returned function ends it.
func Unhurried(w http.ResponseWriter, r *http.Request, most int64) (*http.Request, context.CancelFunc) {
	ctx, done := unhurried(r.Context())
	out := r.WithContext(ctx)
	out.Body = struct {
		io.Reader
		io.Closer
	}{newPacedBody(w, r, UploadRule{MaxBytes: most}, most), r.Body}

	return out, done
}
