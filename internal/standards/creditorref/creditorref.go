// Package creditorref generates and finds the references that identify an incoming payment: our own of eight
// characters, the creditor reference of ISO 11649 (RF) and the Swiss QR reference. Each has a checksum, so that a
// mistyped one is not someone else's.
//
// Deposit references are searched in texts that people and banks have changed: other case, blanks and hyphens anywhere,
// O for 0, I or L for 1, words before and after without a gap. If a text contains two, both are found; the caller
// decides which one is meant.
//
// Read creditorref.go (our own references, and how they are found), then structured.go (RF and QR references).
package creditorref

import (
	"encoding/binary"
	"slices"
	"strings"
	"unicode"
)

// alphabet of Crockford's base 32, without I, L, O and U.
const alphabet = "0123456789ABCDEFGHJKMNPQRSTVWXYZ"

const (
	length   = 8        // characters of a deposit reference
	data     = 7        // random characters; the eighth is the checksum
	fieldBy  = 0x25     // x^5 + x^2 + 1, which makes the field of 32 elements
	maxText  = 64 << 10 // bytes of a text that are searched
	maxFound = 256      // references of one text
	maxGap   = 3        // blanks and punctuation between two characters of a reference
)

// Deposit returns a reference of eight characters (seven of Crockford's base 32 and one check character) from 35 random
// bits, the low ones of the five bytes. The same bytes give the same reference.
func Deposit(random [5]byte) string {
	return encode(binary.BigEndian.Uint64(append([]byte{0, 0, 0}, random[:]...)) & (1<<35 - 1))
}

func encode(bits uint64) string {
	var b [length]byte
	for i := range data {
		b[i] = byte(bits >> (5 * (data - 1 - i)) & 31)
	}

	b[data] = check(b[:data])
	for i, v := range b {
		b[i] = alphabet[v]
	}

	return string(b[:])
}

// check returns the sum of the characters' values, each multiplied by a different power of x in the field of 32
// elements. So the checksum detects one wrong character and two swapped ones, neighbours or not.
func check(values []byte) byte {
	var sum byte
	for i, v := range values {
		sum ^= products[i][v]
	}

	return sum
}

// products holds each value multiplied for each position: a statement's texts have about fifty positions per entry
// where a reference could begin.
var products = multiplied()

func multiplied() (out [data][32]byte) {
	weight := byte(1)
	for i := range out {
		weight = times(weight, 2)
		for v := range out[i] {
			out[i][v] = times(byte(v), weight)
		}
	}

	return out
}

// times multiplies in the field of 32 elements.
func times(a, b byte) (product byte) {
	for ; b > 0; b >>= 1 {
		if b&1 == 1 {
			product ^= a
		}

		if a <<= 1; a&32 != 0 {
			a ^= fieldBy
		}
	}

	return product
}

// Show groups a deposit reference for people: PX4K-7Q2M. Any other text is returned unchanged.
func Show(ref string) string {
	if len(ref) != length {
		return ref
	}

	return ref[:4] + "-" + ref[4:]
}

// ParseDeposit parses what a person typed: any case, O for 0, I and L for 1, blanks and hyphens. It returns the
// reference without hyphen.
func ParseDeposit(text string) (string, bool) {
	if len(text) > 4*length {
		return "", false
	}

	var b []byte
	for _, c := range text {
		v := value(c)
		if v < 0 {
			if unicode.IsSpace(c) || unicode.Is(unicode.Dash, c) {
				continue
			}

			return "", false
		}

		b = append(b, byte(v))
	}

	return checked(b)
}

// checked returns eight values as a reference if the checksum is right.
func checked(values []byte) (string, bool) {
	if len(values) != length || check(values[:data]) != values[data] {
		return "", false
	}

	var b [length]byte
	for i, v := range values {
		b[i] = alphabet[v]
	}

	return string(b[:]), true
}

// value returns the value of a character, or a negative number. Characters that are easily confused have the same
// value.
func value(c rune) int {
	switch {
	case c >= 'a' && c <= 'z':
		c -= 'a' - 'A'
	case c >= 'ａ' && c <= 'ｚ', c >= 'Ａ' && c <= 'Ｚ', c >= '０' && c <= '９': // full width
		if c -= 'ａ' - 'a'; c >= 'a' && c <= 'z' {
			c -= 'a' - 'A'
		}
	}

	switch c {
	case 'O':
		return 0
	case 'I', 'L':
		return 1
	}

	if c < '0' || c > 'Z' {
		return -1
	}

	return strings.IndexByte(alphabet, byte(c))
}

