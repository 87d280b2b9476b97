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
		"हिन्दी":                "□□□□□□",
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
