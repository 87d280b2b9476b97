package web

import (
	"bytes"
	"cmp"
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"slices"
	"sync"
	"unicode/utf8"

	"github.com/go-json-experiment/json/jsontext"

	"slipway/internal/platform/jsonout"
)

// fingerprint returns SHA-256 over the canonical form (RFC 8785) of a body. It is equal for bodies that differ only in
// white space, in the order of members, or in how a text is escaped. Whole numbers stay as they are written: 2^53 and
// 2^53+1 differ.
func fingerprint(raw []byte) (string, error) {
	c := canonicals.Get().(*canonical)
	defer c.release()

	if c.write(raw) {
		return sum(c.out), nil
	}

	text := jsontext.Value(bytes.Clone(raw))
	if err := text.Canonicalize(jsontext.CanonicalizeRawInts(false)); err != nil {
		return "", err
	}

	return sum(text), nil
}

func sum(text []byte) string {
	s := sha256.Sum256(text)
	return hex.EncodeToString(s[:])
}

// canonical writes the canonical form in one pass over a body of the usual kind: plain member names, not too deep. It
// gives up on any other body, and on what is not JSON; the library handles those.
type canonical struct {
	raw     []byte
	at      int // the next byte to read
	out     []byte
	members []member // of the objects that are being written, outer ones first
	sorting []byte   // the members of one object while they change places
}

// member is one of an object in canonical.out, with its comma.
type member struct {
	start    uint64 // first bytes of the name, as a number that sorts alike: few names agree in them
	name     []byte
	from, to int
}

func newMember(name []byte, from, to int) member {
	var first [8]byte // no plain name has a zero byte, so a shorter name comes first
	copy(first[:], name)
	return member{binary.BigEndian.Uint64(first[:]), name, from, to}
}

func (m *member) compare(other *member) int {
	if m.start != other.start {
		return cmp.Compare(m.start, other.start)
	}

	return bytes.Compare(m.name, other.name)
}

const (
	maxCanonicalDepth = 32
	maxCanonicalKept  = 64 << 10 // memory that the next body reuses
)

var canonicals = sync.Pool{New: func() any { return new(canonical) }}

func (c *canonical) release() {
	if cap(c.out) <= maxCanonicalKept && cap(c.members) <= maxCanonicalKept/64 {
		c.raw = nil
		clear(c.members[:cap(c.members)]) // their names are parts of the body
		canonicals.Put(c)
	}
}

// write returns false if the library must handle the body. No body has an empty form.
func (c *canonical) write(raw []byte) bool {
	c.raw = raw
	c.at = 0
	c.out = c.out[:0]
	c.members = c.members[:0]

	return len(raw) == 0 || c.value(0) && c.next() == 0 && c.at == len(raw)
}

// next skips white space and returns the next byte, or 0 at the end.
func (c *canonical) next() byte {
	for ; c.at < len(c.raw); c.at++ {
		switch b := c.raw[c.at]; b {
		case ' ', '\t', '\n', '\r':
		default:
			return b
		}
	}

	return 0
}

// take skips a byte if it comes next.
func (c *canonical) take(b byte) bool {
	if c.next() != b {
		return false
	}

	c.at++

	return true
}

func (c *canonical) value(depth int) bool {
	switch b := c.next(); {
	case depth > maxCanonicalDepth:
		return false
	case b == '{':
		return c.object(depth)
	case b == '[':
		return c.array(depth)
	case b == '"':
		return c.text()
	case b == 't':
		return c.word("true")
	case b == 'f':
		return c.word("false")
	case b == 'n':
		return c.word("null")
	default:
		return c.number()
	}
}

func (c *canonical) word(w string) bool {
	if len(c.raw)-c.at < len(w) || string(c.raw[c.at:c.at+len(w)]) != w {
		return false
	}

	c.at += len(w)
	c.out = append(c.out, w...)

	return true
}

func (c *canonical) array(depth int) bool {
	c.at++

	c.out = append(c.out, '[')
	for first := true; !first || !c.take(']'); first = false {
		if !c.value(depth + 1) {
			return false
		}

		if c.take(']') {
			break
		}

		if !c.take(',') {
			return false
		}

		c.out = append(c.out, ',')
	}

	c.out = append(c.out, ']')

	return true
}