// The kinds of finding, most reliable first.
const (
	written  = iota // separate, in one piece or as 4-4
	spaced          // separate, with other gaps
	embedded        // inside other letters or digits
)

// Find returns every deposit reference in a bank's text, each once: separate ones first, then those inside other
// characters. A finding only means that the checksum is right (one in 32 is by chance): the caller knows which
// references are open. Find searches the first 64 KiB of a text and returns at most 256 references.
func Find(text string) []string {
	marks := classify(text[:min(len(text), maxText)])

	var by [embedded + 1][]string
	eachChecked(marks, func(from int) {
		ref, kind, ok := at(marks, from)
		if ok && len(by[kind]) < maxFound && !slices.Contains(by[kind], ref) {
			by[kind] = append(by[kind], ref)
		}
	})

	var out []string
	for _, list := range by {
		for _, ref := range list {
			if !slices.Contains(out, ref) && len(out) < maxFound {
				out = append(out, ref)
			}
		}
	}

	return out
}

// eachChecked reports every position where a reference may begin: the sum of seven characters, none too far from the
// next, is the eighth. It updates the sum from position to position, since nearly every position of a bank's text could
// begin a reference.
func eachChecked(marks []mark, found func(from int)) {
	var (
		values [data]byte // the last ones, in a ring
		places [data]int
		oldest int // in the ring
		n      int // in it
		gap    int // after them
		sum    byte
	)

	for i, m := range marks {
		if m == gapMark && gap < maxGap {
			gap++
			continue
		}

		if m >= gapMark {
			oldest = 0
			n = 0
			gap = 0
			sum = 0

			continue
		}

		gap = 0

		if n < data {
			values[n] = byte(m)
			places[n] = i
			sum ^= products[n][m]
			n++

			continue
		}

		if sum == byte(m) {
			found(places[oldest])
		}

		sum = divided[sum^products[0][values[oldest]]] ^ products[data-1][m]
		values[oldest] = byte(m)
		places[oldest] = i
		oldest = (oldest + 1) % data
	}
}

// divided holds each value divided by x: every character moves one position when the first one leaves.
var divided = func() (out [32]byte) {
	for v := range byte(len(out)) {
		out[times(v, 2)] = v
	}

	return out
}()

// mark is what a character can be: a value of the alphabet, a gap, another letter or digit, or none of these.
type mark int8

const (
	gapMark   mark = 32
	wordMark  mark = 33
	otherMark mark = 34
)

func classify(text string) []mark {
	marks := make([]mark, 0, len(text))
	for _, c := range text {
		if c < unicode.MaxASCII {
			marks = append(marks, ascii[c])
			continue
		}

		marks = append(marks, markOf(c))
	}

	return marks
}

// ascii holds the marks of the most frequent characters.
var ascii = func() (out [unicode.MaxASCII]mark) {
	for c := range out {
		out[c] = markOf(rune(c))
	}

	return out
}()

func markOf(c rune) mark {
	switch v := value(c); {
	case v >= 0:
		return mark(v)
	case between(c):
		return gapMark
	case unicode.IsLetter(c) || unicode.IsDigit(c):
		return wordMark
	}

	return otherMark
}

func (m mark) wordly() bool { return m < gapMark || m == wordMark }

// at reads a reference that begins at a position.
func at(text []mark, from int) (ref string, kind int, ok bool) {
	var values [length]byte
	i := from

	halves := true // halves: gaps only in the middle
	for n := range length {
		gap := 0
		for n > 0 && i < len(text) && text[i] == gapMark && gap <= maxGap {
			gap++
			i++
		}

		if i == len(text) || gap > maxGap || text[i] >= gapMark {
			return "", 0, false
		}

		halves = halves && (gap == 0 || gap == 1 && n == length/2)
		values[n] = byte(text[i])
		i++
	}

	if check(values[:data]) != values[data] {
		return "", 0, false
	}

	ref, ok = checked(values[:])
	switch {
	case from > 0 && text[from-1].wordly() || i < len(text) && text[i].wordly():
		return ref, embedded, ok
	case halves:
		return ref, written, ok
	}

	return ref, spaced, ok
}

// between reports what may be between the characters of a reference.
func between(c rune) bool {
	return unicode.IsSpace(c) || unicode.IsPunct(c) || unicode.Is(unicode.Dash, c) || c >= '\u200B' && c <= '\u200D' ||
		c == '\uFEFF'
}
