package web

import (
	"context"
	"io"
	"net/http"
)

// ReceiveUpload lets a mounted handler receive a form with a file the way an operation receives an upload: for as long
// as its sender makes progress, up to the time of an upload, and with at most this many bytes. The server's own
// timeouts and requestTimeout do not apply, and errors of reading the body are refusals. Call the returned function at
// the end.
func ReceiveUpload(w http.ResponseWriter, r *http.Request, most int64) (*http.Request, context.CancelFunc) {
	ctx, cancel := uploadContext(r.Context())
	out := r.WithContext(ctx)
	out.Body = struct {
		io.Reader
		io.Closer
	}{newPacedBody(w, r, UploadRule{MaxBytes: most}, most), r.Body}

	return out, cancel
}
