package iso20022

import (
	"bytes"
	"encoding/binary"
	"math/bits"
)

// nameByte marks the bytes that a name may contain, except the colon after a prefix. Names beyond ASCII occur in
// envelopes.
var nameByte = func() (t [256]bool) {
	for c := range t {
		letter := c|0x20 >= 'a' && c|0x20 <= 'z'
		t[c] = letter || c >= '0' && c <= '9' || c == '_' || c == '-' || c == '.' || c >= 0x80
	}

	return t
}()

// startTag reads the tag at pos and opens its element.
func (s *Scanner) startTag() bool {
	if s.depth >= s.lim.Depth {
		return s.fail(CodeTooDeep, "elements are nested deeper than allowed")
	}

	f := &s.open[s.depth]
	f.declares = false
	f.kept = false
	f.met = 0
	f.seen = int32(len(s.seen))

	f.ns = s.defaultNS
	if len(s.attrs) > 0 {
		s.attrs = s.attrs[:0]
	}

	if n := s.knownTag(f); n > 0 {
		f.name = int32(s.pos + 1)
		f.local = f.name
		f.end = f.name + int32(n)
		s.pos += n + len("<>")
	} else if !s.otherTag(f) {
		return false
	}

	s.name = s.buf[f.local:f.end]

	s.depth++
	if s.strict && f.ns != s.docNS && !s.within("Envlp") {
		return s.fail(CodeNamespace, "an element of another namespace")
	}

	return true
}

// knownTag returns the length of the name of the tag at pos, if it is a known name and nothing follows it. Nearly all
// tags of a statement are such: it compares eight bytes at once.
func (s *Scanner) knownTag(f *frame) int {
	if s.pos+17 > len(s.buf) {
		return 0
	}

	tag := s.buf[s.pos+1 : s.pos+17]
	key := binary.LittleEndian.Uint64(tag)

	n := beforeEnd(key)
	if n < 8 {
		key &= 1<<(8*n&63) - 1
	} else if n += beforeEnd(binary.LittleEndian.Uint64(tag[8:])); n > 8 {
		key = longKey(key, binary.LittleEndian.Uint64(tag[n-8:]), n)
	}

	if n == len(tag) || s.names[key*spread>>namesShift] != key {
		return 0
	}

	f.key = key

	return n
}

// beforeEnd returns the number of bytes of a word before the first >; 8 if there is none.
func beforeEnd(word uint64) int {
	const ends, ones, highs = 0x3E3E3E3E3E3E3E3E, 0x0101010101010101, 0x8080808080808080
	x := word ^ ends
	return bits.TrailingZeros64((x-ones)&^x&highs) >> 3
}

// spread makes the upper bits of a key depend on all of it.
const spread = 0x9E3779B97F4A7C15

// otherTag handles tags that are long or new, or have a prefix or attributes.
func (s *Scanner) otherTag(f *frame) bool {
	n := s.tagName()
	if n < 0 {
		return false
	}

	end := n
	if s.buf[s.pos+n] != '>' {
		if end = s.attributes(n, f); end < 0 {
			return false
		}
	}

	f.name = int32(s.pos + 1)
	f.local = f.name
	f.end = int32(s.pos + n)
	f.ns = s.defaultNS
	s.pos += end + 1

	if s.prefixed {
		colon := bytes.IndexByte(s.buf[f.name:f.end], ':')

		ns, ok := s.bound(s.buf[f.name : int(f.name)+colon])
		if !ok || colon == 0 {
			return s.fail(CodeSyntax, "a prefix without a namespace")
		}

		f.ns = ns
		f.local = f.name + int32(colon) + 1
	}

	f.key = nameKey(s.buf[f.local:f.end])
	if !s.prefixed {
		s.names[f.key*spread>>namesShift] = f.key
	}

	return true
}

