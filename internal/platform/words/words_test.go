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

// What is stored before its reader is known is said in any language, with what it holds of others.
func TestPhrasesAreSaidInEveryLanguage(t *testing.T) {
	same := func(s string) string { return s }
	day := time.Date(2026, 3, 1, 9, 5, 0, 0, time.UTC)
	value := words.Phrase(
		"%[1]s %[2]s",
		words.Phrase(
			"The wallet holds %[1]s; %[2]s are needed.",
			words.Sum("12.5", "USDC"),
			words.Sum("1250.00", "USDC"),
		),
		words.Phrase("No deposit has arrived by %s.", words.OnDay(day)),
	)

	for code, want := range map[string]string{
		"en": "The wallet holds USDC 12.5; USDC 1,250.00 are needed. No deposit has arrived by 1 March 2026.",
		"de": "Die Wallet hält 12,5\u00a0USDC; nötig sind 1.250,00\u00a0USDC. " +
			"Bis zum 1. März 2026 ist keine Einzahlung eingetroffen.",
		"fr": "Le portefeuille détient 12,5\u00a0USDC ; il faut 1\u202f250,00\u00a0USDC. " +
			"Aucun dépôt n’est arrivé avant le 1er mars 2026.",
	} {
		require.Equal(t, want, words.Must().In(code).Said(value, same), code)
	}

	require.Equal(t, words.Must().In("en").Said(value, same), words.English(value))
	require.Equal(t, "1. März 2026, 09:05 Uhr UTC", words.Must().In("de").Said(words.When(day), same))

	detailed := words.Detailed("The network refuses the batch.", "The network refuses the batch: 0x1.")
	require.Equal(t, "The network refuses the batch: 0x1.", words.English(detailed))
	require.Equal(t, "Le réseau refuse le paiement.", words.Must().In("fr").Said(detailed, same))
}

func TestListsAreSaidInEveryLanguage(t *testing.T) {
	same := func(s string) string { return s }
	said := func(code, value string) string { return words.Must().In(code).Said(value, same) }

	require.Empty(t, words.List(words.Commas))
	require.Empty(t, words.List(words.Commas, "", ""))
	require.Equal(t, "Ada", words.List(words.Commas, "", "Ada", ""))

	for by, want := range map[words.Separator][2]string{
		words.Spaces:     {"Bezahlt Ada Erstattet", "Payé Ada Remboursé"},
		words.Commas:     {"Bezahlt, Ada, Erstattet", "Payé, Ada, Remboursé"},
		words.Semicolons: {"Bezahlt; Ada; Erstattet", "Payé ; Ada ; Remboursé"},
	} {
		value := words.List(by, words.Phrase("Paid"), "", "Ada", words.Phrase("Refunded"))
		require.Equal(t, want, [2]string{said("de", value), said("fr", value)})
	}
}

// A phrase that depends on a number, and one that English leaves as it was written, stand in others as texts do.
func TestCountsAndFiguresOfTheInterfaceAreParts(t *testing.T) {
	same := func(s string) string { return s }
	said := func(code, value string) string { return words.Must().In(code).Said(value, same) }

	require.Equal(t, "1 hour", words.English(words.Count("%d hours", 1)))
	require.Equal(t, "0 hours", words.English(words.Count("%d hours", 0)))
	require.Equal(t, "24 Stunden", said("de", words.Count("%d hours", 24)))
	require.Equal(t, "rien n’est payé aux nouveaux bénéficiaires pendant 1 heure",
		said("fr", words.Phrase("new payees wait %s", words.Count("%d hours", 1))))

	limit := words.Phrase("every transaction above %s needs a second person",
		words.InEnglish("EUR 1000.50", words.Sum("1000.50", "EUR")))
	require.Equal(t, "every transaction above EUR 1000.50 needs a second person", words.English(limit))
	require.Equal(t, "jede Transaktion über 1.000,50\u00a0EUR braucht eine zweite Person", said("de", limit))
}

// A text of people is no phrase, whatever it holds, and does not break the one it stands in.
func TestTextsOfPeopleAreNeverPhrases(t *testing.T) {
	same := func(s string) string { return s }

	for _, text := range []string{"", "Paid", `["Paid"]`, "\x01", "\x01[", "\x01[]", "\x01[1]", "\x01{", "\x01null"} {
		value := words.Phrase("%[1]s, %[2]s", text, "x")
		require.True(t, strings.HasSuffix(words.Must().In("de").Said(value, same), ", x"), "%q", text)
		require.NotPanics(t, func() { words.English(text) }, "%q", text)
	}

	require.Equal(t, "Paid", words.Must().In("de").Said("Paid", same))
}
