package bank

import (
	"context"
	"slices"
	"strings"
	"unicode/utf8"
)

// Banks lose the field in which our identification comes back: some write it into the text behind a word of their own,
// some break it over two lines, some let their own text follow without a blank. It holds 130 bits that nobody guesses,
// so on our account and with the exact amount it is ours wherever it stands.

const (
	mostMentions = 16 // of one movement
	mostGaps     = 2  // blanks and line ends inside one identification
	leastLetters = 3  // an identification has fewer once in ten billion, other numbers often
)

// keywords may stand in front of an identification without anything between.
var keywords = [...]string{"EREF", "KREF", "REF"}

// inAlphabet holds the characters that may stand in our identification.
var inAlphabet = func() (t [256]bool) {
	for i := range len(crockford) {
		t[crockford[i]] = true
	}

	return t
}()

// mentionsIn returns what has the form of our end-to-end identification in the texts of a movement, and in what the
// bank says besides, each once. Few movements have one that is not ours.
func (e *Entry) mentionsIn(besides ...string) (out []string) {
	for _, text := range [...]string{e.EndToEndID, e.InstrID, e.Remittance, e.ReturnText} {
		out = addMentions(out, text)
	}

	for _, text := range e.References {
		out = addMentions(out, text)
	}

	for _, text := range besides {
		out = addMentions(out, text)
	}

	e.mentionBlock(e.EndToEndID, e.Remittance)
	e.mentionBlock(e.References...)
	e.mentionBlock(besides...)

	return out
}

// mentionBlock notes the identification of a block of ours in some texts, unless one is known. It stands between two
// characters that are in none.
func (e *Entry) mentionBlock(texts ...string) {
	for _, text := range texts {
		if e.mentionedBlock != "" || !strings.Contains(text, "-") {
			continue
		}

		for _, word := range strings.FieldsFunc(text, func(c rune) bool { return c != '-' && !isWord(c) }) {
			if _, ours := messageOfBlock(word); ours {
				e.mentionedBlock = word
				break
			}
		}
	}
}

// isWord reports whether a character may stand in an identification.
func isWord(c rune) bool { return c < utf8.RuneSelf && (inAlphabet[c] || c >= 'A' && c <= 'Z') }

// addMentions adds what is mentioned in a text.
func addMentions(to []string, text string) []string {
	for i := 0; i+shortestIdentity <= len(text) && len(to) < mostMentions; i++ {
		if !inAlphabet[text[i]] || i > 0 && inAlphabet[text[i-1]] {
			continue // not the beginning of a word
		}

		to = addShort(to, text[i:])
		to = addMention(to, text[i:])

		for _, k := range keywords {
			if text[i] == k[0] && strings.HasPrefix(text[i:], k) {
				to = addMention(to, text[i+len(k):])
			}
		}
	}

	return to
}

// shortestIdentity is the length of the shortest text in which an identification is looked for.
const shortestIdentity = 15

// addShort adds the first word of a text, if it is how a format names a payment in fewer characters. It says by itself
// that it is one of ours (format.Format.Names).
func addShort(to []string, text string) []string {
	n := 0
	for n < len(text) && n < endToEndLength && inAlphabet[text[n]] {
		n++
	}

	if n == endToEndLength || n < shortestIdentity || !mayBeIdentity(text[:n]) || slices.Contains(to, text[:n]) {
		return to
	}

	return append(to, strings.Clone(text[:n]))
}

// addMention adds what has the form of our identification at the beginning of a text.
func addMention(to []string, text string) []string {
	var (
		id               [endToEndLength]byte
		n, letters, gaps int
	)

	for i := 0; i < len(text) && n < len(id); i++ {
		switch c := text[i]; {
		case inAlphabet[c]:
			id[n] = c
			n++

			if c > '9' {
				letters++
			}

		case (c == ' ' || c == '\n') && gaps < mostGaps:
			gaps++
		default:
			return to
		}
	}

	if n < len(id) || letters < leastLetters || slices.Contains(to, string(id[:])) {
		return to
	}

	return append(to, string(id[:]))
}

// ofMention returns the payout that a movement mentions in its texts: a debit of its exact amount; a credit of exactly
// what is outstanding of it, or one that the bank shows to be a return. It returns nil if there is none, or several.
func (s *settling) ofMention(ctx context.Context, m Entry) (found *payoutRow, err error) {
	for _, end := range m.mentions {
		p := s.byEnd[end]
		if p == nil || p.House != m.Account {
			continue
		}

		fits := m.Amount.Cmp(amount(p.Currency, p.Units)) == 0
		if m.Credit {
			evidence, err := s.evidenceOf(ctx, p, m)
			if err != nil {
				return nil, err
			}

			fits = evidence != "" || m.Amount.Cmp(s.outstanding(p)) == 0
		}

		switch {
		case !fits:
		case found != nil:
			return nil, nil // nobody can tell which
		default:
			found = p
		}
	}

	return found, nil
}
