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

// done is the folder below the bank's in which files lie that we have taken.
const doneFolder = "done"

// Folder is a channel of two folders on this machine, such as those of an EBICS or Swift client, or of the simulated
// bank.
type Folder struct{ toBank, fromBank string }

// NewFolder makes the channel; folders that are missing are made.
func NewFolder(toBank, fromBank string) (*Folder, error) {
	for _, dir := range []string{toBank, filepath.Join(fromBank, doneFolder)} {
		if err := os.MkdirAll(dir, 0o700); err != nil {
			return nil, fmt.Errorf("bank folder: %w", err)
		}
	}

	return &Folder{toBank: toBank, fromBank: fromBank}, nil
}

// errName refuses what is no plain file name: names come from our rows and from the bank's listing.
var errName = errors.New("not a plain file name")

func plainName(name string) error {
	if name == "" || name == "." || name == ".." || strings.ContainsAny(name, "/\\\x00") {
		return fmt.Errorf("%q: %w", name, errName)
	}

	return nil
}

// Stage writes the file under its temporary name and has the disk keep it.
func (c *Folder) Stage(_ context.Context, staged string, content []byte) error {
	if err := stagedName(staged); err != nil {
		return err
	}

	f, err := os.OpenFile(filepath.Join(c.toBank, staged), os.O_CREATE|os.O_WRONLY|os.O_TRUNC, 0o600)
	if err != nil {
		return err
	}

	half := len(content) / 2
	_, err = f.Write(content[:half])
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

// Commit renames the staged file and has the disk keep that.
func (c *Folder) Commit(_ context.Context, staged, name string) error {
	if err := bothNames(staged, name); err != nil {
		return err
	}

	if err := os.Rename(filepath.Join(c.toBank, staged), filepath.Join(c.toBank, name)); err != nil {
		return err
	}

	return syncFolder(c.toBank)
}

// syncFolder has the disk keep the names in a folder: without it a rename may be lost in a power cut.
func syncFolder(dir string) error {
	f, err := os.Open(dir)
	if err != nil {
		return err
	}

	return errors.Join(f.Sync(), f.Close())
}

// Look says where the file is.
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

// unfinished says whether a name in a listing is that of a file which is not whole, or hidden.
func unfinished(name string) bool {
	return strings.HasPrefix(name, ".") || strings.HasSuffix(name, temporary) || strings.HasSuffix(name, ".part")
}

func byName(a, b Remote) int { return cmp.Compare(a.Name, b.Name) }

// List gives the files the bank has put out.
func (c *Folder) List(context.Context) ([]Remote, error) {
	return listFolder(c.fromBank)
}

// Handed lists our files, and those in the folder done beside them. The folder need not be there.
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

// listFolder gives the whole files in a folder, by name.
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
			continue // taken by another process meanwhile
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

// Get opens a file the bank has put out.
func (c *Folder) Get(_ context.Context, name string) (io.ReadCloser, error) {
	if err := plainName(name); err != nil {
		return nil, err
	}

	return os.Open(filepath.Join(c.fromBank, name))
}

// Done moves a file to the folder done. One of the same name that lies there already is replaced: what was read is in
// the archive.
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
