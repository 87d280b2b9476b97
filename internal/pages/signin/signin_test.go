package signin_test

import (
	"html"
	"log/slog"
	"net/http"
	"net/url"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"slipway/internal/identity/auth"
	"slipway/internal/identity/identitytest"
	"slipway/internal/pages/signin"
	"slipway/internal/platform/db"
	"slipway/internal/platform/db/dbtest"
	"slipway/internal/platform/limit"
	"slipway/internal/platform/mail"
)

type header = identitytest.Header

// browser is one that keeps cookies and follows no redirects.
type browser struct {
	*identitytest.World
	jar map[string]string
}

// pagesOf returns identity services with the pages, and a browser.
func pagesOf(t *testing.T, d *db.DB, tune func(*auth.Config), standing func() signin.Person) *browser {
	t.Helper()

	w := identitytest.NewWith(t, d, tune, func(w *identitytest.World) {
		signin.Routes(w.API, signin.Deps{Auth: w.Auth, Log: slog.New(slog.DiscardHandler), Standing: standing})
	})

	return &browser{World: w, jar: map[string]string{}}
}

func each(t *testing.T, test func(t *testing.T, b *browser)) {
	t.Helper()
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		test(t, pagesOf(t, d, func(*auth.Config) {}, nil))
	})
}

// ask opens a page, or sends a form.
func (b *browser) ask(path string, form url.Values, headers ...header) identitytest.Answer {
	var cookies []string
	for name, value := range b.jar {
		cookies = append(cookies, name+"="+value)
	}

	all := append([]header{{Name: "Cookie", Value: strings.Join(cookies, "; ")}}, headers...)
	method := "GET"

	if form != nil {
		method = "POST"

		all = append(all, header{Name: "Content-Type", Value: "application/x-www-form-urlencoded"})
	}

	a := b.Do(method, path, "", form.Encode(), all...)

	for _, c := range (&http.Response{Header: a.Header}).Cookies() {
		require.True(b.T, c.HttpOnly && c.Secure && c.SameSite == http.SameSiteStrictMode && c.Path == "/", c)
		require.True(b.T, strings.HasPrefix(c.Name, "__Host-"), c)

		b.jar[c.Name] = c.Value
		if c.MaxAge < 0 {
			delete(b.jar, c.Name)
		}
	}

	return a
}

// as returns the form of a sign-in.
func as(email, password, next string) url.Values {
	return url.Values{"email": {email}, "password": {password}, "next": {next}}
}

// calls asks the API in the console's way.
func (b *browser) calls() identitytest.Answer {
	return b.ask("/users/me", nil, header{Name: "Slipway-Console", Value: "1"})
}

// leads requires a redirect.
func leads(a identitytest.Answer, to string) {
	a.T.Helper()
	a.OK(303)
	require.Equal(a.T, to, a.Header.Get("Location"))
}

func TestPersonSignsInAndOut(t *testing.T) {
	each(t, func(t *testing.T, b *browser) {
		b.Register("ada@example.com")

		page := b.ask("/console/session?next=/console/o/org_1/log?page=2", nil).OK(200)
		require.Contains(t, html.UnescapeString(page.Raw), `name="next" value="/console/o/org_1/log?page=2"`)
		require.Equal(t, "no-store", page.Header.Get("Cache-Control"))
		require.Contains(t, page.Header.Get("Content-Security-Policy"), "form-action 'self'")
		require.NotRegexp(t, `<script>|<style|style="|onclick`, page.Raw, "the policy would stop it")
		require.Empty(t, b.jar, "no cookie before somebody signs in")

		leads(b.ask("/console/session", as("ada@example.com", identitytest.Password, "/console/o/org_1/log?page=2")),
			"/console/o/org_1/log?page=2")
		require.Equal(t, "ada@example.com", b.calls().OK(200).Text("email"))

		cookie := b.jar["__Host-slipway"]
		leads(b.ask("/console/session/end", url.Values{}), "/console/session/ended")
		require.Empty(t, b.jar)
		require.Contains(t, b.ask("/console/session/ended", nil).OK(200).Raw, "Sign in again")

		b.jar["__Host-slipway"] = cookie
		b.calls().Refused(401, "TOKEN_INVALID")
		leads(b.ask("/console/session/end", url.Values{}), "/console/session/ended")
	})
}

