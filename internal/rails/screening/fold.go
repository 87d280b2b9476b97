package screening

import (
	"slices"
	"strings"
	"unicode"

	"slipway/internal/core/text"
)

// words returns the words of a name in the form in which names are compared: lower case without diacritics, Cyrillic in
// Latin letters, and without words for the kind of company, unless nothing else is left. Their order does not matter:
// lists write family names first.
func words(name string) []string {
	all := strings.Fields(spellings.Replace(text.Fold(name)))

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

// readable reports whether all letters of a name can be compared with Latin ones.
func readable(name string) bool {
	for _, r := range text.Fold(name) {
		if unicode.IsLetter(r) && !unicode.Is(unicode.Latin, r) {
			return false
		}
	}

	return true
}