// tagName returns the distance of the first byte after the name of the tag at pos.
func (s *Scanner) tagName() int {
	n := 1
	s.prefixed = false

	for {
		rest := s.buf[s.pos:]
		for n < len(rest) && nameByte[rest[n]] {
			n++
		}

		if n < len(rest) && rest[n] == ':' {
			s.prefixed = true
			n++
			continue
		}

		if n < len(rest) {
			break
		}

		if n > s.lim.Token {
			s.fail(CodeTooLong, "a tag is longer than allowed")
			return -1
		}

		if !s.have(n + 1) {
			return -1
		}
	}

	if n == 1 || !nameStart(s.buf[s.pos+1]) {
		s.fail(CodeSyntax, "a tag without a name")
		return -1
	}

	return n
}

// within reports whether an element with that name is open around the innermost one: SplmtryData/Envlp may contain
// anything.
func (s *Scanner) within(name string) bool {
	for i := range s.open[:s.depth-1] {
		if f := &s.open[i]; string(s.named(f, f.local)) == name {
			return true
		}
	}

	return false
}

// attributes reads what follows the name at distance n, up to the tag's end, and returns the distance of that. It first
// loads the complete tag into the buffer.
func (s *Scanner) attributes(n int, f *frame) int {
	if u := &s.usual; len(u.text) > 0 && bytes.HasPrefix(s.buf[s.pos+n:], u.text) {
		s.attrs = append(s.attrs, u.attr)
		return n + len(u.text) - 1
	}

	end := s.tagEnd(n)
	if end < 0 {
		return -1
	}

	last := end
	if s.buf[s.pos+end-1] == '/' {
		s.closed = true
		last = end - 1
	}

	rest := s.buf[s.pos+n : s.pos+last]

	for {
		spaced := len(rest) > 0 && blank(rest[0])

		rest = skipBlanks(rest)
		if len(rest) == 0 {
			break
		}

		a, after, ok := cutAttribute(rest)
		if !ok || !spaced || s.Attr(string(a.name)) != nil || len(s.attrs) == maxAttributes {
			s.fail(CodeSyntax, "a tag whose attributes cannot be read")
			return -1
		}

		s.attrs = append(s.attrs, a)
		rest = after
	}

	if !s.declare(f) {
		return -1
	}

	if len(s.attrs) == 1 && !s.closed {
		s.usual.learn(s.buf[s.pos+n : s.pos+end+1])
	}

	return end
}

// usual is the text between the name and the end of a tag with one attribute that means the same everywhere. Nearly all
// of a statement are the same Ccy="EUR".
type usual struct {
	text []byte // including the end of the tag
	attr attribute
}

// learn stores the text of a tag with one attribute, unless that is a namespace or has a prefix or an entity.
func (u *usual) learn(text []byte) {
	u.text = u.text[:0]
	if len(text) > maxUsual || bytes.ContainsAny(text, ":&") || bytes.Contains(text, []byte("xmlns")) {
		return
	}

	u.text = append(u.text, text...)
	u.attr, _, _ = cutAttribute(skipBlanks(u.text))
}

// tagEnd returns the distance of the > that ends the tag, ignoring those inside quotes.
func (s *Scanner) tagEnd(n int) int {
	quote := byte(0)

	for {
		for ; s.pos+n < len(s.buf); n++ {
			switch c := s.buf[s.pos+n]; {
			case quote != 0:
				if c == quote {
					quote = 0
				}

			case c == '"' || c == '\'':
				quote = c
			case c == '>':
				return n
			case c == '<':
				s.fail(CodeSyntax, "a tag inside a tag")
				return -1
			}
		}

		if n > s.lim.Token {
			s.fail(CodeTooLong, "a tag is longer than allowed")
			return -1
		}

		if !s.have(n + 1) {
			return -1
		}
	}
}

// cutAttribute removes name="value" from the front.
func cutAttribute(b []byte) (a attribute, rest []byte, ok bool) {
	n := 0
	for n < len(b) && (nameByte[b[n]] || b[n] == ':') {
		n++
	}

	if n == 0 || !nameStart(b[0]) {
		return a, nil, false
	}

	a.name = b[:n]

	b = skipBlanks(b[n:])
	if len(b) == 0 || b[0] != '=' {
		return a, nil, false
	}

	b = skipBlanks(b[1:])
	if len(b) < 2 || b[0] != '"' && b[0] != '\'' {
		return a, nil, false
	}

	end := bytes.IndexByte(b[1:], b[0])
	if end < 0 {
		return a, nil, false
	}

	a.value = b[1 : 1+end]

	return a, b[end+2:], bytes.IndexByte(a.value, '<') < 0
}

