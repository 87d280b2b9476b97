package iso20022

import (
	"encoding/binary"
	"slices"
)

// meet registers a child in its parent. A second one with its name may be skipped, but read only if Lists contains it.
func (s *Scanner) meet() bool {
	child := &s.open[s.depth-1]
	parent := &s.open[s.depth-2]

	bit := uint64(1) << (child.key * spread >> 58)
	if parent.met&bit != 0 {
		return s.meetAgain(parent, child)
	}

	parent.met |= bit

	s.seen = append(s.seen, child.key)
	child.seen++

	return true
}

// meetAgain is meet for a child whose name may have been registered before.
func (s *Scanner) meetAgain(parent, child *frame) bool {
	before := s.seen[parent.seen:]
	if slices.Contains(before, child.key) {
		s.again = !s.isList(parent, child)
		return true
	}

	if len(before) >= maxKinds {
		return s.fail(CodeStructure, "more kinds of elements in one than any message has")
	}

	s.seen = append(s.seen, child.key)
	child.seen++

	return true
}

// failAgain fails if a repeated element is about to be read.
func (s *Scanner) failAgain() bool {
	s.fail(CodeStructure, "an element is repeated that may occur once")
	return true
}

// isList reports whether a child may be repeated in its parent.
func (s *Scanner) isList(parent, child *frame) bool {
	pair := [2]uint64{parent.key, child.key}
	if pair == s.listed {
		return true
	}

	name := append(s.scratch[:0], s.named(parent, parent.local)...)
	name = append(name, '/')
	name = append(name, s.named(child, child.local)...)

	s.scratch = name[:0]
	if !s.lists[string(name)] {
		return false
	}

	s.listed = pair

	return true
}

// nameKey returns a key for a name; a short name is its own key. Two names of more than eight bytes have the same key
// once in 2^64 cases; they would then be refused in one parent, but never confused.
func nameKey(name []byte) uint64 {
	if len(name) < 8 {
		var key [8]byte
		copy(key[:], name)
		return binary.LittleEndian.Uint64(key[:])
	}

	key := binary.LittleEndian.Uint64(name)
	if len(name) > 8 {
		key = longKey(key, binary.LittleEndian.Uint64(name[len(name)-8:]), len(name))
	}

	return key
}

func longKey(first, last uint64, length int) uint64 {
	return first*0xD6E8FEB86659FD93 ^ last ^ uint64(length)<<56
}

// blanksAhead skips white space.
func (s *Scanner) blanksAhead() {
	for {
		for s.pos < len(s.buf) && blank(s.buf[s.pos]) {
			s.pos++
		}

		if s.pos < len(s.buf) || !s.fill() {
			return
		}
	}
}
