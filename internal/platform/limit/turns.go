package limit

import (
	"context"
	"sync"
)

// Turns lets so many work at once; the others wait. It is fair by key: of those that wait, the turn goes to one whose
// key has the fewest turns at that moment, then to one whose key was served longest ago, then to who came first.
// However much one key asks for, another that was not served yet goes before all but its first. Safe for concurrent
// use.
//
// How many may wait is not bounded: callers take a place first.
type Turns struct {
	mu      sync.Mutex
	all     int
	free    int // 0 while somebody waits
	served  int64
	waiting []*waiter // in the order of their coming
	keys    map[string]turnsOf
}

// turnsOf is what is known of a key until nobody works.
type turnsOf struct {
	now  int   // turns that have not ended
	last int64 // which of all turns was its last
}

// waiter is somebody who waits for a turn.
type waiter struct {
	key  string
	turn chan struct{} // closed when it has come
}

// NewTurns returns turns for so many at once.
func NewTurns(all int) *Turns {
	return &Turns{all: all, free: all, keys: map[string]turnsOf{}}
}

// Take blocks until a turn of the key has come, which lasts until end is called, once; or until the context ends, and
// returns its error.
func (t *Turns) Take(ctx context.Context, key string) (end func(), err error) {
	w := t.join(key)
	select {
	case <-w.turn:
	case <-ctx.Done():
		if t.leave(w) {
			return nil, ctx.Err()
		}
	}

	return func() { t.end(key) }, nil
}

func (t *Turns) join(key string) *waiter {
	t.mu.Lock()
	defer t.mu.Unlock()

	w := &waiter{key: key, turn: make(chan struct{})}
	if t.free > 0 {
		t.free--
		t.give(w)
		return w
	}

	t.waiting = append(t.waiting, w)

	return w
}

// leave takes a waiter out. It reports false if the turn has come meanwhile.
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

// end passes a turn on.
func (t *Turns) end(key string) {
	t.mu.Lock()
	defer t.mu.Unlock()

	had := t.keys[key]
	had.now--
	t.keys[key] = had

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

// next returns which waiter's turn it is.
func (t *Turns) next() (first int) {
	for i, w := range t.waiting {
		mine := t.keys[w.key]

		best := t.keys[t.waiting[first].key]
		if mine.now < best.now || mine.now == best.now && mine.last < best.last {
			first = i
		}
	}

	return first
}

func (t *Turns) give(w *waiter) {
	t.served++
	t.keys[w.key] = turnsOf{now: t.keys[w.key].now + 1, last: t.served}
	close(w.turn)
}

func (t *Turns) remove(i int) {
	copy(t.waiting[i:], t.waiting[i+1:])
	t.waiting[len(t.waiting)-1] = nil
	t.waiting = t.waiting[:len(t.waiting)-1]
}
