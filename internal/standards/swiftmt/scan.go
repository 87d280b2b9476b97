package swiftmt

import (
	"bufio"
	"bytes"
	"errors"
	"io"
	"io/fs"
	"regexp"
	"strings"
	"unicode/utf8"

	"slipway/internal/standards/iso20022"
)

const (
	byteOrderMark = "\xef\xbb\xbf"
	bufferSize    = 64 << 10
	maxLines      = 500 // of one field; the standard has six
)

// field is one field of a message as in the file. The tag is "-" for the end of a message.
type field struct {
	tag    string
	lines  []string
	line   int
	offset int64
}

// text returns the field's lines as one text.
func (f field) text() string { return strings.Join(f.lines, "") }

// scanner splits a file into fields. The first error ends it.
type scanner struct {
	r      *bufio.Reader
	lim    iso20022.Limits
	known  int64 // size according to the source
	err    error
	offset int64 // of the next line
	line   int   // of the last line read
	record int64 // offset after the last record

	peeked string // a line that was read but belongs to the next field
	at     int64  // its offset
	has    bool
	inside bool // inside a message, after its first field
	heads  int  // lines before the first field
}

func newScanner(r io.Reader, l iso20022.Limits) *scanner {
	s := &scanner{lim: l.WithDefaults()}
	switch f := r.(type) {
	case interface{ Stat() (fs.FileInfo, error) }:
		if info, err := f.Stat(); err == nil && info.Mode().IsRegular() {
			s.known = info.Size()
		}
	case interface{ Len() int }:
		s.known = int64(f.Len())
	}

	s.r = bufio.NewReaderSize(r, max(bufferSize, s.lim.Token))

	return s
}

// fail ends the scanner with an error at a field, or at the last line read.
func (s *scanner) fail(f field, code iso20022.Code, detail string) {
	if s.err != nil {
		return
	}

	e := &iso20022.Error{Code: code, Offset: s.at, Line: s.line, Detail: detail}
	if f.tag != "" {
		e.Offset = f.offset
		e.Line = f.line
		e.Path = ":" + f.tag + ":"
	}

	s.err = e
}

// peek reads the next line into peeked. It returns false at the end of the file and after an error.
func (s *scanner) peek() bool {
	if s.err != nil {
		return false
	}

	if s.has {
		return true
	}

	s.at = s.offset
	raw, err := s.r.ReadSlice('\n')
	s.offset += int64(len(raw))

	s.line++
	switch {
	case errors.Is(err, bufio.ErrBufferFull) || len(raw) > s.lim.Token:
		s.fail(field{}, iso20022.CodeTooLong, "a line is longer than allowed")
		return false

	case err != nil && err != io.EOF:
		s.err = &iso20022.Error{
			Code:   iso20022.CodeRead,
			Offset: s.at,
			Line:   s.line,
			Detail: "the file could not be read",
			Cause:  err,
		}

		return false

	case s.offset > s.lim.Bytes || s.known > s.lim.Bytes:
		s.fail(field{}, iso20022.CodeTooLarge, "the file is larger than allowed")
		return false
	case s.offset-s.record > s.lim.Gap:
		s.fail(field{}, iso20022.CodeNoRecord, "too many bytes without anything that can be handed on")
		return false
	case len(raw) == 0:
		s.line--
		return false
	}

	if s.at == 0 {
		raw = bytes.TrimPrefix(raw, []byte(byteOrderMark))
	}

	line, ok := decode(bytes.TrimRight(raw, "\r\n"))
	if !ok {
		s.fail(field{}, iso20022.CodeEncoding, "a control character, or a byte that is not a character")
		return false
	}

	s.peeked = line
	s.has = true

	return true
}

// decode returns a line as text: UTF-8 if valid, otherwise windows-1252, which contains the ISO-8859-1 characters that
// banks use.
func decode(raw []byte) (string, bool) {
	raw = bytes.Trim(raw, "\x01\x03") // SWIFT encloses a message in them

	ascii := true
	for _, c := range raw {
		if c < ' ' && c != '\t' || c == 0x7f {
			return "", false
		}

		ascii = ascii && c < utf8.RuneSelf
	}

	if ascii || utf8.Valid(raw) {
		return string(raw), true
	}

	out := make([]byte, 0, len(raw)+len(raw)/4)
	for _, c := range raw {
		r := rune(c)
		if c >= utf8.RuneSelf {
			r = iso20022.Windows1252[c-utf8.RuneSelf]
		}

		if r == utf8.RuneError {
			return "", false
		}

		out = utf8.AppendRune(out, r)
	}

	return string(out), true
}

var (
	fieldStart = regexp.MustCompile(`^:([0-9]{2}[A-Z]?|NS):`)
	// blocks are the parts of SWIFT's envelope around the fields: {1:...}{2:...}{4: before them, -}{5:...} after them.
	blocksBefore = regexp.MustCompile(`^(\{[123]:([^{}]|\{[^{}]*\})*\})*\{4:$`)
	blocksBehind = regexp.MustCompile(`^-(\}(\{[5S]:([^{}]|\{[^{}]*\})*\})*\$?)?$`)
	formatLine   = regexp.MustCompile(`^:?94[02]:?$`)
)

// startOf returns the tag with its colons at the beginning of a line, or "".
func startOf(line string) string {
	if line == "" || line[0] != ':' {
		return ""
	}

	return fieldStart.FindString(line)
}

// endsMessage reports whether a line is the end of a message.
func endsMessage(line string) bool {
	return line != "" && line[0] == '-' && blocksBehind.MatchString(strings.TrimRight(line, " \t"))
}

// next returns the next field, or the end of a message.
func (s *scanner) next() (field, bool) {
	for s.peek() {
		line := strings.TrimRight(s.peeked, " \t")

		start := startOf(line)
		switch {
		case start != "" && !formatLine.MatchString(line):
			return s.field(start)

		case s.inside && endsMessage(line):
			f := field{tag: "-", line: s.line, offset: s.at}
			s.inside = false
			s.has = false

			return f, true

		case line == "" || !s.inside && s.isHead(line):
			s.has = false
		default:
			s.fail(field{}, iso20022.CodeStructure, "a line that belongs to no field")
		}
	}

	return field{}, false
}

// isHead reports whether a line may precede a message.
func (s *scanner) isHead(line string) bool {
	s.heads++
	return blocksBefore.MatchString(line) ||
		s.heads <= maxHeaderLines && (formatLine.MatchString(line) || headerLine.MatchString(line))
}

// field reads a field with its lines.
func (s *scanner) field(start string) (field, bool) {
	f := field{tag: strings.Trim(start, ":"), lines: []string{s.peeked[len(start):]}, line: s.line, offset: s.at}
	s.inside = true
	s.heads = 0
	s.has = false

	size := len(s.peeked)
	for s.peek() {
		line := s.peeked
		if startOf(line) != "" || endsMessage(line) || blocksBefore.MatchString(line) {
			break
		}

		if line == "" && f.tag != "86" {
			s.has = false
			continue
		}

		if size += len(line); size > s.lim.Token || len(f.lines) == maxLines {
			s.fail(f, iso20022.CodeTooLong, "a field is longer than allowed")
			return f, false
		}

		f.lines = append(f.lines, line)
		s.has = false
	}

	return f, s.err == nil
}
