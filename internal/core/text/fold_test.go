package text_test

import (
	"testing"
	"unicode"

	"github.com/stretchr/testify/require"
	"golang.org/x/text/unicode/norm"
	"pgregory.net/rapid"

	"slipway/internal/core/text"
)

func TestNamesAreComparedByOneFold(t *testing.T) {
	for name, want := range map[string]string{
		"Bärenstark Öl AG":               "barenstark ol ag",
		"Ba\u0308renstark O\u0308l AG":   "barenstark ol ag",
		"BÄRENSTARK ÖL AG":               "barenstark ol ag",
		" Bärenstark  Öl\u00a0AG ":       "barenstark ol ag",
		"Bären\u200bstark Öl A.G.":       "barenstark ol ag",
		"Müller & Söhne GmbH":            "muller sohne gmbh",
		"MULLER SOHNE, GMBH":             "muller sohne gmbh",
		"Straße 7":                       "strasse 7",
		"Łódź Øre":                       "lodz ore",
		"O'Neill, O’Neill":               "oneill oneill",
		"Иванов":                         "ivanov",
		"\U0001f172\U0001f17e":           "co",
		"上海":                             "上海",
		"– & –":                          "",
		"":                               "",
		"\u0645\u062d\u0645\u0651\u062f": "\u0645\u062d\u0645\u062f",
	} {
		require.Equal(t, want, text.Fold(name), "%+q", name)
	}
}

func TestNamesThatAreTheSame(t *testing.T) {
	for _, x := range []struct {
		a, b string
		want bool
	}{
		{"Werft & Söhne AG", "WERFT&SÖHNE AG", true},
		{"Werft & Söhne AG", "Werft-Sohne A.G.", true},
		{"Anna Roth", "anna\u00a0ro\u200bth", true},
		{"Meier", "Meyer", false},
		{"ACME", "ACME Ltd", false},
		{"ACME 1", "ACME 2", false},
		{"", "", false},
		{"&", "-", false},
	} {
		require.Equal(t, x.want, text.SameName(x.a, x.b), "%+q and %+q", x.a, x.b)
	}
}

func TestTextsAreSearchedByTheirLetters(t *testing.T) {
	for from, want := range map[string]string{
		"Bärenstark ÖL A.G.":                "barenstark ol ag",
		"bob.smith@ex-ample.org":            "bobsmith@ex-ampleorg",
		"1250.00":                           "1250.00",
		"1250.":                             "1250",
		"rcv_01abc 100% A_1":                "rcv_01abc 100% a_1",
		"two\tlines\nof\u00a0text":          "two lines of text",
		"INV\u20137, INV\u20117, O’Neill's": "inv-7, inv-7, oneills",
	} {
		require.Equal(t, want, text.Searchable(from), "%+q", from)
	}
}

// However a text is normalised, it is found by the same words.
func TestSearchedTextsHaveOneForm(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		s := rapid.StringN(0, 20, -1).Draw(t, "text")
		once := text.Searchable(s)

		for _, form := range []norm.Form{norm.NFC, norm.NFD, norm.NFKC, norm.NFKD} {
			if got := text.Searchable(form.String(s)); got != once {
				t.Fatalf("%+q is searched as %+q, and in another form as %+q", s, once, got)
			}

			if text.Fold(form.String(s)) != text.Fold(s) {
				t.Fatalf("%+q has several folds", s)
			}
		}
	})
}

// Texts of ASCII alone take a shorter way, which leads to the same form.
func TestSearchableOfASCII(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		s := rapid.StringOf(rapid.OneOf(rapid.RuneFrom([]rune("0.9'A z")), rapid.RuneFrom(nil, &unicode.RangeTable{
			R16:         []unicode.Range16{{Lo: 0, Hi: unicode.MaxASCII, Stride: 1}},
			LatinOffset: 1,
		}))).Draw(t, "text")
		require.Equal(t, text.Searchable(s+"é"), text.Searchable(s)+"e")
	})
}
