//go:build !nosandbox

package signin_test

import (
	"encoding/base32"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"slipway/internal/app/apptest"
	"slipway/internal/identity/identitytest"
	"slipway/internal/platform/browsertest"
	"slipway/internal/platform/db/dbtest"
	"slipway/internal/rails/openid/openidtest"
	"slipway/internal/standards/otp"
)

// site serves the pages of a world under the name that its configuration has: browsers make no passkey for an IP
// address.
type site struct {
	h         *apptest.Harness
	at, email string
}

// ServeHTTP answers by the service.
func (s *site) ServeHTTP(w http.ResponseWriter, r *http.Request) { s.h.App.Handler.ServeHTTP(w, r) }

// newSite returns a listening service and one of its people.
func newSite(t *testing.T) *site {
	t.Helper()

	s := &site{}
	server := httptest.NewServer(s)
	t.Cleanup(server.Close)
	s.at = strings.Replace(server.URL, "127.0.0.1", "localhost", 1)

	s.h = apptest.New(t, apptest.Config{}, "sqlite:"+dbtest.SQLiteFile(t))
	s.h.Environ = []string{"SLIPWAY_HTTP__BASE_URL=" + s.at}
	s.h.App = s.h.Start()
	s.email = s.h.Client("Northwind Trading").Email

	return s
}

// TestPeopleSignInInABrowser: by a password, with the set-up of a second factor, without scripts and in each language.
func TestPeopleSignInInABrowser(t *testing.T) {
	b := browsertest.Start(t)
	phone, dark := browsertest.Phone(), browsertest.Look{Dark: true}

	for name, look := range map[string]browsertest.Look{
		"desk":       {},
		"dark":       dark,
		"phone":      phone,
		"phone-de":   {Width: phone.Width, Height: phone.Height, Language: "de"},
		"phone-fr":   {Width: phone.Width, Height: phone.Height, Language: "fr", Dark: true},
		"scriptless": {NoScript: true},
	} {
		t.Run(name, func(t *testing.T) {
			s := newSite(t)
			p := b.Page(t, look)
			s.h.Exec("UPDATE users SET two_factor_required = TRUE")

			p.Open(s.at + "/console/session?next=/console/session/back")
			p.Await("#email")
			p.Shot("signin")
			p.Fill("#email", s.email)
			p.Fill("#password", "wrong")
			p.Press(browsertest.Enter)
			p.Await(".alert")
			p.Shot("wrong")
			p.Fill("#password", apptest.Password)
			p.Press(browsertest.Enter)
			p.Await(".qr img")
			p.Shot("setup")

			p.Fill("#code", s.code(t, p.Attribute("[name=address]", "value")))
			p.Press(browsertest.Enter)
			p.Await(".codes li")
			p.Shot("codes")
			p.TabTo("a.button")
			p.Press(browsertest.Enter)
			p.Await("main a[href='/console']")
			p.Shot("in")
			p.Complained("401")
			require.Empty(t, p.Complaints())
		})
	}
}

// TestPeopleSignInByAProviderInABrowser leads a browser to a provider on another site and back, with cookies that no
// other site's request carries, also without scripts.
func TestPeopleSignInByAProviderInABrowser(t *testing.T) {
	b := browsertest.Start(t)
	phone := browsertest.Phone()

	for name, look := range map[string]browsertest.Look{
		"desk":       {},
		"dark":       {Dark: true},
		"phone":      phone,
		"phone-de":   {Width: phone.Width, Height: phone.Height, Language: "de"},
		"scriptless": {NoScript: true},
	} {
		t.Run(name, func(t *testing.T) {
			s := newSite(t)
			idp := openidtest.New(t) // under 127.0.0.1, and the service is localhost: two sites
			idp.Now = s.h.DB().Now
			c := s.h.Client("Seville Ltd")
			c.Do("PUT", "/organisations/"+c.Org+"/sign-on", apptest.Object{
				"isEnabled":    true,
				"issuer":       idp.Issuer(),
				"clientId":     openidtest.ClientID,
				"clientSecret": openidtest.Secret,
				"admitsOthers": true,
				"defaultRoles": []string{"viewer"},
			}).OK(200)
			c.Do("POST", "/organisations/"+c.Org+"/sign-on/domains", apptest.Object{"domain": "works.example"}).OK(201)
			s.h.Exec("UPDATE sign_on_domains SET proven_at = 1, proven_by = 'dns'")

			p := b.Page(t, look)
			idp.Claims = map[string]any{"sub": "g-1", "email": "grace@works.example", "email_verified": false}
			p.Open(s.at + "/console/session?next=/console/session/back")
			p.Fill("#email", "grace@works.example")
			p.Shot("signin")
			p.TabTo("button[formaction]")
			p.Press(browsertest.Enter)
			p.Await(".alert")
			p.Shot("failed")
			p.Complained("403")

			idp.Claims["email_verified"] = true
			p.Open(s.at + "/console/session/sign-on?next=/console/session/back")
			p.Await("#email")
			p.Shot("signon")
			p.Fill("#email", "grace@works.example")
			p.Press(browsertest.Enter)
			p.Await("main a[href='/console']")
			require.Contains(t, p.Address(), "/console/session/back")
			require.Empty(t, p.Complaints())
		})
	}
}

