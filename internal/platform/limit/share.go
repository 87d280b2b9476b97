package limit

import (
	"sync"
	"sync/atomic"
)

// Share is what one key has under way. A holder may count in it without looking the key up again.
type Share struct {
	Under atomic.Int64

	key  string
	held int // guarded by Shares.mu
}

// Shares finds the share of a key for as long as somebody holds it. It is safe for concurrent use. The zero value is
// ready.
type Shares struct {
	mu sync.Mutex
	of map[string]*Share
}

// Hold returns the share of a key, and how many hold it now. Each Hold needs one Release.
func (s *Shares) Hold(key string) (share *Share, holders int) {
	s.mu.Lock()
	defer s.mu.Unlock()

	if s.of == nil {
		s.of = map[string]*Share{}
	}

	share = s.of[key]
	if share == nil {
		share = &Share{key: key}
		s.of[key] = share
	}

	share.held++

	return share, share.held
}

// Release ends one Hold. The share is forgotten with its last holder.
func (s *Shares) Release(share *Share) {
	s.mu.Lock()
	defer s.mu.Unlock()

	if share.held--; share.held == 0 {
		delete(s.of, share.key)
	}
}

// Holders returns how many hold the share.
func (s *Shares) Holders(share *Share) int {
	s.mu.Lock()
	defer s.mu.Unlock()

	return share.held
}
