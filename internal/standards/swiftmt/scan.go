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
	cut    bool // its last line has no end: the file ends there
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

	rest   []byte // of a line that was cut where the next message begins
	peeked string // a line that was read but belongs to the next field
	at     int64  // its offset
	has    bool
	ended  bool // the last line read has its end
	inside bool // inside a message, after its first field
	heads  int  // lines before the first field

	high    *[128]rune // the account's encoding, from 0x80 on; nil: UTF-8, or windows-1252 where it is none
	entered bool       // among the entries of a message
	owed    bool       // the message has yet to state its closing balance
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
	raw, err := s.readLine()
	s.offset += int64(len(raw))

	switch {
	case errors.Is(err, bufio.ErrBufferFull) || len(raw) > s.lim.Token:
		s.fail(field{}, iso20022.CodeTooLong, "a line is longer than allowed")
		return false

	case err != nil && !errors.Is(err, io.EOF):
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

	if bytes.IndexByte(raw, 0) >= 0 {
		s.fail(field{}, iso20022.CodeEncoding, "a byte of zero, which no text contains")
		return false
	}

	line := s.decode(bytes.TrimRight(raw, "\r\n"))

	s.peeked = line
	s.has = true

	return true
}

// readLine returns the next line of the file, or as much of it as belongs to one message.
func (s *scanner) readLine() (raw []byte, err error) {
	raw = s.rest
	if len(raw) == 0 {
		raw, err = s.r.ReadSlice('\n')
		s.line++

		if len(raw) > 0 {
			s.ended = raw[len(raw)-1] == '\n'
		}
	}

	at := s.joint(raw)
	raw, s.rest = raw[:at], raw[at:]

	return raw, err
}

// joint returns where a line goes over into the next message, which some banks write behind the end of one without a
// new line (by ETX and SOH, by a dollar sign, by nothing), or behind the envelope of its own; the length if nowhere.
// What stands in a text before the closing balance is text.
func (s *scanner) joint(raw []byte) int {
	if i := bytes.IndexByte(raw, '\x01'); i > 0 && !s.owed {
		return i
	}

	if len(raw) > 0 && raw[0] == '-' && !s.owed {
		if end := endForm.Find(raw); end != nil && nextBegins.Match(raw[len(end):]) {
			return len(end)
		}
	}

	if len(raw) > 0 && raw[0] == '{' && !s.inside {
		if head := envelope.Find(raw); head != nil && len(bytes.TrimSpace(raw[len(head):])) > 0 {
			return len(head)
		}
	}

	return len(raw)
}

// decode returns a line as text, in the account's encoding if there is one, otherwise UTF-8 if valid, otherwise
// windows-1252, which contains the ISO-8859-1 characters that banks use. What is no character becomes U+FFFD: it may
// spoil a name, and cannot become a digit.
func (s *scanner) decode(raw []byte) string {
	raw = bytes.Trim(raw, "\x01\x03\x1a") // SWIFT encloses a message in two of them, DOS ends a file with the third

	ascii := true
	for _, c := range raw {
		ascii = ascii && (c >= ' ' || c == '\t') && c < 0x7f
	}

	high := s.high
	if ascii || high == nil && utf8.Valid(raw) && !hasControl(raw) {
		return string(raw)
	}

	if high == nil {
		high = iso20022.Charset("windows-1252")

		if utf8.Valid(raw) {
			return strings.Map(printable, string(raw))
		}
	}

	out := make([]byte, 0, len(raw)+len(raw)/4)
	for _, c := range raw {
		r := printable(rune(c))
		if c >= utf8.RuneSelf {
			r = high[c-utf8.RuneSelf]
		}

		out = utf8.AppendRune(out, r)
	}

	return string(out)
}

func hasControl(raw []byte) bool {
	return bytes.IndexFunc(raw, func(r rune) bool { return printable(r) != r }) >= 0
}

