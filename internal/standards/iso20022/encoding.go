package iso20022

import (
	"bytes"
	"encoding/binary"
	"io"
	"io/fs"
	"strings"
	"unicode/utf8"
)

// plain reports whether bytes are ASCII without control characters except tab and line ends, eight at a time: nearly
// all of a bank file.
func plain(b []byte) bool {
	const high, space, one = 0x8080808080808080, 0x2020202020202020, 0x0101010101010101
	for len(b) >= 8 {
		w := binary.LittleEndian.Uint64(b)
		if w&high != 0 {
			return false
		}

		if (w-space)&high != 0 && !allowed(b[:8]) {
			return false
		}

		b = b[8:]
	}

	for _, c := range b {
		if c >= 0x80 || c < ' ' && !blank(c) {
			return false
		}
	}

	return true
}

func allowed(b []byte) bool {
	for _, c := range b {
		if c < ' ' && !blank(c) {
			return false
		}
	}

	return true
}

// incomplete returns the number of bytes at the end that begin an incomplete character.
func incomplete(b []byte) int {
	for n := 1; n <= min(len(b), utf8.UTFMax-1); n++ {
		c := b[len(b)-n]
		if utf8.RuneStart(c) {
			if c >= 0x80 && !utf8.FullRune(b[len(b)-n:]) {
				return n
			}

			return 0
		}
	}

	return 0
}

// firstBad returns the position of the first byte that is not UTF-8, or that XML does not allow; negative if there is
// none.
func firstBad(b []byte) int {
	for i := 0; i < len(b); {
		if c := b[i]; c < utf8.RuneSelf {
			if c < ' ' && !blank(c) {
				return i
			}

			i++

			continue
		}

		r, n := utf8.DecodeRune(b[i:])
		if r == utf8.RuneError && n == 1 || r == 0xFFFE || r == 0xFFFF {
			return i
		}

		i += n
	}

	return -1
}

// magics are the first bytes of formats that are not XML in a supported encoding.
var magics = []struct {
	first, detail string
	code          Code
}{
	{"\x1f\x8b", "the file is compressed (gzip)", CodeCompressed},
	{"PK\x03\x04", "the file is compressed (zip)", CodeCompressed},
	{"BZh", "the file is compressed (bzip2)", CodeCompressed},
	{"\xfd7zXZ", "the file is compressed (xz)", CodeCompressed},
	{"\x28\xb5\x2f\xfd", "the file is compressed (zstd)", CodeCompressed},
	{"\xff\xfe\x00\x00", "the file is UTF-32", CodeEncoding},
	{"<\x00\x00", "the file is UTF-32", CodeEncoding},
	{"\x00\x00", "the file is UTF-32", CodeEncoding},
	{"\x4c\x6f\xa7\x94", "the file is EBCDIC", CodeEncoding},
	{"+/v", "the file is UTF-7", CodeEncoding},
	{"+ADw-", "the file is UTF-7", CodeEncoding},
}

const (
	bom            = "\xef\xbb\xbf"
	maxDeclaration = 1024
)

// begin inspects the first bytes and reads the XML declaration, whose encoding applies to everything after it. It skips
// blank lines and a byte order mark before the declaration, which programs that join or edit files leave there.
func (s *Scanner) begin() bool {
	if known(s.r) > s.lim.Bytes {
		return s.fail(CodeTooLarge, "the file is larger than allowed")
	}

	first, err := s.peek()
	for _, m := range magics {
		if bytes.HasPrefix(first, []byte(m.first)) {
			return s.fail(m.code, m.detail)
		}
	}

	s.wide = wideOrder(first)
	if s.wide != nil {
		first, _, _ = appendWide(nil, first, s.wide)
	}

	text, marked := trimMark(first)
	if len(text) == 0 && err == io.EOF { //nolint:errorlint // a wrapped one is an end in the middle
		return s.fail(CodeEmpty, "the file is empty")
	}

	skip := len(first) - len(text)

	declared := ""
	if bytes.HasPrefix(text, []byte("<?xml")) && len(text) > 5 && blank(text[5]) {
		end := bytes.Index(text, []byte("?>"))
		if end < 0 {
			return s.fail(CodeSyntax, "an XML declaration that does not end")
		}

		var ok bool
		if declared, ok = declaration(text[5:end]); !ok {
			return s.fail(CodeSyntax, "an XML declaration that cannot be read")
		}

		skip += end + 2
	}

	s.proven = marked
	if !s.encoding(declared, marked) {
		return s.fail(CodeEncoding, "the file is not in the encoding that it declares, or that encoding is not read")
	}

	if !s.have(skip) {
		return false
	}

	s.pos = skip

	return true
}

// peek returns the file's first bytes, which will be read again, and the error that ended reading them.
func (s *Scanner) peek() (first []byte, err error) {
	first = make([]byte, 0, maxDeclaration)
	for len(first) < cap(first) && err == nil && s.empty <= maxEmptyReads {
		var n int
		n, err = s.r.Read(first[len(first):cap(first)])
		first = first[:len(first)+n]
		s.empty++
	}

	s.empty = 0
	s.r = &resumed{first: first, err: err, rest: s.r}

	return first, err
}

// trimMark removes blanks and a byte order mark from the front and reports whether there was such a mark.
func trimMark(b []byte) (text []byte, marked bool) {
	text, marked = bytes.CutPrefix(skipBlanks(b), []byte(bom))
	return skipBlanks(text), marked
}

// known returns the size according to the source, or 0.
func known(r io.Reader) int64 {
	switch f := r.(type) {
	case interface{ Stat() (fs.FileInfo, error) }:
		if info, err := f.Stat(); err == nil && info.Mode().IsRegular() {
			return info.Size()
		}
	case interface{ Len() int }:
		return int64(f.Len())
	}

	return 0
}

// declaration parses the content of the XML declaration (version, encoding, standalone) and returns the encoding in
// lower case.
func declaration(b []byte) (encoding string, ok bool) {
	seen := ""
	for {
		if b = skipBlanks(b); len(b) == 0 {
			break
		}

		a, rest, ok := cutAttribute(b)
		if !ok {
			return "", false
		}

		value := strings.ToLower(string(a.value))

		seen += string(a.name) + " "
		switch string(a.name) {
		case "version":
			ok = value == "1.0"
		case "encoding":
			encoding = value
		case "standalone":
			ok = value == "yes" || value == "no"
		}

		if !ok {
			return "", false
		}

		b = rest
	}

	switch seen {
	case "version ", "version encoding ", "version standalone ", "version encoding standalone ":
		return encoding, true
	}

	return "", false
}

// encoding sets the decoding from the declared encoding and the first bytes. A byte order mark distinguishes UTF-8 from
// encodings with one byte per character, and undeclared UTF-16 from what only looks like it.
func (s *Scanner) encoding(declared string, marked bool) bool {
	if s.wide != nil {
		return wideNames[declared] || declared == "" && marked
	}

	if declared == "" || declared == "utf-8" || declared == "utf8" || declared == "us-ascii" || declared == "ascii" {
		return true
	}

	s.high = Charset(declared)

	return s.high != nil && !marked
}

// resumed returns the inspected bytes, then the rest.
type resumed struct {
	first []byte
	err   error // that ended reading them
	rest  io.Reader
}

// Read implements io.Reader.
func (r *resumed) Read(p []byte) (int, error) {
	if len(r.first) > 0 {
		n := copy(p, r.first)
		r.first = r.first[n:]
		return n, nil
	}

	if r.err != nil {
		return 0, r.err
	}

	return r.rest.Read(p)
}
