package bank

import (
	"context"
	"errors"
	"fmt"
	"io"
	"strings"
	"time"

	"slipway/internal/core/id"
)

// Remote is a file in a folder of the bank.
type Remote struct {
	Name    string
	Size    int64
	ModTime time.Time
	Done    bool // it is in the folder "done"
}

// Presence is where a channel finds a file that we hand over.
type Presence int

// The answers of a channel. Gone proves nothing: the bank may have removed the file, or it was never there.
const (
	Gone    Presence = iota // neither under its name nor under its temporary one
	Staged                  // complete or partial under its temporary name: certainly not handed over
	Present                 // under its own name: handed over
)

// Channel transports files to a bank and from it. Names are plain file names. Only Commit hands a file over: until then
// it has a temporary name, ending in ".tmp", which the bank ignores. Commit renames it in one step.
type Channel interface {
	// Stage writes the complete file under a temporary name and syncs it to disk. A second call replaces the file.
	Stage(ctx context.Context, staged string, content []byte) error
	// Discard removes a file under a temporary name. A missing file is no error.
	Discard(ctx context.Context, staged string) error
	// Commit renames the staged file. After an error it is unknown whether the rename happened; Look finds out.
	Commit(ctx context.Context, staged, name string) error
	// Look returns under which of the two names the file is, and its size.
	Look(ctx context.Context, staged, name string) (Presence, int64, error)
	// Handed lists our files that the bank has not removed, or keeps in the folder "done" beside them, without
	// temporary ones.
	Handed(ctx context.Context) ([]Remote, error)
	// Reopen reads a file that Handed listed.
	Reopen(ctx context.Context, f Remote) (io.ReadCloser, error)
	// List returns the files that the bank has put out, sorted by name, without temporary ones.
	List(ctx context.Context) ([]Remote, error)
	// Get reads a file that the bank has put out.
	Get(ctx context.Context, name string) (io.ReadCloser, error)
	// Done moves a file that the bank has put out to the folder "done". A missing file is no error.
	Done(ctx context.Context, name string) error
}

// FileRefused is an error of Commit and Look: the bank has refused the file. Nobody sends it again by itself: it is
// held for people at once, with the reason.
type FileRefused struct{ Why string }

// Error returns the reason.
func (e *FileRefused) Error() string { return "the bank refused the file: " + e.Why }

// temporary is the suffix of a name until the file is complete.
const temporary = ".tmp"

// temporaryName returns the name under which one attempt stages a file. No two attempts share one: what a delayed
// process stages late is never handed over.
func temporaryName(name string, now time.Time) string {
	return name + "." + id.New("try", now) + temporary
}

// stagedName refuses what is not a temporary name.
func stagedName(staged string) error {
	if err := plainName(staged); err != nil {
		return err
	}

	if !strings.HasSuffix(staged, temporary) {
		return fmt.Errorf("%q: %w", staged, errName)
	}

	return nil
}

// bothNames refuses what cannot be the two names of one file.
func bothNames(staged, name string) error { return errors.Join(stagedName(staged), plainName(name)) }
