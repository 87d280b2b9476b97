package server

import (
	"bytes"
	"math"
	"strconv"
)

// framing follows the messages on a connection: where the header of each request ends, and how long its body is (RFC
// 9112, 6). The HTTP library parses the same bytes and decides what they mean. framing exists for what the library does
// not report: a header that states two contradicting lengths of the body. What it makes of bytes that are no message
// does not matter: the library refuses those and closes.
type framing struct {
	stage stage
	left  int64  // bytes of the body, or of its chunk, still to come
	line  []byte // beginning of an incomplete line; nil: none

	begun    bool // this header has had a line
	old      bool // the request is one of HTTP/1.0
	chunked  bool // Transfer-Encoding is there
	measured bool // Content-Length is there
	folded   bool // a field continues in a second line, which hides names from line-based parsers
}

// stage is what comes next on the connection.
type stage int

const (
	inHeader stage = iota
	inBody
	inChunkSize
	inChunk
	afterChunk
	inTrailer
	lost // nothing is known any more
)

// maxLine limits the buffered line: the HTTP library refuses a header long before.
const maxLine = 64 << 10

// advance follows the bytes up to where the next request begins, and returns their number. ended reports whether a
// header ended among them.
func (f *framing) advance(p []byte) (n int, ended bool) {
	for n < len(p) {
		switch f.stage {
		case lost:
			return len(p), ended
		case inBody, inChunk:
			n += f.skip(len(p) - n)

		default:
			size, header := f.readLine(p[n:])
			n += size
			ended = ended || header
		}

		if f.stage == inHeader && !f.begun && n > 0 {
			return n, ended
		}
	}

	return n, ended
}

// skip skips content.
func (f *framing) skip(n int) int {
	if int64(n) < f.left {
		f.left -= int64(n)
		return n
	}

	n = int(f.left)

	f.left = 0
	if f.stage == inChunk {
		f.stage = afterChunk
	} else {
		f.next()
	}

	return n
}

// next waits for the header of another request.
func (f *framing) next() {
	f.stage = inHeader
	f.begun = false
}

// readLine reads one line, or the beginning of one. header reports whether it was the last of a header.
func (f *framing) readLine(p []byte) (n int, header bool) {
	end := bytes.IndexByte(p, '\n')
	if end < 0 {
		if len(f.line)+len(p) > maxLine {
			f.stage = lost
		} else {
			f.line = append(f.line, p...)
		}

		return len(p), false
	}

	line := p[:end]
	if len(f.line) > 0 {
		line = append(f.line, line...)
		f.line = f.line[:0]
	}

	return end + 1, f.take(bytes.TrimSuffix(line, []byte("\r")))
}

// take interprets a complete line. header reports whether it was the last of a header.
func (f *framing) take(line []byte) (header bool) {
	switch {
	case f.stage == afterChunk:
		f.stage = inChunkSize
	case f.stage == inChunkSize:
		f.chunk(line)
	case f.stage == inTrailer:
		if len(line) == 0 {
			f.next()
		}

	case len(line) == 0 && !f.begun: // empty lines before a request are skipped
	case len(line) == 0:
		f.body()
		return true
	case !f.begun:
		*f = framing{begun: true, old: bytes.HasSuffix(line, []byte("HTTP/1.0")), line: f.line}
	default:
		f.field(line)
	}

	return false
}

// field interprets one field of a header.
func (f *framing) field(line []byte) {
	if line[0] == ' ' || line[0] == '\t' {
		f.folded = true
		return
	}

	if first := line[0] | 0x20; first != 'c' && first != 't' { // most fields
		return
	}

	name, value, _ := bytes.Cut(line, []byte(":"))
	switch {
	case len(name) == len("Content-Length") && bytes.EqualFold(name, []byte("Content-Length")):
		f.measured = true
		f.left = number(value, 10)
	case len(name) == len("Transfer-Encoding") && bytes.EqualFold(name, []byte("Transfer-Encoding")):
		f.chunked = true
	}
}

// body begins what follows a header.
func (f *framing) body() {
	switch {
	case f.ambiguous():
		f.stage = lost // the connection ends with this request
	case f.chunked:
		f.stage = inChunkSize
	case f.left > 0:
		f.stage = inBody
	default:
		f.next()
	}
}

// chunk begins the content whose size a line states.
func (f *framing) chunk(line []byte) {
	size, _, _ := bytes.Cut(line, []byte(";"))

	f.left = number(size, 16)
	if f.left > 0 {
		f.stage = inChunk
	} else {
		f.stage = inTrailer
	}
}

// ambiguous reports whether the header leaves open where its body ends, for this parser or for another one on the way.
func (f *framing) ambiguous() bool {
	return f.chunked && (f.measured || f.old) || f.folded && (f.chunked || f.measured)
}

// number parses a length, or returns 0 if it is none.
func number(text []byte, base int) int64 {
	n, err := strconv.ParseUint(string(bytes.TrimSpace(text)), base, 63)
	if err != nil || n > math.MaxInt64 {
		return 0
	}

	return int64(n)
}
