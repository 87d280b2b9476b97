package sso_test

import (
	"net/http"
	"net/http/cookiejar"
	"net/http/httptest"
	"net/url"
	"testing"

	"github.com/stretchr/testify/require"
	"github.com/zitadel/oidc/v3/example/server/exampleop"
	"github.com/zitadel/oidc/v3/example/server/storage"
	"github.com/zitadel/oidc/v3/pkg/op"

	"slipway/internal/identity/sso"
	"slipway/internal/platform/db/dbtest"
)

// TestARealProviderSignsIn goes the whole way with the provider of zitadel's library, which somebody else has written:
// its description, its page for signing in, PKCE, its tokens and its userinfo.
func TestARealProviderSignsIn(t *testing.T) {
	h := newHouse(t, dbtest.SQLite(t), sso.Platform{})

	server := httptest.NewUnstartedServer(nil)
	issuer := "http://" + server.Listener.Addr().String()
	storage.RegisterClients(storage.WebClient("real", "real-secret",
		"https://pay.example.org/console/session/sign-on/back/"+h.org))
	server.Config.Handler = exampleop.SetupServer(issuer, storage.NewStorage(storage.NewUserStore(issuer)), nil, false,
		op.WithAllowInsecure())
	server.Start()
	t.Cleanup(server.Close)

	h.prove("zitadel.ch")
	h.Do("PUT", h.path(""), h.admin.Access, `{"isEnabled":true,"issuer":"`+issuer+
		`","clientId":"real","clientSecret":"real-secret","admitsOthers":true,"defaultRoles":["viewer"]}`).OK(200)
	seen := h.Do("POST", h.path("/check"), h.admin.Access, "").OK(200)
	require.Equal(t, true, seen.Body["isReachable"], seen.Raw)

	b := h.browser()
	in(b.back(h.org, atProvider(t, b.leave("test-user@zitadel.ch"))))
	require.Equal(t, "test-user@zitadel.ch", b.calls("/users/me", "").OK(200).Text("email"))
	require.Equal(t, int64(1), h.Count("SELECT count(*) FROM sign_on_links WHERE subject = 'id1'"))

	// In another browser it is the same person.
	b = h.browser()
	in(b.back(h.org, atProvider(t, b.leave("test-user@zitadel.ch"))))
	require.Equal(t, int64(2), h.Count("SELECT count(*) FROM users"))
}

// atProvider types name and password at the provider, and returns the query that it sends the browser back with.
func atProvider(t *testing.T, address string) url.Values {
	t.Helper()

	jar, err := cookiejar.New(nil)
	require.NoError(t, err)

	var back url.Values

	browser := &http.Client{Jar: jar, CheckRedirect: func(r *http.Request, _ []*http.Request) error {
		if r.URL.Host == "pay.example.org" {
			back = r.URL.Query()
			return http.ErrUseLastResponse
		}

		return nil
	}}

	get := func(r *http.Response, err error) *http.Response {
		t.Helper()
		require.NoError(t, err)
		require.NoError(t, r.Body.Close())

		return r
	}

	page := get(browser.Get(address))
	require.Equal(t, http.StatusOK, page.StatusCode)

	form := url.Values{
		"id":       {page.Request.URL.Query().Get("authRequestID")},
		"username": {"test-user@127.0.0.1"},
		"password": {"verysecure"},
	}
	page = get(browser.PostForm(page.Request.URL.Scheme+"://"+page.Request.URL.Host+"/login/username", form))
	require.NotNil(t, back, "the provider has not sent the browser back: %s", page.Status)

	return back
}
