package paper

import (
	"slices"
	"strings"
	"sync"
	"unicode"

	"golang.org/x/text/unicode/bidi"
	"golang.org/x/text/unicode/norm"
)

// visual returns one line in the order in which it is drawn, from left to right. A line without Arabic, Hebrew or
// Devanagari does not change. Arabic letters get the forms that join their neighbours, as the characters U+FE80 to
// U+FEFC, which the fonts have. It makes no ligatures except lam with alef, and it does not place vowel signs.
func visual(line string) string {
	line = vowelsBefore(line)

	if !strings.ContainsFunc(line, rightToLeft) {
		return line
	}

	var p bidi.Paragraph
	if _, err := p.SetString(joined(line)); err != nil {
		return line
	}

	order, err := p.Order()
	if err != nil {
		return line
	}

	runs := make([]stretch, order.NumRuns())
	for i := range runs {
		run := order.Run(i)
		runs[i] = stretch{run.String(), run.Direction() == bidi.RightToLeft}
	}

	return arrange(runs, firstStrong(line))
}

// vowelsBefore returns a line with the short i of Devanagari before its consonant, where it is drawn; it is written
// after it. Consonants are drawn one by one, with the virama between those that are joined, which is read as well: the
// sign then stands before the last one (The Unicode Standard, 12.1, rule R15).
func vowelsBefore(line string) string {
	const (
		shortI = '\u093f'
		nukta  = '\u093c'
	)

	if !strings.ContainsRune(line, shortI) {
		return line
	}

	out := []rune(line)
	for i, r := range out {
		if r != shortI {
			continue
		}

		at := i
		if at > 0 && out[at-1] == nukta {
			at--
		}

		if at == 0 || !consonant(out[at-1]) {
			continue
		}

		copy(out[at:i+1], out[at-1:i])
		out[at-1] = shortI
	}

	return string(out)
}

// liftOf returns how far above its place text[i] is drawn, in thousandths of the size: a tone of Thai (U+0E48 to
// U+0E4C) above another sign, which the font has at the same height.
func liftOf(text []rune, i int) int {
	const (
		height   = 211
		saraAm   = '\u0e33' // a sign above and one behind
		taiKhu   = '\u0e47'
		nikhahit = '\u0e4d'
	)

	if r := text[i]; r < '\u0e48' || r > '\u0e4c' {
		return 0
	}

	if i+1 < len(text) && text[i+1] == saraAm {
		return height
	}

	if i == 0 {
		return 0
	}

	switch r := text[i-1]; {
	case r == '\u0e31', r >= '\u0e34' && r <= '\u0e37', r == taiKhu, r == nikhahit:
		return height
	}

	return 0
}

// consonant reports whether a character is a consonant of Devanagari.
func consonant(r rune) bool {
	return r >= 0x915 && r <= 0x939 || r >= 0x958 && r <= 0x95f || r >= 0x978 && r <= 0x97f
}

// stretch is a run of characters of one direction, in reading order.
type stretch struct {
	text string
	rtl  bool
}

// arrange orders stretches as the Unicode bidirectional algorithm does (UAX #9, rule L2), for a line that begins in the
// given direction. A number after Arabic or Hebrew belongs to it.
func arrange(runs []stretch, rtl bool) string {
	if rtl {
		slices.Reverse(runs)
	} else {
		for i := 0; i < len(runs); i++ {
			end := i + 1
			for runs[i].rtl && end < len(runs) && (runs[end].rtl || number(runs[end].text)) {
				end++
			}

			slices.Reverse(runs[i:end])
			i = end - 1
		}
	}

	var b strings.Builder
	for _, r := range runs {
		if r.rtl {
			b.WriteString(reversed(r.text))
		} else {
			b.WriteString(r.text)
		}
	}

	return b.String()
}

// number reports whether a text begins with a digit and has no letters.
func number(s string) bool {
	return s != "" && s[0] >= '0' && s[0] <= '9' && !strings.ContainsFunc(s, unicode.IsLetter)
}