func TestRefusedSignInKeepsTheAddressAndNotThePassword(t *testing.T) {
	each(t, func(t *testing.T, b *browser) {
		b.Register("ada@example.com")

		for _, wrong := range []url.Values{
			as("ada@example.com", "wrong", "/console/ops"),
			as("eve@example.com", "wrong", "/console/ops"),
			as(`"><script>alert(1)</script>@example.com`, "wrong", "/console/ops"),
			{},
		} {
			a := b.ask("/console/session", wrong).OK(401)
			require.Contains(t, a.Raw, "do not belong together")
			require.Contains(t, a.Raw, `value="`+html.EscapeString(wrong.Get("email")))
			require.NotContains(t, a.Raw, `value="wrong"`)
			require.NotContains(t, a.Raw, "<script>")
			require.Empty(t, b.jar)
		}

		b.ask("/console/session", as("a", strings.Repeat("x", 20<<10), "")).OK(400)
	})
}

func TestSecondFactorIsAskedOnAPageOfItsOwn(t *testing.T) {
	each(t, func(t *testing.T, b *browser) {
		app, recovery := b.SetUp(b.Someone("ada@example.com").Access)
		signIn := as("ada@example.com", identitytest.Password, "/console/ops?x=1&y=2")

		leads(b.ask("/console/session", signIn), "/console/session/second?next=%2Fconsole%2Fops%3Fx%3D1%26y%3D2")
		require.Empty(t, b.jar["__Host-slipway"])
		b.calls().Refused(401, "TOKEN_MISSING")

		page := b.ask("/console/session/second?next=%2Fconsole%2Fops%3Fx%3D1%26y%3D2", nil).OK(200)
		require.Contains(t, page.Raw, `autocomplete="one-time-code"`)

		code := func(c string) url.Values { return url.Values{"code": {c}, "next": {"/console/ops?x=1&y=2"}} }
		require.Contains(t, b.ask("/console/session/second", code("000000")).OK(403).Raw, "The code is wrong")

		shown := app.Code() // in two groups, as apps display it
		leads(b.ask("/console/session/second", code(" "+shown[:3]+" "+shown[3:]+" ")), "/console/ops?x=1&y=2")
		b.calls().OK(200)
		require.Len(t, b.jar, 1, "the tempToken is used up")

		b.jar = map[string]string{}
		b.ask("/console/session", signIn).OK(303)
		leads(b.ask("/console/session/second", code(recovery[0])), "/console/ops?x=1&y=2")

		// five wrong codes, or five minutes
		b.jar = map[string]string{}
		b.ask("/console/session", signIn).OK(303)

		for range 5 {
			b.ask("/console/session/second", code("000000")).OK(403)
		}

		require.Contains(t, b.ask("/console/session/second", code(app.Code())).OK(401).Raw, "Begin again")
		require.Empty(t, b.jar)

		b.ask("/console/session", signIn).OK(303)
		b.DB.Clock().Advance(auth.ChallengeLifetime)
		b.ask("/console/session/second", code(app.Code())).OK(401)
		require.Contains(t, b.ask("/console/session/second", nil).OK(200).Raw, "That took too long")
	})
}

// Another site could sign somebody in as somebody else, or out.
func TestFormsOfOtherSitesAreRefused(t *testing.T) {
	each(t, func(t *testing.T, b *browser) {
		b.Register("ada@example.com")
		b.ask("/console/session", as("ada@example.com", identitytest.Password, "")).OK(303)

		for _, from := range []header{
			{Name: "Sec-Fetch-Site", Value: "cross-site"},
			{Name: "Sec-Fetch-Site", Value: "same-site"},
			{Name: "Origin", Value: "https://evil.example"},
			{Name: "Origin", Value: "null"},
		} {
			for _, path := range []string{"/console/session", "/console/session/second", "/console/session/end"} {
				a := b.ask(path, as("ada@example.com", identitytest.Password, ""), from).OK(403)
				require.Empty(t, a.Header.Values("Set-Cookie"))
			}
		}

		b.calls().OK(200)
		b.ask(
			"/console/session",
			as("ada@example.com", identitytest.Password, ""),
			header{
				Name:  "Origin",
				Value: identitytest.BaseURL,
			},
			header{Name: "Sec-Fetch-Site", Value: "same-origin"},
		).OK(303)
	})
}

