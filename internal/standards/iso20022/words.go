package iso20022

import (
	"slices"
	"strings"
)

// Words keeps values of a file as strings, many in one allocation: nearly all that a statement costs is its strings. Neighbours share
// memory, so a few that are kept for long should be cloned. The zero value is ready.
type Words struct {
	block strings.Builder
	known [256]string // values that come again and again, by a rough hash
}

const blockSize = 16 << 10

// Keep gives the bytes as a string.
func (w *Words) Keep(b []byte) string {
	if len(b) == 0 {
		return ""
	}
	if w.block.Cap()-w.block.Len() < len(b) {
		w.block = strings.Builder{}
		w.block.Grow(max(blockSize, len(b)))
	}
	from := w.block.Len()
	w.block.Write(b)
	return w.block.String()[from:]
}

// Code is Keep for what repeats: codes, currencies, dates, our own account.
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

// Amount reads an amount element with its currency. A wrong one ends the scanner.
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

// isCurrency says whether a text has the form of an ISO 4217 code.
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

// Date reads a date, or the date of a time as the bank wrote it, as 2006-01-02.
func (s *Scanner) Date(w *Words) string {
	b := s.Text()
	if len(b) == 0 {
		return ""
	}
	if len(b) < 10 || !isDate(b[:10]) || len(b) > 10 && b[10] != 'T' && b[10] != 'Z' && b[10] != '+' && b[10] != '-' {
		s.Fail(CodeValue, "a date that cannot be one")
		return ""
	}
	return w.Code(b[:10])
}

// DateChoice reads an element with Dt or DtTm inside.
func (s *Scanner) DateChoice(w *Words) string {
	date := ""
	for s.Child() {
		switch string(s.Name()) {
		case "Dt", "DtTm":
			date = s.Date(w)
		default:
			s.Skip()
		}
	}
	return date
}

func isDate(b []byte) bool {
	for i, c := range b {
		if i == 4 || i == 7 {
			if c != '-' {
				return false
			}
		} else if c < '0' || c > '9' {
			return false
		}
	}
	month, day := (b[5]-'0')*10+b[6]-'0', (b[8]-'0')*10+b[9]-'0'
	return month >= 1 && month <= 12 && day >= 1 && day <= 31
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

// Choice reads a code that is text itself, or stands in Cd (an ISO code) or Prtry (the bank's own, perhaps in an Id or Cd of its own).
func (s *Scanner) Choice(w *Words) (code string, proprietary bool) {
	if s.Leaf() {
		return w.Code(s.Text()), false
	}
	for s.Child() {
		switch string(s.Name()) {
		case "Cd":
			code = w.Code(s.Text())
		case "Prtry", "CdOrPrtry":
			own := string(s.Name()) == "Prtry"
			inner, _ := s.Choice(w)
			code, proprietary = inner, own
		case "Id":
			code = w.Code(s.Text())
		default:
			s.Skip()
		}
	}
	return code, proprietary
}

// Within reads the current element through. found takes each child of one of the names, as Text or a Child loop does; others are skipped. It
// costs a call for each child: what every entry of a statement has is read by loops of its own.
func (s *Scanner) Within(found func(), names ...string) {
	for s.Child() {
		if slices.Contains(names, string(s.Name())) {
			found()
		} else {
			s.Skip()
		}
	}
}

// Leaf says whether the current element holds a value and no element; it consumes nothing.
func (s *Scanner) Leaf() bool {
	if s.closed || s.err != nil {
		return true
	}
	n := 0
	for {
		for s.pos+n < len(s.buf) && blank(s.buf[s.pos+n]) {
			n++
		}
		if s.pos+n+1 < len(s.buf) {
			break
		}
		if n > s.lim.Token {
			s.fail(CodeTooLong, "a value is longer than allowed")
			return true
		}
		if !s.have(n + 2) {
			return true
		}
	}
	if s.buf[s.pos+n] != '<' {
		return true
	}
	c := s.buf[s.pos+n+1]
	return c == '/' || c == '!' || c == '?'
}

// Provided gives a reference, or nothing for the words that banks write for none: NOTPROVIDED, in any case and spacing, or NONREF.
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

// Reasons reads an element that gives a reason (RtrRsnInf, StsRsnInf): its code, and free text beside it. The word comes from of.
func (s *Scanner) Reasons(w *Words, of func(code string) Reason) (g ReasonGiven) {
	var info []string // joined once: a hostile file has very many
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
