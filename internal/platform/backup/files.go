package backup

import (
	"bufio"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"time"

	"github.com/go-json-experiment/json"

	"slipway/internal/platform/secret"
)

// file is a file beside the database at the moment of a back-up. Path begins with the name of its tree.
type file struct {
	Path    string    `json:"path"`
	Bytes   int64     `json:"bytes"`
	Changed time.Time `json:"changed"`
	SHA256  string    `json:"sha256"`
}

var sumForm = regexp.MustCompile(`^[0-9a-f]{64}$`)

// same reports whether a file still is what it was: then it is not read again.
func (f file) same(info fs.FileInfo) bool {
	return f.Bytes == info.Size() && f.Changed.Equal(info.ModTime())
}

// object returns the path of what lies once.
func (p *Place) object(sum string) string { return filepath.Join(p.folder, objectsName, sum[:2], sum) }

// known returns the files of the newest back-up by path. One that is not ours, or cannot be read, has none: its files
// are read again.
func (p *Place) known(ctx context.Context, k *secret.Keyring) map[string]file {
	m, err := p.Find("")
	if err != nil || m.Genuine(k) != nil {
		return nil
	}

	list, err := p.list(ctx, m)
	if err != nil {
		return nil
	}

	out := make(map[string]file, len(list))
	for _, f := range list {
		out[f.Path] = f
	}

	return out
}

// keepTrees stores every file of the trees that the place does not have yet.
func (p *Place) keepTrees(ctx context.Context, trees map[string]string, known map[string]file) (out []file, err error) {
	for _, name := range slices.Sorted(maps.Keys(trees)) {
		root := trees[name]

		err := filepath.WalkDir(root, func(path string, e fs.DirEntry, err error) error {
			if err == nil {
				err = ctx.Err()
			}

			if err != nil || !e.Type().IsRegular() {
				return gone(err)
			}

			inside, err := filepath.Rel(root, path)
			if err != nil {
				return err
			}

			f, err := p.keep(path, name+"/"+filepath.ToSlash(inside), known)
			if err == nil {
				out = append(out, f)
			}

			return gone(err)
		})
		if err != nil {
			return nil, fmt.Errorf("copy %s: %w", root, err)
		}
	}

	return out, nil
}

// gone drops the error that a file is not there: it was deleted meanwhile, and the copy of the database may know that.
func gone(err error) error {
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}

	return err
}

// keep stores one file, unless the newest back-up has it as it is.
func (p *Place) keep(path, name string, known map[string]file) (file, error) {
	from, err := os.Open(path)
	if err != nil {
		return file{}, err
	}

	defer func() { _ = from.Close() }() // it was only read

	info, err := from.Stat()
	if err != nil {
		return file{}, err
	}

	if f, ok := known[name]; ok && f.same(info) {
		if there, err := os.Stat(p.object(f.SHA256)); err == nil && there.Size() == f.Bytes {
			return f, nil
		}
	}

	f := file{Path: name, Changed: info.ModTime().UTC()}
	f.SHA256, f.Bytes, err = p.store(from)

	return f, err
}

// store copies bytes to the objects.
func (p *Place) store(from io.Reader) (sum string, n int64, err error) {
	folder := filepath.Join(p.folder, objectsName)
	if err := os.MkdirAll(folder, ownerOnlyFolder); err != nil {
		return "", 0, err
	}

	to, err := os.CreateTemp(folder, "*"+unfinished)
	if err != nil {
		return "", 0, err
	}

	hash := sha256.New()

	n, err = io.Copy(io.MultiWriter(to, hash), from)
	if err == nil {
		err = to.Sync()
	}

	err = errors.Join(err, to.Close())
	sum = hex.EncodeToString(hash.Sum(nil))

	if err == nil {
		err = p.name(to.Name(), sum)
	}

	if err != nil {
		_ = os.Remove(to.Name()) // the error tells of the first fault
	}

	return sum, n, err
}

// name gives a stored file its name, durably.
func (p *Place) name(path, sum string) error {
	at := p.object(sum)
	if err := os.MkdirAll(filepath.Dir(at), ownerOnlyFolder); err != nil {
		return err
	}

	if err := os.Rename(path, at); err != nil {
		return err
	}

	return errors.Join(syncFolder(filepath.Dir(at)), syncFolder(filepath.Dir(filepath.Dir(at))))
}

// writeList writes one line for each file.
func writeList(w io.Writer, list []file) error {
	for _, f := range list {
		line, err := json.Marshal(f)
		if err != nil {
			return err
		}

		if _, err := w.Write(append(line, '\n')); err != nil {
			return err
		}
	}

	return nil
}

// list returns the files of a back-up. Their paths lead nowhere but below their tree.
func (p *Place) list(ctx context.Context, m Manifest) (out []file, err error) {
	err = p.readPart(ctx, m.Name, m.Files, func(r io.Reader) error {
		lines := bufio.NewScanner(r)
		lines.Buffer(nil, 1<<20)

		for lines.Scan() {
			var f file
			if err := json.Unmarshal(lines.Bytes(), &f); err != nil {
				return err
			}

			if !filepath.IsLocal(filepath.FromSlash(f.Path)) || !sumForm.MatchString(f.SHA256) {
				return fmt.Errorf("%w: %q is no path of a file", ErrDamaged, f.Path)
			}

			out = append(out, f)
		}

		return lines.Err()
	})

	return out, err
}
