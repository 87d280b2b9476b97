// Package witness keeps small named records outside of the database, so that a database restored from a backup can be
// recognised.
//
// It promises that once Put has returned, the record is complete and durable, and has replaced the one of the same name
// in one step. A reader sees the old record or the new one, never a part. List returns every record whose Put has
// returned. It does not promise an order between writers, a lock, or that nobody else changes the place.
//
// A place that is restored together with the database proves nothing. Keep it where the backup of the database does not
// reach.
//
// Read in this order: witness.go, folder.go, bucket.go.
package witness

import (
	"context"
	"errors"
	"fmt"
	"regexp"
	"strings"
)

// ErrNone is returned by Read if there is no record of the name.
var ErrNone = errors.New("there is no such record")

// Store is a place for records. It is safe for concurrent use, also by several processes.
type Store interface {
	// Put stores a record under a name. After an error it may or may not be stored; call Put again.
	Put(ctx context.Context, name string, content []byte) error
	// Read returns a record, or ErrNone.
	Read(ctx context.Context, name string) ([]byte, error)
	// List returns the names of all records of one kind, sorted.
	List(ctx context.Context, kind string) ([]string, error)
	// Remove deletes a record. A missing one is no error.
	Remove(ctx context.Context, name string) error
}

// nameForm matches names: a kind, a slash, and a plain name, so that no name reaches another folder.
var nameForm = regexp.MustCompile(`^[a-z][a-z-]{0,39}/[A-Za-z0-9][A-Za-z0-9._-]{0,149}$`)

// kindForm is the part before the slash.
var kindForm = regexp.MustCompile(`^[a-z][a-z-]{0,39}$`)

func checkName(name string) error {
	if !nameForm.MatchString(name) || strings.HasSuffix(name, unfinished) {
		return fmt.Errorf("%q is no name of a record", name)
	}

	return nil
}

func checkKind(kind string) error {
	if !kindForm.MatchString(kind) {
		return fmt.Errorf("%q is no kind of records", kind)
	}

	return nil
}