func (c *canonical) object(depth int) bool {
	c.at++
	outer := len(c.members)
	start := len(c.out) + 1
	sorted := true

	c.out = append(c.out, '{')
	for first := true; !first || !c.take('}'); first = false {
		from := len(c.out)

		name, ok := c.name()
		if !ok || !c.value(depth+1) {
			return false
		}

		c.out = append(c.out, ',')

		c.members = append(c.members, newMember(name, from, len(c.out)))
		if n := len(c.members); n > outer+1 {
			sorted = sorted && c.members[n-2].compare(&c.members[n-1]) < 0
		}

		if c.take('}') {
			break
		}

		if !c.take(',') {
			return false
		}
	}

	if !sorted && !c.sort(c.members[outer:], start) {
		return false
	}

	if len(c.members) > outer {
		c.out = c.out[:len(c.out)-1] // the last comma
	}

	c.members = c.members[:outer]
	c.out = append(c.out, '}')

	return true
}

// name writes a member's name and its colon. Names beyond plain ASCII are sorted by UTF-16, and two may be escaped in
// different ways; no member of ours is like that.
func (c *canonical) name() (name []byte, ok bool) {
	if !c.take('"') {
		return nil, false
	}

	rest := c.raw[c.at:]

	n := jsonout.PlainPrefix(rest)
	if n == len(rest) || rest[n] != '"' {
		return nil, false
	}

	c.at += n + 1
	c.out = append(append(c.out, c.raw[c.at-n-2:c.at]...), ':')

	return rest[:n], c.take(':')
}

// sort sorts the members of an object, which are the end of what is written, by name. It returns false if two have the
// same name.
func (c *canonical) sort(members []member, start int) bool {
	slices.SortFunc(members, func(a, b member) int { return a.compare(&b) })

	c.sorting = append(c.sorting[:0], c.out[start:]...)

	c.out = c.out[:start]
	for i, m := range members {
		if i > 0 && members[i-1].compare(&m) == 0 {
			return false
		}

		c.out = append(c.out, c.sorting[m.from-start:m.to-start]...)
	}

	return true
}

// text copies a string without escapes, and has the library write one with escapes.
func (c *canonical) text() bool {
	rest := c.raw[c.at+1:]
	n := 0
	escaped := false

	ascii := true
	for {
		n += jsonout.PlainPrefix(rest[n:])
		if n == len(rest) || rest[n] < ' ' {
			return false
		}

		if rest[n] == '"' {
			break
		}

		if rest[n] == '\\' {
			escaped = true

			if n++; n == len(rest) {
				return false
			}
		}

		ascii = ascii && rest[n] < utf8.RuneSelf
		n++
	}

	quoted := c.raw[c.at : c.at+n+2]

	c.at += len(quoted)
	if !escaped {
		c.out = append(c.out, quoted...)
		return ascii || utf8.Valid(quoted)
	}

	text, err := jsontext.AppendUnquote(nil, quoted)
	if err != nil {
		return false
	}

	c.out, err = jsontext.AppendQuote(c.out, text)

	return err == nil
}

// number copies integers. For others the library writes the shortest form, like JavaScript.
func (c *canonical) number() bool {
	start := c.at

	integer := true
	for ; c.at < len(c.raw); c.at++ {
		b := c.raw[c.at]
		if b == '.' || b == 'e' || b == 'E' || b == '+' {
			integer = false
		} else if b != '-' && (b < '0' || b > '9') {
			break
		}
	}

	text := c.raw[start:c.at]
	if integer && isInteger(text) {
		c.out = append(c.out, text...)
		return true
	}

	number := jsontext.Value(bytes.Clone(text))
	if number.Canonicalize(jsontext.CanonicalizeRawInts(false)) != nil {
		return false
	}

	c.out = append(c.out, number...)

	return true
}

// isInteger matches JSON's form, without -0, which is 0.
func isInteger(text []byte) bool {
	digits := bytes.TrimPrefix(text, []byte("-"))
	if len(digits) == 0 || digits[0] == '0' && len(text) > 1 {
		return false
	}

	return bytes.IndexByte(digits, '-') < 0
}
