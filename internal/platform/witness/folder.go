package witness

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
)

// unfinished is the suffix of a file until its record is complete.
const unfinished = ".tmp"

// Folder keeps records as files, those of one kind in one folder. Several processes may share it, on a file system on
// which renaming is one step.
type Folder struct {
	root *os.Root // nothing outside of it is reached, whatever a name says
}

// OpenFolder opens the folder, and creates it if there is none.
func OpenFolder(dir string) (*Folder, error) {
	dir, err := filepath.Abs(dir)
	if err == nil {
		err = os.MkdirAll(dir, 0o700)
	}

	if err != nil {
		return nil, fmt.Errorf("witness folder: %w", err)
	}

	root, err := os.OpenRoot(dir)
	if err != nil {
		return nil, fmt.Errorf("witness folder: %w", err)
	}

	return &Folder{root}, nil
}

// Put writes the record under a temporary name, syncs it to disk, and renames it.
func (f *Folder) Put(_ context.Context, name string, content []byte) error {
	if err := checkName(name); err != nil {
		return err
	}

	if err := f.put(name, content); err != nil {
		return fmt.Errorf("put record %s: %w", name, err)
	}

	return nil
}

func (f *Folder) put(name string, content []byte) error {
	kind := path.Dir(name)
	if err := f.root.Mkdir(kind, 0o700); err == nil {
		err = f.sync(".")
		if err != nil {
			return errors.Join(err, f.root.Remove(kind)) // so that the next call makes it durable
		}
	} else if !errors.Is(err, os.ErrExist) {
		return err
	}

	staged := name + "." + rand.Text() + unfinished

	file, err := f.root.OpenFile(staged, os.O_CREATE|os.O_EXCL|os.O_WRONLY, 0o600)
	if err != nil {
		return err
	}

	_, err = file.Write(content)
	if err = errors.Join(err, file.Sync(), file.Close()); err == nil {
		err = f.root.Rename(staged, name)
	}

	if err != nil {
		return errors.Join(err, ignoreMissing(f.root.Remove(staged)))
	}

	return f.sync(kind)
}

// sync makes a folder's list of names durable.
func (f *Folder) sync(dir string) error {
	d, err := f.root.Open(dir)
	if err != nil {
		return err
	}

	return errors.Join(d.Sync(), d.Close())
}

// Read returns the file's content.
func (f *Folder) Read(_ context.Context, name string) ([]byte, error) {
	if err := checkName(name); err != nil {
		return nil, err
	}

	content, err := f.root.ReadFile(name)
	if errors.Is(err, os.ErrNotExist) {
		return nil, ErrNone
	}

	if err != nil {
		return nil, fmt.Errorf("read record %s: %w", name, err)
	}

	return content, nil
}

// List returns the names of the complete files.
func (f *Folder) List(_ context.Context, kind string) ([]string, error) {
	if err := checkKind(kind); err != nil {
		return nil, err
	}

	dir, err := f.root.Open(kind)
	if errors.Is(err, os.ErrNotExist) {
		return nil, nil
	}

	if err != nil {
		return nil, fmt.Errorf("list records of kind %s: %w", kind, err)
	}

	names, err := dir.Readdirnames(-1)
	if err = errors.Join(err, dir.Close()); err != nil {
		return nil, fmt.Errorf("list records of kind %s: %w", kind, err)
	}

	return completeNames(kind, names), nil
}

// Remove deletes the file.
func (f *Folder) Remove(_ context.Context, name string) error {
	if err := checkName(name); err != nil {
		return err
	}

	if err := ignoreMissing(f.root.Remove(name)); err != nil {
		return fmt.Errorf("remove record %s: %w", name, err)
	}

	return nil
}

// Close closes the folder.
func (f *Folder) Close() error { return f.root.Close() }

func ignoreMissing(err error) error {
	if errors.Is(err, os.ErrNotExist) {
		return nil
	}

	return err
}

// completeNames returns the names of complete records, with their kind in front, sorted.
func completeNames(kind string, names []string) []string {
	var out []string
	for _, n := range names {
		if full := kind + "/" + strings.TrimPrefix(n, kind+"/"); checkName(full) == nil {
			out = append(out, full)
		}
	}

	slices.Sort(out)

	return out
}
