package backup

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"

	"github.com/klauspost/compress/zstd"
)

const (
	databaseName = "database.zst"
	filesName    = "files.zst"
)

// Take makes a back-up. The database is copied first and the files after it, so every file that the copy knows is
// there. Hold the place's lock. A second call within the same second returns an error and changes nothing.
func (p *Place) Take(ctx context.Context, s Source) (m Manifest, err error) {
	if s.Watch == nil {
		s.Watch = func(string) {}
	}

	if err := p.sweep(); err != nil {
		return m, fmt.Errorf("remove what an earlier back-up has left: %w", err)
	}

	now := s.Now().UTC()
	m = Manifest{
		Format:  format,
		Name:    now.Format(nameLayout),
		Begun:   now,
		Program: s.Program,
		Engine:  s.Engine,
	}

	if _, err := os.Stat(p.at(m.Name)); err == nil {
		return m, fmt.Errorf("there is a back-up of this second already: %s", m.Name)
	}

	folder := p.at(m.Name + unfinished)
	if err := os.Mkdir(folder, ownerOnlyFolder); err != nil {
		return m, fmt.Errorf("begin a back-up: %w", err)
	}

	defer func() {
		if err != nil {
			err = errors.Join(fmt.Errorf("take a back-up: %w", err), os.RemoveAll(folder))
		}
	}()

	if err := p.fill(ctx, s, &m, folder); err != nil {
		return m, err
	}

	m.Ended = s.Now().UTC()
	if m, err = m.sign(s.Keyring); err != nil {
		return m, err
	}

	if err := writeDurably(filepath.Join(folder, manifestName), m.write); err != nil {
		return m, err
	}

	if err := os.Rename(folder, p.at(m.Name)); err != nil {
		return m, err
	}

	return m, syncFolder(p.folder)
}

// fill writes everything but the manifest.
func (p *Place) fill(ctx context.Context, s Source, m *Manifest, folder string) error {
	state, err := s.State(ctx)
	if err != nil {
		return fmt.Errorf("read the state of the database: %w", err)
	}

	m.Schema = state.Schema
	m.HeadSeq = state.HeadSeq
	m.HeadHash = state.HeadHash

	s.Watch("copying the database")

	copied, err := s.Copy(ctx, folder)
	if copied != "" {
		defer func() { _ = os.Remove(copied) }() // it is compressed by then, or of no use
	}

	if err != nil {
		return fmt.Errorf("copy the database: %w", err)
	}

	m.Database, err = compressFile(ctx, copied, filepath.Join(folder, databaseName))
	if err != nil {
		return fmt.Errorf("compress the copy of the database: %w", err)
	}

	s.Watch("copying documents and bank files")

	list, err := p.keepTrees(ctx, s.Trees, p.known(ctx, s.Keyring))
	if err != nil {
		return err
	}

	m.Count = len(list)
	for _, f := range list {
		m.FileBytes += f.Bytes
	}

	m.Files, err = writePart(filepath.Join(folder, filesName), func(w io.Writer) error { return writeList(w, list) })

	return err
}

// compressFile writes a file compressed to another one.
func compressFile(ctx context.Context, from, to string) (Part, error) {
	f, err := os.Open(from)
	if err != nil {
		return Part{}, err
	}

	defer func() { _ = f.Close() }() // it was only read

	return writePart(to, func(w io.Writer) error {
		_, err := io.Copy(w, endable{ctx, f})
		return err
	})
}

// writePart writes a compressed file durably, and returns what it is.
func writePart(path string, content func(w io.Writer) error) (Part, error) {
	sum := sha256.New()
	part := Part{Name: filepath.Base(path)}

	err := writeDurably(path, func(w io.Writer) error {
		z, err := zstd.NewWriter(io.MultiWriter(w, sum, counter{&part.Bytes}), zstd.WithEncoderConcurrency(1))
		if err != nil {
			return err
		}

		return errors.Join(content(z), z.Close())
	})
	part.SHA256 = hex.EncodeToString(sum.Sum(nil))

	return part, err
}

// writeDurably writes a new file, and returns once its bytes and its name would survive a power cut.
func writeDurably(path string, content func(w io.Writer) error) error {
	f, err := os.OpenFile(path, os.O_CREATE|os.O_EXCL|os.O_WRONLY, ownerOnly)
	if err != nil {
		return err
	}

	err = content(f)
	if err == nil {
		err = f.Sync()
	}

	if err = errors.Join(err, f.Close()); err != nil {
		return err
	}

	return syncFolder(filepath.Dir(path))
}

// counter adds up what is written.
type counter struct{ n *int64 }

// Write adds the length of b.
func (c counter) Write(b []byte) (int, error) {
	*c.n += int64(len(b))
	return len(b), nil
}

// endable is a reader that ends with its context.
type endable struct {
	ctx context.Context
	r   io.Reader
}

// Read reads, or returns why the context has ended.
func (e endable) Read(b []byte) (int, error) {
	if err := e.ctx.Err(); err != nil {
		return 0, err
	}

	return e.r.Read(b)
}
