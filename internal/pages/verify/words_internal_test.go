package verify

import (
	"net/http/httptest"
	"testing"

	"github.com/stretchr/testify/require"

	"slipway/internal/core/fault"
	"slipway/internal/identity/review"
	"slipway/internal/pages/look"
	"slipway/internal/platform/words"
	"slipway/internal/platform/words/wordstest"
	provider "slipway/internal/rails/idv"
)

func TestEveryTextIsInEveryLanguage(t *testing.T) {
	wordstest.Template(t, "pages.html", "Slipway",
		"width=device-width, initial-scale=1", "noindex", "telephone=no") // for browsers
	wordstest.Code(t, wordstest.Rule{
		Fields: []string{"Wrong"},
		Calls:  map[string]int{"Say": 0, "stop": 3},
	})

	in := words.Must().In("en")

	for _, kind := range []provider.Kind{provider.User, provider.Organisation} {
		for _, q := range review.Questions(kind) {
			require.True(t, in.Knows(q.Label), q.Label)
			require.True(t, q.Hint == "" || in.Knows(q.Hint), q.Hint)
		}

		for _, d := range review.Proofs(kind) {
			require.True(t, in.Knows(d.Label), d.Label)
			require.True(t, d.Hint == "" || in.Knows(d.Hint), d.Hint)
		}
	}
}

func TestFormSpeaksTheBrowsersLanguage(t *testing.T) {
	p := &pages{pages: look.Parse(files, "pages.html", nil)}
	r := httptest.NewRequest("GET", "/verify", nil)
	r.Header.Set("Accept-Language", "de-CH")

	w := httptest.NewRecorder()
	p.showOpen(w, r)
	require.Contains(t, w.Body.String(), `<html lang="de">`)
	require.Contains(t, w.Body.String(), "Fügen Sie ihn hier ein")

	var l fault.List
	l.Add("/city", fault.Required, "is needed.")
	l.Add("/dob", fault.FormatInvalid, "must be a day such as 1980-05-17.")

	wrong, ok := fault.As(l.Err())
	require.True(t, ok)

	problem, faults := refusal(words.Must().In("de"), wrong)
	require.Equal(t, "Bitte prüfen Sie einige Angaben noch einmal.", problem)
	require.Equal(t, "Bitte füllen Sie dieses Feld aus.", faults["city"])
	require.NotContains(t, faults["dob"], "must")

	_, faults = refusal(words.Must().In("en"), wrong)
	require.Equal(t, "This must be a day such as 1980-05-17.", faults["dob"])

	for _, c := range countries(words.Must().In("de")) {
		require.True(t, c.Alpha3 != "CHE" || c.Name == "Schweiz", c.Name)
	}
}
