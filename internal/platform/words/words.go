// Package words says things to people in their language: English, German or French. One catalogue, in the files of
// texts, holds every text in all three, one below the other. A text's key is its English form, so pages and code stay
// readable.
//
// It promises:
//   - The browser's wish decides (RFC 9110, 12.5.4), by the nearest language that there is; without one it is English.
//   - Every text of the catalogue is there in every language, with the same arguments: New fails otherwise.
//   - Amounts keep all their digits. They are texts, and only their marks change with the language.
//   - What is stored before its reader is known can be said in any language afterwards (Phrase).
//
// It does not translate what people have written.
//
// Read in this order: words.go, figures.go, phrase.go, catalogue.go, texts.
package words

import (
	"sync"

	"golang.org/x/text/collate"
	"golang.org/x/text/language"
	"golang.org/x/text/message"
)

// tags are the languages, the first one for whoever wishes none of them.
var tags = []language.Tag{language.English, language.German, language.French}

// Words are the texts in one language. They are safe for concurrent use.
type Words struct {
	code    string
	tag     language.Tag
	printer *message.Printer
	known   map[string]bool // keys
}

// Languages are the Words of every language.
type Languages struct {
	all     []*Words
	matcher language.Matcher
}

// New reads the catalogue.
func New() (*Languages, error) {
	text, err := catalogueText()
	if err != nil {
		return nil, err
	}

	texts, err := readCatalogue(text)
	if err != nil {
		return nil, err
	}

	built, err := texts.build()
	if err != nil {
		return nil, err
	}

	l := &Languages{matcher: language.NewMatcher(tags)}

	for _, tag := range tags {
		base, _ := tag.Base()
		l.all = append(l.all, &Words{
			code:    base.String(),
			tag:     tag,
			printer: message.NewPrinter(tag, message.Catalog(built)),
			known:   texts.keys(),
		})
	}

	return l, nil
}

// Must returns the Languages, which are read once. It panics if the catalogue cannot be read, which a test shows.
func Must() *Languages { return languages() }

var languages = sync.OnceValue(func() *Languages {
	l, err := New()
	if err != nil {
		panic("words: " + err.Error())
	}

	return l
})

// All returns the Words of every language.
func (l *Languages) All() []*Words { return l.all }

// Wished returns the Words for what a browser wishes in its header Accept-Language.
func (l *Languages) Wished(acceptLanguage string) *Words {
	const most = 200 // bytes of a header that are looked at
	if len(acceptLanguage) > most {
		acceptLanguage = acceptLanguage[:most]
	}

	_, i := language.MatchStrings(l.matcher, acceptLanguage)

	return l.all[i]
}

// Choice returns the code of the language that a header Accept-Language wishes, or "" if it wishes none that there is.
func (l *Languages) Choice(acceptLanguage string) string {
	const most = 200 // bytes of a header that are looked at
	if len(acceptLanguage) > most {
		return ""
	}

	wishes, _, err := language.ParseAcceptLanguage(acceptLanguage)
	if err != nil || len(wishes) == 0 {
		return ""
	}

	_, i, confidence := l.matcher.Match(wishes...)
	if confidence == language.No {
		return ""
	}

	return l.all[i].code
}

// In returns the Words of a language by its code, or English.
func (l *Languages) In(code string) *Words {
	for _, in := range l.all {
		if in.code == code {
			return in
		}
	}

	return l.all[0]
}

// Code returns the language for the attribute lang: "de".
func (w *Words) Code() string { return w.code }

// Say returns the text of a key with its arguments. A text that is not in the catalogue comes back as it is: it is what
// somebody has written, such as a name.
func (w *Words) Say(key string, args ...any) string {
	if !w.known[key] {
		return key
	}

	return w.printer.Sprintf(message.Key(key, key), args...)
}

// Refusal returns what is wrong. Use cases refuse in English, in the words of the case; other languages have a sentence
// for each code that people meet on the pages, and one for the rest.
func (w *Words) Refusal(code, english string) string {
	switch key := "refused: " + code; {
	case w.code == "en":
		return english
	case w.known[key]:
		return w.Say(key)
	}

	return w.Say("refused: otherwise")
}

// Order returns how the language orders names: an accent does not move a name behind Z. It serves one goroutine.
func (w *Words) Order() func(a, b string) int { return collate.New(w.tag).CompareString }

// Knows reports whether the catalogue has a key.
func (w *Words) Knows(key string) bool { return w.known[key] }