// firstStrong returns the direction of the first letter: true for right to left (UAX #9, P2 and P3).
func firstStrong(s string) bool {
	for _, r := range s {
		if rightToLeft(r) {
			return true
		}

		if unicode.IsLetter(r) {
			return false
		}
	}

	return false
}

// rightToLeft reports whether a character is a letter of Hebrew or Arabic script, in their blocks or among the
// presentation forms.
func rightToLeft(r rune) bool {
	return r >= 0x590 && r <= 0x8ff || r >= 0xfb1d && r <= 0xfdff || r >= 0xfe70 && r <= 0xfefc
}

// reversed returns a text with its characters reversed. Combining marks stay after their letter, and brackets are
// mirrored.
func reversed(s string) string {
	var clusters []string
	for _, r := range s {
		if unicode.Is(unicode.Mn, r) && len(clusters) > 0 {
			clusters[len(clusters)-1] += string(r)
		} else {
			clusters = append(clusters, bidi.ReverseString(string(r)))
		}
	}

	slices.Reverse(clusters)

	return strings.Join(clusters, "")
}

// The places of a letter's forms.
const (
	alone = iota
	atEnd
	atBegin
	within
)

// forms are an Arabic letter's presentation forms: two for one that does not join what follows, else four.
type forms []rune

// joins reports whether a letter joins the next one.
func (f forms) joins() bool { return len(f) > atBegin }

// presentation returns the forms of every letter, from Unicode's own data. The block lists for each letter alone, atEnd
// and, if it has them, atBegin and within; each decomposes into the letter.
var presentation = sync.OnceValue(func() map[string]forms {
	out := map[string]forms{}
	for r := rune(0xfe80); r <= 0xfefc; r++ {
		letter := norm.NFC.String(norm.NFKD.String(string(r)))
		out[letter] = append(out[letter], r)
	}

	for i, letter := range []rune("پچژکگی") { // letters of Persian and Urdu, whose forms lie in another block
		first := []rune{0xfb56, 0xfb7a, 0xfb8a, 0xfb8e, 0xfb92, 0xfbfc}[i]

		n := rune(4)
		if letter == 'ژ' {
			n = 2
		}

		for k := range n {
			out[string(letter)] = append(out[string(letter)], first+k)
		}
	}

	return out
})

const lam, tatweel, nonJoiner, joiner = 'ل', 'ـ', '\u200c', '\u200d'

// joined replaces every Arabic letter by the form that joins its neighbours, in reading order.
func joined(line string) string {
	text := []rune(line)

	var out []rune

	before := false // whether the letter before joins
	for i := 0; i < len(text); i++ {
		letter := string(text[i])
		if i+1 < len(text) && text[i] == lam {
			if _, ok := presentation()[letter+string(text[i+1])]; ok {
				letter += string(text[i+1])
			}
		}

		of, ok := presentation()[letter]
		switch {
		case text[i] == nonJoiner:
			before = false
			continue
		case text[i] == joiner, text[i] == tatweel:
			before = true
		case unicode.Is(unicode.Mn, text[i]): // a vowel sign: the letters join beneath it
		case !ok:
			before = false

		default:
			i += len([]rune(letter)) - 1
			out = append(out, of.beside(before, of.joins() && joinsBefore(text[i+1:])))
			before = of.joins()

			continue
		}

		if text[i] != joiner {
			out = append(out, text[i])
		}
	}

	return string(out)
}

// beside returns the form for a letter whose neighbours before and behind join it or not.
func (f forms) beside(before, behind bool) rune {
	at := alone
	switch {
	case before && behind:
		at = within
	case before:
		at = atEnd
	case behind:
		at = atBegin
	}

	if at >= len(f) {
		at = alone
	}

	return f[at]
}

// joinsBefore reports whether the letter before can join the next one. It can if the next one has a form for the end;
// only hamza has none.
func joinsBefore(rest []rune) bool {
	for _, r := range rest {
		switch {
		case unicode.Is(unicode.Mn, r):
			continue
		case r == joiner || r == tatweel:
			return true
		}

		return len(presentation()[string(r)]) > atEnd
	}

	return false
}
