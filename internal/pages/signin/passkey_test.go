package signin_test

import (
	"net/url"
	"regexp"
	"testing"

	"github.com/stretchr/testify/require"

	"slipway/internal/identity/identitytest"
)

// by sends a passkey's answer as the script does: it asks for the options and submits the form.
func (b *browser) by(sign func(options string) string, of, next string) identitytest.Answer {
	b.T.Helper()

	asked := b.ask("/console/session/passkey/options"+of, url.Values{}).OK(200)
	form := url.Values{"answer": {sign(asked.Raw)}, "next": {next}}

	return b.ask("/console/session/passkey"+of, form)
}

func TestPasskeySignsIn(t *testing.T) {
	each(t, func(t *testing.T, b *browser) {
		ada := b.Someone("ada@example.com")
		d := b.Device()
		b.AddPasskey(ada.Access, "Laptop", d).OK(201)

		leads(b.by(d.Answer, "", "/console/ops"), "/console/ops")
		require.Equal(t, "ada@example.com", b.calls().OK(200).Text("email"))
		b.ask("/console/session/end", url.Values{}).OK(303)

		// as the second factor after a password
		leads(b.ask("/console/session", as("ada@example.com", identitytest.Password, "")),
			"/console/session/second?next=%2Fconsole")
		temp := b.jar["__Host-slipway-second"]
		require.NotContains(t, b.ask("/console/session/second", nil).OK(200).Raw, temp, "no script reads it")
		leads(b.by(d.Answer, "?second=1", ""), "/console")
		b.calls().OK(200)

		b.jar = map[string]string{"__Host-slipway-second": temp}
		b.ask("/console/session/passkey/options?second=1", url.Values{}).OK(401) // used up
	})
}

func TestPasskeyThatDoesNotFitShowsTheFormAgain(t *testing.T) {
	each(t, func(t *testing.T, b *browser) {
		d := b.Device()
		b.AddPasskey(b.Someone("ada@example.com").Access, "Laptop", d).OK(201)

		for _, answer := range []string{"", "{}", "null", "<script>"} {
			page := b.by(func(string) string { return answer }, "", "/console/ops").OK(403)
			require.Contains(t, page.Raw, "The passkey was not accepted")
			require.Contains(t, page.Raw, `value="/console/ops"`)
			require.Empty(t, b.jar)
		}

		phishing := *d
		phishing.Origin = "https://pay.example.org.evil.example"
		b.by(phishing.Answer, "", "").OK(403)

		elsewhere := header{Name: "Sec-Fetch-Site", Value: "cross-site"}
		for _, path := range []string{"/console/session/passkey", "/console/session/passkey/options"} {
			b.ask(path, url.Values{}, elsewhere).OK(403)
		}
	})
}

// The script has the address of its bytes, and runs only on the pages that need it.
func TestScriptIsServedByItsHash(t *testing.T) {
	each(t, func(t *testing.T, b *browser) {
		page := b.ask("/console/session", nil).OK(200)
		at := regexp.MustCompile(`<script defer src="([^"]+)"`).FindStringSubmatch(page.Raw)
		require.NotNil(t, at)
		require.Contains(t, page.Header.Get("Content-Security-Policy"), "script-src 'self'")

		script := b.ask(at[1], nil).OK(200)
		require.Contains(t, script.Header.Get("Cache-Control"), "immutable")
		require.Equal(t, "text/javascript; charset=utf-8", script.Header.Get("Content-Type"))
		b.ask("/console/session/a/0000000000000000/passkey.js", nil).OK(404)

		ended := b.ask("/console/session/ended", nil).OK(200)
		require.NotContains(t, ended.Raw, "<script")
		require.NotContains(t, ended.Header.Get("Content-Security-Policy"), "script-src")
	})
}
