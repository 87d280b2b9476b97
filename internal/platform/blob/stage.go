package blob

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"time"
)

// incoming is the folder of incoming files.
const incoming = "incoming"

// Stage is a local folder in which incoming files are collected before they are stored.
type Stage struct{ dir string }

// NewStage creates the folder "incoming" in dir. For a Folder, dir must be the folder's own, so that storing a file is
// a mere rename.
func NewStage(dir string) (*Stage, error) {
	at, err := filepath.Abs(filepath.Join(dir, incoming)) // files are moved to the folder by its full path
	if err != nil {
		return nil, fmt.Errorf("blob stage: %w", err)
	}

	if err := os.MkdirAll(at, 0o700); err != nil {
		return nil, fmt.Errorf("blob stage: %w", err)
	}

	return &Stage{at}, nil
}

// Staged is an incoming file. It is written, finished, perhaps read, stored, and always discarded at the end.
type Staged struct {
	file *os.File
	size int64
}

// Create creates a file.
func (s *Stage) Create() (*Staged, error) {
	f, err := os.CreateTemp(s.dir, "in-*")
	if err != nil {
		return nil, fmt.Errorf("blob stage: %w", err)
	}

	return &Staged{file: f}, nil
}

// Write adds bytes.
func (f *Staged) Write(p []byte) (int, error) {
	n, err := f.file.Write(p)
	f.size += int64(n)
	return n, err
}

// Size returns how many bytes were written.
func (f *Staged) Size() int64 { return f.size }

// Reader returns a reader of what was written, from its beginning. Several may be used one after the other.
func (f *Staged) Reader() io.Reader { return io.NewSectionReader(f.file, 0, f.size) }

// Discard closes the file and removes it, unless it was stored. A second call does nothing.
func (f *Staged) Discard() error {
	if f.file == nil {
		return nil
	}

	name := f.file.Name()
	err := f.file.Close()
	f.file = nil

	if rerr := os.Remove(name); !errors.Is(rerr, os.ErrNotExist) {
		err = errors.Join(err, rerr)
	}

	return err
}

// Sweep removes files that a process left behind before the time, and returns how many.
func (s *Stage) Sweep(ctx context.Context, before time.Time) (int, error) {
	entries, err := os.ReadDir(s.dir)
	if err != nil {
		return 0, fmt.Errorf("blob stage: %w", err)
	}

	n := 0
	for _, e := range entries {
		if ctx.Err() != nil {
			return n, ctx.Err()
		}

		info, ierr := e.Info()
		if ierr != nil || !strings.HasPrefix(e.Name(), "in-") || !info.ModTime().Before(before) {
			continue // gone meanwhile, not ours, or under way
		}

		if rerr := os.Remove(filepath.Join(s.dir, e.Name())); rerr == nil {
			n++
		} else if !errors.Is(rerr, os.ErrNotExist) {
			err = errors.Join(err, rerr)
		}
	}

	return n, err
}
