// Package journal keeps small records in a file of lines, which is readable and survives a kill. Simulated outside
// parties and the signer process use it.
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

// Journal is a file with one line of JSON for each change, in order; its owner defines what a line means. A line is on
// the disk before Write returns. An incomplete last line, left by a process that was killed while it wrote, is cut off.
// Several processes may have the same journal open: each works on it exclusively, after it has read what the others
// wrote. It is safe for concurrent use by processes, but not within one: its owner must hold a lock.
type Journal[T any] struct {
	file *os.File // nil: nothing is stored
	read int64    // bytes read or written so far
}

// Open opens a file, and creates it with its folder if necessary. With an empty path nothing is stored.
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

// Alone runs work while no other process changes the journal. First it calls each with the lines that are new to this
// process.
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

// catchUp reads what was written since the last time and cuts off an incomplete line: its writer is dead, since nobody
// else holds the lock.
func (j *Journal[T]) catchUp(each func(T)) error {
	if _, err := j.file.Seek(j.read, io.SeekStart); err != nil {
		return err
	}

	raw, err := io.ReadAll(j.file)
	if err != nil {
		return err
	}

	complete := int64(bytes.LastIndexByte(raw, '\n') + 1)
	for line := range bytes.Lines(raw[:complete]) {
		var s T
		if err := json.Unmarshal(line, &s); err != nil {
			return fmt.Errorf("%s, after byte %d: %w", j.file.Name(), j.read, err)
		}

		each(s)
		j.read += int64(len(line))
	}

	if complete == int64(len(raw)) {
		return nil
	}

	return j.file.Truncate(j.read)
}

// Write appends a line and returns when it is durable. It does not call each. Call it only within Alone.
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

// Close closes the file. The journal must not be used afterwards.
func (j *Journal[T]) Close() error {
	if j.file == nil {
		return nil
	}

	return j.file.Close()
}
