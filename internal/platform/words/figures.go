package words

import (
	"strings"
	"time"

	"golang.org/x/text/language"
	"golang.org/x/text/language/display"
)

// marks are how a language writes figures: between groups of three digits, before the cents, and whether the currency
// stands in front (Unicode CLDR; a narrow space that no line breaks at in French).
var marks = map[string]struct {
	group, cents string
	unitFirst    bool
}{
	"en": {",", ".", true},
	"de": {".", ",", false},
	"fr": {"\u202f", ",", false},
}

// Amount returns an amount of digits and at most one point and sign, with its currency or token: "EUR 1,250.50",
// "1.250,50 EUR". No digit is added or lost.
func (w *Words) Amount(amount, unit string) string {
	m := marks[w.code]
	digits, negative := strings.CutPrefix(amount, "-")

	integer, fraction, hasFraction := strings.Cut(digits, ".")
	for i := len(integer) - 3; i > 0; i -= 3 {
		integer = integer[:i] + m.group + integer[i:]
	}

	if hasFraction {
		integer += m.cents + fraction
	}

	if negative {
		integer = "−" + integer
	}

	switch {
	case unit == "":
		return integer
	case m.unitFirst:
		return unit + " " + integer
	}

	return integer + "\u00a0" + unit
}

// months are the names of the months where they differ from Go's.
var months = map[string][]string{
	"de": strings.Fields("Januar Februar März April Mai Juni Juli August September Oktober November Dezember"),
	"fr": strings.Fields("janvier février mars avril mai juin juillet août septembre octobre novembre décembre"),
}

// Day returns a day: "8 December 2026", "8. Dezember 2026", "8 décembre 2026".
func (w *Words) Day(t time.Time) string {
	t = t.UTC()

	names, other := months[w.code]
	if !other {
		return t.Format("2 January 2006")
	}

	day := t.Format("2")

	switch {
	case w.code == "de":
		day += "."
	case day == "1":
		day = "1er"
	}

	return day + " " + names[t.Month()-1] + " " + t.Format("2006")
}

// Moment returns a time to the minute: "8 December 2026, 14:05 UTC".
func (w *Words) Moment(t time.Time) string {
	clock := t.UTC().Format("15:04")
	if w.code == "de" {
		clock += " Uhr"
	}

	return w.Day(t) + ", " + clock + " UTC"
}

// Country returns the name of a country by its ISO 3166-1 alpha-2 code. otherwise is returned where there is none.
func (w *Words) Country(code, otherwise string) string {
	region, err := language.ParseRegion(code)
	if err != nil || w.tag == language.English {
		return otherwise
	}

	if name := display.Regions(w.tag).Name(region); name != "" {
		return name
	}

	return otherwise
}