// printable returns a character, or U+FFFD for one that controls a device.
func printable(r rune) rune {
	if r < ' ' && r != '\t' || r == 0x7f {
		return utf8.RuneError
	}

	return r
}

var (
	fieldStart = regexp.MustCompile(`^:([0-9]{2}[A-Z]?|NS) ?:`)
	// blocks are the parts of SWIFT's envelope around the fields: {1:...}{2:...}{4: before them, -}{5:...} after them.
	// Some banks write each on a line of its own, or the braces as the letters that German terminals had in their
	// place.
	blocksBefore = regexp.MustCompile(`^(\{[123]:([^{}]|\{[^{}]*\})*\})*([{äÄ]4:)?$`)
	blocksBehind = regexp.MustCompile(`^-([üå]|XXX|\$|\}(\{[5S]:([^{}]|\{[^{}]*\})*\})*\$?)?$`)
	// nextBlocks begin a message behind one that has no end.
	nextBlocks = regexp.MustCompile(`^(\{1:[A-Z][0-9]{2}[A-Z0-9]{12}.*\}|[{äÄ]4:$)`)
	envelope   = regexp.MustCompile(`^(\{[123]:([^{}]|\{[^{}]*\})*\})+\{4:`)
	endForm    = regexp.MustCompile(`^-(\}(\{[5S]:([^{}]|\{[^{}]*\})*\})*)?\$?`)
	nextBegins = regexp.MustCompile(`^(\{[14]:|:20:)`)
	// headForms are the lines that banks write before a message: their BIC, 940, or the header of ING.
	headForms  = regexp.MustCompile(`^([A-Z0-9]{3,12}|[0-9]{4} [0-9]{2}[A-Z0-9]{8,21}|94[02] [0-9]{2}|\$)$`)
	formatLine = regexp.MustCompile(`^:?94[02]:?$`)
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
			s.owed = false
			s.entered = false
			s.has = false

			return f, true

		case line == "" || !s.inside && s.isHead(line):
			s.has = false

		case !s.owed && nextBlocks.MatchString(line): // the next message, without an end of this one
			s.inside = false
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
		s.heads <= maxHeaderLines && (formatLine.MatchString(line) || headForms.MatchString(line))
}

// field reads a field with its lines.
func (s *scanner) field(start string) (field, bool) {
	f := field{tag: strings.Trim(start, ": "), lines: []string{s.peeked[len(start):]}, line: s.line, offset: s.at}
	s.inside = true
	s.heads = 0
	s.has = false
	s.advance(f.tag)

	size := len(s.peeked)
	for s.peek() {
		line := s.peeked
		if s.ends(f.tag, line) {
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

	f.cut = !s.has && !s.ended

	return f, s.err == nil
}

// advance notes how far a message has come.
func (s *scanner) advance(tag string) {
	switch tag {
	case "20":
		s.owed = false
		s.entered = false
	case "60F", "60M":
		s.owed = true
	case "61":
		s.entered = true
	case "62F", "62M":
		s.owed = false
		s.entered = false
	case "90D", "90C":
		s.entered = false
	}
}

// timeForm is the rest of a time of day that was broken at its colons: 12:11, or 26:37 and a text.
var timeForm = regexp.MustCompile(`^:[0-5][0-9]:[0-5][0-9]([^0-9]|$)`)

// ends reports whether a line is no part of the field before it. A text may contain what looks like a field or like the
// end of a message: of the former only those are fields that a message may have there.
func (s *scanner) ends(tag, line string) bool {
	start := startOf(line)
	if tag != "86" {
		return start != "" || endsMessage(line) || nextBlocks.MatchString(line)
	}

	if start != "" {
		name := strings.Trim(start, ": ")
		_, known := ranks[name]

		return (known || name == "86" || name == "NS") && (!s.entered || !timeForm.MatchString(line))
	}

	return !s.owed && (endsMessage(line) || nextBlocks.MatchString(line))
}
