package bank

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"slipway/internal/platform/failpoint"
)

// doneFolder is the folder below the bank's for files that we have processed.
const doneFolder = "done"

// Folder is a channel of two folders on this machine, for example of an EBICS or Swift client, or of the simulated
// bank.
type Folder struct{ toBank, fromBank string }

// NewFolder returns the channel. It creates missing folders.
func NewFolder(toBank, fromBank string) (*Folder, error) {
	for _, dir := range []string{toBank, filepath.Join(fromBank, doneFolder)} {
		if err := os.MkdirAll(dir, 0o700); err != nil {
			return nil, fmt.Errorf("bank folder: %w", err)
		}
	}

	return &Folder{toBank: toBank, fromBank: fromBank}, nil
}

// errName refuses what is not a plain file name: names come from our rows and from the bank's listing.
var errName = errors.New("not a plain file name")

func plainName(name string) error {
	if name == "" || name == "." || name == ".." || strings.ContainsAny(name, "/\\\x00") {
		return fmt.Errorf("%q: %w", name, errName)
	}

	return nil
}

// forGroup is the mode of a payment file, whatever the umask: the client that carries it runs as another user, of the
// folder's group. Others see nothing, and neither does the group where the folder is its owner's alone.
const forGroup = 0o640

// Stage writes the file under its temporary name and syncs it to disk.
func (c *Folder) Stage(_ context.Context, staged string, content []byte) error {
	if err := stagedName(staged); err != nil {
		return err
	}

	f, err := os.OpenFile(filepath.Join(c.toBank, staged), os.O_CREATE|os.O_WRONLY|os.O_TRUNC, 0o600)
	if err != nil {
		return err
	}

	half := len(content) / 2

	err = f.Chmod(forGroup)
	if err == nil {
		_, err = f.Write(content[:half])
	}

	failpoint.Hit("bank.upload_half")

	if err == nil {
		_, err = f.Write(content[half:])
	}

	return errors.Join(err, f.Sync(), f.Close(), syncFolder(c.toBank))
}

// Discard removes a staged file.
func (c *Folder) Discard(_ context.Context, staged string) error {
	if err := stagedName(staged); err != nil {
		return err
	}

	if err := os.Remove(filepath.Join(c.toBank, staged)); !errors.Is(err, fs.ErrNotExist) {
		return err
	}

	return nil
}

// Commit renames the staged file and syncs the folder.
func (c *Folder) Commit(_ context.Context, staged, name string) error {
	if err := bothNames(staged, name); err != nil {
		return err
	}

	if err := os.Rename(filepath.Join(c.toBank, staged), filepath.Join(c.toBank, name)); err != nil {
		return err
	}

	return syncFolder(c.toBank)
}

// syncFolder syncs a folder's names to disk: without it a power failure may undo a rename.
func syncFolder(dir string) error {
	f, err := os.Open(dir)
	if err != nil {
		return err
	}

	return errors.Join(f.Sync(), f.Close())
}

// Look returns where the file is.
func (c *Folder) Look(_ context.Context, staged, name string) (Presence, int64, error) {
	if err := bothNames(staged, name); err != nil {
		return Gone, 0, err
	}

	for _, p := range []struct {
		name  string
		where Presence
	}{{name, Present}, {staged, Staged}} {
		info, err := os.Stat(filepath.Join(c.toBank, p.name))
		if err == nil {
			return p.where, info.Size(), nil
		}

		if !errors.Is(err, fs.ErrNotExist) {
			return Gone, 0, err
		}
	}

	return Gone, 0, nil
}

// unfinished reports whether a name belongs to an incomplete or hidden file.
func unfinished(name string) bool {
	return strings.HasPrefix(name, ".") || strings.HasSuffix(name, temporary) || strings.HasSuffix(name, ".part")
}

func byName(a, b Remote) int { return cmp.Compare(a.Name, b.Name) }

// List returns the files that the bank has put out.
func (c *Folder) List(context.Context) ([]Remote, error) {
	return listFolder(c.fromBank)
}

// Handed lists our files, also in the folder "done" beside them, which may be missing.
func (c *Folder) Handed(context.Context) ([]Remote, error) {
	out, err := listFolder(c.toBank)
	if err != nil {
		return nil, err
	}

	done, err := listFolder(filepath.Join(c.toBank, doneFolder))
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, err
	}

	for _, f := range done {
		f.Done = true
		out = append(out, f)
	}

	return out, nil
}

// Reopen opens one of our files.
func (c *Folder) Reopen(_ context.Context, f Remote) (io.ReadCloser, error) {
	if err := plainName(f.Name); err != nil {
		return nil, err
	}

	if f.Done {
		return os.Open(filepath.Join(c.toBank, doneFolder, f.Name))
	}

	return os.Open(filepath.Join(c.toBank, f.Name))
}

// listFolder returns the complete files in a folder, sorted by name.
func listFolder(dir string) ([]Remote, error) {
	entries, err := os.ReadDir(dir)
	if err != nil {
		return nil, err
	}

	var out []Remote
	for _, e := range entries {
		if e.IsDir() || unfinished(e.Name()) {
			continue
		}

		info, err := e.Info()
		if errors.Is(err, fs.ErrNotExist) {
			continue // another process has moved it meanwhile
		}

		if err != nil {
			return nil, err
		}

		if info.Mode().IsRegular() {
			out = append(out, Remote{Name: e.Name(), Size: info.Size(), ModTime: info.ModTime()})
		}
	}

	slices.SortFunc(out, byName)

	return out, nil
}

// Get opens a file that the bank has put out.
func (c *Folder) Get(_ context.Context, name string) (io.ReadCloser, error) {
	if err := plainName(name); err != nil {
		return nil, err
	}

	return os.Open(filepath.Join(c.fromBank, name))
}

// Done moves a file to the folder "done". It replaces a file of the same name: the archive holds what was read.
func (c *Folder) Done(_ context.Context, name string) error {
	if err := plainName(name); err != nil {
		return err
	}

	err := os.Rename(filepath.Join(c.fromBank, name), filepath.Join(c.fromBank, doneFolder, name))
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}

	return err
}
