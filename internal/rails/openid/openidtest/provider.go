// Package openidtest has a provider of OpenID Connect for tests, which lies as it is told. A real one is in the tests
// of package sso.
package openidtest

import (
	"crypto"
	"crypto/hmac"
	"crypto/rand"
	"crypto/rsa"
	"crypto/sha256"
	"crypto/x509"
	"encoding/base64"
	"encoding/json"
	"encoding/pem"
	"maps"
	"math/big"
	"net/http"
	"net/http/httptest"
	"net/url"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"slipway/internal/platform/clock"
)

// ClientID and Secret are what the provider knows its client by.
const (
	ClientID = "slipway"
	Secret   = "provider's secret, only here"
)

// Provider is a provider whose answers a test can change. Its zero lies tell the truth.
type Provider struct {
	Server *httptest.Server
	T      testing.TB
	Now    func() time.Time

	// Claims are what its tokens say of the person who signs in, besides iss, aud, exp, iat and nonce.
	Claims map[string]any
	// Lie changes the claims of the token before it is signed; nil: it does not.
	Lie func(claims map[string]any)
	// Describe changes the provider's description.
	Describe func(d map[string]any)
	// Sign signs in another way; nil: with the provider's key.
	Sign func(claims map[string]any) string
	// UserInfo is what the userinfo endpoint says; nil: there is none.
	UserInfo map[string]any
	// Token answers in place of the token endpoint.
	Token http.HandlerFunc
	// IssuerInReturn is the parameter iss of the return; "": there is none.
	IssuerInReturn string

	mu    sync.Mutex
	key   *rsa.PrivateKey
	kid   string
	codes map[string]code
}

type code struct{ nonce, challenge, redirect string }

// New returns a provider that listens.
func New(t testing.TB) *Provider {
	t.Helper()

	p := &Provider{T: t, Now: clock.New().Now, codes: map[string]code{}, Claims: map[string]any{}}
	p.Rotate()

	mux := http.NewServeMux()
	mux.HandleFunc("/.well-known/openid-configuration", p.describe)
	mux.HandleFunc("/authorize", p.authorize)
	mux.HandleFunc("/keys", p.keys)
	mux.HandleFunc("/token", p.token)
	mux.HandleFunc("/userinfo", p.userInfo)
	p.Server = httptest.NewServer(mux)
	t.Cleanup(p.Server.Close)

	return p
}

// Issuer returns its name.
func (p *Provider) Issuer() string { return p.Server.URL }

// Rotate gives it another key.
func (p *Provider) Rotate() {
	key, err := rsa.GenerateKey(rand.Reader, 2048)
	require.NoError(p.T, err)

	p.mu.Lock()
	defer p.mu.Unlock()
	p.key = key
	p.kid = base64.RawURLEncoding.EncodeToString(key.N.Bytes()[:6])
}

func (p *Provider) describe(w http.ResponseWriter, _ *http.Request) {
	at := p.Server.URL
	d := map[string]any{
		"issuer":                 at,
		"authorization_endpoint": at + "/authorize",
		"token_endpoint":         at + "/token",
		"jwks_uri":               at + "/keys",

		"id_token_signing_alg_values_supported": []string{"RS256", "HS256", "none"},
	}

	if p.UserInfo != nil {
		d["userinfo_endpoint"] = at + "/userinfo"
	}

	if p.Describe != nil {
		p.Describe(d)
	}

	answer(w, d)
}

func (p *Provider) keys(w http.ResponseWriter, _ *http.Request) {
	p.mu.Lock()
	defer p.mu.Unlock()

	answer(w, map[string]any{"keys": []any{map[string]any{
		"kty": "RSA",
		"use": "sig",
		"alg": "RS256",
		"kid": p.kid,
		"n":   base64.RawURLEncoding.EncodeToString(p.key.N.Bytes()),
		"e":   base64.RawURLEncoding.EncodeToString(big.NewInt(int64(p.key.E)).Bytes()),
	}}})
}

// authorize signs a browser in at once and sends it back.
func (p *Provider) authorize(w http.ResponseWriter, r *http.Request) {
	back := p.SignIn(r.URL.String())
	http.Redirect(w, r, r.URL.Query().Get("redirect_uri")+"?"+back.Encode(), http.StatusFound)
}

