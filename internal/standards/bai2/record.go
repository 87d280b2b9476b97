package bai2

import (
	"bufio"
	"bytes"
	"errors"
	"io"
	"strings"
	"unicode/utf8"

	"slipway/internal/standards/iso20022"
)

const (
	byteOrderMark = "\xef\xbb\xbf"
	bufferSize    = 64 << 10
	continuation  = "88"
	mostLines     = 10_000 // of one record
)

// record is a record with its continuations: what follows the code and its comma, line by line.
type record struct {
	code   string
	lines  []string
	line   int
	offset int64
}

// scanner joins lines to records. The first error ends it.
type scanner struct {
	r      *bufio.Reader
	lim    iso20022.Limits
	err    *iso20022.Error
	offset int64 // of the next line
	line   int   // of the last line read
	ahead  record
	has    bool // ahead is the beginning of the next record
}

func newScanner(r io.Reader, l iso20022.Limits) *scanner {
	lim := l.WithDefaults()
	return &scanner{r: bufio.NewReaderSize(r, max(bufferSize, lim.Token)), lim: lim}
}

// error returns the first error, or nil.
func (s *scanner) error() error {
	if s.err == nil {
		return nil
	}

	return s.err
}

// fail ends the scanner with an error at a record, or at the last line read.
func (s *scanner) fail(rec record, code iso20022.Code, detail string) {
	if s.err != nil {
		return
	}

	s.err = &iso20022.Error{Code: code, Offset: s.offset, Line: s.line, Detail: detail}
	if rec.code != "" {
		s.err.Offset = rec.offset
		s.err.Line = rec.line
		s.err.Path = "record " + rec.code
	}
}

// next returns the next record with all its continuations; false at the end and after an error.
func (s *scanner) next() (record, bool) {
	if !s.has {
		if s.ahead, s.has = s.read(); !s.has {
			return record{}, false
		}
	}

	out := s.ahead
	kept := int64(len(out.lines[0]))

	if out.code == continuation {
		s.fail(out, iso20022.CodeStructure, "a continuation of nothing")
		return record{}, false
	}

	for {
		if s.ahead, s.has = s.read(); !s.has || s.ahead.code != continuation {
			return out, s.err == nil
		}

		kept += int64(len(s.ahead.lines[0]))
		if len(out.lines) >= mostLines || kept > s.lim.Kept {
			s.fail(out, iso20022.CodeEntrySize, "a record with more continuations than allowed")
			return record{}, false
		}

		out.lines = append(out.lines, s.ahead.lines...)
	}
}

// read returns the next line that is not blank.
func (s *scanner) read() (record, bool) {
	for s.err == nil {
		at := s.offset
		raw, err := s.r.ReadSlice('\n')
		s.offset += int64(len(raw))
		s.line++

		switch {
		case errors.Is(err, bufio.ErrBufferFull) || len(raw) > s.lim.Token:
			s.fail(record{}, iso20022.CodeTooLong, "a line is longer than allowed")
		case err != nil && !errors.Is(err, io.EOF):
			s.fail(record{}, iso20022.CodeRead, "the file could not be read")
			s.err.Cause = err
		case s.offset > s.lim.Bytes:
			s.fail(record{}, iso20022.CodeTooLarge, "the file is larger than allowed")
		case len(raw) == 0:
			s.line--
			return record{}, false
		case bytes.IndexByte(raw, 0) >= 0:
			s.fail(record{}, iso20022.CodeEncoding, "a byte of zero, which no text contains")
		}

		if at == 0 {
			raw = bytes.TrimPrefix(raw, []byte(byteOrderMark))
		}

		text := strings.TrimSpace(decode(raw))
		if s.err != nil || text == "" || text == "\x1a" {
			continue
		}

		code, rest, comma := strings.Cut(text, ",")
		if !comma || len(code) != len(continuation) || strings.Trim(code, "0123456789") != "" {
			s.fail(record{}, iso20022.CodeStructure, "a line that begins with no record code")
			return record{}, false
		}

		return record{code: code, lines: []string{rest}, line: s.line, offset: at}, true
	}

	return record{}, false
}

// decode returns a line as text. The format has ASCII alone; what some banks write beyond it is UTF-8 or Latin-1.
func decode(raw []byte) string {
	if utf8.Valid(raw) {
		return string(raw)
	}

	letters := make([]rune, len(raw))
	for i, b := range raw {
		letters[i] = rune(b)
	}

	return string(letters)
}

// cursor reads the fields of a record. A line ends with a slash, with blanks behind it, or with nothing.
type cursor struct {
	lines []string // that are not begun
	rest  string
	more  bool // rest is a field, perhaps an empty one
}

func (r record) fields() *cursor {
	c := &cursor{lines: r.lines}
	c.begin()

	return c
}

func (c *cursor) begin() {
	c.more = len(c.lines) > 0
	if c.more {
		c.rest = strings.TrimSuffix(c.lines[0], "/")
		c.lines = c.lines[1:]
	}
}

// next returns the next field, and whether it is the last of its line; "" behind the end.
func (c *cursor) next() (field string, last bool) {
	if !c.more {
		return "", true
	}

	field, rest, comma := strings.Cut(c.rest, ",")
	c.rest = rest

	if !comma {
		c.begin()
	}

	return strings.TrimSpace(field), !comma
}

// field is next without the end of the line.
func (c *cursor) field() string {
	f, _ := c.next()
	return f
}

// texts returns what is left, line by line: the text of a transaction may have commas and slashes in it.
func (c *cursor) texts() []string {
	var out []string

	for c.more {
		if text := strings.TrimSpace(strings.TrimPrefix(strings.TrimSpace(c.rest), "/")); text != "" {
			out = append(out, text)
		}

		c.begin()
	}

	return out
}
