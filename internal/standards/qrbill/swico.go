package qrbill

import (
	"errors"
	"fmt"
	"strconv"
	"strings"
	"time"
)

// Swico is billing information in the syntax S1 of Swico ("Syntaxdefinition der Rechnungsinformationen (S1)", version
// 1.2). Its values help to book an invoice; none of them changes the payment. An invalid value is left empty and listed
// in Problems; the others remain, since many programs write one of them wrong.
type Swico struct {
	Invoice         string     // number of the invoice (10)
	Date            string     // of the invoice: 2019-05-12 (11)
	CustomerRef     string     // (20)
	VATNumber       string     // nine digits of the Swiss enterprise number, without CHE (30)
	VATFrom, VATTo  string     // days of the supply; the same twice when it is one day (31)
	VAT             []VATRate  // (32)
	ImportVAT       []VATRate  // (33)
	Conditions      []Discount // (40)
	UnknownElements []Element  // of newer versions or unknown, as written
	Problems        []Element  // omitted because they are invalid
}

// VATRate is a rate in per cent and its net amount (32) or tax (33). Amount is empty if one rate applies to the
// complete invoice.
type VATRate struct{ Percent, Amount string }

// Discount is the deduction in per cent for payment within a number of days. 0 per cent is the term of payment.
type Discount struct {
	Percent string
	Days    int
}

// Element is one pair of tag and value, unescaped.
type Element struct {
	Tag   int
	Value string
}

// ErrNotSwico means that billing information is empty or in another syntax.
var ErrNotSwico = errors.New("billing information does not begin with //S1/: it is not in the syntax of Swico")

// Tags of S1.
const (
	tagInvoice     = 10
	tagDate        = 11
	tagCustomerRef = 20
	tagVATNumber   = 30
	tagVATDate     = 31
	tagVAT         = 32
	tagImportVAT   = 33
	tagConditions  = 40
)

const (
	swicoPrefix   = "//S1/"
	swicoDate     = "060102"     // YYMMDD
	isoDate       = "2006-01-02" //
	vatDigits     = 9
	maxPercent    = 8   // characters of a rate or discount
	maxVATAmount  = 15  // characters
	maxDays       = 999 //
	maxVATEntries = 20
)

// ParseSwico parses billing information. Its only error is ErrNotSwico; Problems lists everything else. Elements must
// be in the order of their tags, each once (S1, 2.2); any other is a problem.
func ParseSwico(billing string) (Swico, error) {
	rest, ok := strings.CutPrefix(billing, swicoPrefix)
	if !ok {
		return Swico{}, ErrNotSwico
	}

	var s Swico
	parts := unescape(rest)

	last := -1
	for i := 0; i < len(parts); i += 2 {
		tag, err := strconv.Atoi(parts[i])
		if err != nil || tag < 0 || len(parts[i]) > 2 || i+1 == len(parts) {
			s.Problems = append(s.Problems, Element{-1, strings.Join(parts[i:], "/")})
			return s, nil // the rest is ambiguous
		}

		e := Element{tag, parts[i+1]}
		if tag <= last || !s.set(e) {
			s.Problems = append(s.Problems, e)
		}

		last = max(last, tag)
	}

	return s, nil
}

// set stores a value; it returns false if the value is invalid.
func (s *Swico) set(e Element) (ok bool) {
	switch e.Tag {
	case tagInvoice:
		s.Invoice = e.Value
		ok = e.Value != ""
	case tagDate:
		s.Date, ok = day(e.Value)
	case tagCustomerRef:
		s.CustomerRef = e.Value
		ok = e.Value != ""

	case tagVATNumber:
		if ok = len(e.Value) == vatDigits && digits(e.Value) && uidChecks(e.Value); ok {
			s.VATNumber = e.Value
		}

	case tagVATDate:
		s.VATFrom, s.VATTo, ok = days(e.Value)
	case tagVAT:
		s.VAT, ok = rates(e.Value, true)
	case tagImportVAT:
		s.ImportVAT, ok = rates(e.Value, false)
	case tagConditions:
		s.Conditions, ok = conditions(e.Value)
	default:
		s.UnknownElements = append(s.UnknownElements, e)
		ok = true
	}

	return ok
}

// Due returns the last day of the term: the invoice's day plus the days of the condition without discount. It is empty
// if one of the two is missing, or if there are several terms.
func (s Swico) Due() string {
	date, err := time.Parse(isoDate, s.Date)
	if err != nil {
		return ""
	}

	due := ""
	for _, c := range s.Conditions {
		if strings.Trim(c.Percent, "0.") != "" {
			continue
		}

		if due != "" {
			return ""
		}

		due = date.AddDate(0, 0, c.Days).Format(isoDate)
	}

	return due
}

