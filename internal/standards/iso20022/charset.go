package iso20022

import (
	"bytes"
	"encoding/binary"
	"strings"
	"unicode/utf16"
	"unicode/utf8"

	"golang.org/x/text/encoding/charmap"
)

// charsets are the encodings with one byte per character, by the names in XML declarations and settings.
var charsets = map[string]*charmap.Charmap{
	"iso-8859-1":   charmap.ISO8859_1,
	"iso8859-1":    charmap.ISO8859_1,
	"iso_8859-1":   charmap.ISO8859_1,
	"latin1":       charmap.ISO8859_1,
	"latin-1":      charmap.ISO8859_1,
	"iso-8859-2":   charmap.ISO8859_2,
	"iso-8859-7":   charmap.ISO8859_7,
	"iso-8859-15":  charmap.ISO8859_15,
	"iso8859-15":   charmap.ISO8859_15,
	"iso_8859-15":  charmap.ISO8859_15,
	"latin9":       charmap.ISO8859_15,
	"latin-9":      charmap.ISO8859_15,
	"windows-1250": charmap.Windows1250,
	"cp1250":       charmap.Windows1250,
	"windows-1252": charmap.Windows1252,
	"windows1252":  charmap.Windows1252,
	"cp1252":       charmap.Windows1252,
	"cp-1252":      charmap.Windows1252,
	"ibm437":       charmap.CodePage437,
	"cp437":        charmap.CodePage437,
	"ibm850":       charmap.CodePage850,
	"cp850":        charmap.CodePage850,
	"ibm852":       charmap.CodePage852,
	"cp852":        charmap.CodePage852,
}

// Charset returns the characters of an encoding with one byte per character, from 0x80 on, by its name in any case; nil
// if it is not read. A byte without a character is utf8.RuneError.
func Charset(name string) *[128]rune {
	from := charsets[strings.ToLower(name)]
	if from == nil {
		return nil
	}

	table := new([128]rune)
	for i := range table {
		table[i] = from.DecodeByte(byte(0x80 + i))
	}

	return table
}

// wideNames are the names of UTF-16 in XML declarations.
var wideNames = map[string]bool{"utf-16": true, "utf16": true, "utf-16le": true, "utf-16be": true}

// wideOrder returns the byte order of UTF-16 by its first bytes, otherwise nil.
func wideOrder(first []byte) binary.ByteOrder {
	switch {
	case bytes.HasPrefix(first, []byte("\xff\xfe")), bytes.HasPrefix(first, []byte("<\x00")):
		return binary.LittleEndian
	case bytes.HasPrefix(first, []byte("\xfe\xff")), bytes.HasPrefix(first, []byte("\x00<")):
		return binary.BigEndian
	}

	return nil
}

// Head returns the first bytes of a file as searchable text: UTF-16 as UTF-8, everything else unchanged.
func Head(first []byte) []byte {
	order := wideOrder(first)
	if order == nil {
		return first
	}

	text, _, _ := appendWide(nil, first, order)

	return text
}

// appendWide decodes UTF-16. It returns how many bytes it consumed; the rest begins a character. ok is false for half a
// character and for one that XML does not allow.
func appendWide(to, raw []byte, order binary.ByteOrder) (out []byte, read int, ok bool) {
	for len(raw)-read >= 2 {
		r := rune(order.Uint16(raw[read:]))

		width := 2
		if utf16.IsSurrogate(r) {
			if len(raw)-read < 4 {
				return to, read, r < 0xDC00
			}

			r = utf16.DecodeRune(r, rune(order.Uint16(raw[read+2:])))
			width = 4
		}

		if r == utf8.RuneError && width == 4 || r == 0xFFFE || r == 0xFFFF || r < ' ' && !blank(byte(r)) {
			return to, read, false
		}

		to = utf8.AppendRune(to, r)
		read += width
	}

	return to, read, true
}

