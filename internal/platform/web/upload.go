package web

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"hash"
	"io"
	"mime"
	"net"
	"net/http"
	"strings"
	"time"

	"github.com/danielgtaylor/huma/v2"

	"slipway/internal/core/fault"
)

// The pointers that use cases refer to a file and its labels by.
var (
	placesInForm = map[string]string{"/" + nameField: "/" + filePart, "/" + typeField: "/" + filePart}
	placesInJSON = map[string]string{"/" + filePart: "/" + base64Field}
)

// Limits of an upload. A sender may make us wait at most uploadPause for each pacePiece, and uploadTime in total: that
// is 10 MB at 18 kB/s.
const (
	uploadPause = 20 * time.Second
	uploadTime  = 10 * time.Minute
	uploadHead  = 64 << 10 // bytes of a body before its content begins, and after its end
	labelLength = 4 << 10  // bytes of one text beside the content
)

// The names in a body.
const (
	filePart    = "file"
	base64Field = "fileBase64"
	nameField   = "fileName"
	typeField   = "contentType"
	storedField = "documentStorageKey"
)

// readUpload reads a body up to where the file's content begins. The use case reads the content.
func (in *input) readUpload(w http.ResponseWriter, r *http.Request) (Upload, error) {
	rule := *in.op.Upload
	if r.ContentLength > rule.maxBody() {
		return Upload{}, rule.tooLarge()
	}

	body := newPacedBody(w, r, rule, rule.maxBody())

	kind, params, err := mime.ParseMediaType(r.Header.Get("Content-Type"))
	switch {
	case err == nil && kind == "multipart/form-data":
		return openForm(body, params["boundary"], rule)
	case r.Header.Get("Content-Type") == "",
		err == nil && (kind == "application/json" || strings.HasSuffix(kind, "+json")):
		return openJSON(body, rule)
	}

	return Upload{}, fault.New(fault.MediaType, fault.ContentTypeUnknown,
		"Send the file as multipart/form-data, or as application/json with `%s`.", base64Field)
}

// pacedBody reads a request's body for as long as its sender makes progress, which the server's own timeouts would not
// allow.
type pacedBody struct {
	body    io.Reader
	control *http.ResponseController
	begun   time.Time
	stall   stallLimit
	rule    UploadRule
}

// newPacedBody returns a request's body, of which at most so many bytes are read.
func newPacedBody(w http.ResponseWriter, r *http.Request, rule UploadRule, most int64) *pacedBody {
	return &pacedBody{
		body:    http.MaxBytesReader(w, r.Body, most),
		control: http.NewResponseController(w),
		begun:   time.Now(),
		stall:   stallLimit{pause: uploadPause},
		rule:    rule,
	}
}

// Read reads the next bytes. Every error but the end of the body is a refusal. Once the body came too slowly, every
// later call returns that error, too.
func (b *pacedBody) Read(p []byte) (int, error) {
	now := time.Now()
	if now.Sub(b.begun) > uploadTime || b.stall.exceeded() {
		return 0, slow()
	}

	if end, moved := b.stall.deadline(now); moved {
		b.allow(end)
	}

	n, err := b.body.Read(p)
	b.stall.spend(n, time.Since(now))

	switch {
	// the connection is watched from now on: a deadline that passes would look like a caller who went away
	case errors.Is(err, io.EOF):
		b.allow(b.begun.Add(uploadTime + requestTimeout))
	case err != nil:
		err = b.refusal(err)
	}

	return n, err
}

// allow moves the connection's deadlines: something must arrive until the end, and the answer has some time more. A
// connection that supports no deadlines (in a test, of another server) is left alone.
func (b *pacedBody) allow(end time.Time) {
	_ = b.control.SetReadDeadline(end)
	_ = b.control.SetWriteDeadline(end.Add(uploadPause + requestTimeout))
}

func (b *pacedBody) refusal(err error) error {
	var (
		large *http.MaxBytesError
		late  net.Error
	)
	switch {
	case errors.As(err, &large):
		return b.rule.tooLarge()
	case errors.As(err, &late) && late.Timeout():
		return slow()
	}

	return broken("it ends too early")
}

