package iso20022

import (
	"slices"
	"strings"
)

// Words stores values of a file as strings, many in one allocation: strings are most of a statement's cost. Neighbours
// share memory, so clone a few that are kept for a long time. The zero value is ready.
type Words struct {
	block strings.Builder
	known [256]string // recurring values, by a rough hash
	size  int64
}

// Size returns the number of bytes stored so far.
func (w *Words) Size() int64 { return w.size }

const blockSize = 16 << 10

// Keep returns the bytes as a string.
func (w *Words) Keep(b []byte) string {
	if len(b) == 0 {
		return ""
	}

	if w.block.Cap()-w.block.Len() < len(b) {
		w.block = strings.Builder{}
		w.block.Grow(max(blockSize, len(b)))
	}

	w.size += int64(len(b))
	from := w.block.Len()
	w.block.Write(b)

	return w.block.String()[from:]
}

// Code is Keep for recurring values: codes, currencies, dates, our own account.
func (w *Words) Code(b []byte) string {
	if len(b) == 0 {
		return ""
	}

	last := len(b) - 1

	at := &w.known[(uint(b[0])*131+uint(b[last])*31+uint(b[last/2])*7+uint(len(b)))&255]
	if *at != string(b) {
		*at = w.Keep(b)
	}

	return *at
}

// Amount reads an amount element with its currency. An invalid one ends the scanner.
func (s *Scanner) Amount(w *Words) Amount {
	currency := s.Attr("Ccy")
	if !isCurrency(currency) {
		s.Fail(CodeValue, "an amount without a currency")
		return Amount{}
	}

	a := Amount{Currency: w.Code(currency)}
	text := s.Text()

	value, ok := Decimal(text)
	if !ok {
		s.Fail(CodeValue, "an amount that is no number")
		return Amount{}
	}

	a.Value = w.Keep(value)

	return a
}

// isCurrency reports whether a text has the form of an ISO 4217 code.
func isCurrency(b []byte) bool {
	if len(b) != 3 {
		return false
	}

	for _, c := range b {
		if c < 'A' || c > 'Z' {
			return false
		}
	}

	return true
}

// Number reads a plain amount.
func (s *Scanner) Number(w *Words) string {
	value, ok := Decimal(s.Text())
	if !ok {
		s.Fail(CodeValue, "a number that cannot be one")
		return ""
	}

	return w.Keep(value)
}

// Truth reads true, false, 1 or 0.
func (s *Scanner) Truth() bool {
	switch string(s.Text()) {
	case "true", "1":
		return true
	case "false", "0":
		return false
	}

	s.Fail(CodeValue, "neither true nor false")

	return false
}

// IsCredit reads a CdtDbtInd.
func (s *Scanner) IsCredit() bool {
	switch string(s.Text()) {
	case "CRDT":
		return true
	case "DBIT":
		return false
	}

	s.Fail(CodeValue, "neither CRDT nor DBIT")

	return false
}

// Choice reads a code that is the text itself, or is in Cd (an ISO code) or Prtry (the bank's own, perhaps in an Id or
// Cd inside).
func (s *Scanner) Choice(w *Words) (code string, proprietary bool) {
	if s.Leaf() {
		return w.Code(s.Text()), false
	}

	read := false
	for s.Child() {
		switch string(s.Name()) {
		case "Cd", "Id":
			s.Alone(&read)
			code = w.Code(s.Text())

		case "Prtry":
			s.Alone(&read)
			code, _ = s.Choice(w)
			proprietary = true

		case "CdOrPrtry":
			s.Alone(&read)
			code, proprietary = s.Choice(w)
		default:
			s.Skip()
		}
	}

	return code, proprietary
}

// Alone registers that one of several alternatives is read. It ends the scanner if another one was read before: the
// standard allows only one, and it is unclear which one counts.
func (s *Scanner) Alone(read *bool) {
	if *read {
		s.Fail(CodeStructure, "two elements of which one may stand")
	}

	*read = true
}

// Within reads the current element to its end. It calls found for each child with one of the names, which reads it by
// Text or a Child loop; other children are skipped. It costs a call per child, so frequent elements are read by their
// own loops.
func (s *Scanner) Within(found func(), names ...string) {
	for s.Child() {
		if slices.Contains(names, string(s.Name())) {
			found()
		} else {
			s.Skip()
		}
	}
}

// Leaf reports whether the current element contains a value and no element. It consumes only blanks, comments and
// instructions at the element's beginning.
func (s *Scanner) Leaf() bool {
	if s.closed {
		return true
	}

	for s.err == nil {
		s.blanksAhead()

		if !s.have(2) || s.buf[s.pos] != '<' {
			return true
		}

		switch s.buf[s.pos+1] {
		case '/':
			return true

		case '!', '?':
			if !s.have(3) || s.buf[s.pos+2] == '[' || !s.aside() {
				return true
			}

		default:
			return false
		}
	}

	return true
}

// Provided returns a reference, or "" for the words that banks write if there is none: NOTPROVIDED, in any case and
// spacing, or NONREF.
func Provided(ref string) string {
	if ref == "" || ref[0]|0x20 != 'n' || len(ref) > len("NOT PROVIDED") {
		return ref
	}

	if ref == "NONREF" || strings.EqualFold(strings.ReplaceAll(ref, " ", ""), "NOTPROVIDED") {
		return ""
	}

	return ref
}

// Fresh makes room for one more value in a list that grows with a file, or ends the scanner.
func (s *Scanner) Fresh(have int) bool {
	if have < s.lim.Details {
		return true
	}

	s.Fail(CodeTooMany, "more parts of one entry than allowed")

	return false
}

// Reasons reads an element with a reason (RtrRsnInf, StsRsnInf): its code, and free text beside it. of returns the
// normalised reason.
func (s *Scanner) Reasons(w *Words, of func(code string) Reason) (g ReasonGiven) {
	var info []string // joined once: a hostile file may have very many
	for s.Child() {
		switch string(s.Name()) {
		case "Rsn":
			g.Code, g.Proprietary = s.Choice(w)

		case "AddtlInf":
			if text := w.Keep(s.Text()); text != "" && s.Fresh(len(info)) {
				info = append(info, text)
			}

		default:
			s.Skip()
		}
	}

	g.Info = strings.Join(info, " ")
	g.Reason = of(g.Code)

	return g
}
