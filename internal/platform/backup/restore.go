package backup

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"github.com/klauspost/compress/zstd"
)

// Database gives the bytes of a back-up's copy of the database to read. They are hashed before the first is given.
func (p *Place) Database(ctx context.Context, m Manifest, read func(r io.Reader) error) error {
	return p.readPart(ctx, m.Name, m.Database, read)
}

// readPart hashes a compressed file, and then gives what is in it.
func (p *Place) readPart(ctx context.Context, name string, part Part, read func(r io.Reader) error) error {
	if part.Name != filepath.Base(part.Name) {
		return fmt.Errorf("%w: %q is no name of a file", ErrDamaged, part.Name)
	}

	path := p.at(name, part.Name)
	if err := checkFile(ctx, path, part.Bytes, part.SHA256); err != nil {
		return err
	}

	f, err := os.Open(path)
	if err != nil {
		return err
	}

	defer func() { _ = f.Close() }() // it was only read

	z, err := zstd.NewReader(f)
	if err != nil {
		return err
	}

	defer z.Close()

	return read(z)
}

// checkFile returns ErrDamaged unless a file has these bytes.
func checkFile(ctx context.Context, path string, bytes int64, sum string) error {
	f, err := os.Open(path)
	if errors.Is(err, fs.ErrNotExist) {
		return fmt.Errorf("%w: %s is missing", ErrDamaged, path)
	}

	if err != nil {
		return err
	}

	defer func() { _ = f.Close() }() // it was only read

	hash := sha256.New()

	n, err := io.Copy(hash, endable{ctx, f})
	if err != nil {
		return fmt.Errorf("read %s: %w", path, err)
	}

	if n != bytes || hex.EncodeToString(hash.Sum(nil)) != sum {
		return fmt.Errorf("%w: %s has other bytes than were taken", ErrDamaged, path)
	}

	return nil
}

// CheckFiles reads every file beside the database, and returns ErrDamaged with the first that is missing or has other
// bytes than were taken.
func (p *Place) CheckFiles(ctx context.Context, m Manifest) error {
	list, err := p.list(ctx, m)
	if err != nil {
		return err
	}

	for _, f := range list {
		if err := checkFile(ctx, p.object(f.SHA256), f.Bytes, f.SHA256); err != nil {
			return fmt.Errorf("%s: %w", f.Path, err)
		}
	}

	return nil
}

// PutFiles writes the files of one tree to a folder. What is there with the same bytes stays; it returns an error, and
// has changed nothing of it, where another file has the name. Call it again after an error.
func (p *Place) PutFiles(ctx context.Context, m Manifest, tree, folder string) (n int, err error) {
	list, err := p.list(ctx, m)
	if err != nil {
		return 0, err
	}

	for _, f := range list {
		inside, ok := strings.CutPrefix(f.Path, tree+"/")
		if !ok {
			continue
		}

		if err := p.putFile(ctx, f, filepath.Join(folder, filepath.FromSlash(inside))); err != nil {
			return n, fmt.Errorf("put %s back: %w", f.Path, err)
		}

		n++
	}

	return n, nil
}

func (p *Place) putFile(ctx context.Context, f file, to string) error {
	object := p.object(f.SHA256)
	if err := checkFile(ctx, object, f.Bytes, f.SHA256); err != nil {
		return err
	}

	err := checkFile(ctx, to, f.Bytes, f.SHA256)
	if err == nil {
		return nil
	}

	if _, there := os.Lstat(to); there == nil {
		return fmt.Errorf("%s is there already with other bytes: move it away", to)
	}

	if err := os.MkdirAll(filepath.Dir(to), ownerOnlyFolder); err != nil {
		return err
	}

	from, err := os.Open(object)
	if err != nil {
		return err
	}

	defer func() { _ = from.Close() }() // it was only read

	return writeWhole(to, from)
}

// WriteDatabase writes the copy of a database to a file that must not be there yet: all of it, or nothing.
func (p *Place) WriteDatabase(ctx context.Context, m Manifest, to string) error {
	if _, err := os.Lstat(to); err == nil {
		return fmt.Errorf("%s is there already: a back-up is put back to where nothing is", to)
	}

	if err := os.MkdirAll(filepath.Dir(to), ownerOnlyFolder); err != nil {
		return err
	}

	return p.Database(ctx, m, func(r io.Reader) error { return writeWhole(to, endable{ctx, r}) })
}

// writeWhole writes a file under another name first.
func writeWhole(to string, from io.Reader) error {
	part := to + unfinished
	if err := os.RemoveAll(part); err != nil {
		return err
	}

	err := writeDurably(part, func(w io.Writer) error {
		_, err := io.Copy(w, from)
		return err
	})
	if err == nil {
		err = os.Rename(part, to)
	}

	if err != nil {
		_ = os.Remove(part) // the error tells of the first fault
		return err
	}

	return syncFolder(filepath.Dir(to))
}
