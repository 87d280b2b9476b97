package words_test

import (
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"slipway/internal/platform/words"
)

func TestTheBrowsersWishDecides(t *testing.T) {
	l := words.Must()

	for wish, want := range map[string]string{
		"":                                   "en",
		"de":                                 "de",
		"de-CH,de;q=0.9,en;q=0.8":            "de",
		"fr-CH, fr;q=0.9, en;q=0.8, *;q=0.5": "fr",
		"it,fr;q=0.5":                        "fr",
		"ja":                                 "en",
		"en-GB,de;q=0.9":                     "en",
		"gsw":                                "de", // Swiss German
		"\x00;;q=x":                          "en",
		strings.Repeat("de,", 5_000):         "de",
	} {
		require.Equal(t, want, l.Wished(wish).Code(), wish)
	}
}

func TestPluralsFollowTheLanguage(t *testing.T) {
	l := words.Must()
	say := func(wish string, n int) string { return l.Wished(wish).Say("%d answers need another look.", n) }

	require.Equal(t, "One answer needs another look.", say("en", 1))
	require.Equal(t, "2 answers need another look.", say("en", 2))
	require.Equal(t, "Bitte prüfen Sie eine Angabe noch einmal.", say("de", 1))
	require.Equal(t, "Bitte prüfen Sie 3 Angaben noch einmal.", say("de", 3))
	require.Equal(t, "Merci de vérifier 2 réponses.", say("fr", 2))
}

func TestAmountsKeepEveryDigit(t *testing.T) {
	l := words.Must()

	for _, c := range []struct{ amount, en, de, fr string }{
		{"0.5", "EUR 0.5", "0,5\u00a0EUR", "0,5\u00a0EUR"},
		{"999.00", "EUR 999.00", "999,00\u00a0EUR", "999,00\u00a0EUR"},
		{"1250.50", "EUR 1,250.50", "1.250,50\u00a0EUR", "1\u202f250,50\u00a0EUR"},
		{
			"12345678901234567890.123456789012345678", "EUR 12,345,678,901,234,567,890.123456789012345678",
			"12.345.678.901.234.567.890,123456789012345678\u00a0EUR",
			"12\u202f345\u202f678\u202f901\u202f234\u202f567\u202f890,123456789012345678\u00a0EUR",
		},
	} {
		require.Equal(t, c.en, l.Wished("en").Amount(c.amount, "EUR"))
		require.Equal(t, c.de, l.Wished("de").Amount(c.amount, "EUR"))
		require.Equal(t, c.fr, l.Wished("fr").Amount(c.amount, "EUR"))
	}
}

func TestDaysAndCountriesHaveTheirNames(t *testing.T) {
	l := words.Must()
	day := time.Date(2026, 3, 1, 23, 0, 0, 0, time.UTC)

	require.Equal(t, "1 March 2026", l.Wished("en").Day(day))
	require.Equal(t, "1. März 2026", l.Wished("de").Day(day))
	require.Equal(t, "1er mars 2026", l.Wished("fr").Day(day))
	require.Equal(t, "Switzerland", l.Wished("en").Country("CH", "Switzerland"))
	require.Equal(t, "Schweiz", l.Wished("de").Country("CH", "Switzerland"))
	require.Equal(t, "Suisse", l.Wished("fr").Country("CH", "Switzerland"))
}

func TestWhatPeopleHaveWrittenStaysAsItIs(t *testing.T) {
	require.Equal(t, "100%s Gmbh %d", words.Must().Wished("de").Say("100%s Gmbh %d"))
}
