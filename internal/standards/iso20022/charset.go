package iso20022

import (
	"bytes"
	"encoding/binary"
	"unicode/utf16"
	"unicode/utf8"
)

// charsets are the encodings with one byte per character, by the names in XML declarations.
var charsets = map[string]*[128]rune{
	"iso-8859-1":   &latin1,
	"iso8859-1":    &latin1,
	"iso_8859-1":   &latin1,
	"latin1":       &latin1,
	"latin-1":      &latin1,
	"iso-8859-15":  &latin9,
	"iso8859-15":   &latin9,
	"iso_8859-15":  &latin9,
	"latin9":       &latin9,
	"latin-9":      &latin9,
	"windows-1252": &Windows1252,
	"windows1252":  &Windows1252,
	"cp1252":       &Windows1252,
	"cp-1252":      &Windows1252,
}

// wideNames are the names of UTF-16 in XML declarations.
var wideNames = map[string]bool{"utf-16": true, "utf16": true, "utf-16le": true, "utf-16be": true}

var (
	latin1 = highHalf(0x80, nil)

	latin9 = highHalf(0x80, map[byte]rune{
		0xA4: '€',
		0xA6: 'Š',
		0xA8: 'š',
		0xB4: 'Ž',
		0xB8: 'ž',
		0xBC: 'Œ',
		0xBD: 'œ',
		0xBE: 'Ÿ',
	})

	// Windows1252 lists its characters from 0x80 on. Five bytes have none: utf8.RuneError.
	Windows1252 = highHalf(0xA0, map[byte]rune{
		0x80: '€',
		0x82: '‚',
		0x83: 'ƒ',
		0x84: '„',
		0x85: '…',
		0x86: '†',
		0x87: '‡',
		0x88: 'ˆ',
		0x89: '‰',
		0x8A: 'Š',
		0x8B: '‹',
		0x8C: 'Œ',
		0x8E: 'Ž',
		0x91: '‘',
		0x92: '’',
		0x93: '“',
		0x94: '”',
		0x95: '•',
		0x96: '–',
		0x97: '—',
		0x98: '˜',
		0x99: '™',
		0x9A: 'š',
		0x9B: '›',
		0x9C: 'œ',
		0x9E: 'ž',
		0x9F: 'Ÿ',
	})
)

// highHalf returns the table of an encoding that equals ISO-8859-1 from a byte on, with exceptions.
func highHalf(from rune, but map[byte]rune) (table [128]rune) {
	for i := range table {
		r := rune(0x80 + i)
		if r < from {
			table[i] = utf8.RuneError
		} else {
			table[i] = r
		}

		if other, ok := but[byte(r)]; ok {
			table[i] = other
		}
	}

	return table
}

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
			s.failAt(CodeEncoding, from+at, "a byte that is not UTF-8, or a control character")
			return n, err
		}
	}

	s.buf = s.buf[:from+len(all)-s.tail]

	return n, err
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
	for _, c := range raw {
		if c < 0x80 && (c >= ' ' || blank(c)) {
			s.buf = append(s.buf, c)
			continue
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
