package db

import (
	"context"
	"errors"
	"fmt"
	"sync"
)

var errNotRead = errors.New("the caller that read for others did not finish")

// lookupLimit limits the keys of one statement.
const lookupLimit = 64

// Lookup reads values by key for many callers at once. Callers that come while others are being read share the next
// statement. A value is never older than the call that asks for it, since its statement begins after the call. It is
// safe for concurrent use.
type Lookup[V any] struct {
	read func(ctx context.Context, keys []string) (map[string]V, error)

	mu      sync.Mutex
	running int
	waiting []*lookup[V]
}

// lookupsAtOnce is how many statements of one Lookup run at the same time; more of them would only be smaller.
const lookupsAtOnce = 2

// lookup is one caller. turn receives the answer, or the batch that the caller must read for itself and others.
type lookup[V any] struct {
	key  string
	turn chan []*lookup[V] // closed: the answer is there
	out  V
	err  error
}

// NewLookup returns a Lookup of a function that reads the values of distinct keys, leaving out those that do not exist.
func NewLookup[V any](read func(ctx context.Context, keys []string) (map[string]V, error)) *Lookup[V] {
	return &Lookup[V]{read: read}
}

// Get returns the value of a key, or ErrNone. If the context ends, Get returns; the reading continues for other
// callers.
func (l *Lookup[V]) Get(ctx context.Context, key string) (V, error) {
	me := &lookup[V]{key: key, turn: make(chan []*lookup[V], 1)}
	if l.begin(me) {
		l.lead(ctx, []*lookup[V]{me})
		return me.out, me.err
	}

	select {
	case batch, lead := <-me.turn:
		if lead {
			l.lead(ctx, batch)
		}

	case <-ctx.Done():
		if !l.leave(me) { // taken into a batch already, perhaps as the one that reads it
			if batch, lead := <-me.turn; lead {
				l.lead(ctx, batch)
			}
		}

		me.err = ctx.Err()
	}

	return me.out, me.err
}

// Waiting returns how many callers wait for the next statement.
func (l *Lookup[V]) Waiting() int {
	l.mu.Lock()
	defer l.mu.Unlock()
	return len(l.waiting)
}

// begin reports whether the caller may read at once. If not, it must wait.
func (l *Lookup[V]) begin(me *lookup[V]) bool {
	l.mu.Lock()
	defer l.mu.Unlock()

	if l.running < lookupsAtOnce {
		l.running++
		return true
	}

	l.waiting = append(l.waiting, me)

	return false
}

// leave removes a caller from those that wait, and reports whether it was among them.
func (l *Lookup[V]) leave(me *lookup[V]) bool {
	l.mu.Lock()
	defer l.mu.Unlock()

	for i, w := range l.waiting {
		if w == me {
			l.waiting = append(l.waiting[:i], l.waiting[i+1:]...)
			return true
		}
	}

	return false
}

// lead reads a batch, lets the next one begin, and answers the callers.
func (l *Lookup[V]) lead(ctx context.Context, batch []*lookup[V]) {
	defer func() {
		l.next()

		for _, c := range batch {
			close(c.turn)
		}
	}()
	keys := make([]string, 0, len(batch))

	seen := make(map[string]struct{}, len(batch))
	for _, c := range batch {
		if _, twice := seen[c.key]; !twice {
			seen[c.key] = struct{}{}
			keys = append(keys, c.key)
		}

		c.err = errNotRead // unless the reading ends as it should
	}

	limited, cancel := context.WithTimeout(context.WithoutCancel(ctx), answerLimit)
	defer cancel()

	found, err := l.read(limited, keys)
	if limited.Err() != nil && err != nil {
		err = fmt.Errorf("%w: %w", ErrUnavailable, err) // no caller's own time was over
	}

	for _, c := range batch {
		v, ok := found[c.key]
		c.out = v

		c.err = err
		if err == nil && !ok {
			c.err = ErrNone
		}
	}
}

// next hands the turn to the first caller that waits, with those behind it.
func (l *Lookup[V]) next() {
	l.mu.Lock()
	defer l.mu.Unlock()

	if len(l.waiting) == 0 {
		l.running--
		return
	}

	n := min(lookupLimit, len(l.waiting))
	batch := append([]*lookup[V](nil), l.waiting[:n]...)
	l.waiting = append(l.waiting[:0], l.waiting[n:]...)

	batch[0].turn <- batch
}
