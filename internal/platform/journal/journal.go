// Package journal keeps small books in one file of lines: readable, and whole after a kill. Simulated outside parties
// and the signer process keep theirs so.
package journal

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"syscall"
)

// Journal is a file with one line of JSON for each change, in the order in which they came; what a line means is its
// owner's. A line is on the disk before Write returns; half a line at the end, of a process that was killed while it
// wrote, is cut off. Several processes may have the same journal open: each works on it alone, after it has read what
// the others wrote. Safe for concurrent use by processes, not within one: its owner holds a lock.
type Journal[T any] struct {
	file *os.File // nil: nothing is kept
	read int64    // so many bytes were read or written
}

// Open opens a file, made with its folder if need be. An empty path keeps nothing.
func Open[T any](path string) (*Journal[T], error) {
	if path == "" {
		return &Journal[T]{}, nil
	}

	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		return nil, err
	}

	f, err := os.OpenFile(path, os.O_CREATE|os.O_RDWR, 0o600)

	return &Journal[T]{file: f}, err
}

// Alone runs work while no other process changes the journal; each is given the lines that are new to this one first.
func (j *Journal[T]) Alone(each func(T), work func() error) (err error) {
	if j.file == nil {
		return work()
	}

	fd := int(j.file.Fd())
	if err := syscall.Flock(fd, syscall.LOCK_EX); err != nil {
		return fmt.Errorf("lock: %w", err)
	}

	defer func() { err = errors.Join(err, syscall.Flock(fd, syscall.LOCK_UN)) }()

	if err := j.catchUp(each); err != nil {
		return err
	}

	return work()
}

// catchUp reads what was written since the last time and cuts half a line off: who wrote it is dead, for nobody else
// holds the lock.
func (j *Journal[T]) catchUp(each func(T)) error {
	if _, err := j.file.Seek(j.read, io.SeekStart); err != nil {
		return err
	}

	raw, err := io.ReadAll(j.file)
	if err != nil {
		return err
	}

	whole := int64(bytes.LastIndexByte(raw, '\n') + 1)
	for line := range bytes.Lines(raw[:whole]) {
		var s T
		if err := json.Unmarshal(line, &s); err != nil {
			return fmt.Errorf("%s, after byte %d: %w", j.file.Name(), j.read, err)
		}

		each(s)
		j.read += int64(len(line))
	}

	if whole == int64(len(raw)) {
		return nil
	}

	return j.file.Truncate(j.read)
}

// Write appends a line and returns when it is durable; each does not see it. Only within Alone.
func (j *Journal[T]) Write(s T) error {
	if j.file == nil {
		return nil
	}

	line, err := json.Marshal(s)
	if err != nil {
		return err
	}

	line = append(line, '\n')
	if _, err := j.file.WriteAt(line, j.read); err != nil {
		return err
	}

	if err := j.file.Sync(); err != nil {
		return err
	}

	j.read += int64(len(line))

	return nil
}

// Close lets go of the file. Nothing may be done with the journal afterwards.
func (j *Journal[T]) Close() error {
	if j.file == nil {
		return nil
	}

	return j.file.Close()
}