// readSome reads once and appends complete, valid characters to the buffer. It returns the number of bytes read.
func (s *Scanner) readSome() (int, error) {
	switch {
	case s.high != nil:
		return s.readSingle()
	case s.wide != nil:
		return s.readWide()
	}

	from := len(s.buf)
	n, err := s.r.Read(s.buf[from+s.tail : cap(s.buf)])
	all := s.buf[from : from+s.tail+n]

	s.tail = 0
	if !plain(all) {
		s.tail = incomplete(all)
		if at := firstBad(all[:len(all)-s.tail]); at >= 0 {
			s.buf = s.buf[:from+at]

			if s.fallBack(all[:at], all[at:], err) {
				return at, nil
			}

			s.failAt(CodeEncoding, from+at, "a byte that is not UTF-8, or a control character")

			return n, err
		}

		s.proven = s.proven || beyondASCII(all)
	}

	s.buf = s.buf[:from+len(all)-s.tail]

	return n, err
}

// fallBack goes on in an encoding of western Europe where a file says that it is UTF-8 and is not: banks change an
// encoding and forget the declaration. A file that has shown a character of UTF-8 is damaged instead.
func (s *Scanner) fallBack(sound, rest []byte, err error) bool {
	if s.proven || rest[0] < utf8.RuneSelf || beyondASCII(sound) {
		return false
	}

	s.high = western()
	s.guessed = true
	s.tail = 0
	s.r = &resumed{first: bytes.Clone(rest), err: err, rest: s.r}

	return true
}

// beyondASCII reports whether a text in UTF-8 has a character that ASCII has not.
func beyondASCII(text []byte) bool {
	return bytes.IndexFunc(text, func(r rune) bool { return r >= utf8.RuneSelf }) >= 0
}

// western is ISO-8859-15, with the characters of windows-1252 where it has none that are printed: together all that
// programs of western Europe write.
func western() *[128]rune {
	table := Charset("iso-8859-15")
	copy(table[:0x20], Charset("windows-1252")[:0x20])

	return table
}

// Remark says what people should know about the file although it is read; empty: nothing.
func (s *Scanner) Remark() string {
	if s.guessed {
		return "the file says that it is UTF-8, and is ISO-8859-15 or windows-1252"
	}

	return ""
}

// readRaw reads bytes to be decoded, after those held back.
func (s *Scanner) readRaw(grows int) (raw []byte, n int, err error) {
	if s.raw == nil {
		s.raw = make([]byte, bufferSize/4)
	}

	room := (cap(s.buf) - len(s.buf)) / grows
	n, err = s.r.Read(s.raw[s.held:max(s.held+1, min(room, len(s.raw)))])

	return s.raw[:s.held+n], n, err
}

// readSingle reads an encoding with one byte per character.
func (s *Scanner) readSingle() (int, error) {
	raw, n, err := s.readRaw(utf8.UTFMax)
	s.held = 0

	for i, c := range raw {
		if c < 0x80 && (c >= ' ' || blank(c)) {
			s.buf = append(s.buf, c)
			continue
		}

		if s.guessed && c >= utf8.RuneSelf {
			if !utf8.FullRune(raw[i:]) && err == nil {
				s.held = copy(s.raw, raw[i:])
				break
			}

			if r, _ := utf8.DecodeRune(raw[i:]); r != utf8.RuneError {
				s.failAt(CodeEncoding, len(s.buf), "characters of UTF-8 among those of another encoding")
				break
			}
		}

		if c < ' ' || s.high[c-0x80] == utf8.RuneError {
			s.failAt(CodeEncoding, len(s.buf), "a control character, or a byte that is not a character")
			break
		}

		s.buf = utf8.AppendRune(s.buf, s.high[c-0x80])
	}

	return n, err
}

// readWide reads UTF-16.
func (s *Scanner) readWide() (int, error) {
	raw, n, err := s.readRaw(2)
	out, read, ok := appendWide(s.buf, raw, s.wide)
	s.buf = out

	s.held = copy(s.raw, raw[read:])
	if !ok {
		s.failAt(CodeEncoding, len(s.buf), "half a character of UTF-16, or a control character")
	}

	return n, err
}

// fileBytes returns the number of bytes in the file of decoded bytes.
func (s *Scanner) fileBytes(decoded []byte) int64 {
	if s.high == nil && s.wide == nil {
		return int64(len(decoded))
	}

	n := 0
	for _, c := range decoded {
		switch {
		case !utf8.RuneStart(c):
		case s.wide == nil:
			n++
		case c >= 0xF0:
			n += 4
		default:
			n += 2
		}
	}

	return int64(n)
}
