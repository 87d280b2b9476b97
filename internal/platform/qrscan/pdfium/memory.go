package pdfium

import (
	"sync"

	"github.com/tetratelabs/wazero/experimental"
)

// memory is the linear memory of one instance. It lies outside of Go's heap, in a region of addresses that is reserved
// at once and becomes memory as the instance grows. So growing copies nothing, what an instance takes is its size and
// no more, and it goes back to the system when the instance ends, not with some later collection of garbage.
type memory struct {
	most int // bytes

	mu      sync.Mutex
	region  []byte // all addresses
	size    int    // bytes that can be used
	refused bool   // it wanted more than most
	users   int    // calls that work on it, and the instance itself
	ended   bool   // the instance has
}

var _ experimental.LinearMemory = (*memory)(nil)

// newMemory returns memory that may grow to so many bytes, a multiple of pageMemory. free it.
func newMemory(most int) (*memory, error) {
	region, err := reserve(most)
	if err != nil {
		return nil, err
	}

	return &memory{most: most, region: region, users: 1}, nil
}

// Reallocate makes the memory larger. It returns nil if that is more than it may have.
func (m *memory) Reallocate(size uint64) []byte {
	m.mu.Lock()
	defer m.mu.Unlock()

	if size > uint64(m.most) || m.region == nil {
		m.refused = true
		return nil
	}

	if n := int(size); n > m.size {
		if err := commit(m.region[m.size:n]); err != nil {
			m.refused = true
			return nil
		}

		m.size = n
	}

	return m.region[:m.size:m.size]
}

// Free ends the instance's use of the memory. A second call does nothing.
func (m *memory) Free() {
	m.mu.Lock()
	ended := m.ended
	m.ended = true
	m.mu.Unlock()

	if !ended {
		m.release()
	}
}

// hold keeps the memory from being given back while a call works on it, whoever closes the instance meanwhile. It
// returns false if that has happened already.
func (m *memory) hold() bool {
	m.mu.Lock()
	defer m.mu.Unlock()

	if m.region == nil {
		return false
	}

	m.users++

	return true
}

// release ends one use. The last one gives the memory back to the system.
func (m *memory) release() {
	m.mu.Lock()
	defer m.mu.Unlock()

	if m.users--; m.users == 0 {
		giveBack(m.region)
		m.region = nil
	}
}

// tooSmall reports whether the instance has wanted more than it may have since the last call.
func (m *memory) tooSmall() bool {
	m.mu.Lock()
	defer m.mu.Unlock()

	refused := m.refused
	m.refused = false

	return refused
}
