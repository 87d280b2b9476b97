//go:build !nosandbox

package liquiditysim

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
)

// journal is a file with one line for each state an order came to, the last of which counts. A line is on the disk before anything is
// answered; half a line at the end, of a process that was killed while it wrote, is cut off.
type journal struct{ file *os.File }

// openJournal reads the states that a file holds and opens it for more. An empty path keeps nothing.
func openJournal(path string, each func(orderState)) (*journal, error) {
	if path == "" {
		return &journal{}, nil
	}
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		return nil, err
	}
	raw, err := os.ReadFile(path)
	if err != nil && !errors.Is(err, os.ErrNotExist) {
		return nil, err
	}
	whole := bytes.LastIndexByte(raw, '\n') + 1
	for i, line := range bytes.Split(raw[:whole], []byte("\n")) {
		if len(line) == 0 {
			continue
		}
		var s orderState
		if err := json.Unmarshal(line, &s); err != nil {
			return nil, fmt.Errorf("%s, line %d: %w", path, i+1, err)
		}
		each(s)
	}
	f, err := os.OpenFile(path, os.O_CREATE|os.O_WRONLY, 0o600)
	if err != nil {
		return nil, err
	}
	if err := f.Truncate(int64(whole)); err != nil {
		return nil, errors.Join(err, f.Close())
	}
	if _, err := f.Seek(int64(whole), 0); err != nil {
		return nil, errors.Join(err, f.Close())
	}
	return &journal{file: f}, nil
}

// write appends a state and returns when it is durable.
func (j *journal) write(s orderState) error {
	if j.file == nil {
		return nil
	}
	line, err := json.Marshal(s)
	if err != nil {
		return err
	}
	if _, err := j.file.Write(append(line, '\n')); err != nil {
		return err
	}
	return j.file.Sync()
}

func (j *journal) close() error {
	if j.file == nil {
		return nil
	}
	return j.file.Close()
}
