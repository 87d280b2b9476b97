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
// Turns may weigh something besides, such as memory, of which there is only so much for all that run. Whoever's turn it
// is by the rule above is waited for until there is enough: small ones do not keep a large one waiting for ever.
//
// It is safe for concurrent use. The number of waiters is not limited: callers must take a place first.
type Turns struct {
	mu      sync.Mutex
	all     int
	free    int
	bears   int64 // the weight of all that run, at most
	left    int64 // of it
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
	keys   []string
	weight int64
	turn   chan struct{} // closed when its turn has come
}

// NewTurns returns turns, of which all may run at once.
func NewTurns(all int) *Turns { return NewHeavyTurns(all, 0) }

// NewHeavyTurns returns turns of which all may run at once, as far as they weigh no more than bears together.
func NewHeavyTurns(all int, bears int64) *Turns {
	return &Turns{
		all:   all,
		free:  all,
		bears: bears,
		left:  bears,
		keys:  map[string]turnsOf{},
	}
}

// Take blocks until it is the turn of the keys' holder, which lasts until end is called, once. If the context ends
// first, it returns its error.
func (t *Turns) Take(ctx context.Context, keys ...string) (end func(), err error) {
	return t.TakeHeavy(ctx, 0, keys...)
}

// TakeHeavy is Take for a turn that weighs something. It returns ErrFull at once for what is never borne.
func (t *Turns) TakeHeavy(ctx context.Context, weight int64, keys ...string) (end func(), err error) {
	if weight > t.bears {
		return nil, ErrFull
	}

	w := &waiter{keys: distinct(keys), weight: weight, turn: make(chan struct{})}
	t.join(w)

	select {
	case <-w.turn:
	case <-ctx.Done():
		if t.leave(w) {
			return nil, ctx.Err()
		}
	}

	return func() { t.end(w) }, nil
}

func (t *Turns) join(w *waiter) {
	t.mu.Lock()
	defer t.mu.Unlock()

	t.waiting = append(t.waiting, w)
	t.pass()
}

// leave removes a waiter. It returns false if its turn has come meanwhile.
func (t *Turns) leave(w *waiter) bool {
	t.mu.Lock()
	defer t.mu.Unlock()

	for i := range t.waiting {
		if t.waiting[i] == w {
			t.remove(i)
			t.pass() // the others may have waited for it

			return true
		}
	}

	return false
}

// end takes a turn back and passes it on.
func (t *Turns) end(ended *waiter) {
	t.mu.Lock()
	defer t.mu.Unlock()

	for _, key := range ended.keys {
		had := t.keys[key]
		had.now--
		t.keys[key] = had
	}

	t.free++
	t.left += ended.weight
	t.pass()

	if t.free == t.all {
		clear(t.keys)
	}
}

// pass gives what is free to those whose turn it is.
func (t *Turns) pass() {
	for t.free > 0 && len(t.waiting) > 0 {
		next := t.next()

		w := t.waiting[next]
		if w.weight > t.left {
			return
		}

		t.remove(next)
		t.free--
		t.left -= w.weight
		t.give(w)
	}
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
