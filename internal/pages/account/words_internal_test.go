package account

import (
	"net/http/httptest"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"slipway/internal/core/caller"
	"slipway/internal/core/fault"
	"slipway/internal/pages/look"
	"slipway/internal/platform/mail"
	"slipway/internal/platform/words"
	"slipway/internal/platform/words/wordstest"
)

func TestEveryTextIsInEveryLanguage(t *testing.T) {
	wordstest.Template(t, "pages.html", "Slipway",
		"width=device-width, initial-scale=1", "noindex", "List-Unsubscribe", "One-Click") // for programs
	wordstest.Code(t, wordstest.Rule{Fields: []string{"Title", "Lines"}})

	in := words.Must().In("en")
	script, err := files.ReadFile("account.js")
	require.NoError(t, err)

	texts := said.FindAllSubmatch(script, -1)
	require.Greater(t, len(texts), 30)

	for _, m := range texts {
		require.True(t, in.Knows(string(m[1])), string(m[1]))
	}

	// What looks like a sentence is said by t: two words with a capital, or one beside a label.
	var bare []string

	for _, line := range strings.Split(string(script), "\n") {
		if !strings.HasPrefix(strings.TrimSpace(line), "//") {
			bare = append(bare, said.ReplaceAllString(line, "t("))
		}
	}

	require.NotRegexp(t, regexp.MustCompile(`'[A-Z][a-z]+ [a-z]|(label|title|lead|button|done|again|hint): '[A-Z]`),
		strings.Join(bare, "\n"))

	for _, c := range refusals {
		require.True(t, in.Knows("refused: "+string(c)), c)
	}

	for _, c := range mail.Switchable() {
		require.True(t, in.Knows(about[c]) && in.Knows(done[c]), c)
	}
}

func TestPagesSpeakTheBrowsersLanguage(t *testing.T) {
	in := words.Must().In("fr")
	script, err := files.ReadFile("account.js")
	require.NoError(t, err)

	said := spoken(in, script)
	require.Contains(t, said, `"Set a new password":"Définir un nouveau mot de passe"`)
	require.Contains(t, said, `"refused: PASSWORD_WEAK":"Ce mot de passe`)

	u := unsubscriber{pages: look.Parse(files, "pages.html", nil)}
	gone := fault.New(fault.Gone, fault.UnsubscribeExpired, "old")
	ctx := caller.WithCall(t.Context(), &caller.Call{Request: caller.Request{Language: "de-CH"}})
	page, err := u.refused(ctx, "text/html", gone)
	require.NoError(t, err)
	require.Contains(t, string(page.Body), "<h1>Dieser Link ist zu alt</h1>")
	require.Equal(t, "de", page.Header.Get("Content-Language"))
}

// The page is one for all, and what its script says is data.
func TestPageCarriesWhatItsScriptSays(t *testing.T) {
	p := &pages{pages: look.Parse(files, "pages.html", nil)}
	r := httptest.NewRequest("GET", "/account/reset", nil)
	body, err := p.pages.Render(p.pages.Words(r), "account", page{Words: `{"a":"<b>\"&"}`})
	require.NoError(t, err)
	require.Contains(t, string(body), `data-words="{&#34;a&#34;:&#34;&lt;b&gt;\&#34;&amp;&#34;}"`)
}
