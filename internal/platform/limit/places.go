package limit

import (
	"errors"
	"sync"
)

// Why there is no place.
var (
	ErrFull  = errors.New("all places are taken")
	ErrShare = errors.New("the key has as many places as it may")
)

// Places bounds how many things are under way at once: of all together, and of one key, so that nobody keeps the others out. Safe for
// concurrent use; nil Places allow everything.
type Places struct {
	all, ofOne int

	mu    sync.Mutex
	taken map[string]int
	sum   int
}

// NewPlaces makes places for so many things, and so many of one key.
func NewPlaces(all, ofOne int) *Places {
	return &Places{all: all, ofOne: ofOne, taken: map[string]int{}}
}

// Take keeps a place of a key until leave is called, once. It does not wait: ErrShare or ErrFull says why there is none.
func (p *Places) Take(key string) (leave func(), err error) {
	if p == nil {
		return func() {}, nil
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	switch {
	case p.taken[key] >= p.ofOne:
		return nil, ErrShare
	case p.sum >= p.all:
		return nil, ErrFull
	}
	p.taken[key]++
	p.sum++
	return func() {
		p.mu.Lock()
		defer p.mu.Unlock()
		p.sum--
		if p.taken[key]--; p.taken[key] == 0 {
			delete(p.taken, key)
		}
	}, nil
}
