package bank

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"hash"
	"io"
	"os"
	"sync/atomic"

	"slipway/internal/platform/blob"
	"slipway/internal/platform/secret"
)

// spool passes the source's bytes on while its own goroutine writes them into the archive and hashes them.
type spool struct {
	source  io.Reader
	folder  string
	size    int64
	most    int64
	hash    string
	cut     bool // only the beginning was stored
	settled bool

	file   *os.File
	sealed *blob.Sealer // into file
	block  []byte       // read, but not sent yet
	blocks chan []byte  // to be written, in order
	used   chan []byte  // written, to be reused
	sum    hash.Hash
	lost   atomic.Pointer[error] // the first error of the disk
	kept   chan struct{}         // closed after the last write
}

// blockSize is the size of a block that is sent at once, and writeAhead how many blocks may wait to be written.
const (
	blockSize  = 256 << 10
	keptBehind = 4
)

func newSpool(keys *secret.Keyring, folder string, source io.Reader, most int64) (*spool, error) {
	if err := os.MkdirAll(folder, 0o700); err != nil {
		return nil, err
	}

	f, err := os.CreateTemp(folder, ".incoming-*")
	if err != nil {
		return nil, err
	}

	s := &spool{
		source: source,
		file:   f,
		folder: folder,
		sum:    sha256.New(),
		most:   most,
		blocks: make(chan []byte),
		used:   make(chan []byte, keptBehind),
		kept:   make(chan struct{}),
	}
	if s.sealed, err = sealArchived(keys, toFile{s}); err != nil {
		return nil, errors.Join(err, f.Close(), os.Remove(f.Name()))
	}

	for range keptBehind {
		s.used <- make([]byte, 0, blockSize)
	}

	s.block = <-s.used
	go s.keepBlocks()

	return s, nil
}

// toFile writes into a spool's file.
type toFile struct{ s *spool }

// Write writes to the file.
func (f toFile) Write(p []byte) (int, error) { return f.s.file.Write(p) }

// writeBlocks writes and hashes the blocks. After an error of the disk it discards them.
func (s *spool) keepBlocks() {
	defer close(s.kept)

	for b := range s.blocks {
		if s.lost.Load() == nil {
			s.sum.Write(b)

			if _, err := s.sealed.Write(b); err != nil {
				s.lost.Store(&err)
			}
		}

		s.used <- b[:0]
	}

	if s.lost.Load() == nil {
		if err := s.sealed.Close(); err != nil {
			s.lost.Store(&err)
		}
	}
}

// Read returns bytes of the source, which are also sent to the archive.
func (s *spool) Read(p []byte) (int, error) {
	if err := s.lost.Load(); err != nil {
		return 0, *err
	}

	n, err := s.source.Read(p)

	s.size += int64(n)
	for rest := p[:n]; len(rest) > 0; {
		some := min(len(rest), blockSize-len(s.block))
		s.block = append(s.block, rest[:some]...)
		rest = rest[some:]

		if len(s.block) == blockSize {
			s.blocks <- s.block
			s.block = <-s.used
		}
	}

	return n, err
}

// finish sends the last block and waits until everything is written.
func (s *spool) end() error {
	s.settled = true
	s.blocks <- s.block
	close(s.blocks)
	<-s.kept

	if err := s.lost.Load(); err != nil {
		return *err
	}

	return nil
}

// afterRefusal is how much is still stored of a file whose beginning was refused.
const afterRefusal = 16 << 20

// commit makes the archived copy durable, under its hash. Of a file that was refused early it stores only enough for a
// person to see what it is.
func (s *spool) keep() error {
	if n, err := io.Copy(io.Discard, io.LimitReader(s, afterRefusal)); err != nil {
		return err
	} else if n == afterRefusal {
		s.cut = true
	}

	err := s.end()

	s.hash = hex.EncodeToString(s.sum.Sum(nil))
	if err = errors.Join(err, s.file.Sync(), s.file.Close()); err == nil {
		err = os.Rename(s.file.Name(), archived(s.folder, s.hash))
	}

	if err != nil {
		_ = os.Remove(s.file.Name())
		return err
	}

	return syncFolder(s.folder)
}

// discard removes a file that was not committed. It does nothing after commit.
func (s *spool) discard() {
	if !s.settled {
		_ = s.end()
		_ = s.file.Close()
		_ = os.Remove(s.file.Name())
	}
}
