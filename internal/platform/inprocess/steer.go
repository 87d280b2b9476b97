package inprocess

import "sync"

// Steered says how a simulator treats its next requests; a word of its own says in which way. The zero value is the
// zero word: as usual. Safe for concurrent use.
type Steered[B ~string] struct {
	mu    sync.Mutex
	how   B
	times int // requests for which how still holds; below zero: all
}

// Steer sets how the next requests are treated; after so many it is as usual again. times 0: until it is set anew.
func (s *Steered[B]) Steer(how B, times int) {
	s.mu.Lock()
	defer s.mu.Unlock()

	if times <= 0 {
		times = -1
	}

	s.how = how
	s.times = times
}

// Next returns the behaviour for one request.
func (s *Steered[B]) Next() B {
	s.mu.Lock()
	defer s.mu.Unlock()

	how := s.how
	if s.times > 0 {
		if s.times--; s.times == 0 {
			s.how = ""
		}
	}

	return how
}
