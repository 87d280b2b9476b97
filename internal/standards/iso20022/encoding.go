package iso20022

import (
	"bytes"
	"encoding/binary"
	"io"
	"io/fs"
	"strings"
	"unicode/utf8"
)

// plain says that bytes are ASCII without control characters but tab and line ends, eight at a time: nearly all of a bank file.
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

// incomplete counts the bytes at the end that begin a character and wait for its rest.
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

// firstBad finds the first byte that is no part of UTF-8, or that XML does not allow; negative when there is none.
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

// magics are the first bytes of what is not XML text in an encoding that is taken.
var magics = []struct {
	first, detail string
	code          Code
}{
	{"\x1f\x8b", "the file is compressed (gzip)", CodeCompressed},
	{"PK\x03\x04", "the file is compressed (zip)", CodeCompressed},
	{"BZh", "the file is compressed (bzip2)", CodeCompressed},
	{"\xfd7zXZ", "the file is compressed (xz)", CodeCompressed},
	{"\x28\xb5\x2f\xfd", "the file is compressed (zstd)", CodeCompressed},
	{"\xfe\xff", "the file is UTF-16", CodeEncoding},
	{"\xff\xfe", "the file is UTF-16", CodeEncoding},
	{"\x00", "the file is UTF-16 or UTF-32", CodeEncoding},
	{"<\x00", "the file is UTF-16 or UTF-32", CodeEncoding},
	{"\x4c\x6f\xa7\x94", "the file is EBCDIC", CodeEncoding},
	{"+/v", "the file is UTF-7", CodeEncoding},
	{"+ADw-", "the file is UTF-7", CodeEncoding},
}

const (
	bom            = "\xef\xbb\xbf"
	maxDeclaration = 1024
)

// begin looks at the first bytes and reads the XML declaration, whose encoding holds for all that follows.
func (s *Scanner) begin() bool {
	if known(s.r) > s.lim.Bytes {
		return s.fail(CodeTooLarge, "the file is larger than allowed")
	}
	first := make([]byte, 0, maxDeclaration)
	var err error
	for len(first) < cap(first) && err == nil && s.empty <= maxEmptyReads {
		var n int
		n, err = s.r.Read(first[len(first):cap(first)])
		first = first[:len(first)+n]
		s.empty++
	}
	s.empty = 0
	s.r = &resumed{first: first, err: err, rest: s.r}
	for _, m := range magics {
		if bytes.HasPrefix(first, []byte(m.first)) {
			return s.fail(m.code, m.detail)
		}
	}
	text := bytes.TrimPrefix(first, []byte(bom))
	if err == io.EOF && len(bytes.TrimLeft(text, " \t\r\n")) == 0 {
		return s.fail(CodeEmpty, "the file is empty")
	}
	skip := len(first) - len(text)
	if bytes.HasPrefix(text, []byte("<?xml")) && len(text) > 5 && blank(text[5]) {
		end := bytes.Index(text, []byte("?>"))
		if end < 0 {
			return s.fail(CodeSyntax, "an XML declaration that does not end")
		}
		if !s.declaration(text[5:end], skip > 0) {
			return false
		}
		skip += end + 2
	}
	if !s.have(skip) {
		return false
	}
	s.pos = skip
	return true
}

// known is the size that a source says it has, or 0.
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

// declaration takes the XML declaration's inside: version, encoding, standalone.
func (s *Scanner) declaration(b []byte, marked bool) bool {
	seen := ""
	for {
		if b = bytes.TrimLeft(b, " \t\r\n"); len(b) == 0 {
			break
		}
		a, rest, ok := cutAttribute(b)
		value := strings.ToLower(string(a.value))
		seen += string(a.name) + " "
		switch string(a.name) {
		case "version":
			ok = ok && value == "1.0"
		case "encoding":
			if ok && !s.encoding(value, marked) {
				return s.fail(CodeEncoding, "the declared encoding is not UTF-8 or ISO-8859-1")
			}
		case "standalone":
			ok = ok && (value == "yes" || value == "no")
		default:
			ok = false
		}
		if !ok {
			return s.fail(CodeSyntax, "an XML declaration that cannot be read")
		}
		b = rest
	}
	switch seen {
	case "version ", "version encoding ", "version standalone ", "version encoding standalone ":
		return true
	}
	return s.fail(CodeSyntax, "an XML declaration that cannot be read")
}

// encoding sets how bytes become characters. A byte order mark says UTF-8, whatever is declared must say so too.
func (s *Scanner) encoding(name string, marked bool) bool {
	switch name {
	case "utf-8", "utf8", "us-ascii", "ascii":
		return true
	case "iso-8859-1", "iso8859-1", "iso_8859-1", "latin1", "latin-1":
		s.latin = true
		return !marked
	}
	return false
}

// resumed gives what was looked at again, then the rest.
type resumed struct {
	first []byte
	err   error // with which reading them ended
	rest  io.Reader
}

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
