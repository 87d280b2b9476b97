package text

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"
)

// Fold returns the form in which names are compared: lower-case letters and digits with single spaces between words. It
// removes diacritics and what cannot be seen, spells out other letters, joins initials separated by points (S.A. is
// sa), and treats everything else as a separator. Two texts with the same fold are one name, wherever names are
// compared.
func Fold(name string) string {
	var b strings.Builder

	gap := false
	for _, r := range norm.NFKD.String(name) {
		switch r = Unboxed(r); {
		case Silent(r):
		case unicode.IsLetter(r) || unicode.IsDigit(r):
			if gap && b.Len() > 0 {
				b.WriteByte(' ')
			}

			gap = false
			b.WriteString(Romanised(r))

		default:
			gap = true
		}
	}

	return b.String()
}

// SameName reports whether two texts are one name, wherever blanks and hyphens stand in it. A text without letters and
// digits is no name, and the same as no other.
func SameName(a, b string) bool {
	x := strings.ReplaceAll(Fold(a), " ", "")

	return x != "" && x == strings.ReplaceAll(Fold(b), " ", "")
}

// Searchable returns the form in which texts are searched: letters as Fold has them, and the rest as it stands, since
// amounts, identifiers and addresses are searched as well. A point counts between digits only, and all hyphens are one.
// A column that is searched holds this form, and so does the word that is looked for.
func Searchable(s string) string {
	if ascii(s) {
		return searchableASCII(s)
	}

	var b strings.Builder

	s = norm.NFKD.String(s)
	b.Grow(len(s))

	for i, r := range s {
		switch r = Unboxed(r); {
		case r == '.' && i > 0 && i+1 < len(s) && digit(s[i-1]) && digit(s[i+1]):
			b.WriteByte('.')
		case Silent(r):
		case unicode.IsSpace(r):
			b.WriteByte(' ')
		case r >= utf8.RuneSelf && unicode.Is(unicode.Pd, r):
			b.WriteByte('-')
		default:
			b.WriteString(Romanised(r))
		}
	}

	return b.String()
}

// searchableASCII is Searchable of most texts, in a tenth of its time: every payment has some.
func searchableASCII(s string) string {
	out := make([]byte, 0, len(s))

	for i, c := range []byte(s) {
		switch {
		case c == '.' && i > 0 && i+1 < len(s) && digit(s[i-1]) && digit(s[i+1]):
			out = append(out, c)
		case c == '.', c == '\'':
		case c >= 'A' && c <= 'Z':
			out = append(out, c+'a'-'A')
		case c >= '\t' && c <= '\r':
			out = append(out, ' ')
		default:
			out = append(out, c)
		}
	}

	return string(out)
}

func ascii(s string) bool {
	for i := range len(s) {
		if s[i] >= utf8.RuneSelf {
			return false
		}
	}

	return true
}

func digit(c byte) bool { return c >= '0' && c <= '9' }

// Silent reports whether a character is no letter and separates no words: diacritics, what cannot be seen, points,
// apostrophes, and marks that stand alone (ʿ, ʼ).
func Silent(r rune) bool {
	return r == '.' || r == '\'' || r == '’' || r >= 0x2b0 && r <= 0x2ff ||
		r >= 0x80 && (unicode.In(r, unicode.Mn, unicode.Me) || Invisible(r))
}

// Romanised returns a decomposed letter or digit as it is compared, and any other character as it is.
func Romanised(r rune) string {
	r = unicode.ToLower(r)
	if r < utf8.RuneSelf {
		return string(r)
	}

	if latin, ok := latinOf(r); ok {
		return latin
	}

	return string(r)
}

// Unboxed returns the letter of a symbol that is one in a box or a circle, and has no decomposition.
func Unboxed(r rune) rune {
	for _, a := range [...]rune{0x1f150, 0x1f170, 0x1f1e6} { // negative circled, negative squared, regional indicators
		if r >= a && r < a+26 {
			return 'a' + r - a
		}
	}

	return r
}

// latinOf returns a letter in Latin ones: Western letters as in passports (ICAO Doc 9303, part 3, section 6), Cyrillic
// ones as in the Treasury's lists (the romanisation of BGN/PCGN).
func latinOf(r rune) (string, bool) {
	switch r {
	case 'ß':
		return "ss", true
	case 'æ':
		return "ae", true
	case 'œ':
		return "oe", true
	case 'ø':
		return "o", true
	case 'ł':
		return "l", true
	case 'đ', 'ð':
		return "d", true
	case 'þ':
		return "th", true
	case 'ı':
		return "i", true
	}

	if i := r - 'а'; i >= 0 && int(i) < len(cyrillic) {
		return cyrillic[i], true
	}

	switch r { // Ukrainian, Belarusian and Serbian letters without a diacritic
	case 'є':
		return "ye", true
	case 'і':
		return "i", true
	case 'ґ':
		return "g", true
	case 'ј':
		return "j", true
	case 'љ':
		return "lj", true
	case 'њ':
		return "nj", true
	case 'ћ':
		return "c", true
	case 'ђ':
		return "d", true
	case 'џ':
		return "dz", true
	}

	return "", false
}

// cyrillic romanises а to я. й comes as и with a diacritic, and ё as е with one.
var cyrillic = [...]string{
	"a", "b", "v", "g", "d", "e", "zh", "z", "i", "i", "k", "l", "m", "n", "o", "p", "r", "s", "t", "u", "f",
	"kh", "ts", "ch", "sh", "shch", "", "y", "", "e", "yu", "ya",
}
