package openid_test

import (
	"maps"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"slipway/internal/platform/clock"
	"slipway/internal/rails/openid"
	"slipway/internal/rails/openid/openidtest"
	"slipway/internal/rails/webhook"
)

const redirect = "https://pay.example.org/console/session/sign-on/org_1"

var attempt = openid.Attempt{State: "state", Nonce: "nonce", Verifier: strings.Repeat("v", 43)}

func client() *openid.Client {
	return openid.New(webhook.Guard{AllowPrivate: true}, clock.New(), time.Now)
}

func registration(p *openidtest.Provider) openid.Registration {
	return openid.Registration{
		Issuer:      p.Issuer(),
		ClientID:    openidtest.ClientID,
		Secret:      openidtest.Secret,
		RedirectURI: redirect,
	}
}

// ada is what a provider says of a person.
func ada() map[string]any {
	return map[string]any{"sub": "ada-1", "email": "ada@example.com", "email_verified": true}
}

// signIn goes the whole way with a provider.
func signIn(t *testing.T, c *openid.Client, p *openidtest.Provider, wanted ...string) (openid.Claims, error) {
	t.Helper()

	r := registration(p)

	address, err := c.Address(t.Context(), r, attempt, "ada@example.com")
	if err != nil {
		return openid.Claims{}, err
	}

	back := p.SignIn(address)

	return c.Exchange(t.Context(), r, attempt,
		openid.Return{Code: back.Get("code"), Issuer: back.Get("iss")}, wanted...)
}

func TestAPersonIsNamedByTheProvider(t *testing.T) {
	p := openidtest.New(t)
	p.Claims = ada()
	p.Claims["groups"] = []string{"finance", "staff"}

	got, err := signIn(t, client(), p)
	require.NoError(t, err)
	require.Equal(t, p.Issuer(), got.Issuer)
	require.Equal(t, "ada-1", got.Subject)
	require.Equal(t, []string{"finance", "staff"}, got.Values("groups"))
}

