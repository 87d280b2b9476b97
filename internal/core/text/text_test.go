package text_test

import (
	"strings"
	"testing"
	"unicode"

	"github.com/stretchr/testify/require"
	"golang.org/x/text/unicode/norm"

	"slipway/internal/core/text"
)

func TestTextsAreCleanedToWhatIsSeen(t *testing.T) {
	for _, x := range []struct{ from, to string }{
		{"Acme Works", "Acme Works"},
		{"", ""},
		{"Zu\u0308rich", "Z\u00fcrich"},
		{"Z\u200bu\u200b\u0308rich", "Z\u00fcrich"}, // what an invisible one has kept apart
		{"Ac\u200bme", "Acme"},
		{"Ac\u00adme", "Acme"},
		{"Ac\u200dme", "Acme"},
		{"Ac\u200cme", "Acme"},
		{"Ac\u2060me", "Acme"},
		{"\ufeffAcme", "Acme"},
		{"Ac\u200e\u200f\u061cme", "Acme"},
		{"Ac\ufe0fme", "Acme"},
		{"Ac\U000e0101me", "Acme"},
		{"Ac\U000e0041me", "Acme"},
		{"Ac\u034fme", "Acme"},
		{"Ac\u3164me\u115f\uffa0", "Acme"},
		{"Acme\u00a0Works", "Acme Works"},
		{"Acme \u2009\u3000 Works", "Acme Works"},
		{"Acme \u200b Works", "Acme Works"},
		{"Acme  Works", "Acme Works"},
		{"two\n lines\tand  more", "two\n lines\tand more"},
		{"علی\u200cرضا", "علی\u200cرضا"}, // the spelling of a Persian name
		{"क्\u200dष", "क्\u200dष"},       // and of an Indic one: behind a virama
		{"علی\u200c", "علی"},             // joins nothing
		{"علی\u200cAcme", "علیAcme"},     // nor does this
		{"علی\u200c\u200cرضا", "علیرضا"}, // and two of them are no spelling
		{"A\u202eB", "A\u202eB"},         // refused, and not guessed
		{"A\u2066B\u0007", "A\u2066B\u0007"},
		{"not \xff\u200b UTF-8", "not \xff\u200b UTF-8"},
	} {
		got := text.Clean(x.from)
		require.Equal(t, x.to, got, "%+q", x.from)
		require.Equal(t, got, text.Clean(got), "%+q", x.from)
	}
}

// Whatever single character stands inside of a word: it is seen, or refused, or gone.
func TestNoInvisibleCharacterStaysInAWord(t *testing.T) {
	for r := rune(0x80); r <= unicode.MaxRune; r++ {
		if r >= 0xd800 && r <= 0xdfff {
			continue
		}

		got := text.Clean("Bo" + string(r) + "rovkin")
		require.True(t, norm.NFC.IsNormalString(got), "%U", r)
		require.False(t, strings.ContainsFunc(got, func(r rune) bool {
			return unicode.In(r, unicode.Cf, unicode.Other_Default_Ignorable_Code_Point) && !text.Hidden(r)
		}), "%U", r)
	}
}

func TestOneLineIsOfWhatCanBeSeen(t *testing.T) {
	for _, good := range []string{"", "Acme Works", "Žofie Nováková", "علی\u200cرضا"} {
		require.True(t, text.OneLine(good), good)
	}

	for _, bad := range []string{"a\nb", "a\x00", "a\u0085b", "a\u2028b", "a\u202eb", "a\u2067b", "\xff", "\ufffd", "a\ue000"} {
		require.False(t, text.OneLine(bad), "%+q", bad)
	}
}
