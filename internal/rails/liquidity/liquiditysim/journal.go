//go:build !nosandbox

package liquiditysim

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

// journal is a file with one line for each state an order came to, the last of which counts. A line is on the disk before anything is
// answered; half a line at the end, of a process that was killed while it wrote, is cut off. Several processes may have the same journal
// open: each works on it alone, after it has read what the others wrote.
type journal struct {
	file *os.File // nil: nothing is kept
	read int64    // so many bytes were given to each
}

// openJournal opens a file, made with its folder if need be. An empty path keeps nothing.
func openJournal(path string) (*journal, error) {
	if path == "" {
		return &journal{}, nil
	}
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		return nil, err
	}
	f, err := os.OpenFile(path, os.O_CREATE|os.O_RDWR, 0o600)
	return &journal{file: f}, err
}

// alone runs work while no other process changes the journal; each is given the states that are new to this one first.
func (j *journal) alone(each func(orderState), work func() error) (err error) {
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

// catchUp reads what was written since the last time and cuts half a line off: who wrote it is dead, for nobody else holds the lock.
func (j *journal) catchUp(each func(orderState)) error {
	if _, err := j.file.Seek(j.read, io.SeekStart); err != nil {
		return err
	}
	raw, err := io.ReadAll(j.file)
	if err != nil {
		return err
	}
	whole := int64(bytes.LastIndexByte(raw, '\n') + 1)
	for line := range bytes.Lines(raw[:whole]) {
		var s orderState
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

// write appends a state and returns when it is durable. Only within alone.
func (j *journal) write(s orderState) error {
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

func (j *journal) close() error {
	if j.file == nil {
		return nil
	}
	return j.file.Close()
}
