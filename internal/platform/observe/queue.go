package observe

import (
	"bytes"
	"io"
	"log/slog"
	"sync"
	"sync/atomic"
	"time"
)

// queueLimit limits the bytes of lines that wait for the log's reader: some thousand lines.
const queueLimit = 1 << 20

// Log is the log of a process that serves. Whoever logs never waits for the log's reader: a line waits in a queue, and
// is dropped where that is full or nobody reads any more. Dropped lines are counted, and a line says how many as soon
// as there is room. The last lines of a process that is killed may be missing.
type Log struct {
	*slog.Logger
	queue *queue
}

// NewLog returns a log that writes to w as NewLogger does, and starts its writer. Close writes what waits.
func NewLog(w io.Writer, level, format string) (*Log, error) {
	if format == "" && terminal(w) {
		format = "text"
	}

	q := &queue{out: w, ended: make(chan struct{})}
	q.filled.L = &q.mu

	logger, err := NewLogger(q, level, format)
	if err != nil {
		return nil, err
	}

	go q.run(func(lost int64) {
		logger.Warn("lines of the log were dropped: its reader was away, or too slow", "lines", lost)
	})

	return &Log{Logger: logger, queue: q}, nil
}

// Dropped returns how many lines were dropped since the start.
func (l *Log) Dropped() int64 { return l.queue.dropped.Load() }

// Close writes the lines that wait, for at most limit. Later lines are dropped. A second call waits again.
func (l *Log) Close(limit time.Duration) {
	l.queue.close()

	late := time.NewTimer(limit)
	defer late.Stop()

	select {
	case <-l.queue.ended:
	case <-late.C:
	}
}

// queue is a writer that never blocks.
type queue struct {
	out     io.Writer
	dropped atomic.Int64
	ended   chan struct{} // closed when run has returned

	mu      sync.Mutex
	filled  sync.Cond // waiting has changed, or closed
	waiting []byte    // whole lines
	closed  bool
}

// Write appends one line, or drops it if there is no room. It returns no error.
func (q *queue) Write(line []byte) (int, error) {
	q.mu.Lock()
	defer q.mu.Unlock()

	if q.closed || len(q.waiting)+len(line) > queueLimit {
		q.dropped.Add(1)
		return len(line), nil
	}

	q.waiting = append(q.waiting, line...)
	q.filled.Signal()

	return len(line), nil
}

// run writes what waits until the queue is closed and empty. After lines were dropped it calls report, once for each
// time that there is room again.
func (q *queue) run(report func(lost int64)) {
	defer close(q.ended)

	var (
		batch    []byte
		reported int64
	)

	for {
		batch = q.next(batch)
		if len(batch) == 0 {
			return
		}

		if n, err := q.out.Write(batch); err != nil {
			q.dropped.Add(int64(bytes.Count(batch[n:], []byte("\n"))))
			continue
		}

		if lost := q.dropped.Load(); lost > reported {
			report(lost - reported)
			reported = lost
		}
	}
}

// next blocks until lines wait, and returns all of them; none once the queue is closed and empty. It uses the memory of
// the batch before.
func (q *queue) next(before []byte) []byte {
	q.mu.Lock()
	defer q.mu.Unlock()

	for len(q.waiting) == 0 && !q.closed {
		q.filled.Wait()
	}

	batch := q.waiting
	q.waiting = before[:0]

	return batch
}

// close ends run after what waits now.
func (q *queue) close() {
	q.mu.Lock()
	defer q.mu.Unlock()

	q.closed = true
	q.filled.Signal()
}