// declare binds the namespaces of the last tag and resolves the prefixes of its attributes.
func (s *Scanner) declare(f *frame) bool {
	for i, a := range s.attrs {
		if bytes.IndexByte(a.value, '&') >= 0 {
			s.scratch = s.scratch[:0]
			if !s.decode(a.value) {
				return false
			}

			s.attrs[i].value = bytes.Clone(s.scratch)
			a = s.attrs[i]
		}

		prefix, isPrefix := bytes.CutPrefix(a.name, []byte("xmlns:"))
		if !isPrefix && string(a.name) != "xmlns" {
			continue
		}

		if !f.declares {
			f.declares = true
			f.outerNS = s.defaultNS
			f.bindings = int32(len(s.bindings))
		}

		ns, ok := s.space(a.value)

		switch {
		case !ok:
			return s.fail(CodeSyntax, "too many namespaces")
		case !isPrefix:
			s.defaultNS = ns
		case ns == 0 || len(prefix) == 0 || bytes.IndexByte(prefix, ':') >= 0:
			return s.fail(CodeSyntax, "a prefix without a namespace")
		default:
			s.bindings = append(s.bindings, binding{string(prefix), ns})
		}
	}

	for _, a := range s.attrs {
		prefix, _, ok := bytes.Cut(a.name, []byte{':'})
		if ok && string(prefix) != "xmlns" {
			if _, known := s.bound(prefix); !known {
				return s.fail(CodeSyntax, "a prefix without a namespace")
			}
		}
	}

	return true
}

// space returns the number of a namespace.
func (s *Scanner) space(uri []byte) (int32, bool) {
	for i, u := range s.spaces {
		if u == string(uri) {
			return int32(i), true
		}
	}

	if len(s.spaces) == maxSpaces {
		return 0, false
	}

	s.spaces = append(s.spaces, string(uri))

	return int32(len(s.spaces) - 1), true
}

// bound returns the namespace of a prefix.
func (s *Scanner) bound(prefix []byte) (int32, bool) {
	for i := len(s.bindings) - 1; i >= 0; i-- {
		if s.bindings[i].prefix == string(prefix) {
			return s.bindings[i].ns, true
		}
	}

	if string(prefix) == "xml" {
		return 0, true
	}

	return 0, false
}

// endTag reads the end tag at pos and closes its element.
func (s *Scanner) endTag() bool {
	if s.depth == 0 {
		return s.fail(CodeSyntax, "an end tag without its start")
	}

	f := &s.open[s.depth-1]
	if size := int(f.end-f.name) + 3; len(s.buf)-s.pos < size && !s.have(size) {
		return false
	}

	tag := s.buf[s.pos:]
	if !s.closes(f, tag) {
		return s.fail(CodeSyntax, "an end tag of another element")
	}

	n := len("</") + int(f.end-f.name)

	for tag[n] != '>' {
		if !blank(tag[n]) {
			return s.fail(CodeSyntax, "an end tag that does not end")
		}

		n++
		if n > s.lim.Token {
			return s.fail(CodeTooLong, "a tag is longer than allowed")
		}

		if !s.have(n + 1) {
			return false
		}

		tag = s.buf[s.pos:]
	}

	s.pos += n + 1
	s.pop()

	return true
}

// closes reports whether an end tag, whose name is in the buffer, has the name of an element. A short name is compared
// in one step.
func (s *Scanner) closes(f *frame, tag []byte) bool {
	size := uint(f.end - f.name)
	if size <= 8 && f.local == f.name && len(tag) >= 10 {
		return (binary.LittleEndian.Uint64(tag[2:])^f.key)<<((64-8*size)&63) == 0
	}

	return string(tag[2:2+size]) == string(s.named(f, f.name))
}

// pop closes the innermost element.
func (s *Scanner) pop() {
	s.depth--
	f := &s.open[s.depth]

	s.seen = s.seen[:f.seen]
	if f.declares {
		s.defaultNS = f.outerNS
		s.bindings = s.bindings[:f.bindings]
	}
}
