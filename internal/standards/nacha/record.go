package nacha

import (
	"bufio"
	"bytes"
	"errors"
	"io"
	"strings"

	"slipway/internal/standards/iso20022"
)

// record is one line of a file, filled up to its width.
type record struct {
	text   string
	line   int
	offset int64
}

// field returns what stands at the positions, which count from 1 as in the standard, without blanks around it.
func (r record) field(from, to int) string { return strings.TrimSpace(r.text[from-1 : to]) }

// kind returns the record type code.
func (r record) kind() byte { return r.text[0] }

// scanner cuts a file into records. The first error ends it.
type scanner struct {
	r      *bufio.Reader
	lim    iso20022.Limits
	err    *iso20022.Error
	offset int64 // of the next record
	line   int   // of the last record read
	fixed  bool  // records follow each other without line ends
}

func newScanner(r io.Reader, l iso20022.Limits) *scanner {
	s := &scanner{r: bufio.NewReaderSize(r, 64<<10), lim: l.WithDefaults()}

	head, _ := s.r.Peek(width + 2)
	s.fixed = len(head) > width && !bytes.ContainsAny(head, "\r\n")

	return s
}

// fail ends the scanner with an error at a record, or at the last line read.
func (s *scanner) fail(rec record, code iso20022.Code, detail string) {
	if s.err != nil {
		return
	}

	s.err = &iso20022.Error{Code: code, Offset: s.offset, Line: s.line, Detail: detail}
	if rec.text != "" {
		s.err.Offset = rec.offset
		s.err.Line = rec.line
		s.err.Path = "record " + rec.text[:1]
	}
}

// raw reads the bytes of the next record.
func (s *scanner) raw() ([]byte, error) {
	if !s.fixed {
		return s.r.ReadSlice('\n')
	}

	for { // line ends between records, as some writers begin to put in
		c, err := s.r.ReadByte()
		if err != nil {
			return nil, err
		}

		if c != '\n' && c != '\r' {
			_ = s.r.UnreadByte()
			break
		}

		s.offset++
	}

	chunk := make([]byte, width)
	n, err := io.ReadFull(s.r, chunk)

	if errors.Is(err, io.ErrUnexpectedEOF) {
		err = io.EOF
	}

	return chunk[:n], err
}

// next returns the next record that is not blank, and false at the end and after an error.
func (s *scanner) next() (record, bool) {
	for s.err == nil {
		at := s.offset
		raw, err := s.raw()
		s.offset += int64(len(raw))
		s.line++

		switch {
		case errors.Is(err, bufio.ErrBufferFull):
			s.fail(record{}, iso20022.CodeTooLong, "a line is longer than allowed")
			return record{}, false

		case err != nil && !errors.Is(err, io.EOF):
			s.fail(record{}, iso20022.CodeRead, "the file could not be read")
			s.err.Cause = err

			return record{}, false

		case s.offset > s.lim.Bytes:
			s.fail(record{}, iso20022.CodeTooLarge, "the file is larger than allowed")
			return record{}, false

		case len(raw) == 0:
			return record{}, false
		}

		text, ok := filled(raw)
		if !ok {
			s.fail(record{}, iso20022.CodeStructure, "a record that has not 94 characters of ASCII")
			return record{}, false
		}

		if text != "" {
			return record{text: text, line: s.line, offset: at}, true
		}
	}

	return record{}, false
}

// filled returns a line as a record: blanks that were cut off at its end are there again. A blank line is "". Letters
// beyond ASCII are taken for one character each, as the originator's bank has written them.
func filled(raw []byte) (string, bool) {
	raw = bytes.TrimRight(raw, " \r\n\x1a")
	raw = bytes.TrimPrefix(raw, []byte("\xef\xbb\xbf"))

	if len(raw) == 0 {
		return "", true
	}

	if len(raw) > width || bytes.IndexByte(raw, 0) >= 0 {
		return "", false
	}

	out := bytes.Repeat([]byte{' '}, width)
	copy(out, raw)

	for i, c := range out {
		if c < ' ' || c > '~' {
			out[i] = '?'
		}
	}

	return string(out), true
}