// Whoever plants a cookie in a browser gets nothing of the session that begins there.
func TestSignInTakesNoCookieOver(t *testing.T) {
	each(t, func(t *testing.T, b *browser) {
		b.Register("eve@example.com")
		b.Register("ada@example.com")
		b.ask("/console/session", as("eve@example.com", identitytest.Password, "")).OK(303)
		planted := b.jar["__Host-slipway"]

		b.ask("/console/session", as("ada@example.com", identitytest.Password, "")).OK(303)
		require.NotEqual(t, planted, b.jar["__Host-slipway"])
		require.Equal(t, "ada@example.com", b.calls().OK(200).Text("email"))

		b.jar["__Host-slipway"] = planted
		b.calls().Refused(401, "TOKEN_INVALID")

		b.jar["__Host-slipway"] = "cs_" + strings.Repeat("a", 49)
		b.ask("/console/session", as("ada@example.com", identitytest.Password, "")).OK(303)
		b.calls().OK(200)
	})
}

// The pages and the API count the same attempts.
func TestPagesAndAPIShareTheLimitsOfSignIn(t *testing.T) {
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		b := pagesOf(t, d, func(c *auth.Config) { c.Limits = auth.DefaultLimits() }, nil)
		b.Register("ada@example.com")

		for range 3 {
			b.ask("/console/session", as("ada@example.com", "wrong", "")).OK(401)
		}

		for range 2 {
			b.Do("POST", "/auth/login", "", `{"email":"ada@example.com","password":"x"}`).OK(401)
		}

		a := b.ask("/console/session", as("ada@example.com", identitytest.Password, "")).OK(429)
		require.Contains(t, a.Raw, "There were too many attempts.")
		require.NotEmpty(t, a.Header.Get("Retry-After"))
	})
}

func TestAddressMustBeConfirmedFirst(t *testing.T) {
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		b := pagesOf(t, d, func(c *auth.Config) { c.MustConfirm = true }, nil)
		b.Register("ada@example.com")
		require.Contains(
			t,
			b.ask("/console/session", as("ada@example.com", identitytest.Password, "")).OK(403).Raw,
			"onfirm",
		)

		b.Do("POST", "/auth/confirm-account", "", `{"token":"`+b.Link("ada@example.com", mail.Confirm)+`"}`).OK(200)
		b.ask("/console/session", as("ada@example.com", identitytest.Password, "")).OK(303)
	})
}

func TestUserOfASandboxIsShown(t *testing.T) {
	d := dbtest.SQLite(t)
	person := signin.Person{}
	b := pagesOf(t, d, func(*auth.Config) {}, func() signin.Person { return person })
	require.NotContains(t, b.ask("/console/session", nil).OK(200).Raw, "sandbox")

	person = signin.Person{Email: "dev@example.org", Password: "sandbox password 1"}
	page := b.ask("/console/session", nil).OK(200).Raw
	require.Contains(t, page, "Its user is dev@example.org, with the password sandbox password 1.")
	require.Regexp(t, regexp.MustCompile(`id="password"[^>]*value="sandbox password 1"`), page)
}

// crowded returns pages where as many strangers have come as may without work, and one of their people.
func crowded(t *testing.T) *browser {
	t.Helper()

	b := pagesOf(t, dbtest.SQLite(t), func(c *auth.Config) {
		c.Limits.Global = limit.Rate{Events: 1, Per: 10 * time.Hour}
	}, nil)
	b.Register("ada@example.com")
	require.Equal(t, 401, b.ask("/console/session", as("x@example.com", "wrong", "")).Status)

	return b
}

// Where strangers prove work, the page has its script do so; a form without the proof is shown again.
func TestPageForSigningInAsksForWork(t *testing.T) {
	quiet := pagesOf(t, dbtest.SQLite(t), func(c *auth.Config) { c.Limits = auth.DefaultLimits() }, nil)
	require.NotContains(t, quiet.ask("/console/session", nil).OK(200).Raw, "data-challenge")

	b := crowded(t)
	page := b.ask("/console/session", nil).OK(200)
	challenge := regexp.MustCompile(`data-challenge="([^"]+)"`).FindStringSubmatch(page.Raw)
	require.NotNil(t, challenge, page.Raw)
	require.Contains(t, page.Raw, `name="proof"`)
	require.Contains(t, page.Raw, "passkey.js", "the script that proves it")

	form := as("ada@example.com", identitytest.Password, "/console/session/back")
	again := b.ask("/console/session", form)
	require.Equal(t, 429, again.Status)
	require.Contains(t, again.Raw, "Very many sign in at the moment.")
	require.Contains(t, again.Raw, "data-challenge")
}
