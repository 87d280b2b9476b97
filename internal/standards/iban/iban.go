// Package iban parses International Bank Account Numbers (ISO 13616) and checks them against the registry: characters,
// country, length, structure and check digits.
//
// It promises that Parse returns an IBAN in electronic form that satisfies every rule of the registry for its country.
// It does not promise that the account exists, nor that national check digits inside the BBAN are right; only banks and
// their directories can tell.
//
// Read in this order: iban.go (the rules), table.go (the countries), areas.go (which of them are in SEPA).
package iban

import (
	"fmt"
	"strings"
	"unicode"

	"slipway/internal/core/text"
)

// Problem is what is wrong with an IBAN, in the numbers of the IBAN Suite that the interface reports.
type Problem int

// The problems, and the number of each there. This package does not detect 201 (the national check digit) and 204.
const (
	WrongCheckDigits Problem = 202
	WrongLength      Problem = 203
	WrongStructure   Problem = 205
	WrongCharacter   Problem = 206
	WrongCountry     Problem = 207
)

// Error is the reason why a text is not an IBAN. Detail is a sentence without the number itself, which is personal
// data.
type Error struct {
	Problem Problem
	Detail  string
}

// Error returns the sentence.
func (e *Error) Error() string { return e.Detail }

func wrong(p Problem, detail string, args ...any) error {
	return &Error{p, fmt.Sprintf(detail, args...)}
}

// IBAN is a number that Parse accepted, in electronic form: capitals and digits, no spaces.
type IBAN string

// Limits of length (ISO 13616): the shortest of the registry, and the longest that is allowed.
const (
	minLength = 15
	MaxLength = 34
)

// Normalise converts what people type and paste to electronic form: what stands between the characters of a number is
// removed (text.Compact), and so is the word IBAN before it. It checks nothing.
func Normalise(s string) string {
	n := text.Compact(s)

	return strings.TrimPrefix(strings.TrimPrefix(n, "IBAN"), ":") // no country has the code IB
}

// electronic removes white space, visible or not, and converts letters to capitals.
func electronic(s string) string {
	return strings.Map(func(r rune) rune {
		switch {
		case unicode.IsSpace(r), text.Invisible(r) && !text.Hidden(r):
			return -1
		case r >= 'a' && r <= 'z':
			return r - 'a' + 'A'
		}

		return r
	}, s)
}

// Parse checks a text, which may be written in groups and in small letters. Its error is an *Error with the first
// broken rule: characters, country, length, structure, check digits, in this order, since a later rule means little if
// an earlier one is broken.
func Parse(s string) (IBAN, error) {
	n := electronic(s)
	for _, r := range n {
		if (r < '0' || r > '9') && (r < 'A' || r > 'Z') {
			return "", wrong(WrongCharacter, "an IBAN holds letters A to Z and digits only")
		}
	}

	if len(n) < 4 || len(n) > MaxLength {
		return "", wrong(WrongLength, "an IBAN has %d to %d characters", minLength, MaxLength)
	}

	f, known := formats()[n[:2]]
	switch {
	case !letter(n[0]) || !letter(n[1]):
		return "", wrong(WrongStructure, "an IBAN begins with two letters, its country's code")
	case !known:
		return "", wrong(WrongCountry, "%s is not a country of the IBAN registry", n[:2])
	case len(n) != f.length:
		return "", wrong(WrongLength, "an IBAN of %s has %d characters, not %d", n[:2], f.length, len(n))
	case !digit(n[2]) || !digit(n[3]):
		return "", wrong(WrongStructure, "the third and fourth character of an IBAN are digits")
	}

	for i := range len(f.classes) {
		if !fits(f.classes[i], n[4+i]) {
			return "", wrong(WrongStructure, "character %d of an IBAN of %s is %s", i+5, n[:2], className(f.classes[i]))
		}
	}

	// ISO 13616 computes check digits as 98 minus a remainder: 00, 01 and 99 are impossible, though some satisfy the
	// remainder's check.
	if checks := n[2:4]; checks < "02" || checks > "98" || mod97(n) != 1 {
		return "", wrong(WrongCheckDigits, "the check digits do not fit the other characters: one of them is mistyped")
	}

	return IBAN(n), nil
}

func letter(c byte) bool { return c >= 'A' && c <= 'Z' }
func digit(c byte) bool  { return c >= '0' && c <= '9' }

func fits(class, c byte) bool {
	switch class {
	case 'n':
		return digit(c)
	case 'a':
		return letter(c)
	}

	return digit(c) || letter(c)
}

func className(class byte) string {
	switch class {
	case 'n':
		return "a digit"
	case 'a':
		return "a letter"
	}

	return "a letter or digit"
}

// mod97 returns the remainder of ISO 7064 MOD 97-10 over the text with its first four characters moved to the end and
// letters replaced by 10 to 35.
func mod97(s string) int {
	rest := 0
	for i := range len(s) {
		c := s[(i+4)%len(s)]
		if letter(c) {
			rest = (rest*100 + int(c-'A') + 10) % 97
		} else {
			rest = (rest*10 + int(c-'0')) % 97
		}
	}

	return rest
}

// Country returns the country code. Territories have the code of the country that they belong to.
func (x IBAN) Country() string { return string(x[:2]) }

// BBAN returns what follows the country and check digits.
func (x IBAN) BBAN() string { return string(x[4:]) }

// Bank returns the bank's code within the country.
func (x IBAN) Bank() string { return x.part(formats()[x.Country()].bank) }

// Branch returns the branch's code, empty if IBANs of the country have none.
func (x IBAN) Branch() string { return x.part(formats()[x.Country()].branch) }

func (x IBAN) part(s span) string {
	if b := x.BBAN(); s.to <= len(b) {
		return b[s.from:s.to]
	}

	return ""
}

// String returns the form for people: groups of four.
func (x IBAN) String() string {
	var b strings.Builder
	for i := 0; i < len(x); i += 4 {
		if i > 0 {
			b.WriteByte(' ')
		}

		b.WriteString(string(x[i:min(i+4, len(x))]))
	}

	return b.String()
}

// QR reports whether it is a QR-IBAN: a Swiss or Liechtenstein number whose institution identifier is 30000 to 31999.
// It accepts only payments with a QR reference (SIX, QR-bill 3.2).
func (x IBAN) QR() bool {
	if c := x.Country(); c != "CH" && c != "LI" {
		return false
	}

	id := x.Bank()

	return id >= "30000" && id <= "31999"
}

// InSEPA reports whether its country is in the SEPA schemes.
func (x IBAN) InSEPA() bool { return InSEPA(x.Country()) }

// CheckDigits returns the two digits for a country and BBAN, for issuers of numbers (ISO 13616-1, 6.1).
func CheckDigits(country, bban string) string {
	return fmt.Sprintf("%02d", 98-mod97(country+"00"+bban))
}
