// Package text brings what people write into the one form in which it is stored.
//
// Two texts that look the same should be the same: a name with an invisible character inside is another name to a list
// of sanctions, to a search and to a unique index, and the same name to whoever reads it and to the bank. So texts are
// cleaned where they enter: package web cleans every text of a request, and user.CheckText every name that comes
// otherwise. What differs in ways that matter to nobody is folded where it is compared (fold.go), and what people put
// into numbers and codes to read them is removed where those are read (written.go). text.go does the cleaning.
package text

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"
)

// Clean returns a text in Unicode normalisation form C, without invisible characters, and with one plain blank wherever
// there were several, or others than U+0020. Line ends and tabs stay, and so do characters that Hidden reports: what
// was meant by those nobody knows, so they are refused. A text that is not UTF-8 is returned as it is. A second call
// changes nothing.
func Clean(s string) string {
	if isASCII(s) && !strings.Contains(s, "  ") || !utf8.ValidString(s) {
		return s
	}

	if !strings.Contains(s, "  ") && !strings.ContainsFunc(s, unusual) && norm.NFC.IsNormalString(s) {
		return s
	}

	var b strings.Builder

	runes := []rune(norm.NFC.String(s))
	for i, r := range runes {
		switch {
		case unicode.Is(unicode.Zs, r):
			if i == 0 || !unicode.Is(unicode.Zs, runes[i-1]) {
				b.WriteByte(' ')
			}

		case !Invisible(r), Hidden(r), joins(runes, i):
			b.WriteRune(r)
		}
	}

	out := norm.NFC.String(b.String())
	if out == s {
		return s
	}

	return Clean(out) // what stood on both sides of an invisible character may compose, or be blanks
}

// Trim returns a text cleaned, without bytes that are no text, and without white space around it: what somebody wrote
// into a line of a form.
func Trim(s string) string { return strings.TrimSpace(Clean(strings.ToValidUTF8(s, ""))) }

func isASCII(s string) bool {
	for i := range len(s) {
		if s[i] >= utf8.RuneSelf {
			return false
		}
	}

	return true
}

// unusual reports whether a character may have to go.
func unusual(r rune) bool { return r >= utf8.RuneSelf && (unicode.Is(unicode.Zs, r) || Invisible(r)) }

// Invisible reports whether a character has no form of its own: the default-ignorable ones of the Unicode Character
// Database (DerivedCoreProperties.txt: soft hyphen, joiners, fillers, selectors of variants) and every other format
// character.
func Invisible(r rune) bool {
	return r >= 0xad &&
		unicode.In(r, unicode.Cf, unicode.Other_Default_Ignorable_Code_Point, unicode.Variation_Selector)
}

// Hidden reports whether a character must not stand in one line of text: it ends the line, controls a terminal, turns
// the direction of what follows, or stands for bytes that were no text.
func Hidden(r rune) bool {
	return unicode.IsControl(r) || r == '\u2028' || r == '\u2029' || r >= '\u202a' && r <= '\u202e' ||
		r >= '\u2066' && r <= '\u2069' || unicode.Is(unicode.Co, r) || r == utf8.RuneError
}

// OneLine reports whether a text is UTF-8 in one line without hidden characters.
func OneLine(s string) bool { return utf8.ValidString(s) && !strings.ContainsFunc(s, Hidden) }

// joins reports whether runes[i] is a joiner (U+200C, U+200D) that is part of the spelling: between two letters of one
// script in which it decides their form, such as in Persian and Hindi. RFC 5892, A.1 and A.2, says for names of hosts
// between which letters it does; here the script is enough, since no comparison sees joiners.
func joins(runes []rune, i int) bool {
	if runes[i] != '\u200c' && runes[i] != '\u200d' {
		return false
	}

	before := i - 1
	for before > 0 && unicode.Is(unicode.Mn, runes[before]) && !Invisible(runes[before]) {
		before--
	}

	if before < 0 || i+1 == len(runes) {
		return false
	}

	for _, script := range joining() {
		if unicode.Is(script, runes[before]) && unicode.Is(script, runes[i+1]) {
			return unicode.IsLetter(runes[before]) && unicode.IsLetter(runes[i+1])
		}
	}

	return false
}

func joining() []*unicode.RangeTable {
	return []*unicode.RangeTable{
		unicode.Arabic, unicode.Syriac, unicode.Mongolian, unicode.Nko, unicode.Devanagari, unicode.Bengali,
		unicode.Gurmukhi, unicode.Gujarati, unicode.Oriya, unicode.Tamil, unicode.Telugu, unicode.Kannada,
		unicode.Malayalam, unicode.Sinhala, unicode.Khmer, unicode.Myanmar, unicode.Tibetan,
	}
}
