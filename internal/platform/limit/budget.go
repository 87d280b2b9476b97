package limit

import (
	"context"
	"sync"
)

// Budget limits the total weight of what is under way, and the weight of each key, so that no key blocks the others. It
// is safe for concurrent use.
type Budget struct {
	all, ofOne int64

	mu    sync.Mutex
	taken map[string]int64
	sum   int64
	freed chan struct{} // closed when something is given back; nil: nobody waits
}

// NewBudget returns a budget of all in total, and ofOne for each key.
func NewBudget(all, ofOne int64) *Budget {
	return &Budget{all: all, ofOne: ofOne, taken: map[string]int64{}}
}

// Take takes n, for each of the keys. It blocks until that much is free, or until the context ends; then it returns
// ErrShare or ErrFull for what was missing. If n is more than a key may ever have, it returns ErrShare at once. Call
// Give with the same keys for whatever was taken.
func (b *Budget) Take(ctx context.Context, n int64, keys ...string) error {
	keys = distinct(keys)

	for {
		freed, err := b.try(n, keys)
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

// try takes n if that much is free. If not, it returns what to wait for.
func (b *Budget) try(n int64, keys []string) (freed <-chan struct{}, err error) {
	b.mu.Lock()
	defer b.mu.Unlock()

	most := int64(0)
	for _, key := range keys {
		most = max(most, b.taken[key])
	}

	switch {
	case most+n > b.ofOne:
		err = ErrShare
	case b.sum+n > b.all:
		err = ErrFull

	default:
		for _, key := range keys {
			b.taken[key] += n
		}

		b.sum += n

		return nil, nil
	}

	if b.freed == nil {
		b.freed = make(chan struct{})
	}

	return b.freed, err
}

// Give returns n of what was taken for the keys.
func (b *Budget) Give(n int64, keys ...string) {
	b.mu.Lock()
	defer b.mu.Unlock()

	b.sum -= n

	for _, key := range distinct(keys) {
		if b.taken[key] -= n; b.taken[key] == 0 {
			delete(b.taken, key)
		}
	}

	if b.freed != nil {
		close(b.freed)
		b.freed = nil
	}
}
