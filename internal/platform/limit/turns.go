package limit

import (
	"context"
	"sync"
)

// Turns lets a limited number work at once; the others wait. It is fair by key: the turn goes to the waiter whose key
// has the fewest turns at that moment, then to the one whose key was served longest ago, then to the first. However
// much one key asks for, another key that was not served yet goes before all but its first.
//
// Who has several keys, such as a person and an organisation, counts as the one of them that was served most. So nobody
// gets more turns by having many organisations, nor an organisation by having many people.
//
// It is safe for concurrent use. The number of waiters is not limited: callers must take a place first.
type Turns struct {
	mu      sync.Mutex
	all     int
	free    int // 0 while somebody waits
	served  int64
	waiting []*waiter // in order of arrival
	keys    map[string]turnsOf
}

// turnsOf is the state of a key while it has turns.
type turnsOf struct {
	now  int   // turns that have not ended
	last int64 // the sequence number of its last turn
}

// waiter is somebody who waits for a turn.
type waiter struct {
	keys []string
	turn chan struct{} // closed when its turn has come
}

// NewTurns returns turns, of which all may run at once.
func NewTurns(all int) *Turns {
	return &Turns{all: all, free: all, keys: map[string]turnsOf{}}
}

// Take blocks until it is the turn of the keys' holder, which lasts until end is called, once. If the context ends
// first, it returns its error.
func (t *Turns) Take(ctx context.Context, keys ...string) (end func(), err error) {
	w := t.join(distinct(keys))
	select {
	case <-w.turn:
	case <-ctx.Done():
		if t.leave(w) {
			return nil, ctx.Err()
		}
	}

	return func() { t.end(w) }, nil
}

func (t *Turns) join(keys []string) *waiter {
	t.mu.Lock()
	defer t.mu.Unlock()

	w := &waiter{keys: keys, turn: make(chan struct{})}
	if t.free > 0 {
		t.free--
		t.give(w)
		return w
	}

	t.waiting = append(t.waiting, w)

	return w
}

// leave removes a waiter. It returns false if its turn has come meanwhile.
func (t *Turns) leave(w *waiter) bool {
	t.mu.Lock()
	defer t.mu.Unlock()

	for i := range t.waiting {
		if t.waiting[i] == w {
			t.remove(i)
			return true
		}
	}

	return false
}

// end passes a turn to the next waiter.
func (t *Turns) end(ended *waiter) {
	t.mu.Lock()
	defer t.mu.Unlock()

	for _, key := range ended.keys {
		had := t.keys[key]
		had.now--
		t.keys[key] = had
	}

	if len(t.waiting) == 0 {
		t.free++
		if t.free == t.all {
			clear(t.keys)
		}

		return
	}

	next := t.next()
	w := t.waiting[next]
	t.remove(next)
	t.give(w)
}

// next returns the index of the waiter whose turn it is.
func (t *Turns) next() (first int) {
	for i, w := range t.waiting {
		mine := t.of(w)

		best := t.of(t.waiting[first])
		if mine.now < best.now || mine.now == best.now && mine.last < best.last {
			first = i
		}
	}

	return first
}

func (t *Turns) give(w *waiter) {
	t.served++

	for _, key := range w.keys {
		t.keys[key] = turnsOf{now: t.keys[key].now + 1, last: t.served}
	}

	close(w.turn)
}

// of returns what a waiter has had: the most of any of its keys.
func (t *Turns) of(w *waiter) (out turnsOf) {
	for _, key := range w.keys {
		had := t.keys[key]
		out.now = max(out.now, had.now)
		out.last = max(out.last, had.last)
	}

	return out
}

func (t *Turns) remove(i int) {
	copy(t.waiting[i:], t.waiting[i+1:])
	t.waiting[len(t.waiting)-1] = nil
	t.waiting = t.waiting[:len(t.waiting)-1]
}
