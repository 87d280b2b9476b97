package listindex

import mathbits "math/bits"

// bits is a set of positions: bit p%64 of word p/64 is position p. Words that are missing at the end are empty.
type bits []uint64

const wordBits = 64

func (b bits) has(at int) bool {
	return at/wordBits < len(b) && b[at/wordBits]>>(at%wordBits)&1 == 1
}

// with returns the set with a position; it may share the memory of b.
func (b bits) with(at int) bits {
	for len(b) <= at/wordBits {
		b = append(b, 0)
	}

	b[at/wordBits] |= 1 << (at % wordBits)

	return b
}

func (b bits) clear(at int) {
	if at/wordBits < len(b) {
		b[at/wordBits] &^= 1 << (at % wordBits)
	}
}

// word returns word i.
func (b bits) word(i int) uint64 {
	if i < len(b) {
		return b[i]
	}

	return 0
}

func (b bits) count() (n int) {
	for _, w := range b {
		n += mathbits.OnesCount64(w)
	}

	return n
}

// keep removes the positions that another set has not.
func (b bits) keep(other bits) {
	both := min(len(b), len(other))
	clear(b[both:])

	other = other[:both]
	for i := range other {
		b[i] &= other[i]
	}
}

// keepAnyOf removes the positions that none of the sets has.
func (b bits) keepAnyOf(sets []bits) {
	if len(sets) == 1 {
		b.keep(sets[0])
		return
	}

	for i, w := range b {
		if w == 0 {
			continue
		}

		any := uint64(0)
		for _, s := range sets {
			any |= s.word(i)
		}

		b[i] = w & any
	}
}

// keepBetween removes the positions below lo, and those from hi on.
func (b bits) keepBetween(lo, hi int) {
	for i := range b {
		if i*wordBits < lo || (i+1)*wordBits > hi {
			b[i] &= between(i, lo, hi)
		}
	}
}

// shifted returns the set of n positions in which those from at on stand one higher, and at itself is free. It costs
// what follows at.
func (b bits) shifted(at, n int) bits {
	for p := n; p > at; p-- {
		if b.has(p - 1) {
			b = b.with(p)
		} else {
			b.clear(p)
		}
	}

	b.clear(at)

	return b
}

// between returns word i of the set of positions from lo up to hi, without hi.
func between(i, lo, hi int) uint64 {
	w := ^uint64(0)
	if first := i * wordBits; first < lo {
		if lo-first >= wordBits {
			return 0
		}

		w <<= lo - first
	}

	if end := (i + 1) * wordBits; end > hi {
		if end-hi >= wordBits {
			return 0
		}

		w &= ^uint64(0) >> (end - hi)
	}

	return w
}

// up calls each with the positions of the set from lo up to hi, without hi, in rising order until it returns false. It
// leaves out the first skip of them without looking at each.
func (b bits) up(lo, hi, skip int, each func(at int) bool) (left int, more bool) {
	for i := lo / wordBits; i < len(b) && i*wordBits < hi; i++ {
		w := b[i] & between(i, lo, hi)

		if n := mathbits.OnesCount64(w); n <= skip {
			skip -= n
			continue
		}

		for ; w != 0; w &= w - 1 {
			if skip > 0 {
				skip--
				continue
			}

			if !each(i*wordBits + mathbits.TrailingZeros64(w)) {
				return 0, false
			}
		}
	}

	return skip, true
}

// down is up in falling order.
func (b bits) down(lo, hi, skip int, each func(at int) bool) (left int, more bool) {
	for i := min(len(b), (hi+wordBits-1)/wordBits) - 1; i >= 0 && (i+1)*wordBits > lo; i-- {
		w := b[i] & between(i, lo, hi)

		if n := mathbits.OnesCount64(w); n <= skip {
			skip -= n
			continue
		}

		for w != 0 {
			top := wordBits - 1 - mathbits.LeadingZeros64(w)
			w &^= 1 << top

			if skip > 0 {
				skip--
				continue
			}

			if !each(i*wordBits + top) {
				return 0, false
			}
		}
	}

	return skip, true
}