func slow() *fault.Fault {
	return fault.New(fault.Malformed, fault.BodyMalformed, "The file came too slowly: each %d bytes may take %d "+
		"seconds, and all of it %d minutes.", pacePiece, int(uploadPause.Seconds()), int(uploadTime.Minutes()))
}

// uploadContext returns a request's context that lasts as long as an upload may take, instead of requestTimeout. It
// ends with the connection.
func uploadContext(ctx context.Context) (context.Context, context.CancelFunc) {
	out, cancel := context.WithTimeout(context.WithoutCancel(ctx), uploadTime+requestTimeout)

	c := callOf(ctx)
	if c == nil {
		return out, cancel
	}

	stop := context.AfterFunc(c.connection, cancel)

	return out, func() { stop(); cancel() }
}

// bounded ends a content larger than the rule allows with a refusal.
type bounded struct {
	in   io.Reader
	rule UploadRule
	n    int64
}

// Read reads the next bytes, at most one byte beyond the limit.
func (b *bounded) Read(p []byte) (int, error) {
	if most := b.rule.MaxBytes + 1 - b.n; int64(len(p)) > most {
		p = p[:most]
	}

	n, err := b.in.Read(p)
	if b.n += int64(n); b.n > b.rule.MaxBytes {
		return 0, b.rule.tooLarge()
	}

	return n, err
}

// uploadSum is the fingerprint of an upload for its Idempotency-Key: of the content and its labels, in whichever form
// they came. It is ready when the file has been read to its end, which is before anything is written.
type uploadSum struct {
	in     io.Reader
	hash   hash.Hash
	labels func() (string, string)
	into   *onceKey
}

// watch computes the key's fingerprint from what will be read.
func (u *Upload) watch(k *onceKey) {
	if u.File == nil {
		k.fingerprint = digest(storedField, u.Stored)
		return
	}

	k.fingerprint = "" // no finished body has it
	u.File = &uploadSum{in: u.File, hash: sha256.New(), labels: u.Labels, into: k}
}

// finish reads the rest that a refusing use case has left, so that a repeated request whose first run had its effect is
// recognised.
func (u *Upload) finish() {
	if u.File != nil {
		_, _ = io.Copy(io.Discard, u.File) // a body that cannot be read has no fingerprint and is no repetition
	}
}

// Read reads the next bytes.
func (s *uploadSum) Read(p []byte) (int, error) {
	n, err := s.in.Read(p)

	_, _ = s.hash.Write(p[:n]) // a hash takes everything
	if errors.Is(err, io.EOF) {
		name, declared := s.labels()
		s.into.fingerprint = digest(filePart, hex.EncodeToString(s.hash.Sum(nil)), name, declared)
	}

	return n, err
}

// uploadBody describes both forms for the OpenAPI document.
func uploadBody(rule UploadRule) *huma.RequestBody {
	text := func(doc string) *huma.Schema { return &huma.Schema{Type: "string", Description: doc} }
	content := text("the file's content, in base64")
	content.ContentEncoding = "base64"

	inJSON := &huma.Schema{
		Type:                 "object",
		AdditionalProperties: false,
		Required:             []string{base64Field},
		Properties: map[string]*huma.Schema{
			base64Field: content,
			nameField:   text("the file's name"),
			typeField:   text("what the file is; it must be true"),
		},
	}
	if rule.OrStored {
		stored := &huma.Schema{
			Type: "object", AdditionalProperties: false, Required: []string{storedField},
			Properties: map[string]*huma.Schema{storedField: text("of a document that was uploaded before")},
		}
		inJSON = &huma.Schema{OneOf: []*huma.Schema{inJSON, stored}}
	}

	file := &huma.Schema{Type: "string", Format: "binary", Description: "the file"}

	return &huma.RequestBody{Required: true, Content: map[string]*huma.MediaType{
		"multipart/form-data": {Schema: &huma.Schema{
			Type:                 "object",
			AdditionalProperties: false,
			Required:             []string{filePart},
			Properties:           map[string]*huma.Schema{filePart: file},
		}},
		"application/json": {Schema: inJSON},
	}}
}
