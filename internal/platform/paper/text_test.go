package paper

import (
	"strings"
	"testing"
	"unicode"
	"unicode/utf8"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"
)

// I-05: what cannot be drawn, and what would turn other text round unseen, is shown as a box and never left out.
func TestWhatNoFontHasIsShownAsABox(t *testing.T) {
	for in, want := range map[string]string{
		"plain":                 "plain",
		"a\tb\nc\u00a0d\u2003e": "a b c d e",
		"a\x00b\x7fc":           "a□b□c",
		"pay\u202eton\u2066":    "pay□ton□",
		"wave \U0001f44b":       "wave □",
		"தமிழ்":                 "□□□□□",
		"हिन्दी สมศรี ฿":        "हिन्दी สมศรี ฿",
		"e\u0301":               "é",
		"\xff":                  "□",
		"Ελλάδα Київ Łódź 東京 서울 عربي": "Ελλάδα Київ Łódź 東京 서울 عربي",
	} {
		t.Run(in, func(t *testing.T) {
			require.Equal(t, want, clean(in), "%q", in)
		})
	}
}

// I-05: no control character and no mark of direction reaches a document, wherever it stands.
func TestNoControlReachesADocument(t *testing.T) {
	for _, set := range []*unicode.RangeTable{unicode.Cc, unicode.Bidi_Control, unicode.Zl, unicode.Zp, unicode.Cs, unicode.Co} {
		for _, r := range set.R16 {
			for c := rune(r.Lo); c <= rune(r.Hi); c += rune(r.Stride) {
				for _, in := range []string{"a" + string(c) + "b", string(c) + "b", "a" + string(c)} {
					for _, shown := range visual(clean(in)) {
						require.False(t, unicode.Is(set, shown), "%U in %q", c, in)
					}
				}
			}
		}
	}
}

// The fallback font has what invoices from China, Japan and Korea are written with.
func TestFallbackCoversEastAsia(t *testing.T) {
	missing := 0
	for r := rune(0x4e00); r <= 0x9fa5; r++ { // Unicode 1.1's ideographs: all of GB 2312, Big5 and JIS X 0208
		if faceOf(r, regular) == nil {
			missing++
		}
	}

	for r := rune(0xac00); r <= 0xd7a3; r++ {
		if faceOf(r, regular) == nil {
			missing++
		}
	}

	for r := rune(0x3041); r <= 0x3094; r++ {
		if faceOf(r, regular) == nil {
			missing++
		}
	}

	require.Zero(t, missing)
}

// Every letter, sign and digit of Thai, and of the modern languages that are written in Devanagari.
func TestLettersOfIndiaAndThailand(t *testing.T) {
	var missing []string

	for r := rune(0x900); r <= 0x97f; r++ {
		if unicode.IsPrint(r) && faceOf(r, bold) == nil {
			missing = append(missing, string(r))
		}
	}

	for r := rune(0xe01); r <= 0xe5b; r++ {
		if unicode.IsPrint(r) && faceOf(r, bold) == nil {
			missing = append(missing, string(r))
		}
	}

	require.Empty(t, missing)
	require.Zero(t, faceOf('\u0e48', regular).widths['\u0e48'], "a tone stands above its letter")
	require.Zero(t, faceOf('\u0941', regular).widths['\u0941'], "and a vowel below it")
}

// The short i of Devanagari is drawn before its consonant, and behind the virama of the one before. A line is not
// broken between a letter and its signs.
func TestSignsOfDevanagariStandAtTheirLetter(t *testing.T) {
	for in, want := range map[string]string{
		"\u0939\u093f\u0928\u094d\u0926\u0940": "\u093f\u0939\u0928\u094d\u0926\u0940",
		"\u0938\u094d\u0925\u093f\u0924\u093f": "\u0938\u094d\u093f\u0925\u093f\u0924",
		"a \u0921\u093c\u093f b":               "a \u093f\u0921\u093c b",
		"\u093f a\u093f":                       "\u093f a\u093f",
		"\u0926\u093f \u05d0\u05d1":            "\u093f\u0926 \u05d1\u05d0",
	} {
		require.Equal(t, want, visual(in), "%+q", in)
	}

	for _, word := range []string{"\u0928\u0940", "\u0e17\u0e35\u0e48"} { // a letter with one sign, and with two
		lines := ink{face: regular, size: 10}.wrap(strings.Repeat(word, 60), 20)
		require.Greater(t, len(lines), 2)

		for _, line := range lines {
			require.Equal(t, []rune(word)[0], []rune(line)[0], "%+q", line)
		}

		require.Equal(t, strings.Repeat(word, 60), strings.Join(lines, ""))
	}
}

// A tone of Thai stands above the vowel above its letter, and low where there is none: they are other words.
func TestTonesOfThaiStandAboveVowels(t *testing.T) {
	lifts := func(s string) (out []bool) {
		text := []rune(s)
		for i := range text {
			out = append(out, liftOf(text, i) > 0)
		}

		return out
	}

	require.Equal(t, []bool{false, false, true}, lifts("\u0e17\u0e35\u0e48"))
	require.Equal(t, []bool{false, false}, lifts("\u0e01\u0e48"))
	require.Equal(t, []bool{false, true, false}, lifts("\u0e19\u0e49\u0e33"))
	require.Equal(t, []bool{false, false, false}, lifts("\u0e01\u0e39\u0e49"), "its vowel is below")
	require.Equal(t, []bool{false, false}, lifts("\u0e48a"))
}

// Arabic letters join, lam and alef become one sign, and lines run from right to left around what does not.
func TestLinesFromRightToLeft(t *testing.T) {
	for in, want := range map[string]string{
		"abc 123":     "abc 123",
		"سلام":        "\ufee1\ufefc\ufeb3", // meem alone, lam-alef at the end, seen at the beginning
		"بيت":         "\ufe96\ufef4\ufe91",
		"دار":         "\ufead\ufe8d\ufea9", // none of them joins what follows
		"شلوم":        "\ufee1\ufeee\ufee0\ufeb7",
		"שלום":        "םולש",
		"Ltd שלום 12": "Ltd 12 םולש", // a number behind Hebrew is read with it
		"שלום (אב)":   "(בא) םולש",
		"שלום 12 אב":  "בא 12 םולש",
		"שלום Ltd":    "Ltd םולש",
		"A שלום 1 אב": "A בא 1 םולש",
		"بَ":          "\ufe8f\u064e",
	} {
		t.Run(in, func(t *testing.T) {
			require.Equal(t, want, visual(in), "%q", in)
		})
	}
}

// Lines fit, and hold every character of the text in its order but for spaces at the breaks.
func TestWrapLosesNothing(t *testing.T) {
	rapid.Check(t, func(r *rapid.T) {
		text := rapid.OneOf(rapid.StringMatching(`([a-zA-Z]{1,30} ){0,20}`), rapid.String(),
			rapid.StringMatching(`[中文字]{0,60}`)).Draw(r, "text")
		width := float64(rapid.IntRange(8, 180).Draw(r, "width"))

		lines := bodyInk.wrap(text, width)
		for _, l := range lines {
			if utf8.RuneCountInString(l) > 1 {
				require.LessOrEqual(r, bodyInk.width(l), width+0.01, "%q", l)
			}

			require.Equal(r, strings.TrimSpace(l), l)
		}

		bare := func(s string) string { return strings.ReplaceAll(s, " ", "") }
		require.Equal(r, bare(clean(text)), bare(strings.Join(lines, "")))
	})
}
