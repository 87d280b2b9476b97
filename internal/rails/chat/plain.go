package chat

import (
	"regexp"
	"strings"
	"unicode"
)

// maxPlain is how many characters of one text of people are shown.
const maxPlain = 200

// gap is an invisible space. It splits what a program would read as more than a word.
const gap = "\u200b"

const (
	nonJoiner = '\u200c'
	joiner    = '\u200d'
)

// Plain returns a text of people as one line in which no chat program finds a link, a mention or a placeholder. What is
// invisible, or turns the direction of what follows, is left out.
func Plain(s string) string {
	s = strings.Map(func(r rune) rune {
		switch {
		case unicode.IsSpace(r):
			return ' '
		case r == joiner, r == nonJoiner: // letters of several scripts need them
			return r
		case unicode.IsControl(r), unicode.Is(unicode.Cf, r), unicode.Is(unicode.Co, r), r == unicode.ReplacementChar:
			return -1
		}

		return r
	}, s)

	s = strings.Join(strings.Fields(s), " ")
	if long := []rune(s); len(long) > maxPlain {
		s = string(long[:maxPlain]) + "…"
	}

	s = linkLike.ReplaceAllString(s, "$1"+gap+"$2")

	return signs.Replace(s)
}

// linkLike is a dot or colon followed by the rest of a name: example.com, https://example, mailto:ada, :smile:.
// Programs read the dots of Chinese and Japanese as dots of a name, too.
var linkLike = regexp.MustCompile(`([.:\x{3002}\x{FF0E}\x{FF61}])(\pL|//)`)

// signs begin mentions (@here, #channel, !here), formatting (*bold*, ~struck~, code, [words](address)) and placeholders
// ({{DATE(…)}}). Behind each stands a gap, so that nothing begins with it.
var signs = strings.NewReplacer(
	"@", "@"+gap,
	"#", "#"+gap,
	"!", "!"+gap,
	"*", "*"+gap,
	"~", "~"+gap,
	"`", "`"+gap,
	"[", "["+gap,
	"]", "]"+gap,
	"{", "{"+gap,
	"|", "|"+gap,
	"<", "<"+gap,
)
