// Package blob stores bytes under names: in a folder, or in an S3-compatible bucket.
//
// It promises that once Put has returned, the content is complete and durable; it is never visible in part. A second
// Put of a name with the same bytes, and a second Delete, change nothing. Encrypted content opens only with its own key
// and in its own order, and a truncated end is an error. It does not promise to know what the bytes are, or who may see
// them.
//
// Nothing is stored directly. It is staged in a local file first, where it can still be refused, and from where storing
// can be retried. At most a few kilobytes of it are in memory.
//
// Read in this order: blob.go, stage.go (incoming files), folder.go, s3.go, keys.go (small objects with meaningful
// names), seal.go (encryption).
package blob

import (
	"context"
	"crypto/rand"
	"encoding/hex"
	"errors"
	"io"
	"regexp"
)

// ErrNone is returned by Open if nothing is stored under the name.
var ErrNone = errors.New("there is no such blob")

var errName = errors.New("this is no name of a blob")

// Store is a place for blobs. It is safe for concurrent use.
type Store interface {
	// Put stores the staged file under the name. After an error it may or may not be stored; call Put again.
	Put(ctx context.Context, name string, f *Staged) error
	// Open returns the bytes of a name, or ErrNone.
	Open(ctx context.Context, name string) (io.ReadCloser, error)
	// Delete removes a name. A missing one is no error.
	Delete(ctx context.Context, name string) error
	// Check returns an error if the place cannot be reached and written to. It tries to write.
	Check(ctx context.Context) error
}

// nameForm is the form of names. We make them all, so no name can lead to another place.
var nameForm = regexp.MustCompile(`^[0-9a-f]{32}$`)

// NewName returns a random name.
func NewName() string {
	var raw [16]byte
	_, _ = rand.Read(raw[:]) // crypto/rand never fails since Go 1.24
	return hex.EncodeToString(raw[:])
}

// place returns the path of a name. It has two levels, so that no folder grows large.
func place(name string) (string, error) {
	if !nameForm.MatchString(name) {
		return "", errName
	}

	return name[:2] + "/" + name, nil
}
