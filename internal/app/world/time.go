//go:build !nosandbox

package world

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"time"

	"slipway/internal/platform/clock"
)

// clockName is the file in which a world that is kept writes by how much its clock was moved.
const clockName = "clock"

// ClockFile returns the file in which the sandbox with a data folder keeps its clock.
func ClockFile(dataDir string) string { return filepath.Join(dataDir, clockName) }

// ClockAt returns the clock that a sandbox keeps in a file: the wall clock plus everything that it was ever moved by. A
// file that is missing means that it never was.
func ClockAt(file string) (*clock.Clock, error) {
	c := clock.New()

	raw, err := os.ReadFile(file)
	if errors.Is(err, os.ErrNotExist) {
		return c, nil
	}

	if err != nil {
		return nil, fmt.Errorf("clock of the sandbox: %w", err)
	}

	advanced, err := time.ParseDuration(strings.TrimSpace(string(raw)))
	if err != nil || advanced < 0 {
		return nil, fmt.Errorf("clock of the sandbox: %s holds no duration such as 72h0m0s", file)
	}

	c.Advance(advanced)

	return c, nil
}

// timekeeper moves a clock and keeps by how much.
type timekeeper struct {
	mu   sync.Mutex
	file string // empty: in memory only
}

// Advance moves the clock of the whole world forward. Where the world is kept, the new time is on the disk before
// anyone sees it: whoever starts the world again goes on from there, and nothing that was written lies in the future.
func (w *World) Advance(d time.Duration) error {
	w.time.mu.Lock()
	defer w.time.mu.Unlock()

	if w.time.file != "" {
		if err := keep(w.time.file, (w.Clock.Advanced()+d).String()+"\n"); err != nil {
			return fmt.Errorf("clock of the sandbox: %w", err)
		}
	}

	w.Clock.Advance(d)

	return nil
}

// keep replaces a file durably: after a crash it holds the old text or the new one.
func keep(file, text string) (err error) {
	next, err := os.CreateTemp(filepath.Dir(file), filepath.Base(file)+".")
	if err != nil {
		return err
	}

	defer func() {
		if err != nil {
			err = errors.Join(err, os.Remove(next.Name()))
		}
	}()

	_, err = next.WriteString(text)
	if err = errors.Join(err, next.Sync(), next.Close()); err != nil {
		return err
	}

	return os.Rename(next.Name(), file)
}
