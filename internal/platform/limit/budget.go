package limit

import (
	"context"
	"sync"
)

// Budget bounds what things under way weigh together, and what those of one key weigh, so that nobody keeps the others
// out. Safe for concurrent use.
type Budget struct {
	all, ofOne int64

	mu    sync.Mutex
	taken map[string]int64
	sum   int64
	freed chan struct{} // closed when something comes back; nil: nobody waits
}

// NewBudget returns a budget of so much in all, and so much for one key.
func NewBudget(all, ofOne int64) *Budget {
	return &Budget{all: all, ofOne: ofOne, taken: map[string]int64{}}
}

// Take takes n for a key. It blocks until there is as much or the context ends: then ErrShare or ErrFull says what was
// missing. More than a key may ever have is ErrShare at once. Whatever was taken comes back by Give.
func (b *Budget) Take(ctx context.Context, key string, n int64) error {
	for {
		freed, err := b.try(key, n)
		if err == nil || n > b.ofOne || n > b.all {
			return err
		}

		select {
		case <-freed:
		case <-ctx.Done():
			return err
		}
	}
}

// try takes n if it is there; else it returns what to wait for.
func (b *Budget) try(key string, n int64) (freed <-chan struct{}, err error) {
	b.mu.Lock()
	defer b.mu.Unlock()

	switch {
	case b.taken[key]+n > b.ofOne:
		err = ErrShare
	case b.sum+n > b.all:
		err = ErrFull

	default:
		b.taken[key] += n
		b.sum += n
		return nil, nil
	}

	if b.freed == nil {
		b.freed = make(chan struct{})
	}

	return b.freed, err
}

// Give gives back n of what a key has taken.
func (b *Budget) Give(key string, n int64) {
	b.mu.Lock()
	defer b.mu.Unlock()

	b.sum -= n
	if b.taken[key] -= n; b.taken[key] == 0 {
		delete(b.taken, key)
	}

	if b.freed != nil {
		close(b.freed)
		b.freed = nil
	}
}