// SignIn does what a person does at the provider: it takes the address that the browser was led to, and returns the
// query that the browser comes back with.
func (p *Provider) SignIn(address string) url.Values {
	p.T.Helper()

	u, err := url.Parse(address)
	require.NoError(p.T, err)

	asked := u.Query()
	require.Equal(p.T, ClientID, asked.Get("client_id"))
	require.Equal(p.T, "S256", asked.Get("code_challenge_method"))

	p.mu.Lock()
	defer p.mu.Unlock()

	text := rand.Text()
	p.codes[text] = code{asked.Get("nonce"), asked.Get("code_challenge"), asked.Get("redirect_uri")}
	back := url.Values{"code": {text}, "state": {asked.Get("state")}}

	if p.IssuerInReturn != "" {
		back.Set("iss", p.IssuerInReturn)
	}

	return back
}

// token trades a code once, for whoever has its verifier and the client's secret.
func (p *Provider) token(w http.ResponseWriter, r *http.Request) {
	if p.Token != nil {
		p.Token(w, r)
		return
	}

	id, secret, ok := r.BasicAuth()
	if !ok {
		id, secret = r.PostFormValue("client_id"), r.PostFormValue("client_secret")
	}

	id, _ = url.QueryUnescape(id) // RFC 6749, 2.3.1
	secret, _ = url.QueryUnescape(secret)

	if id != ClientID || secret != Secret {
		w.Header().Set("Content-Type", "application/json")
		w.WriteHeader(http.StatusUnauthorized)
		answer(w, map[string]any{"error": "invalid_client"})

		return
	}

	p.mu.Lock()
	text := r.PostFormValue("code")
	c, known := p.codes[text]
	delete(p.codes, text)
	p.mu.Unlock()

	sum := sha256.Sum256([]byte(r.PostFormValue("code_verifier")))
	proven := base64.RawURLEncoding.EncodeToString(sum[:]) == c.challenge

	if !known || !proven || r.PostFormValue("redirect_uri") != c.redirect {
		w.Header().Set("Content-Type", "application/json")
		w.WriteHeader(http.StatusBadRequest)
		answer(w, map[string]any{"error": "invalid_grant"})

		return
	}

	now := p.Now()
	claims := map[string]any{
		"iss":   p.Server.URL,
		"aud":   ClientID,
		"exp":   now.Add(5 * time.Minute).Unix(),
		"iat":   now.Unix(),
		"nonce": c.nonce,
	}
	maps.Copy(claims, p.Claims)

	if p.Lie != nil {
		p.Lie(claims)
	}

	sign := p.Sign
	if sign == nil {
		sign = p.Signed
	}

	answer(w, map[string]any{"access_token": "opaque", "token_type": "Bearer", "id_token": sign(claims)})
}

func (p *Provider) userInfo(w http.ResponseWriter, _ *http.Request) { answer(w, p.UserInfo) }

// Signed returns a token that the provider's key has signed.
func (p *Provider) Signed(claims map[string]any) string {
	p.mu.Lock()
	defer p.mu.Unlock()

	text := head(map[string]any{"alg": "RS256", "kid": p.kid}) + "." + body(claims)
	sum := sha256.Sum256([]byte(text))
	signature, err := rsa.SignPKCS1v15(rand.Reader, p.key, crypto.SHA256, sum[:])
	require.NoError(p.T, err)

	return text + "." + base64.RawURLEncoding.EncodeToString(signature)
}

// Unsigned returns a token with the algorithm none.
func (p *Provider) Unsigned(claims map[string]any) string {
	return head(map[string]any{"alg": "none"}) + "." + body(claims) + "."
}

// SignedByPublicKey returns a token whose HMAC has the provider's public key for its secret.
func (p *Provider) SignedByPublicKey(claims map[string]any) string {
	p.mu.Lock()
	defer p.mu.Unlock()

	der, err := x509.MarshalPKIXPublicKey(&p.key.PublicKey)
	require.NoError(p.T, err)

	text := head(map[string]any{"alg": "HS256", "kid": p.kid}) + "." + body(claims)
	mac := hmac.New(sha256.New, pem.EncodeToMemory(&pem.Block{Type: "PUBLIC KEY", Bytes: der}))
	mac.Write([]byte(text))

	return text + "." + base64.RawURLEncoding.EncodeToString(mac.Sum(nil))
}

func head(v map[string]any) string { return body(v) }

func body(v map[string]any) string {
	raw, err := json.Marshal(v)
	if err != nil {
		panic(err)
	}

	return base64.RawURLEncoding.EncodeToString(raw)
}

func answer(w http.ResponseWriter, v any) {
	w.Header().Set("Content-Type", "application/json")
	_ = json.NewEncoder(w).Encode(v)
}
