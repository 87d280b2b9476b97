package sso_test

import (
	"context"
	"html"
	"log/slog"
	"net/http"
	"net/url"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"slipway/internal/identity/auth"
	"slipway/internal/identity/identitytest"
	"slipway/internal/identity/sso"
	"slipway/internal/pages/signin"
	"slipway/internal/platform/clock"
	"slipway/internal/platform/db"
	"slipway/internal/platform/db/dbtest"
	"slipway/internal/rails/openid"
	"slipway/internal/rails/openid/openidtest"
	"slipway/internal/rails/webhook"
)

// resolver has records of its own, by name.
type resolver map[string][]string

func (r resolver) Texts(_ context.Context, name string) ([]string, error) { return r[name], nil }

// house is the identity services with the pages, an organisation, its admin, and a provider.
type house struct {
	*identitytest.World

	Service *sso.Service
	dns     resolver
	idp     *openidtest.Provider
	admin   identitytest.Session
	org     string
}

// browser is one that keeps cookies and follows no redirects.
type browser struct {
	*house

	jar map[string]string
}

// each runs a test on each database, with an organisation of ada@example.com whose domain is proven and whose provider
// is set up.
func each(t *testing.T, test func(t *testing.T, h *house)) {
	t.Helper()
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		h := newHouse(t, d, sso.Platform{})
		h.prove("example.com")
		h.setUp(
			`"rules":[{"value":"finance","roles":["initiator"]}],"claim":"groups","admitsOthers":true,"defaultRoles":["viewer"]`,
		)
		test(t, h)
	})
}

// newHouse returns a house without a provider.
func newHouse(t *testing.T, d *db.DB, platform sso.Platform) *house {
	t.Helper()

	h := &house{dns: resolver{}, idp: openidtest.New(t)}
	guard := webhook.Guard{AllowPrivate: true}

	if platform.Domains != nil {
		platform.Issuer = h.idp.Issuer()
		platform.ClientID = openidtest.ClientID
		platform.Secret = openidtest.Secret
	}

	h.World = identitytest.NewWith(t, d, func(*auth.Config) {}, func(w *identitytest.World) {
		client := openid.New(guard, clock.New(), w.DB.Now)
		h.Service = sso.New(sso.Deps{
			DB:            w.DB,
			Auth:          w.Auth,
			Organisations: w.Orgs,
			Approvals:     w.Approvals,
			Mail:          w.Outbox,
			Client:        client,
			Own:           client,
			Guard:         guard,
			DNS:           h.dns,
			BaseURL:       identitytest.BaseURL,
			Platform:      platform,
		})
		h.Service.Routes(w.API)
		signin.Routes(w.API, signin.Deps{Auth: w.Auth, SignOn: h.Service, Log: slog.New(slog.DiscardHandler)})
	})
	h.idp.Now = h.DB.Now
	h.admin = h.Someone("ada@example.com")
	h.org = h.Organisation(h.admin.Access)

	return h
}

func (h *house) path(rest string) string { return "/organisations/" + h.org + "/sign-on" + rest }

// prove adds a domain and its record, and looks for it.
func (h *house) prove(domain string) string {
	h.T.Helper()

	d := h.Do("POST", h.path("/domains"), h.admin.Access, `{"domain":"`+domain+`"}`).OK(201)
	h.dns[d.Text("recordName")] = []string{"v=spf1 -all", d.Text("recordValue")}
	h.Do("POST", h.path("/domains/"+d.Text("_id")+"/check"), h.admin.Access, "").OK(200)

	return d.Text("_id")
}

// body returns a setting with the house's provider and further members.
func (h *house) body(members string) string {
	if members != "" {
		members = "," + members
	}

	return `{"isEnabled":true,"issuer":"` + h.idp.Issuer() + `","clientId":"` + openidtest.ClientID +
		`","clientSecret":"` + openidtest.Secret + `"` + members + `}`
}

func (h *house) setUp(members string) identitytest.Answer {
	h.T.Helper()
	return h.Do("PUT", h.path(""), h.admin.Access, h.body(members)).OK(200)
}

func (h *house) browser() *browser { return &browser{h, map[string]string{}} }

// ask opens a page, or sends a form.
func (b *browser) ask(path string, form url.Values) identitytest.Answer {
	var cookies []string
	for name, value := range b.jar {
		cookies = append(cookies, name+"="+value)
	}

	headers := []identitytest.Header{{Name: "Cookie", Value: strings.Join(cookies, "; ")}}
	method := "GET"

	if form != nil {
		method = "POST"

		headers = append(headers, identitytest.Header{Name: "Content-Type", Value: "application/x-www-form-urlencoded"})
	}

	a := b.Do(method, path, "", form.Encode(), headers...)

	for _, c := range (&http.Response{Header: a.Header}).Cookies() {
		require.Equal(b.T, http.SameSiteStrictMode, c.SameSite)

		b.jar[c.Name] = c.Value
		if c.MaxAge < 0 {
			delete(b.jar, c.Name)
		}
	}

	return a
}

var refresh = regexp.MustCompile(`<meta http-equiv="refresh" content="0;url=([^"]+)">`)

// led returns where a page leads by itself.
func led(a identitytest.Answer) string {
	a.T.Helper()

	m := refresh.FindStringSubmatch(a.OK(200).Raw)
	require.NotNil(a.T, m, a.Raw)

	return html.UnescapeString(m[1])
}

// leave types an address and returns where the browser is led to.
func (b *browser) leave(email string) string {
	b.T.Helper()
	return led(b.ask("/console/session/sign-on", url.Values{"email": {email}, "next": {"/console/ops"}}))
}

// back brings the provider's answer to the pages.
func (b *browser) back(provider string, query url.Values) identitytest.Answer {
	b.T.Helper()
	return b.ask(led(b.ask("/console/session/sign-on/back/"+provider+"?"+query.Encode(), nil)), nil)
}

// signIn goes the whole way as a person of the provider.
func (b *browser) signIn(email string, claims map[string]any) identitytest.Answer {
	b.T.Helper()
	b.idp.Claims = claims

	return b.back(b.org, b.idp.SignIn(b.leave(email)))
}

// in requires that somebody is signed in.
func in(a identitytest.Answer) {
	a.T.Helper()
	require.Equal(a.T, 303, a.Status, a.Raw)
	require.Equal(a.T, "/console/ops", a.Header.Get("Location"))
}

// stopped requires a page that says why nobody is signed in.
func (b *browser) stopped(a identitytest.Answer, why string) {
	b.T.Helper()
	require.GreaterOrEqual(b.T, a.Status, 400, a.Raw)
	require.Contains(b.T, html.UnescapeString(a.Raw), why)
	require.Empty(b.T, b.jar["__Host-slipway"], "nobody is signed in")
}

// calls asks the API in the console's way, acting for an organisation.
func (b *browser) calls(path, org string) identitytest.Answer {
	return b.Do(
		"GET",
		path,
		"",
		"",
		append(
			identitytest.ConsoleHeaders(b.jar["__Host-slipway"]),
			identitytest.Header{Name: "Slipway-Organisation", Value: org},
		)...)
}

// person returns the claims of a person with a verified address.
func person(subject, email string, groups ...string) map[string]any {
	return map[string]any{
		"sub":            subject,
		"email":          email,
		"email_verified": true,
		"given_name":     "Grace",
		"family_name":    "Hopper",
		"groups":         groups,
	}
}
