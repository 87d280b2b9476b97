package blob

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path"
	"path/filepath"
)

// Folder stores blobs as files. Several processes may share one, on a file system on which renaming is atomic.
type Folder struct {
	dir  string
	root *os.Root // prevents access to anything outside, whatever a name contains
}

// OpenFolder opens a folder, and creates it if there is none.
func OpenFolder(dir string) (*Folder, error) {
	dir, err := filepath.Abs(dir)
	if err == nil {
		err = os.MkdirAll(dir, 0o700)
	}

	if err != nil {
		return nil, fmt.Errorf("blob folder: %w", err)
	}

	root, err := os.OpenRoot(dir)
	if err != nil {
		return nil, fmt.Errorf("blob folder: %w", err)
	}

	return &Folder{dir, root}, nil
}

// Put makes the staged file durable and renames it in one step.
func (f *Folder) Put(_ context.Context, name string, s *Staged) error {
	at, err := place(name)
	if err != nil {
		return err
	}

	from, err := filepath.Rel(f.dir, s.file.Name())
	if err != nil {
		return fmt.Errorf("put blob %s: %w", name, err)
	}

	if err := f.put(from, at, s.file); err != nil {
		return fmt.Errorf("put blob %s: %w", name, err)
	}

	return nil
}

func (f *Folder) put(from, at string, file *os.File) error {
	if err := file.Sync(); err != nil {
		return err
	}

	if err := f.root.Mkdir(path.Dir(at), 0o700); err != nil && !errors.Is(err, os.ErrExist) {
		return err
	} else if err == nil {
		if err := f.sync("."); err != nil {
			return errors.Join(err, f.root.Remove(path.Dir(at))) // so that the next call makes it durable
		}
	}

	if err := f.root.Rename(from, at); err != nil {
		if info, serr := f.root.Stat(at); serr != nil || !errors.Is(err, os.ErrNotExist) || !info.Mode().IsRegular() {
			return err
		} // else this is the second call, and the first may not have made the name durable
	}

	return f.sync(path.Dir(at))
}

// sync makes a folder's list of names durable.
func (f *Folder) sync(dir string) error {
	d, err := f.root.Open(dir)
	if err != nil {
		return err
	}

	return errors.Join(d.Sync(), d.Close())
}

// Open opens the file.
func (f *Folder) Open(_ context.Context, name string) (io.ReadCloser, error) {
	at, err := place(name)
	if err != nil {
		return nil, err
	}

	file, err := f.root.Open(at)
	if errors.Is(err, os.ErrNotExist) {
		return nil, ErrNone
	}

	if err != nil {
		return nil, fmt.Errorf("open blob %s: %w", name, err)
	}

	return file, nil
}

// Delete removes the file.
func (f *Folder) Delete(_ context.Context, name string) error {
	at, err := place(name)
	if err != nil {
		return err
	}

	if err := f.root.Remove(at); err != nil && !errors.Is(err, os.ErrNotExist) {
		return fmt.Errorf("delete blob %s: %w", name, err)
	}

	return nil
}

// Check writes and removes a file, through to the disk and not only in the system's memory, so that a full disk shows.
func (f *Folder) Check(context.Context) error {
	name := "check-" + NewName()

	file, err := f.root.OpenFile(name, os.O_CREATE|os.O_EXCL|os.O_WRONLY, 0o600)
	if err != nil {
		return fmt.Errorf("blob folder: %w", err)
	}

	_, err = file.WriteString(name)
	if err = errors.Join(err, file.Sync(), file.Close(), f.root.Remove(name)); err != nil {
		return fmt.Errorf("blob folder: %w", err)
	}

	return nil
}

// Close closes the folder.
func (f *Folder) Close() error { return f.root.Close() }
