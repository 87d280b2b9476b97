package paper

import (
	"strings"
	"unicode"

	"golang.org/x/text/unicode/norm"
)

// placeholder stands for a character that no font has.
const placeholder = '□'

// clean prepares an untrusted text for one line. It composes characters and makes all white space plain spaces. It
// replaces by a placeholder what cannot be shown: control characters, invisible marks that change the direction of
// text, and characters that no font has.
func clean(s string) string {
	plain := true
	for i := range len(s) {
		plain = plain && s[i] >= ' ' && s[i] < 0x7f
	}

	if plain {
		return s
	}

	return strings.Map(func(r rune) rune {
		switch {
		case unicode.IsSpace(r):
			return ' '
		case r == joiner || r == nonJoiner:
			return r // they control how Arabic letters join, and are not drawn
		case unicode.Is(unicode.C, r) || faceOf(r, regular) == nil:
			return placeholder
		}

		return r
	}, norm.NFC.String(strings.ToValidUTF8(s, string(placeholder))))
}

// faceOf returns a font that has a character: the wanted one if possible, otherwise the fallback. It returns nil if
// none has it.
func faceOf(r rune, wanted func() *face) *face {
	if f := wanted(); f.has(r) {
		return f
	}

	if f := regular(); f.has(r) {
		return f
	}

	var other func() *face

	switch {
	case r >= 0x900 && r <= 0x97f:
		other = devanagari
	case r >= 0xe00 && r <= 0xe7f:
		other = thai
	case r < 0x1100: // alphabets, which no other font has
		return nil
	default:
		other = fallback
	}

	if f := other(); f.has(r) {
		return f
	}

	return nil
}

// ink is how a text is drawn.
type ink struct {
	face func() *face
	size float64 // points
	grey int     // 0 is black

	colour [3]int // red, green, blue; of an ink that is not grey
}

// width returns the width of a clean text in millimetres.
func (k ink) width(s string) float64 {
	units := 0
	for _, r := range s {
		units += k.advance(r)
	}

	return float64(units) * k.size / 1000 * point
}

// advance returns a character's width in thousandths of the size.
func (k ink) advance(r rune) int {
	if r == joiner || r == nonJoiner {
		return 0
	}

	if f := faceOf(r, k.face); f != nil {
		return int(f.widths[r])
	}

	return int(k.face().widths[placeholder])
}

// point is a typographic point in millimetres.
const point = 25.4 / 72

// wrap breaks a text into lines of at most a width, in reading order. It breaks at spaces, between Chinese characters,
// and anywhere in a word that is longer than a line. An empty text has no lines.
func (k ink) wrap(s string, width float64) []string {
	s = strings.TrimSpace(clean(s))
	if s == "" {
		return nil
	}

	if k.width(s) <= width {
		return []string{s}
	}

	limit := int(width / point / k.size * 1000)

	var out []string
	line := []rune{}
	units := 0

	breakAt := 0 // characters up to the last possible break
	for _, r := range s {
		if r == ' ' && len(line) == 0 {
			continue
		}

		line = append(line, r)

		units = units + k.advance(r)
		for units > limit && len(line) > 1 && r != ' ' {
			if breakAt == 0 {
				breakAt = len(line) - 1
				for breakAt > 1 && attached(line[breakAt]) {
					breakAt--
				}
			}

			out = append(out, strings.TrimRight(string(line[:breakAt]), " "))
			line = append([]rune{}, line[breakAt:]...)
			units = 0
			breakAt = 0

			for _, x := range line {
				units += k.advance(x)
			}
		}

		if r == ' ' || wide(r) {
			breakAt = len(line)
		}
	}

	if rest := strings.TrimSpace(string(line)); rest != "" {
		out = append(out, rest)
	}

	return out
}

// attached reports whether a character belongs to the letter before: a mark, or a joiner.
func attached(r rune) bool {
	return unicode.In(r, unicode.Mn, unicode.Mc) || r == joiner || r == nonJoiner
}

// wide reports whether a line may be broken after a character of its script.
func wide(r rune) bool {
	return unicode.In(r, unicode.Han, unicode.Hiragana, unicode.Katakana, unicode.Hangul)
}
