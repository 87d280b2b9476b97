package screening

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"

	"slipway/internal/core/text"
)

// words returns the words of a name in the form in which names are compared: lower case without diacritics, Cyrillic in
// Latin letters, and without words for the kind of company, unless nothing else is left. Their order does not matter:
// lists write family names first.
func words(name string) []string {
	all := strings.Fields(spellings.Replace(Fold(name)))

	meaning := slices.DeleteFunc(slices.Clone(all), ofCompany)
	if len(meaning) == 0 {
		return all
	}

	return meaning
}

// spellings maps common romanisations to one: Dmitriy, Dmitrij and Dmitry; Mikhail and Mihail.
var spellings = strings.NewReplacer(
	"iy",
	"y",
	"ii",
	"y",
	"ij",
	"y",
	"ay",
	"ai",
	"ey",
	"ei",
	"oy",
	"oi",
	"uy",
	"ui",
	"kh",
	"h",
	"ck",
	"k",
	"ph",
	"f",
)

// commonWords say little about which company it is, in every list.
const commonWords = " bank business center centre commercial construction development energy engineering " +
	"enterprise enterprises export finance " +
	"foundation general global group holding holdings import industrial industries industry institute " +
	"international investment investments " +
	"logistics machine manufacturing marine national oil organization petroleum production products research " +
	"service services shipping solutions supply system systems technologies technology trade trading transport " +
	"works "

// companyWords say that something is a company, in the languages of the lists.
const companyWords = " ltd limited llc llp lp inc incorporated corp corporation co company plc gmbh ag sa sarl srl " +
	"spa sas bv nv oy ab as aps kg ohg ev " +
	"sl slu sc se doo dd " +
	"jsc ojsc cjsc pjsc ao oao zao pao ooo pte pty pvt private fze fzco fz wll lda ltda cv eirl and the of y e und " +
	"et i "

// ofCompany reports whether a word says that something is a company.
func ofCompany(w string) bool { return strings.Contains(companyWords, " "+w+" ") }

// Fold returns a name in lower-case letters and digits with single spaces between its words. It removes diacritics and
// what cannot be seen, spells out other letters, joins initials separated by points (S.A. is sa), and treats everything
// else as a separator.
func Fold(name string) string {
	var b strings.Builder

	gap := false
	for _, r := range norm.NFKD.String(name) {
		switch r = unboxed(r); {
		case silent(r):
		case unicode.IsLetter(r) || unicode.IsDigit(r):
			if gap && b.Len() > 0 {
				b.WriteByte(' ')
			}

			gap = false
			b.WriteString(romanised(r))

		default:
			gap = true
		}
	}

	return b.String()
}

// silent reports whether a character is no letter and parts no words: diacritics, what cannot be seen, points,
// apostrophes, and marks that stand alone (ʿ, ʼ).
func silent(r rune) bool {
	return r == '.' || r == '\'' || r == '’' || r >= 0x2b0 && r <= 0x2ff ||
		r >= 0x80 && (unicode.In(r, unicode.Mn, unicode.Me) || text.Invisible(r))
}

// romanised returns a letter or digit as it is compared.
func romanised(r rune) string {
	r = unicode.ToLower(r)
	if r < utf8.RuneSelf {
		return string(r)
	}

	if latin, ok := latinOf(r); ok {
		return latin
	}

	return string(r)
}

// unboxed returns the letter of a symbol that is one in a box or a circle, and has no decomposition.
func unboxed(r rune) rune {
	for _, a := range [...]rune{0x1f150, 0x1f170, 0x1f1e6} { // negative circled, negative squared, regional indicators
		if r >= a && r < a+26 {
			return 'a' + r - a
		}
	}

	return r
}

// readable reports whether all letters of a name can be compared with Latin ones.
func readable(name string) bool {
	for _, r := range Fold(name) {
		if unicode.IsLetter(r) && !unicode.Is(unicode.Latin, r) {
			return false
		}
	}

	return true
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
