package id

import (
	"cmp"
	"strings"
	"time"
)

// Raw is an identifier without its prefix, as a number of 128 bits. It takes a quarter of the memory of the text.
type Raw struct{ hi, lo uint64 }

// Parse returns the number of an identifier with the prefix. ok is false for any other text.
func Parse(prefix, s string) (r Raw, ok bool) {
	if !Valid(prefix, s) {
		return Raw{}, false
	}

	return number(s[len(prefix)+1:]), true
}

// First returns the smallest identifier of records that were made at a time or later. Identifiers count in
// milliseconds, so a fraction of one is rounded up.
func First(at time.Time) Raw {
	ms := at.UnixMilli()
	if at.After(time.UnixMilli(ms)) {
		ms++
	}

	return Raw{hi: uint64(max(ms, 0)) << 16}
}

// Beginning returns the smallest and the largest identifier that begin with some characters, which stand behind the
// prefix. ok is false if none does.
func Beginning(characters string) (first, last Raw, ok bool) {
	if len(characters) > Length || (characters != "" && characters[0] > '7') {
		return first, last, false
	}

	for i := range len(characters) {
		if strings.IndexByte(alphabet, characters[i]) < 0 {
			return first, last, false
		}
	}

	rest := Length - len(characters)

	first = number(characters + strings.Repeat("0", rest))
	if characters == "" {
		characters, rest = "7", rest-1
	}

	return first, number(characters + strings.Repeat("z", rest)), true
}

// number returns the 128 bits of 26 characters.
func number(characters string) (r Raw) {
	for i := range len(characters) {
		r.hi = r.hi<<5 | r.lo>>59
		r.lo = r.lo<<5 | uint64(strings.IndexByte(alphabet, characters[i]))
	}

	return r
}

// String returns the identifier with a prefix.
func (r Raw) String(prefix string) string {
	var b strings.Builder
	b.Grow(len(prefix) + 1 + Length)
	b.WriteString(prefix)
	b.WriteByte('_')
	encode(&b, r)

	return b.String()
}

// Compare orders identifiers as their texts are ordered.
func (r Raw) Compare(other Raw) int {
	return cmp.Or(cmp.Compare(r.hi, other.hi), cmp.Compare(r.lo, other.lo))
}

// Millis returns the Unix milliseconds of the identifier.
func (r Raw) Millis() int64 { return int64(r.hi >> 16) }
