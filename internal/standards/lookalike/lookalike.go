// Package lookalike knows which characters are read as a letter of the Latin alphabet and are another one, and which
// words are written in two scripts at once: the rules of the Unicode security mechanisms (UTS 39), as far as they
// concern the names of people and companies.
//
// What it does not promise: that two names are the same because they look the same.
package lookalike

import (
	_ "embed"
	"strings"
	"sync"
	"unicode"
)

// Source is where lookalikes.tsv is from, and Compared the day on which it was last compared with it.
const (
	Source   = "confusables.txt 17.0.0 of the Unicode security mechanisms (UTS 39), of 22 July 2025"
	Compared = "2026-11-28"
)

//go:embed lookalikes.tsv
var table string

// letters is the table by character.
var letters = sync.OnceValue(func() map[rune]string {
	out := map[rune]string{}

	for line := range strings.Lines(table) {
		to, from, ok := strings.Cut(strings.TrimSuffix(line, "\n"), "\t")
		if !ok || strings.HasPrefix(line, "#") {
			continue
		}

		for s := range strings.FieldsSeq(from) {
			for _, r := range s {
				out[r] = to
			}
		}
	}

	return out
})

// Latin returns the small letters of a to z that a character, or else its capital, looks like. ok is false when it is
// one of them, looks like none, or decomposes into one that does (NFKD): decompose first.
func Latin(r rune) (small string, ok bool) {
	if small, ok = letters()[r]; !ok {
		small, ok = letters()[unicode.ToUpper(r)]
	}

	return small, ok
}

// Cyrillic returns the small Cyrillic letter that a small Latin one looks like, in one letter case or the other.
func Cyrillic(r rune) (small rune, ok bool) {
	const (
		latin    = "abcehijkmopstxy"
		cyrillic = "авсеніјкморѕтху"
	)

	i := strings.IndexRune(latin, r)
	if i < 0 {
		return 0, false
	}

	return []rune(cyrillic)[i], true
}

// MixedWord returns the first word of a name whose letters belong to scripts that are not written together, such as a
// Cyrillic а in a Latin word; "" where there is none. Points and apostrophes do not end a word. Chinese, Japanese and
// Korean writing each have several scripts, and Latin letters besides them (UTS 39, 5.2: highly restrictive).
func MixedWord(name string) string {
	plain := true
	for i := range len(name) {
		plain = plain && name[i] < 0x80
	}

	if plain {
		return ""
	}

	for _, w := range strings.FieldsFunc(name, func(r rune) bool {
		return !unicode.IsLetter(r) && !unicode.IsMark(r) && !unicode.IsDigit(r) && !unicode.Is(unicode.Cf, r) &&
			!strings.ContainsRune(".'’", r)
	}) {
		if mixed(w) {
			return w
		}
	}

	return ""
}

// InLatin returns a name whose mixed words have Latin letters in place of those that look like them; "" if a word would
// still be mixed, and only its owner knows how it is written.
func InLatin(name string) string {
	for word := MixedWord(name); word != ""; word = MixedWord(name) {
		latin := strings.Map(func(r rune) rune {
			small, ok := Latin(r)
			if !ok || len(small) != 1 || unicode.Is(unicode.Latin, r) {
				return r
			}

			if unicode.IsUpper(r) {
				small = strings.ToUpper(small)
			}

			return rune(small[0])
		}, word)

		if latin == word {
			return ""
		}

		name = strings.ReplaceAll(name, word, latin)
	}

	return name
}

func mixed(word string) bool {
	scripts := map[string]bool{}

	for _, r := range word {
		if unicode.IsLetter(r) {
			scripts[scriptOf(r)] = true
		}
	}

	delete(scripts, "") // common to all

	if len(scripts) < 2 {
		return false
	}

	for _, together := range [...]string{" Latin Han Hiragana Katakana ", " Latin Han Bopomofo ", " Latin Han Hangul "} {
		all := true
		for s := range scripts {
			all = all && strings.Contains(together, " "+s+" ")
		}

		if all {
			return false
		}
	}

	return true
}

// scriptOf returns the script of a letter, or "" if it belongs to none alone.
func scriptOf(r rune) string {
	switch {
	case unicode.Is(unicode.Latin, r):
		return "Latin"
	case unicode.In(r, unicode.Common, unicode.Inherited):
		return ""
	}

	for name, script := range unicode.Scripts {
		if unicode.Is(script, r) {
			return name
		}
	}

	return ""
}
