package observe_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"

	"slipway/internal/platform/observe"
)

// reader is what a log is written to. It stands still until it is let go.
type reader struct {
	mu   sync.Mutex
	gone bool
	hold chan struct{} // nil: it reads
	read bytes.Buffer
}

// Write reads what is written, or fails if the reader is gone.
func (r *reader) Write(p []byte) (int, error) {
	if r.hold != nil {
		<-r.hold
	}

	r.mu.Lock()
	defer r.mu.Unlock()

	if r.gone {
		return 0, errors.New("broken pipe")
	}

	return r.read.Write(p)
}

// lines returns the messages that were read.
func (r *reader) lines(t *testing.T) (messages []string, lost int64) {
	t.Helper()

	for line := range strings.Lines(r.read.String()) {
		var l struct {
			Msg   string `json:"msg"`
			Lines int64  `json:"lines"`
		}
		require.NoError(t, json.Unmarshal([]byte(line), &l), "only whole lines are written")

		messages = append(messages, l.Msg)
		lost += l.Lines
	}

	return messages, lost
}

// Nobody waits for a reader that stands still. What has no room is dropped and counted, and a line says so as soon as
// the reader goes on.
func TestALogNeverWaitsForItsReader(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		const many = 5_000

		r := &reader{hold: make(chan struct{})}
		log, err := observe.NewLog(r, "info", "json")
		require.NoError(t, err)

		for range many {
			log.Info(strings.Repeat("x", 1000))
		}

		dropped := log.Dropped()
		require.Positive(t, dropped)

		log.Close(time.Second) // virtual: the reader still stands
		require.Equal(t, dropped, log.Dropped(), "what waits may still be read")

		log.Info("after the end")
		require.Equal(t, dropped+1, log.Dropped())

		close(r.hold)
		synctest.Wait()

		messages, _ := r.lines(t)
		require.EqualValues(t, many, int64(len(messages))+dropped)
	})
}

// A reader that goes away, and one that comes back, are no error of whoever logs.
func TestALogOutlivesItsReader(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r := &reader{}
		log, err := observe.NewLog(r, "info", "json")
		require.NoError(t, err)

		log.Info("before")
		synctest.Wait()

		r.gone = true
		log.Info("lost")
		log.Info("lost as well")
		synctest.Wait()
		require.EqualValues(t, 2, log.Dropped())

		r.gone = false
		log.Info("again")
		synctest.Wait()

		messages, lost := r.lines(t)
		require.EqualValues(t, 2, lost)
		require.Equal(t, []string{"before", "again"}, messages[:2])
		require.Len(t, messages, 3)

		log.Info("last")
		log.Close(time.Minute)
		log.Close(time.Minute)

		messages, _ = r.lines(t)
		require.Equal(t, "last", messages[3])
		require.EqualValues(t, 2, log.Dropped())
	})
}
