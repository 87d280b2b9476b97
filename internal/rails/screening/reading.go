package screening

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"

	"slipway/internal/core/text"
	"slipway/internal/standards/lookalike"
)

// token is a piece of a name between separators, in all ways in which somebody may read it. Most have one.
type token struct {
	plain    string // as text.Fold has it; "" if it has symbols alone
	latin    string // by what its letters look like, in Latin ones; or plain
	cyrillic string // with its Latin letters as the Cyrillic ones that they look like, romanised; or plain
}

// tokensOf returns the tokens of a name, at most maxTokens. A symbol that looks like a letter (℮, ×, |) separates
// tokens, as all symbols do, and is a letter of the token that it touches when that is read by its looks.
func tokensOf(name string) []token {
	if !strings.ContainsFunc(name, func(r rune) bool { return r >= utf8.RuneSelf || r == '|' }) { // nearly all
		words := strings.Fields(text.Fold(name))

		out := make([]token, min(len(words), maxTokens))
		for i := range out {
			out[i] = token{words[i], words[i], words[i]}
		}

		return out
	}

	type piece struct {
		letters, looks string // without and with such symbols
		touches        bool   // the piece before
	}

	var pieces []piece

	open := false
	for _, r := range norm.NFKD.String(name) {
		r = text.Unboxed(r)
		letter := unicode.IsLetter(r) || unicode.IsDigit(r)

		switch _, like := lookalike.Latin(r); {
		case text.Silent(r):
			continue
		case !letter && !like:
			open = false
			continue

		case !open || !letter && pieces[len(pieces)-1].letters != "":
			pieces = append(pieces, piece{touches: open})
			open = true
		}

		last := &pieces[len(pieces)-1]

		last.looks += string(r)
		if letter {
			last.letters += string(r)
		}

		if len(pieces) > maxTokens {
			break
		}
	}

	out := make([]token, 0, len(pieces))
	for _, p := range pieces {
		if p.letters == "" && p.touches { // symbols behind a word
			out[len(out)-1].latin += latinLooks(p.looks)
			continue
		}

		out = append(out, reading(p.letters, p.looks))
	}

	return out[:min(len(out), maxTokens)]
}

// maxTokens limits the tokens of a name that are compared: the letters of a long name, each standing alone.
const maxTokens = 160

// reading returns a token in all its readings. looks is the token with the symbols that it touches.
func reading(plain, looks string) token {
	var t token

	hasLatin := false
	hasCyrillic := false
	strange := false // a letter that no Latin one looks like

	var b strings.Builder
	for _, r := range plain {
		b.WriteString(text.Romanised(r))

		switch _, like := lookalike.Latin(r); {
		case unicode.Is(unicode.Latin, r):
			hasLatin = true
		case unicode.IsLetter(r) && !like:
			strange = true
		}

		hasCyrillic = hasCyrillic || unicode.Is(unicode.Cyrillic, r)
	}

	t.plain = b.String()
	t.latin = t.plain
	t.cyrillic = t.plain

	if hasLatin || !strange { // else it is a word of its own script
		t.latin = latinLooks(looks)
	}

	if hasLatin && hasCyrillic {
		t.cyrillic = cyrillicLooks(plain)
	}

	return t
}

func latinLooks(s string) string {
	var b strings.Builder
	for _, r := range s {
		if like, ok := lookalike.Latin(r); ok {
			b.WriteString(like)
		} else {
			b.WriteString(text.Romanised(r))
		}
	}

	return b.String()
}

func cyrillicLooks(s string) string {
	var b strings.Builder
	for _, r := range s {
		if like, ok := lookalike.Cyrillic(unicode.ToLower(r)); ok {
			r = like
		}

		b.WriteString(text.Romanised(r))
	}

	return b.String()
}

// readings returns consecutive tokens as one word, once for each way to read them.
func readings(tokens ...token) []string {
	var plain, latin, cyrillic string

	symbols := false
	for _, t := range tokens {
		plain += t.plain
		latin += t.latin
		cyrillic += t.cyrillic
		symbols = symbols || t.plain == ""
	}

	if symbols {
		return []string{latin}
	}

	out := []string{plain}
	if latin != plain {
		out = append(out, latin)
	}

	if cyrillic != plain && cyrillic != latin {
		out = append(out, cyrillic)
	}

	return out
}

// length is how many letters a token has.
func (t token) length() int {
	return max(utf8.RuneCountInString(t.plain), utf8.RuneCountInString(t.latin))
}

// companyWord reports whether the readings of tokens are a word that says that something is a company, in any reading.
func companyWord(readings []string) bool {
	return slices.ContainsFunc(readings, func(w string) bool {
		return ofCompany(spellings.Replace(w)) || len(w) > 1 && strings.Contains(companyLooks, " "+glance(w)+" ")
	})
}

// companyLooks is companyWords at a glance.
var companyLooks = glance(companyWords)

// glance returns a word in the form in which words are the same that hardly anybody tells apart: l, I and 1, O and 0,
// rn and m (UTS 39), vv and w.
func glance(word string) string { return glances.Replace(word) }

var glances = strings.NewReplacer("m", "rn", "w", "vv", "i", "l", "1", "l", "0", "o")

// Key returns how a name is read, in one word: the same for names that look the same, whatever their letter case,
// diacritics, blanks and letters are; "" if nothing of it can be compared.
func Key(name string) string {
	var b strings.Builder
	for _, t := range tokensOf(name) {
		b.WriteString(t.latin)
	}

	return glance(b.String())
}

// Readings returns everything of a name that Match compares: names with the same readings have the same hits under the
// same lists.
func Readings(name string) string {
	var b strings.Builder
	for _, t := range tokensOf(name) {
		b.WriteString(strings.Join([]string{t.plain, t.latin, t.cyrillic}, "/"))
		b.WriteByte(' ')
	}

	return b.String()
}