// TestALyingProviderIsRefused has a lie for everything that a token can be wrong in.
func TestALyingProviderIsRefused(t *testing.T) { // S-01
	set := func(name string, value any) func(*openidtest.Provider) {
		return func(p *openidtest.Provider) { p.Lie = func(c map[string]any) { c[name] = value } }
	}
	at := func(d time.Duration) int64 { return time.Now().Add(d).Unix() }

	for name, one := range map[string]struct {
		lie  func(p *openidtest.Provider)
		want openid.Reason
	}{
		"issuer":       {set("iss", "https://evil.example"), openid.OtherIssuer},
		"audience":     {set("aud", "another"), openid.WrongAudience},
		"party":        {set("azp", "another"), openid.WrongAudience},
		"no party":     {set("aud", []string{openidtest.ClientID, "another"}), openid.WrongAudience},
		"nonce":        {set("nonce", "other"), openid.WrongNonce},
		"no nonce":     {func(p *openidtest.Provider) { p.Lie = func(c map[string]any) { delete(c, "nonce") } }, openid.WrongNonce},
		"expired":      {set("exp", at(-2*time.Minute)), openid.Expired},
		"not yet":      {set("nbf", at(10*time.Minute)), openid.NotYetValid},
		"issued ahead": {set("iat", at(10*time.Minute)), openid.NotYetValid},
		"no subject":   {set("sub", ""), openid.Unreadable},
		"none":         {func(p *openidtest.Provider) { p.Sign = p.Unsigned }, openid.BadSignature},
		"public key":   {func(p *openidtest.Provider) { p.Sign = p.SignedByPublicKey }, openid.BadSignature},
		"another key":  {func(p *openidtest.Provider) { p.Sign = openidtest.New(t).Signed }, openid.BadSignature},
		"changed": {func(p *openidtest.Provider) {
			p.Sign = func(c map[string]any) string {
				parts := strings.Split(p.Signed(c), ".")
				c = maps.Clone(c)
				c["sub"] = "eve"

				return parts[0] + "." + strings.Split(p.Unsigned(c), ".")[1] + "." + parts[2]
			}
		}, openid.BadSignature},
		"huge token": {set("groups", strings.Repeat("g", 70<<10)), openid.TooLong},
		"huge answer": {func(p *openidtest.Provider) {
			p.Token = func(w http.ResponseWriter, _ *http.Request) {
				_, _ = w.Write([]byte(`{"access_token":"` + strings.Repeat("a", 1<<20) + `"}`))
			}
		}, openid.TooLong},
		"no token": {func(p *openidtest.Provider) { p.Sign = func(map[string]any) string { return "" } }, openid.Unreadable},
		"mixed up": {func(p *openidtest.Provider) { p.IssuerInReturn = "https://evil.example" }, openid.MixedUp},
		"mixed up in silence": {func(p *openidtest.Provider) {
			p.Describe = func(d map[string]any) { d["authorization_response_iss_parameter_supported"] = true }
		}, openid.MixedUp},
		"description of another": {func(p *openidtest.Provider) {
			p.Describe = func(d map[string]any) { d["issuer"] = "https://evil.example" }
		}, openid.OtherIssuer},
		"empty description": {func(p *openidtest.Provider) {
			p.Describe = func(d map[string]any) { delete(d, "token_endpoint") }
		}, openid.Unreadable},
		"userinfo of another": {func(p *openidtest.Provider) {
			p.Lie = func(c map[string]any) { delete(c, "email") }
			p.UserInfo = map[string]any{"sub": "eve", "email": "ada@example.com"}
		}, openid.WrongSubject},
		"down": {func(p *openidtest.Provider) {
			p.Token = func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(http.StatusBadGateway) }
		}, openid.Unreachable},
		"secret unknown": {func(p *openidtest.Provider) {
			p.Token = func(w http.ResponseWriter, _ *http.Request) {
				w.Header().Set("Content-Type", "application/json")
				w.WriteHeader(http.StatusUnauthorized)
				_, _ = w.Write([]byte(`{"error":"invalid_client"}`))
			}
		}, openid.ClientRefused},
	} {
		t.Run(name, func(t *testing.T) {
			p := openidtest.New(t)
			p.Claims = ada()
			one.lie(p)

			_, err := signIn(t, client(), p)
			refused(t, err, one.want)
			require.NotContains(t, err.Error(), openidtest.Secret)
		})
	}
}

func refused(t *testing.T, err error, want openid.Reason) {
	t.Helper()

	var r *openid.Refusal
	require.ErrorAs(t, err, &r)
	require.Equal(t, want, r.Reason, err)
	require.NotEmpty(t, r.Detail)
}

func TestACodeIsTradedOnce(t *testing.T) {
	p := openidtest.New(t)
	p.Claims = ada()
	c, r := client(), registration(p)

	address, err := c.Address(t.Context(), r, attempt, "")
	require.NoError(t, err)

	back := openid.Return{Code: p.SignIn(address).Get("code")}
	_, err = c.Exchange(t.Context(), r, attempt, back)
	require.NoError(t, err)

	_, err = c.Exchange(t.Context(), r, attempt, back)
	refused(t, err, openid.CodeRefused)

	stolen := openid.Return{Code: p.SignIn(address).Get("code")}
	_, err = c.Exchange(t.Context(), r, openid.Attempt{Nonce: "nonce", Verifier: strings.Repeat("x", 43)}, stolen)
	refused(t, err, openid.CodeRefused) // PKCE: the verifier is another
}

func TestKeysThatAreNewAreRead(t *testing.T) {
	p := openidtest.New(t)
	p.Claims = ada()
	c := client()

	_, err := signIn(t, c, p)
	require.NoError(t, err)
	p.Rotate()
	_, err = signIn(t, c, p)
	require.NoError(t, err)
}

func TestClocksMayDifferByAMinute(t *testing.T) {
	p := openidtest.New(t)
	p.Claims = ada()
	p.Lie = func(c map[string]any) {
		c["exp"] = time.Now().Add(-30 * time.Second).Unix()
		c["nbf"] = time.Now().Add(30 * time.Second).Unix()
		c["iat"] = time.Now().Add(30 * time.Second).Unix()
	}

	_, err := signIn(t, client(), p)
	require.NoError(t, err)
}

