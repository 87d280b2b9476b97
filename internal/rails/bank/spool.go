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
	source    io.Reader
	folder    string
	size      int64
	limit     int64
	hash      string
	truncated bool // only the beginning was stored
	closed    bool

	file    *os.File
	sealed  *blob.Sealer // into file
	block   []byte       // read, but not sent yet
	blocks  chan []byte  // to be written, in order
	free    chan []byte  // written, to be reused
	sum     hash.Hash
	diskErr atomic.Pointer[error] // the first error of the disk
	written chan struct{}         // closed after the last write
}

// blockSize is the size of a block that is sent at once, and writeAhead how many blocks may wait to be written.
const (
	blockSize  = 256 << 10
	writeAhead = 4
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
		source:  source,
		file:    f,
		folder:  folder,
		sum:     sha256.New(),
		limit:   most,
		blocks:  make(chan []byte),
		free:    make(chan []byte, writeAhead),
		written: make(chan struct{}),
	}
	if s.sealed, err = sealArchived(keys, toFile{s}); err != nil {
		return nil, errors.Join(err, f.Close(), os.Remove(f.Name()))
	}

	for range writeAhead {
		s.free <- make([]byte, 0, blockSize)
	}

	s.block = <-s.free
	go s.writeBlocks()

	return s, nil
}

// toFile writes into a spool's file.
type toFile struct{ s *spool }

// Write writes to the file.
func (f toFile) Write(p []byte) (int, error) { return f.s.file.Write(p) }

// writeBlocks writes and hashes the blocks. After an error of the disk it discards them.
func (s *spool) writeBlocks() {
	defer close(s.written)

	for b := range s.blocks {
		if s.diskErr.Load() == nil {
			s.sum.Write(b)

			if _, err := s.sealed.Write(b); err != nil {
				s.diskErr.Store(&err)
			}
		}

		s.free <- b[:0]
	}

	if s.diskErr.Load() == nil {
		if err := s.sealed.Close(); err != nil {
			s.diskErr.Store(&err)
		}
	}
}

// Read returns bytes of the source, which are also sent to the archive.
func (s *spool) Read(p []byte) (int, error) {
	if err := s.diskErr.Load(); err != nil {
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
			s.block = <-s.free
		}
	}

	return n, err
}

// finish sends the last block and waits until everything is written.
func (s *spool) finish() error {
	s.closed = true
	s.blocks <- s.block
	close(s.blocks)
	<-s.written

	if err := s.diskErr.Load(); err != nil {
		return *err
	}

	return nil
}

// afterRefusal is how much is still stored of a file whose beginning was refused.
const afterRefusal = 16 << 20

// commit makes the archived copy durable, under its hash. Of a file that was refused early it stores only enough for a
// person to see what it is.
func (s *spool) commit() error {
	if n, err := io.Copy(io.Discard, io.LimitReader(s, afterRefusal)); err != nil {
		return err
	} else if n == afterRefusal {
		s.truncated = true
	}

	err := s.finish()

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
	if !s.closed {
		_ = s.finish()
		_ = s.file.Close()
		_ = os.Remove(s.file.Name())
	}
}
