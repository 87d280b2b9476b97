package iso20022

import (
	"bytes"
	"strconv"
	"unicode/utf8"
)

// aside skips a comment or a processing instruction.
func (s *Scanner) aside() bool {
	if !s.have(4) {
		return false
	}

	at := s.buf[s.pos:]

	switch {
	case at[1] == '?':
		return s.instruction()
	case string(at[:4]) == "<!--":
		return s.over(4, "-->")
	case at[2] == 'D':
		return s.fail(CodeDTD, "a document type is not accepted")
	case at[2] == '[':
		return s.fail(CodeStructure, "text between elements")
	}

	return s.fail(CodeSyntax, "an unknown declaration")
}

// asideInElement is aside between the children of an element, where blank CDATA is allowed.
func (s *Scanner) asideInElement() bool {
	s.scratch = s.scratch[:0]
	if !s.asideOrCDATA() {
		return false
	}

	if len(trim(s.scratch)) > 0 {
		return s.fail(CodeStructure, "text between elements")
	}

	return true
}

// instruction skips a processing instruction. An XML declaration that is not at the very beginning is an error.
func (s *Scanner) instruction() bool {
	if !s.have(6) {
		return false
	}

	at := s.buf[s.pos:]
	if !nameStart(at[2]) || bytes.EqualFold(at[2:5], []byte("xml")) && !nameByte[at[5]] {
		return s.fail(CodeSyntax, "an instruction is not allowed here")
	}

	return s.over(2, "?>")
}

// over moves past the next mark, which begins at the distance from or later.
func (s *Scanner) over(from int, mark string) bool {
	for {
		n := s.find('>', from+len(mark)-1)
		if n < 0 {
			return false
		}

		if string(s.buf[s.pos+n+1-len(mark):s.pos+n+1]) == mark {
			s.pos += n + 1
			return true
		}

		from = n + 2 - len(mark)
	}
}

// asideOrCDATA is aside where text is allowed: CDATA is appended to scratch.
func (s *Scanner) asideOrCDATA() bool {
	if !s.have(4) {
		return false
	}

	if s.buf[s.pos+1] == '?' || s.buf[s.pos+2] != '[' {
		return s.aside()
	}

	const mark = "<![CDATA["
	if !s.have(len(mark)) {
		return false
	}

	if string(s.buf[s.pos:s.pos+len(mark)]) != mark {
		return s.fail(CodeSyntax, "a section that is not known")
	}

	n := len(mark)

	for {
		if n = s.find(']', n); n < 0 || !s.have(n+3) {
			return false
		}

		if string(s.buf[s.pos+n:s.pos+n+3]) == "]]>" {
			break
		}

		n++
	}

	s.scratch = append(s.scratch, s.buf[s.pos+len(mark):s.pos+n]...)
	s.pos += n + 3

	return true
}

// decode appends text to scratch, with entities resolved and line ends normalised (XML 1.0, 2.11).
func (s *Scanner) decode(text []byte) bool {
	for len(text) > 0 {
		n := 0
		for n < len(text) && text[n] != '&' && text[n] != '\r' {
			n++
		}

		s.scratch = append(s.scratch, text[:n]...)
		if text = text[n:]; len(text) == 0 {
			return true
		}

		if text[0] == '\r' {
			if text = text[1:]; len(text) == 0 || text[0] != '\n' {
				s.scratch = append(s.scratch, '\n')
			}

			continue
		}

		end := bytes.IndexByte(text[:min(len(text), 12)], ';')
		if end < 0 {
			return s.fail(CodeSyntax, "an ampersand that begins no entity")
		}

		r := entity(text[1:end])
		if r < 0 {
			return s.fail(CodeEntity, "an entity that XML itself does not have")
		}

		s.scratch = utf8.AppendRune(s.scratch, r)
		text = text[end+1:]
	}

	return true
}

// entity resolves the five names of XML and character numbers; negative if it is neither.
func entity(name []byte) rune {
	switch string(name) {
	case "amp":
		return '&'
	case "lt":
		return '<'
	case "gt":
		return '>'
	case "quot":
		return '"'
	case "apos":
		return '\''
	}

	if len(name) < 2 || name[0] != '#' {
		return -1
	}

	base := 10

	digits := string(name[1:])
	if name[1] == 'x' {
		base = 16
		digits = string(name[2:])
	}

	n, err := strconv.ParseUint(digits, base, 32)
	r := rune(n)

	switch {
	case err != nil || n > utf8.MaxRune || !utf8.ValidRune(r) || r == 0xFFFE || r == 0xFFFF,
		r < ' ' && r != '\t' && r != '\n' && r != '\r':
		return -1
	}

	return r
}

func nameStart(c byte) bool { return nameByte[c] && (c < '0' || c > '9') && c != '-' && c != '.' }

func blank(c byte) bool { return c == ' ' || c == '\n' || c == '\r' || c == '\t' }

// skipBlanks removes blanks from the front.
func skipBlanks(b []byte) []byte {
	for len(b) > 0 && blank(b[0]) {
		b = b[1:]
	}

	return b
}

// trim removes blanks from both ends.
func trim(b []byte) []byte {
	b = skipBlanks(b)
	for len(b) > 0 && blank(b[len(b)-1]) {
		b = b[:len(b)-1]
	}

	return b
}
