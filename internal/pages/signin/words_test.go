package signin_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"slipway/internal/platform/words/wordstest"
)

func TestEveryTextIsInEveryLanguage(t *testing.T) {
	wordstest.Template(t, "pages.html", "Slipway",
		"width=device-width, initial-scale=1", "noindex", "telephone=no", "0;url=") // for browsers
	wordstest.Code(t, wordstest.Rule{
		Fields: []string{"Title"},
		Calls:  map[string]int{"Say": 0, "stop": 3, "at": 0},
		Sets:   []string{"Wrong"},
	})
}

func TestPagesSpeakTheBrowsersLanguage(t *testing.T) {
	each(t, func(t *testing.T, b *browser) {
		b.Register("ada@example.com")

		german := header{Name: "Accept-Language", Value: "de-CH,de;q=0.9,en;q=0.5"}
		page := b.ask("/console/session", nil, german).OK(200)
		require.Contains(t, page.Raw, `<html lang="de">`)
		require.Contains(t, page.Raw, "Passwort vergessen?")
		require.Equal(t, "de", page.Header.Get("Content-Language"))
		require.Contains(t, page.Header.Values("Vary"), "Accept-Language")

		page = b.ask("/console/session", as("ada@example.com", "wrong", ""), german).OK(401)
		require.Contains(t, page.Raw, "<title>Bitte korrigieren: Anmelden - Slipway</title>")
		require.Contains(t, page.Raw, "E-Mail-Adresse und Passwort gehören nicht zusammen.")

		french := header{Name: "Accept-Language", Value: "fr"}
		require.Contains(t, b.ask("/console/session/ended", nil, french).OK(200).Raw, "Vous êtes déconnecté")
	})
}
