package text_test

import (
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"slipway/internal/core/text"
)

func TestCodesAsPeopleWriteThem(t *testing.T) {
	for written, want := range map[string]struct{ unspaced, compact string }{
		"630696":                   {"630696", "630696"},
		"630 696":                  {"630696", "630696"},
		" 630\u00a0696\r\n":        {"630696", "630696"},
		"630-696":                  {"630-696", "630696"},
		"630\u2011696":             {"630\u2010696", "630696"},
		"630\u2212696":             {"630\u2212696", "630696"},
		"６３０\u3000６９６":             {"630696", "630696"},
		"6\u200b30\u00ad69\ufeff6": {"630696", "630696"},
		"ab-CD ef":                 {"ab-CDef", "ABCDEF"},
		"630\u202e696":             {"630\u202e696", "630\u202e696"},
		"12.34/5_6":                {"12.34/5_6", "12.34/5_6"},
		"A\u00a8":                  {"\u00c4", "\u00c4"}, // a mark with a blank of its own
		"A-\u0308":                 {"A-\u0308", "\u00c4"},
		"":                         {"", ""},
	} {
		require.Equal(t, want.unspaced, text.Unspaced(written), "%+q", written)
		require.Equal(t, want.compact, text.Compact(written), "%+q", written)
	}
}

func TestWrittenTextsHaveOneForm(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		s := rapid.StringN(0, 20, -1).Draw(t, "text")

		if once := text.Unspaced(s); text.Unspaced(once) != once {
			t.Fatalf("%+q: %+q, and then %+q", s, once, text.Unspaced(once))
		}

		if once := text.Compact(s); text.Compact(once) != once || text.Compact(text.Unspaced(s)) != once {
			t.Fatalf("%+q: %+q, and then %+q", s, once, text.Compact(once))
		}
	})
}
