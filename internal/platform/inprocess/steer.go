package inprocess

import "sync"

// Steered is how a simulator treats its next requests, as a value of its own type. The zero value is the normal
// behaviour. It is safe for concurrent use.
type Steered[B ~string] struct {
	mu    sync.Mutex
	how   B
	times int // requests that still get how; below zero: all
}

// Steer sets the behaviour for the next requests; after times of them it is normal again. With times 0 it lasts until
// the next Steer.
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
