package limit

import (
	"errors"
	"slices"
	"sync"
)

// Why there is no place.
var (
	ErrFull  = errors.New("all places are taken")
	ErrShare = errors.New("the key has as many places as it may")
)

// Places limits how many things are under way at once, in total and for each key. A key never has more places than are
// free for the others: one key alone may have half of them, two a third each. So a few keys that hold theirs for as
// long as they can still leave as many free as each of them has, and whoever comes then gets one without waiting. It is
// safe for concurrent use; nil Places allow everything.
type Places struct {
	all, ofOne int

	mu    sync.Mutex
	taken map[string]int
	sum   int
}

// NewPlaces returns all places, of which one key may have at most ofOne, however many are free.
func NewPlaces(all, ofOne int) *Places {
	return &Places{all: all, ofOne: ofOne, taken: map[string]int{}}
}

// Take takes a place until leave is called, once. It counts for each of the keys, such as a person and an organisation,
// and each must have one. It does not wait: it returns ErrShare or ErrFull if there is none.
func (p *Places) Take(keys ...string) (leave func(), err error) {
	if p == nil {
		return func() {}, nil
	}

	p.mu.Lock()
	defer p.mu.Unlock()

	keys = distinct(keys)
	most := 0

	for _, key := range keys {
		most = max(most, p.taken[key])
	}

	free := p.all - p.sum
	switch {
	case most >= p.ofOne:
		return nil, ErrShare
	case free <= 0:
		return nil, ErrFull
	case most >= free:
		return nil, ErrShare
	}

	for _, key := range keys {
		p.taken[key]++
	}

	p.sum++

	return func() {
		p.mu.Lock()
		defer p.mu.Unlock()

		p.sum--

		for _, key := range keys {
			if p.taken[key]--; p.taken[key] == 0 {
				delete(p.taken, key)
			}
		}
	}, nil
}

// distinct returns the keys that are not empty, each once, in a slice of their own.
func distinct(keys []string) (out []string) {
	for _, key := range keys {
		if key != "" && !slices.Contains(out, key) {
			out = append(out, key)
		}
	}

	return out
}