// unescape splits at slashes; a slash or backslash in a value is preceded by a backslash.
func unescape(s string) (out []string) {
	var b strings.Builder
	for i := 0; i < len(s); i++ {
		switch c := s[i]; {
		case c == '\\' && i+1 < len(s) && (s[i+1] == '/' || s[i+1] == '\\'):
			i++
			b.WriteByte(s[i])
		case c == '/':
			out = append(out, b.String())
			b.Reset()
		default:
			b.WriteByte(c)
		}
	}

	return append(out, b.String())
}

// day converts YYMMDD to a date of this century.
func day(s string) (string, bool) {
	if len(s) != len(swicoDate) || !digits(s) {
		return "", false
	}

	t, err := time.Parse("20"+swicoDate, "20"+s)
	if err != nil {
		return "", false
	}

	return t.Format(isoDate), true
}

// days reads one day, or the first and the last day of a period.
func days(s string) (from, to string, ok bool) {
	if from, ok = day(s); ok {
		return from, from, true
	}

	if len(s) != 2*len(swicoDate) {
		return "", "", false
	}

	from, ok1 := day(s[:len(swicoDate)])

	to, ok2 := day(s[len(swicoDate):])
	if !ok1 || !ok2 || to < from {
		return "", "", false
	}

	return from, to, true
}

// rates reads rate:amount;rate:amount. A single rate without amount is accepted if alone is set.
func rates(s string, alone bool) (out []VATRate, ok bool) {
	parts := strings.Split(s, ";")
	if len(parts) > maxVATEntries {
		return nil, false
	}

	for _, part := range parts {
		percent, amount, pair := strings.Cut(part, ":")
		if !decimal(percent, maxPercent) || pair && !decimal(amount, maxVATAmount) ||
			!pair && (!alone || len(parts) > 1) {
			return nil, false
		}

		out = append(out, VATRate{percent, amount})
	}

	return out, true
}

func conditions(s string) (out []Discount, ok bool) {
	parts := strings.Split(s, ";")
	if len(parts) > maxVATEntries {
		return nil, false
	}

	for _, part := range parts {
		percent, text, pair := strings.Cut(part, ":")

		n, err := strconv.Atoi(text)
		if !pair || !decimal(percent, maxPercent) || err != nil || !digits(text) || n > maxDays {
			return nil, false
		}

		out = append(out, Discount{percent, n})
	}

	return out, true
}

func decimal(s string, most int) bool {
	units, fraction, point := strings.Cut(s, ".")
	return len(s) <= most && units != "" && digits(units) && digits(fraction) && (fraction != "") == point
}

// uidChecks checks the last digit of a Swiss enterprise number (eCH-0097: weights 5 4 3 2 7 6 5 4, modulo 11).
func uidChecks(s string) bool {
	sum := 0
	for i, weight := range []int{5, 4, 3, 2, 7, 6, 5, 4} {
		sum += weight * int(s[i]-'0')
	}

	check := (11 - sum%11) % 11

	return check < 10 && int(s[vatDigits-1]-'0') == check
}

// String returns the billing information for a bill; empty elements are omitted.
func (s Swico) String() string {
	var b strings.Builder
	put := func(tag int, value string) {
		if value != "" {
			fmt.Fprintf(&b, "/%02d/%s", tag, value)
		}
	}
	escape := strings.NewReplacer(`\`, `\\`, `/`, `\/`).Replace
	short := func(iso string) string { return strings.ReplaceAll(strings.TrimPrefix(iso, "20"), "-", "") }
	put(tagInvoice, escape(s.Invoice))
	put(tagDate, short(s.Date))
	put(tagCustomerRef, escape(s.CustomerRef))
	put(tagVATNumber, s.VATNumber)

	if s.VATTo == s.VATFrom {
		put(tagVATDate, short(s.VATFrom))
	} else {
		put(tagVATDate, short(s.VATFrom)+short(s.VATTo))
	}

	put(tagVAT, joinRates(s.VAT))
	put(tagImportVAT, joinRates(s.ImportVAT))

	var terms []string
	for _, c := range s.Conditions {
		terms = append(terms, c.Percent+":"+strconv.Itoa(c.Days))
	}

	put(tagConditions, strings.Join(terms, ";"))

	if b.Len() == 0 {
		return ""
	}

	return "//S1" + b.String()
}

func joinRates(rates []VATRate) string {
	var out []string
	for _, r := range rates {
		if r.Amount != "" {
			out = append(out, r.Percent+":"+r.Amount)
		} else {
			out = append(out, r.Percent)
		}
	}

	return strings.Join(out, ";")
}
