package swiftmt

import (
	"cmp"
	"regexp"
	"strings"

	"slipway/internal/standards/iso20022"
	"slipway/internal/standards/iso20022/camt"
)

// lineForm is :61:: value date, entry date, mark, funds code, amount, kind of transaction, the customer's reference,
// the bank's reference. Banks fill a missing entry date and a short kind with blanks, put one before the kind, or omit
// kind and customer's reference.
var lineForm = regexp.MustCompile(
	`^([0-9]{6})([0-9]{4})? *(R[CD]|E[CD]|[CD])([A-Z])?([0-9]+(?:[.,][0-9]*)?) *(?:([A-Z][A-Z0-9 ]{3})(.*)|//.*)?$`,
)

// line begins an entry. Its text follows in :86:, if there is one.
func (p *reader) line(f field) {
	found := lineForm.FindStringSubmatch(strings.TrimRight(f.lines[0], " "))
	if found == nil {
		p.s.fail(f, iso20022.CodeValue, "a statement line that cannot be read")
		return
	}

	value, okValue := date(lastOfFebruary(found[1]))
	booked, okBooked := entryDate(value, found[2])

	sum, okSum := amount(found[5])
	if !okValue || !okBooked || !okSum {
		p.s.fail(f, iso20022.CodeValue, "a statement line whose day or amount cannot be one")
		return
	}

	m := &p.m
	mark := found[3]
	kind := strings.TrimRight(found[6], " ")

	references := found[7]
	if kind == "" {
		_, references, _ = strings.Cut(found[0], "//")
		references = "//" + references
	}

	customers, banks, _ := strings.Cut(references, "//")

	e := camt.Entry{
		Account:     m.header.Account,
		Statement:   p.number,
		Number:      m.tally.Entries(),
		Amount:      iso20022.Amount{Value: sum, Currency: m.header.Account.Currency},
		Credit:      mark == "C" || mark == "RD" || mark == "EC",
		Reversal:    mark[0] == 'R',
		Status:      camt.Booked,
		BookingDate: booked,
		ValueDate:   value,
		AcctSvcrRef: reference(banks),
		Code:        codeOf(kind, ""),
	}
	if mark[0] == 'E' { // expected (MT942)
		e.Status = camt.Pending
	}

	d := camt.Detail{Amount: e.Amount, Credit: e.Credit, InstrID: reference(customers)}
	supplement(&e, &d, strings.Join(f.lines[1:], ""))

	if isReturn(kind, "") {
		d.Return = returned(kind)
	}

	e.Details = []camt.Detail{d}
	m.entry = e
	m.open = true
}

// reference returns a reference, or "" for the words that banks write if there is none.
func reference(s string) string { return iso20022.Provided(strings.TrimSpace(s)) }

var supplementForm = regexp.MustCompile(`/(OCMT|CHGS)/([A-Z]{3})([0-9]+,[0-9]*)`)

// supplement reads the second line of :61:: the original amount and the charges, or text of the bank.
func supplement(e *camt.Entry, d *camt.Detail, text string) {
	for _, found := range supplementForm.FindAllStringSubmatch(text, 2) {
		value, ok := amount(found[3])
		if !ok {
			continue
		}

		a := iso20022.Amount{Value: value, Currency: found[2]}
		if found[1] == "OCMT" {
			d.Instructed = a
		} else {
			e.Charges = append(e.Charges, camt.Charge{Amount: a, Included: true})
		}
	}

	e.Info = strings.TrimSpace(supplementForm.ReplaceAllString(text, ""))
}

// codeOf returns the kind of a booking: SWIFT's, and the German one if there is one (GVC). A return also gets the ISO
// 20022 code.
func codeOf(swift, german string) camt.TxCode {
	c := camt.TxCode{Proprietary: swift}
	if german != "" {
		c.Proprietary += "+" + german
		c.Issuer = "DK"
	}

	if isReturn(swift, german) {
		c.Domain = "PMNT"
		c.Family = "ICDT"
		c.SubFamily = "RRTN"
	}

	return c
}

// isReturn reports whether a booking is a returned payment: SWIFT's RTI (returned item), or the German 159 (a credit
// transfer).
func isReturn(swift, german string) bool {
	return len(swift) == 4 && swift[1:] == "RTI" || german == "159"
}

// returned is a return without a reason so far.
func returned(code string) *camt.Return {
	r := &camt.Return{OriginalCode: code}
	r.Reason = iso20022.ReturnReason("")
	return r
}

// date parses YYMMDD. The two digits mean 1980 to 2079, as in SWIFT.
func date(s string) (string, bool) {
	year := number(s[:2])
	month := number(s[2:4])
	day := number(s[4:6])

	century := 2000
	if year >= 80 {
		century = 1900
	}

	if !iso20022.DayExists(century+year, month, day) {
		return "", false
	}

	return iso(century+year, month, day), true
}

// lastOfFebruary returns the last day of February for a value date of 29 or 30 February that its year has not: banks
// that count interest in months of thirty days write them.
func lastOfFebruary(s string) string {
	if month := s[2:4]; month != "02" || s[4:] != "29" && s[4:] != "30" {
		return s
	}

	if _, ok := date(s[:4] + "29"); ok {
		return s[:4] + "29"
	}

	return s[:4] + "28"
}

// entryDate parses MMDD. Its year is the one closest to the value date: a booking of 2 January may have the value date
// 30 December.
func entryDate(value, s string) (string, bool) {
	if s == "" || value == "" {
		return "", true
	}

	year := number(value[:4])
	at := dayOfYear(number(value[5:7]), number(value[8:]))
	month := number(s[:2])

	day := number(s[2:])
	switch booked := dayOfYear(month, day); {
	case booked-at > halfYear:
		year--
	case at-booked > halfYear:
		year++
	}

	if !iso20022.DayExists(year, month, day) {
		return "", false
	}

	return iso(year, month, day), true
}

const halfYear = 186 // in months of 31 days

func dayOfYear(month, day int) int { return month*31 + day }

func iso(year, month, day int) string {
	b := []byte("0000-00-00")
	for i, n := range map[int]int{3: year, 6: month, 9: day} {
		for ; n > 0; i-- {
			b[i] = byte('0' + n%10)
			n /= 10
		}
	}

	return string(b)
}

// number parses digits that a form has accepted.
func number(digits string) (n int) {
	for i := range len(digits) {
		n = n*10 + int(digits[i]-'0')
	}

	return n
}

// amount parses an amount of SWIFT, with its comma: 1234,5 is 1234.5 and 100, is 100. Some banks omit the comma of a
// whole amount. A dot is read only where it cannot separate thousands: before exactly two digits, or before none.
func amount(s string) (string, bool) {
	whole, fraction, comma := strings.Cut(s, ",")
	if !comma {
		var dot bool
		whole, fraction, dot = strings.Cut(s, ".")

		if dot && fraction != "" && len(fraction) != len("00") {
			return "", false
		}
	}

	if whole != "" {
		whole = cmp.Or(strings.TrimLeft(whole, "0"), "0")
	}

	if whole == "" || strings.ContainsAny(whole+fraction, ",.") || len(whole)+len(fraction) > maxDigits {
		return "", false
	}

	value, ok := iso20022.Decimal([]byte(whole + "." + fraction))

	return string(value), ok
}

// maxDigits is the length of an amount, without its comma.
const maxDigits = len("123456789012345")
