package iso20022

import (
	"bytes"
	"encoding/binary"
	"errors"
	"io"
)

// Scanner is a pull parser of XML for bank files: it returns elements in order and values as bytes, and stores nothing.
// It reads the declared encodings of charsets, and UTF-16; it knows no DTD. The first error ends it: from then on Child
// returns false, Text returns nothing, and Err returns the error.
//
//	for s.Child() {
//		switch string(s.Name()) {
//		case "MsgId":
//			id = string(s.Text())
//		default:
//			s.Skip()
//		}
//	}
//
// Each child must be consumed before the next one is requested: by Text, by Skip, or by its own Child loop that ran to
// its end.
//
// An element that is read may occur once in its parent, unless Open listed it: the last one never silently wins.
// Skipped elements may be repeated.
type Scanner struct {
	r   io.Reader
	lim Limits

	buf   []byte // what is read and decoded
	pos   int    // next byte to process; everything before it may be dropped
	tail  int    // bytes at the end of buf that begin an incomplete character
	eof   bool
	err   error
	read  int64 // bytes taken from r
	empty int   // consecutive empty reads

	base   int64 // file offset of buf[0]
	line   int   // line of buf[0]
	record int64 // offset after the last record

	high *[128]rune       // of an encoding with one byte for each character: what those from 0x80 on stand for
	wide binary.ByteOrder // of UTF-16
	raw  []byte           // the file's bytes before decoding, with high or wide
	held int              // bytes in raw that begin an incomplete character

	proven  bool // a character of UTF-8 beyond ASCII was read, or the mark of that encoding
	guessed bool // high is what the file is, not what it declares

	names [1 << (64 - namesShift)]uint64 // keys of names that were met, by their upper bits when spread
	// names of open elements whose tags are no longer in buf, one behind the other
	kept      []byte
	open      []frame // the open elements; depth of them count
	depth     int
	closed    bool     // the innermost one was written <x/>
	again     bool     // the innermost one, not yet consumed, is a repetition and no list
	seen      []uint64 // keys of the children that were given, of all open elements, one behind the other
	lists     Lists
	listed    [2]uint64 // parent and child that were found in lists last
	prefixed  bool      // the last name has a prefix
	name      []byte    // of the element that Child gave last, without prefix
	attrs     []attribute
	usual     usual
	bindings  []binding
	spaces    []string // namespaces met; the first is none
	defaultNS int32
	strict    bool  // every element must be in docNS
	docNS     int32 // of the message
	scratch   []byte
}

// frame is an open element.
type frame struct {
	name, local, end int32 // where its names begin and end, in Scanner.buf or, when that has moved on, in Scanner.kept
	ns               int32
	kept             bool
	declares         bool // namespaces: those below are to be put back
	key              uint64
	met              uint64 // a bit for each key of a child: most names are found new by it
	seen             int32  // where its children's keys begin in Scanner.seen
	outerNS          int32  // default namespace around it
	bindings         int32  // prefixes bound around it
}

// attribute of the tag that was read last. Both slices point into the buffer.
type attribute struct{ name, value []byte }

// binding of a prefix to a namespace.
type binding struct {
	prefix string
	ns     int32
}

const (
	bufferSize    = 256 << 10
	maxSpaces     = 64
	maxAttributes = 32
	maxUsual      = 32
	maxEmptyReads = 100
	namesShift    = 54
	maxKinds      = 200 // of children that are given of one element; the largest type of the standard has some 40
)

// NewScanner returns a scanner for r. It reads nothing before the first call.
func NewScanner(r io.Reader, l Limits) *Scanner {
	l = l.WithDefaults()

	return &Scanner{
		r:      r,
		lim:    l,
		buf:    make([]byte, 0, max(bufferSize, 2*l.Token)),
		line:   1,
		spaces: []string{""},
		kept:   make([]byte, 0, 1024),
		open:   make([]frame, l.Depth+1),
	}
}

// Err returns the error that ended the scanner, or nil. It is an *Error.
func (s *Scanner) Err() error { return s.err }

// Limits returns the limits in force.
func (s *Scanner) Limits() Limits { return s.lim }

// Name returns the name of the element that Child returned last, without prefix. It is valid until the next call.
func (s *Scanner) Name() []byte { return s.name }

// named returns an open element's name from its prefix (f.name) or behind it (f.local).
func (s *Scanner) named(f *frame, from int32) []byte {
	if f.kept {
		return s.kept[from:f.end]
	}

	return s.buf[from:f.end]
}

// Record marks a record: the count against Limits.Gap starts again.
func (s *Scanner) Record() { s.record = s.base + int64(s.pos) }

// Fail ends the scanner with an error of the content, found by a reader above.
func (s *Scanner) Fail(code Code, detail string) { s.fail(code, detail) }

