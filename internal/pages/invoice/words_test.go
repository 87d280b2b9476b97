//go:build !nosandbox

package invoice_test

import (
	"net/http"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"slipway/internal/app/apptest"
	"slipway/internal/platform/browsertest"
	"slipway/internal/platform/db/dbtest"
)

// speaking adds what a browser wishes to every request.
type speaking struct {
	language string
	next     http.RoundTripper
}

// RoundTrip sends a request with the wish.
func (s speaking) RoundTrip(r *http.Request) (*http.Response, error) {
	r.Header.Set("Accept-Language", s.language)
	return s.next.RoundTrip(r)
}

func (g *guest) speaks(language string) *guest {
	g.http.Transport = speaking{language, http.DefaultTransport}
	return g
}

// TestPagesSpeakTheBrowsersLanguage: texts, what is wrong, amounts, days and countries.
func TestPagesSpeakTheBrowsersLanguage(t *testing.T) {
	each(t, func(t *testing.T, s *scene) {
		address, id := s.link(wish("anna@example.com"))
		at := "/i/" + id
		g := s.guest().speaks("de-CH,de;q=0.9,en;q=0.5")

		page := g.send("/i/open", "code", address).on(200, at+"/you")
		require.Contains(t, page.Body, `<html lang="de">`)
		require.Equal(t, "de", page.Header.Get("Content-Language"))
		require.Contains(t, page.Header.Values("Vary"), "Accept-Language")
		require.Contains(t, page.Body, "Wer stellt die Rechnung?")
		require.Contains(t, page.Body, ">Schweiz</option>")

		page = g.send(at+"/you", "type", "COMPANY").on(200, at+"/you")
		require.Equal(t, "Bitte füllen Sie dieses Feld aus.", page.wrong("legalName"))
		require.Equal(t, "Bitte wählen Sie etwas aus.", page.wrong("countryIsoCode"))

		g.send(at+"/you", company()...).on(200, at+"/way")
		g.send(at+"/way", "way", "bank", "bankCountry", "CH", "currency", "CHF").on(200, at+"/bank")
		page = g.send(at+"/bank"+inSwiss, "iban", strings.Replace(swissIBAN, "7", "8", 1), "bicSwift", swissBIC)
		require.Equal(
			t,
			"Darin steckt ein Tippfehler. Vergleichen Sie die Nummer noch einmal mit Ihren Bankunterlagen.",
			page.wrong("iban"),
		)

		page = g.send(at+"/bank"+inSwiss, "iban", swissIBAN, "bicSwift", swissBIC).on(200, at+"/invoice")
		require.Contains(t, page.Body, "hat um eine Rechnung über 1.250,50\u00a0CHF gebeten")

		page = g.send(at+"/invoice", "amount", "1250.50", "reason", "Continue").on(200, at+"/check")
		require.Contains(t, page.Body, "1.250,50\u00a0CHF")
		require.Contains(t, page.Body, "<dd>Continue</dd>", "what somebody has written is not translated")
		require.Contains(t, page.Body, "Rechnung senden")

		g.speaks("fr")
		require.Contains(t, g.get(at+"/check").Body, "Envoyer la facture")
		require.Contains(t, g.get("/i").Body, `<html lang="fr">`)
		require.Contains(t, g.get(at+"/nowhere").on(404, at+"/nowhere").Body, "n’y a rien ici")
	})
}

// TestLongerTextsFit leads through the pages in each language on a telephone, with every field wrong and right.
func TestLongerTextsFit(t *testing.T) {
	b := browsertest.Start(t)
	s := newScene(t, apptest.New(t, apptest.Config{}, "sqlite:"+dbtest.SQLiteFile(t)))

	for _, language := range []string{"en", "de", "fr"} {
		t.Run(language, func(t *testing.T) {
			look := browsertest.Phone()
			look.Language = language

			address, id := s.link(wish("anna.keller@example.com"))
			p := b.Page(t, look)

			shown := func(step string) {
				p.Await("main[data-step=" + step + "]")
				require.True(t, p.Holds("document.documentElement.lang === '"+language+"'"))
				p.Fits()
				p.Shot(step)
			}

			p.Open(address)
			shown("you")
			p.TabTo("main button")
			p.Submit()
			p.Await("[aria-invalid=true]:focus")
			shown("you")
			p.Fill("#legalName", "Keller Übersetzungen GmbH")
			p.Fill("#addressLine1", "Seestrasse 14")
			p.Fill("#postCode", "8002")
			p.Fill("#city", "Zürich")
			p.Holds("document.querySelector('#countryIsoCode').value = 'CH', true")
			p.TabTo("main button")
			p.Submit()
			shown("way")
			p.TabTo("main button")
			p.Submit()
			shown("bank")
			p.Fill("#iban", swissIBAN)
			p.Fill("#bicSwift", swissBIC)
			p.TabTo("main button")
			p.Submit()
			shown("invoice")
			p.TabTo("main button")
			p.Submit()
			shown("check")
			p.Open(s.site + "/i/" + id + "/wallet")
			shown("wallet")
			require.Empty(t, p.Complaints())
		})
	}
}