// TestARecoveryCodeHasItsOwnKeyboard signs in by a recovery code: the field for six digits has the keyboard of
// digits, and the keys alone lead to one with letters, which stays when a code was wrong.
func TestARecoveryCodeHasItsOwnKeyboard(t *testing.T) {
	b := browsertest.Start(t)

	for name, one := range map[string]struct {
		look  browsertest.Look
		label string
	}{
		"phone":      {browsertest.Phone(), "Recovery code"},
		"de":         {browsertest.Look{Language: "de"}, "Wiederherstellungscode"},
		"fr":         {browsertest.Look{Language: "fr"}, "Code de secours"},
		"scriptless": {browsertest.Look{NoScript: true}, "Recovery code"},
	} {
		t.Run(name, func(t *testing.T) {
			s := newSite(t)
			p := b.Page(t, one.look)
			s.h.Exec("UPDATE users SET two_factor_required = TRUE")
			s.signIn(p)
			p.Await(".qr img")
			p.Fill("#code", s.code(t, p.Attribute("[name=address]", "value")))
			p.Press(browsertest.Enter)
			p.Await(".codes li")
			kept := p.Text(".codes li")

			s.signIn(p)
			p.Await("#code[inputmode=numeric][autocomplete=one-time-code]")
			p.TabTo("#other")
			p.Press(browsertest.Enter)
			p.Await("#code[autocomplete=off]:not([inputmode]):focus")
			require.Equal(t, one.label, p.Text("label[for=code]"))
			p.Shot("recovery")

			p.Fill("#code", "wrong")
			p.Press(browsertest.Enter)
			p.Await(".alert")
			p.Complained("403")
			p.Await("#code[autocomplete=off]:focus")

			p.TabTo("#other")
			p.Press(browsertest.Enter)
			p.Await("#code[inputmode=numeric]")
			p.TabTo("#other")
			p.Press(browsertest.Enter)
			p.Await("#code[autocomplete=off]")
			p.Fill("#code", kept)
			p.Press(browsertest.Enter)
			p.Await("main a[href='/console']")
			require.Empty(t, p.Complaints())
		})
	}
}

// TestABrowserProvesWork: where strangers are many, the page's script computes while a person types, and all that he
// notices is a moment.
func TestABrowserProvesWork(t *testing.T) {
	world := crowded(t)
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.Header.Get("Origin") != "" { // as if it stood where its configuration says
			r.Header.Set("Origin", identitytest.BaseURL)
		}

		world.Handler.ServeHTTP(w, r)
	}))
	t.Cleanup(server.Close)

	p := browsertest.Start(t).Page(t, browsertest.Phone())
	p.Open(strings.Replace(server.URL, "127.0.0.1", "localhost", 1) + "/console/session?next=/console/session/back")
	p.Await("form[data-challenge]")
	p.Fill("#email", "ada@example.com")
	p.Fill("#password", identitytest.Password)
	p.Press(browsertest.Enter)
	p.Await("main a[href='/console']")
	require.Contains(t, p.Address(), "/console/session/back")
	require.Empty(t, p.Complaints())
}

// TestPersonSignsInByAPasskeyInABrowser: the button stands where the browser has passkeys, and does all by itself.
func TestPersonSignsInByAPasskeyInABrowser(t *testing.T) {
	s := newSite(t)
	p := browsertest.Start(t).Page(t, browsertest.Phone())
	p.Authenticator()

	s.signIn(p)
	p.Await("main a[href='/console']")
	s.addPasskey(p)

	p.Open(s.at + "/console/session?next=/console/session/back")
	p.Await("#passkey button")
	p.Shot("signin")
	p.TabTo("#passkey button")
	p.Press(browsertest.Enter)
	p.Await("main a[href='/console']")

	s.signIn(p)
	p.Await("#code")
	p.Shot("second")
	p.TabTo("#passkey button")
	p.Press(browsertest.Enter)
	p.Await("main a[href='/console']")
	require.Empty(t, p.Complaints())
}

// signIn types address and password.
func (s *site) signIn(p *browsertest.Page) {
	p.Open(s.at + "/console/session?next=/console/session/back")
	p.Fill("#email", s.email)
	p.Fill("#password", apptest.Password)
	p.Press(browsertest.Enter)
}

// addPasskey has the browser make a passkey, as the console does.
func (s *site) addPasskey(p *browsertest.Page) {
	p.Open(s.at + "/console/session")
	p.TakesPasskeys()
	p.Holds(`(async () => {
		const call = async (path, body) => (await fetch(path, { method: 'POST', body: JSON.stringify(body),
			headers: { 'Slipway-Console': '1', 'Content-Type': 'application/json' } })).json();
		const asked = await call('/auth/passkeys/options', { password: '` + apptest.Password + `' });
		const publicKey = PublicKeyCredential.parseCreationOptionsFromJSON(asked.publicKey);
		const credential = await navigator.credentials.create({ publicKey });
		const added = await call('/auth/passkeys', { name: 'Telephone', credential });
		document.body.append(Object.assign(document.createElement('p'), { id: 'added', textContent: added._id }));
	})(), true`)
	p.Await("#added")
}

// code returns the first code of an app that has scanned an address.
func (s *site) code(t *testing.T, address string) string {
	t.Helper()

	u, err := url.Parse(address)
	require.NoError(t, err)

	raw, err := base32.StdEncoding.WithPadding(base32.NoPadding).DecodeString(u.Query().Get("secret"))
	require.NoError(t, err)

	key := otp.Usual(raw)

	return key.Code(key.Step(s.h.DB().Now()))
}

// TestNoPasskeyIsAskedForAtAnAddressWithoutAName opens the page by its name and by its IP address, to which no browser
// binds a passkey: the button is at the name alone.
func TestNoPasskeyIsAskedForAtAnAddressWithoutAName(t *testing.T) {
	s := newSite(t)
	p := browsertest.Start(t).Page(t, browsertest.Look{})

	p.Open(s.at + "/console/session")
	p.TakesPasskeys()
	p.Await("#passkey button")

	p.Open(strings.Replace(s.at, "localhost", "127.0.0.1", 1) + "/console/session")
	p.Await("#email")
	require.True(t, p.Holds("document.querySelector('#passkey').hidden"))
}