func (s *Scanner) fail(code Code, detail string) bool { return s.failAt(code, s.pos, detail) }

func (s *Scanner) failAt(code Code, at int, detail string) bool {
	if s.err != nil {
		return false
	}

	before := s.buf[:min(at, len(s.buf))]

	s.err = &Error{
		Code:   code,
		Offset: s.base + s.fileBytes(before),
		Line:   s.line + bytes.Count(before, []byte{'\n'}),
		Path:   s.path(),
		Detail: detail,
	}

	return false
}

// unreadable ends the scanner with the error of the file's reader.
func (s *Scanner) unreadable(cause error) bool {
	s.fail(CodeRead, "the file could not be read")

	var e *Error
	if errors.As(s.err, &e) && e.Code == CodeRead {
		e.Cause = cause
	}

	return false
}

// path names the open elements, outermost first.
func (s *Scanner) path() string {
	var b []byte

	for i := range s.open[:s.depth] {
		if i > 0 {
			b = append(b, '/')
		}

		f := &s.open[i]

		b = append(b, s.named(f, f.local)...)
		if len(b) > 400 {
			return string(b[:400]) + "..."
		}
	}

	return string(b)
}

// fill reads more and drops everything before pos, so that pos becomes 0. It returns false at the end of the file and
// after an error.
func (s *Scanner) fill() bool {
	if s.err != nil || s.eof {
		return false
	}

	s.drop()

	if len(s.buf) >= cap(s.buf)-4 {
		return s.fail(CodeTooLong, "a tag or value is longer than allowed")
	}

	for {
		n, err := s.readSome()
		if n == 0 && err == nil {
			if s.empty++; s.empty > maxEmptyReads {
				err = io.ErrNoProgress
			}
		}

		s.read += int64(n)

		switch {
		case err != nil && err != io.EOF: //nolint:errorlint // a wrapped one is an end in the middle
			return s.unreadable(err)
		case s.read > s.lim.Bytes:
			return s.fail(CodeTooLarge, "the file is larger than allowed")
		case s.read-s.record > s.lim.Gap+int64(cap(s.buf)):
			return s.fail(CodeNoRecord, "too many bytes without anything that can be handed on")
		}

		s.eof = err != nil
		if s.err != nil {
			return false
		}

		if n > 0 {
			s.empty = 0
			return true
		}

		if s.eof {
			if s.tail > 0 || s.held > 0 {
				return s.fail(CodeEncoding, "the file ends within a character")
			}

			return false
		}
	}
}

// drop moves the unprocessed bytes to the front.
func (s *Scanner) drop() {
	if s.pos == 0 {
		return
	}

	s.keepNames()
	gone := s.buf[:s.pos]
	s.base += s.fileBytes(gone)
	s.line += bytes.Count(gone, []byte{'\n'})
	s.buf = s.buf[:copy(s.buf, s.buf[s.pos:len(s.buf)+s.tail])-s.tail]
	s.pos = 0
}

// keepNames copies the names of the open elements from the buffer, which is about to move. Those copied before are the
// outer ones.
func (s *Scanner) keepNames() {
	s.kept = s.kept[:0]

	for i := range s.open[:s.depth] {
		f := &s.open[i]
		if f.kept {
			s.kept = s.kept[:f.end]
			continue
		}

		begin := int32(len(s.kept))
		s.kept = append(s.kept, s.buf[f.name:f.end]...)
		f.local += begin - f.name
		f.name = begin
		f.end = int32(len(s.kept))
		f.kept = true
	}

	if s.depth > 0 {
		f := &s.open[s.depth-1]
		s.name = s.named(f, f.local)
	}
}

// have ensures that n bytes from pos are in the buffer.
func (s *Scanner) have(n int) bool {
	for len(s.buf)-s.pos < n {
		if !s.fill() {
			if s.err == nil {
				s.truncated()
			}

			return false
		}
	}

	return true
}

func (s *Scanner) truncated() bool {
	return s.failAt(CodeTruncated, len(s.buf), "the file ends before its last element does")
}

// find returns the distance from pos to the next c, starting at the distance from.
func (s *Scanner) find(c byte, from int) int {
	for {
		if i := bytes.IndexByte(s.buf[min(s.pos+from, len(s.buf)):], c); i >= 0 {
			if from+i > s.lim.Token {
				s.fail(CodeTooLong, "a tag or value is longer than allowed")
				return -1
			}

			return from + i
		}

		from = max(from, len(s.buf)-s.pos)
		if from > s.lim.Token {
			s.fail(CodeTooLong, "a tag or value is longer than allowed")
			return -1
		}

		if !s.fill() {
			if s.err == nil {
				s.truncated()
			}

			return -1
		}
	}
}

