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

// incoming is the folder of files on their way in.
const incoming = "incoming"

// Stage is a local folder in which files are gathered before they are stored.
type Stage struct{ dir string }

// NewStage returns the folder "incoming" in dir. For a Folder, dir is the folder's own: a file goes to its place by its
// name alone.
func NewStage(dir string) (*Stage, error) {
	at, err := filepath.Abs(filepath.Join(dir, incoming)) // the folder that files move to is told by its whole path
	if err != nil {
		return nil, fmt.Errorf("blob stage: %w", err)
	}

	if err := os.MkdirAll(at, 0o700); err != nil {
		return nil, fmt.Errorf("blob stage: %w", err)
	}

	return &Stage{at}, nil
}

// Staged is a file on its way in. It is written, finished, perhaps read, stored; and always discarded at the end.
type Staged struct {
	file *os.File
	size int64
}

// Create begins a file.
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

// Size is how many bytes were written.
func (f *Staged) Size() int64 { return f.size }

// Reader reads what was written, from its beginning. Several may be used after each other.
func (f *Staged) Reader() io.Reader { return io.NewSectionReader(f.file, 0, f.size) }

// Discard lets go of the file and removes it, unless it was stored by its name. A second call does nothing.
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

// Sweep removes files that a process left behind before the time, and says how many.
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
