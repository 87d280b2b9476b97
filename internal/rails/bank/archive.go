package bank

import (
	"bufio"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"

	"slipway/internal/platform/blob"
	"slipway/internal/platform/secret"
	"slipway/internal/platform/witness"
)

// An archived file is a line with its own key, sealed by the keyring, followed by the content, sealed with that key. So
// a new key of the keyring changes only the line.

// boundToArchive is the purpose that the line is sealed for.
const boundToArchive = "bank/archive"

// longestLine limits the line that is read.
const longestLine = 1 << 10

func archived(folder, hash string) string { return filepath.Join(folder, hash) }

// sealArchived writes the line and returns the writer of the content. Closing the writer completes the file.
func sealArchived(keys *secret.Keyring, out io.Writer) (*blob.Sealer, error) {
	key := blob.NewKey()
	if _, err := io.WriteString(out, keys.Seal(key, boundToArchive)+"\n"); err != nil {
		return nil, err
	}

	return blob.Seal(out, key)
}

// archivedFile is an archived file being read.
type archivedFile struct {
	*blob.Opener
	file *os.File
}

// Close closes the file.
func (f archivedFile) Close() error { return f.file.Close() }

// openArchived opens an archived file as the bank sent it.
func openArchived(keys *secret.Keyring, folder, hash string) (io.ReadCloser, error) {
	f, err := os.Open(filepath.Clean(archived(folder, hash)))
	if err != nil {
		return nil, err
	}

	in := bufio.NewReaderSize(f, 64<<10)

	line, err := keyLine(in)
	if err != nil {
		return nil, errors.Join(err, f.Close())
	}

	key, err := keys.Open(line, boundToArchive)
	if err != nil {
		return nil, errors.Join(fmt.Errorf("key of %s: %w", hash, err), f.Close())
	}

	content, err := blob.Unseal(in, key)
	if err != nil {
		return nil, errors.Join(err, f.Close())
	}

	return archivedFile{content, f}, nil
}

// isHash reports whether a name in the folder is that of an archived file.
func isHash(name string) bool {
	raw, err := hex.DecodeString(name)
	return err == nil && len(raw) == sha256.Size
}

var errLine = errors.New("the file does not begin with its key")

func keyLine(in *bufio.Reader) (string, error) {
	line, err := in.ReadSlice('\n')
	if err != nil || len(line) > longestLine {
		return "", errLine
	}

	return strings.TrimSuffix(string(line), "\n"), nil
}

// ResealFiles seals the keys of archived files, and the copies of payment files outside of the database, with the
// keyring's current key. It returns how many were sealed with another one.
func (r *Rail) ResealFiles(ctx context.Context) (n int, err error) {
	entries, err := os.ReadDir(r.c.Archive)
	if err != nil && !errors.Is(err, os.ErrNotExist) {
		return 0, fmt.Errorf("archive of bank files: %w", err)
	}

	for _, e := range entries {
		if ctx.Err() != nil {
			return n, ctx.Err()
		}

		if !isHash(e.Name()) {
			continue
		}

		done, err := resealArchived(r.db.Keyring(), archived(r.c.Archive, e.Name()))
		if err != nil {
			return n, fmt.Errorf("reseal the key of %s: %w", e.Name(), err)
		}

		if done {
			n++
		}
	}

	copies, err := r.resealCopies(ctx)

	return n + copies, err
}

// resealArchived atomically replaces a file's first line, and preserves the file's time of arrival.
func resealArchived(keys *secret.Keyring, path string) (done bool, err error) {
	f, err := os.Open(filepath.Clean(path))
	if err != nil {
		return false, err
	}

	defer func() { err = errors.Join(err, f.Close()) }()

	in := bufio.NewReaderSize(f, 64<<10)

	line, err := keyLine(in)
	if err != nil {
		return false, err
	}

	fresh, changed, err := keys.Reseal(line, boundToArchive)
	if err != nil || !changed {
		return false, err
	}

	info, err := f.Stat()
	if err != nil {
		return false, err
	}

	next, err := os.CreateTemp(filepath.Dir(path), ".incoming-*")
	if err != nil {
		return false, err
	}

	_, err = io.Copy(next, io.MultiReader(strings.NewReader(fresh+"\n"), in))
	if err = errors.Join(err, next.Sync(), next.Close()); err == nil {
		err = os.Chtimes(next.Name(), info.ModTime(), info.ModTime())
	}

	if err == nil {
		err = os.Rename(next.Name(), path)
	}

	if err != nil {
		return false, errors.Join(err, os.Remove(next.Name()))
	}

	return true, nil
}

// resealCopies reseals the copies. A copy that is replaced concurrently holds the same bytes.
func (r *Rail) resealCopies(ctx context.Context) (n int, err error) {
	kept, err := r.keptCopies(ctx)
	if err != nil {
		return 0, err
	}

	for c := range kept {
		sealed, err := r.c.Copies.Read(ctx, c.bytesName())
		if errors.Is(err, witness.ErrNone) {
			continue
		}

		if err != nil {
			return n, fmt.Errorf("copy %s: %w", c.bytesName(), err)
		}

		id, err := secret.KeyOf(sealed)
		if err != nil {
			return n, fmt.Errorf("copy %s: %w", c.bytesName(), err)
		}

		if id == r.db.Keyring().Current() {
			continue
		}

		content, err := r.readCopy(ctx, c)
		if err == nil {
			err = r.putCopy(ctx, c, content)
		}

		if err != nil {
			return n, err
		}

		n++
	}

	return n, nil
}
