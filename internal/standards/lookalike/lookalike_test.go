package lookalike_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"slipway/internal/standards/lookalike"
)

func TestLettersOfOtherScriptsLookLikeLatinOnes(t *testing.T) {
	for _, pairs := range []string{
		"аa Вb вb сc Нh рp Хx уy ѕs", // Cyrillic
		"οo Ρp νv Ηh αa βb",          // Greek
		"օo ոn սu Տs",                // Armenian
		"Ꭺa ꓐb ʙb ıi łl ɑa ǀl ℮e ×x |l",
	} {
		for pair := range strings.FieldsSeq(pairs) {
			letters := []rune(pair)

			got, ok := lookalike.Latin(letters[0])
			require.True(t, ok, pair)
			require.Equal(t, string(letters[1]), got, pair)
		}
	}

	got, _ := lookalike.Latin('œ')
	require.Equal(t, "oe", got)

	for _, r := range "abcXYZ019 é ü Ａ ж Ω 王 ب" { // ASCII, what decomposes, and what looks like nothing
		_, ok := lookalike.Latin(r)
		require.False(t, ok, "%c", r)
	}
}

// What a Latin letter is taken for, and what that is taken for, is one pair.
func TestCyrillicLettersLookBack(t *testing.T) {
	for r := 'a'; r <= 'z'; r++ {
		if other, ok := lookalike.Cyrillic(r); ok {
			back, ok := lookalike.Latin(other)
			require.True(t, ok)
			require.Equal(t, string(r), back)
		}
	}
}

func TestMixedWordsAreProposedInLatinLetters(t *testing.T) {
	for name, want := range map[string]string{
		"Acme":                  "Acme",
		"Dmitriy B\u043erovkin": "Dmitriy Borovkin",
		"\u0410\u0421me W\u03bfrks, \u0410\u0421me": "ACme Works, ACme",
		"Acme\u05d0":  "",
		"Ж\u043eacme": "",
	} {
		require.Equal(t, want, lookalike.InLatin(name), name)
	}
}

func TestWordsOfTwoScriptsAreFound(t *testing.T) {
	for name, word := range map[string]string{
		"":                           "",
		"Acme Works":                 "",
		"Žofie Nováková":             "",
		"Боровкин Дмитрий":           "",
		"Müller-Иванов":              "",
		"Acme Боровкин":              "",
		"Société Générale":           "",
		"トヨタ自動車ひ":                    "",
		"ソニーGroup 東京":                "",
		"ʿAbd al-Raḥmān":             "",
		"Αφοί Παπαδόπουλοι":          "",
		"Marʼyana":                   "",
		"Dmitriy B\u043erovkin":      "B\u043erovkin",
		"\u0410cme":                  "\u0410cme",
		"Acme \u039drks":             "\u039drks",
		"\u041e'Neill":               "\u041e'Neill",
		"\u0410.Smith":               "\u0410.Smith",
		"Дмитpий":                    "Дмитpий",
		"B\u043e\u0301rovkin":        "B\u043e\u0301rovkin",
		"Acme\u05d0":                 "Acme\u05d0",
		"Works \u13aacme and \u0410": "\u13aacme",
	} {
		require.Equal(t, word, lookalike.MixedWord(name), name)
	}
}