// TestNoRedirectIsFollowed: it would carry the code and the client's secret to somebody else.
func TestNoRedirectIsFollowed(t *testing.T) { // S-02
	asked := false
	elsewhere := httptest.NewServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) { asked = true }))
	t.Cleanup(elsewhere.Close)

	p := openidtest.New(t)
	p.Token = func(w http.ResponseWriter, r *http.Request) {
		http.Redirect(w, r, elsewhere.URL, http.StatusTemporaryRedirect)
	}

	_, err := signIn(t, client(), p)
	refused(t, err, openid.Unreachable)
	require.False(t, asked)
}

// TestAProviderInAPrivateNetworkIsNotReached: an admin of a customer names the issuer, and the issuer names the rest.
func TestAProviderInAPrivateNetworkIsNotReached(t *testing.T) { // S-02
	p := openidtest.New(t)
	guarded := openid.New(webhook.Guard{}, clock.New(), time.Now)

	_, err := guarded.Check(t.Context(), p.Issuer())
	refused(t, err, openid.Unreachable)

	for _, issuer := range []string{
		"http://idp.example",
		"https://127.0.0.1",
		"https://idp.example/?x={tenantid}",
		"https://user@idp.example",
		"https://login.microsoftonline.com/common/v2.0",
		"https://login.microsoftonline.com/organizations/v2.0",
		"https://login.microsoftonline.com/{tenantid}/v2.0",
		"ldap://idp.example",
		"",
	} {
		refused(t, openid.CheckIssuer(webhook.Guard{}, issuer), openid.BadIssuer)
	}

	require.NoError(t, openid.CheckIssuer(webhook.Guard{}, "https://accounts.google.com"))
	require.NoError(t, openid.CheckIssuer(webhook.Guard{},
		"https://login.microsoftonline.com/72f988bf-86f1-41af-91ab-2d7cd011db47/v2.0"))
}

func TestClaimsAsProvidersWriteThem(t *testing.T) {
	c := openid.Claims{Raw: map[string]any{
		"email_verified": "true",
		"realm_access":   map[string]any{"roles": []any{"admin", float64(1)}},
		"https://x/y":    "z",
		"_claim_names":   map[string]any{"groups": "src1"},
	}}

	verified, denied := c.EmailVerified()
	require.True(t, verified)
	require.False(t, denied)
	require.Equal(t, []string{"admin"}, c.Values("realm_access/roles"))
	require.Equal(t, []string{"z"}, c.Values("https://x/y"))
	require.Nil(t, c.Values("realm_access/none"))
	require.True(t, c.LeftOut("groups"))

	verified, denied = openid.Claims{Raw: map[string]any{}}.EmailVerified()
	require.False(t, verified || denied)

	google := openid.Claims{Issuer: "https://accounts.google.com", Raw: map[string]any{"hd": "Example.com"}}
	require.True(t, google.OfOrganisation([]string{"example.com"}))
	delete(google.Raw, "hd")
	require.False(t, google.OfOrganisation([]string{"example.com"}))
}

func TestWhatATokenLacksIsAskedFor(t *testing.T) {
	p := openidtest.New(t)
	p.Claims = map[string]any{"sub": "ada-1"}
	p.UserInfo = map[string]any{"sub": "ada-1", "email": "ada@example.com", "groups": []string{"finance"}}

	got, err := signIn(t, client(), p, "groups")
	require.NoError(t, err)
	require.Equal(t, "ada@example.com", got.Text("email"))
	require.Equal(t, []string{"finance"}, got.Values("groups"))
}

func TestCheckComparesTheClocks(t *testing.T) {
	p := openidtest.New(t)
	behind := openid.New(webhook.Guard{AllowPrivate: true}, clock.New(),
		func() time.Time { return time.Now().Add(-time.Hour) })

	ahead, err := behind.Check(t.Context(), p.Issuer())
	require.NoError(t, err)
	require.InDelta(t, time.Hour, ahead, float64(2*time.Second))

	p.Describe = func(d map[string]any) { d["jwks_uri"] = p.Issuer() + "/nothing" }
	_, err = client().Check(t.Context(), p.Issuer())
	refused(t, err, openid.Unreachable)
}
