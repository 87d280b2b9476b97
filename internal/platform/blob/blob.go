// Package blob keeps bytes under names: in a folder, or in a bucket that speaks the protocol of S3.
//
// What it promises: what Put has returned for is whole, durable and never seen in part; a second Put of a name with
// the same bytes, and a second Delete, change nothing; content that was sealed opens only with its own key and in its
// own order, and an end that was cut off is an error. What it does not promise: to know what the bytes are, or who
// may see them.
//
// Nothing comes in directly: it is staged in a local file first, where it can still be refused, and so that an
// attempt to store it can be made again. At most a few kilobytes of it are in memory.
//
// Read in this order: blob.go, stage.go (files on their way in), folder.go, s3.go, seal.go (encryption).
package blob

import (
	"context"
	"crypto/rand"
	"encoding/hex"
	"errors"
	"io"
	"regexp"
)

// ErrNone is the answer of Open for a name under which there is nothing.
var ErrNone = errors.New("there is no such blob")

var errName = errors.New("this is no name of a blob")

// Store is a place that keeps blobs. Safe for concurrent use.
type Store interface {
	// Put stores what was staged under the name. After an error it may be there; a second call settles it.
	Put(ctx context.Context, name string, f *Staged) error
	// Open returns the bytes of a name, or ErrNone.
	Open(ctx context.Context, name string) (io.ReadCloser, error)
	// Delete removes a name. One that is not there is no error.
	Delete(ctx context.Context, name string) error
	// Check reports whether the place can be reached and written to, by trying.
	Check(ctx context.Context) error
}

// nameForm is what names look like: ours alone, so that no name can lead elsewhere.
var nameForm = regexp.MustCompile(`^[0-9a-f]{32}$`)

// NewName returns a random name that says nothing.
func NewName() string {
	var raw [16]byte
	_, _ = rand.Read(raw[:]) // crypto/rand never fails since Go 1.24
	return hex.EncodeToString(raw[:])
}

// place is where a name lies: two levels, so that no folder grows large.
func place(name string) (string, error) {
	if !nameForm.MatchString(name) {
		return "", errName
	}

	return name[:2] + "/" + name, nil
}