// Child moves to the next child of the current element. It returns false after moving past the element's end, and after
// an error.
func (s *Scanner) Child() bool {
	if s.err != nil || s.again && s.failAgain() {
		return false
	}

	if s.closed {
		s.closed = false
		s.pop()
		return false
	}

	for {
		if s.pos+1 >= len(s.buf) || s.buf[s.pos] != '<' {
			if !s.blanks() {
				return false
			}
		}

		switch s.buf[s.pos+1] {
		case '/':
			s.endTag()
			return false

		case '!', '?':
			if !s.asideInElement() {
				return false
			}

		default:
			return s.startTag() && s.meet()
		}
	}
}

// Text returns the value of the current element without surrounding blanks, and moves past its end. It is valid until
// the next call.
func (s *Scanner) Text() []byte {
	if s.err != nil || s.again && s.failAgain() {
		return nil
	}

	if s.closed {
		s.closed = false
		s.pop()
		return nil
	}

	// Nearly every value ends in this buffer, followed by its end tag.
	f := &s.open[s.depth-1]
	rest := s.buf[s.pos:]

	n := 0
	for n < len(rest) && !stops[rest[n]] {
		n++
	}

	after := n + int(f.end-f.name) + len("</>")
	if after > len(rest) || n > s.lim.Token || rest[n] != '<' || rest[n+1] != '/' || rest[after-1] != '>' ||
		!s.closes(f, rest[n:]) {
		return s.textSlowly()
	}

	s.pos += after
	s.pop()

	return trim(rest[:n])
}

// stops are the bytes at which a value ends, or needs decoding.
var stops = [256]bool{'<': true, '&': true, '\r': true}

// textSlowly is Text for values with entities, CDATA, comments or CR LF, and at the end of the buffer.
func (s *Scanner) textSlowly() []byte {
	s.scratch = s.scratch[:0]

	for {
		n := s.find('<', 0)
		if n < 0 || !s.decode(s.buf[s.pos:s.pos+n]) {
			return nil
		}

		s.pos += n
		if !s.have(2) {
			return nil
		}

		switch s.buf[s.pos+1] {
		case '/':
			if !s.endTag() {
				return nil
			}

			return trim(s.scratch)

		case '!', '?':
			if !s.asideOrCDATA() {
				return nil
			}

		default:
			s.fail(CodeStructure, "an element where a value belongs")
			return nil
		}

		if len(s.scratch) > s.lim.Token {
			s.fail(CodeTooLong, "a value is longer than allowed")
			return nil
		}
	}
}

// Skip moves past the end of the current element.
func (s *Scanner) Skip() {
	if s.err != nil {
		return
	}

	depth := s.depth

	s.again = false
	if s.closed {
		s.closed = false
		s.pop()
		return
	}

	for s.depth >= depth {
		if !s.skipText() {
			return
		}

		var ok bool

		switch s.buf[s.pos+1] {
		case '/':
			ok = s.endTag()
		case '!', '?':
			ok = s.asideOrCDATA()
			s.scratch = s.scratch[:0]

		default:
			ok = s.startTag()
			if ok && s.closed {
				s.closed = false
				s.pop()
			}
		}

		if !ok {
			return
		}
	}
}

// skipText moves to the next tag.
func (s *Scanner) skipText() bool {
	n := s.find('<', 0)
	if n < 0 {
		return false
	}

	if n > 0 && bytes.IndexByte(s.buf[s.pos:s.pos+n], '&') >= 0 {
		s.scratch = s.scratch[:0]
		if !s.decode(s.buf[s.pos : s.pos+n]) {
			return false
		}
	}

	s.pos += n

	return s.have(2)
}

// blanks skips white space to the next tag, of which two bytes are then in the buffer. Anything else is refused: the
// messages have no element with both text and children.
func (s *Scanner) blanks() bool {
	s.blanksAhead()

	if s.err != nil {
		return false
	}

	if s.pos == len(s.buf) {
		return s.truncated()
	}

	if s.buf[s.pos] != '<' {
		return s.fail(CodeStructure, "text between elements")
	}

	return s.have(2)
}

// Value is Text as a string.
func (s *Scanner) Value() string { return string(s.Text()) }

// Attr gives an attribute of the element that Child gave last. Valid until the next call.
func (s *Scanner) Attr(name string) []byte {
	for _, a := range s.attrs {
		if string(a.name) == name {
			return a.value
		}
	}

	return nil
}

// IsRefusal reports whether an error is one of a file's content (and not of its reading, or of a handler).
func IsRefusal(err error) bool {
	var e *Error
	return errors.As(err, &e) && e.Code != CodeRead
}
