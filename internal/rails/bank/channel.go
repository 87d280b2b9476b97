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

// Remote is a file that the bank has put out for us.
type Remote struct {
	Name    string
	Size    int64
	ModTime time.Time
	Done    bool // it lies in the folder "done"
}

// Presence is what a channel knows of a file we hand over.
type Presence int

// What a channel can say. Gone is no proof of either: the bank may have taken the file, or it never was there.
const (
	Gone    Presence = iota // neither under its name nor under its temporary one
	Staged                  // whole or half under its temporary name: for certain not handed over
	Present                 // under its own name: handed over
)

// Channel is the way files go to a bank and come from it. Names are plain file names. A file is handed over by Commit
// alone: until then it has a temporary name, ending in ".tmp", that the bank leaves alone, and it changes its name in
// one step.
type Channel interface {
	// Stage writes the whole file under a temporary name and makes it durable. A second call replaces what is there.
	Stage(ctx context.Context, staged string, content []byte) error
	// Discard removes a file under a temporary name. One that is not there is no error.
	Discard(ctx context.Context, staged string) error
	// Commit gives the staged file its name. An error leaves unknown whether it did; Look tells.
	Commit(ctx context.Context, staged, name string) error
	// Look says under which of the two names the file is, and how many bytes of it are there.
	Look(ctx context.Context, staged, name string) (Presence, int64, error)
	// Handed lists our files that the bank has not taken away, or keeps in the folder "done" beside them; temporary
	// ones are left out.
	Handed(ctx context.Context) ([]Remote, error)
	// Reopen reads one that Handed has listed.
	Reopen(ctx context.Context, f Remote) (io.ReadCloser, error)
	// List gives the files the bank has put out, in the order of their names; temporary ones are left out.
	List(ctx context.Context) ([]Remote, error)
	// Get reads a file the bank has put out.
	Get(ctx context.Context, name string) (io.ReadCloser, error)
	// Done moves a file the bank has put out to the folder "done". A file that is there no more is no error.
	Done(ctx context.Context, name string) error
}

// temporary is what a name ends in until the file is whole.
const temporary = ".tmp"

// temporaryName makes the name under which one try stages a file. No two tries share one: what a process that was
// held up stages late is nobody's to hand over.
func temporaryName(name string, now time.Time) string {
	return name + "." + id.New("try", now) + temporary
}

// stagedName refuses what is no temporary name.
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
