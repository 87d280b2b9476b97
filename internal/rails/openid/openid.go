// Package openid asks providers of OpenID Connect who somebody is: the code flow with PKCE (OpenID Connect Core 1.0,
// RFC 7636, RFC 9207). The library go-oidc checks the signature, the issuer, the audience and the times of a token.
//
// It promises:
//   - What Exchange returns was signed by a key of the issuer that was asked for, for this client, for this very
//     attempt (nonce), and is valid now. Tokens that are not signed, or by a shared secret, are refused.
//   - No redirect of a provider is followed, no answer above maxAnswer is read, and no address is connected to that the
//     guard does not admit, wherever a provider's own description leads.
//   - Every refusal is a *Refusal that says what is wrong. Silence is Unreachable, and means nothing else.
//
// It does not promise that an address in the claims belongs to the person: package sso judges that. It keeps no tokens.
//
// Read in this order: openid.go, claims.go (what a token says), refusal.go, transport.go (where requests may go).
package openid

import (
	"cmp"
	"context"
	"net/http"
	"slices"
	"strings"
	"syscall"
	"time"

	"github.com/coreos/go-oidc/v3/oidc"
	"golang.org/x/oauth2"

	"slipway/internal/platform/cache"
	"slipway/internal/platform/clock"
)

// Limits of what is exchanged with a provider.
const (
	timeout      = 10 * time.Second // of one exchange
	maxAnswer    = 256 << 10        // bytes
	maxToken     = 64 << 10         // bytes
	known        = 10 * time.Minute // a provider's description in memory
	maxProviders = 500
	skew         = time.Minute     // by which the clocks may differ at the end of a token
	aheadSkew    = 5 * time.Minute // and at its beginning
)

// Guard decides which addresses may be connected to: that of webhooks does. Control judges each address directly before
// it is connected to, and is nil where every one may be.
type Guard interface {
	CheckURL(address string) error
	Control() func(network, address string, c syscall.RawConn) error
}

// Registration is what a provider knows us by.
type Registration struct {
	Issuer      string // exactly as its tokens name it
	ClientID    string
	Secret      string // empty: a public client, which PKCE alone protects
	RedirectURI string
}

// Attempt holds the secrets of one sign-in. State binds the return to the browser, nonce the token to the attempt, and
// verifier the code to whoever began.
type Attempt struct{ State, Nonce, Verifier string }

// Return is what the provider has sent the browser back with.
type Return struct {
	Code   string
	Issuer string // RFC 9207; empty: it was not named
}

// Client asks providers. It is safe for concurrent use.
type Client struct {
	http  *http.Client
	now   func() time.Time
	known *cache.Cache[*provider]
}

// New returns a client that connects to what the guard admits.
func New(guard Guard, c *clock.Clock, now func() time.Time) *Client {
	return &Client{
		http: &http.Client{
			Timeout:       timeout,
			Transport:     &bounded{guard: guard, next: transport(guard)},
			CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
		},
		now:   now,
		known: cache.New[*provider](c, known, maxProviders),
	}
}

// provider is what a provider has said of itself.
type provider struct {
	*oidc.Provider

	NamesIssuer bool     `json:"authorization_response_iss_parameter_supported"`
	Methods     []string `json:"token_endpoint_auth_methods_supported"`
	Keys        string   `json:"jwks_uri"`
}

// discover returns a provider's description, which must name the very issuer that was asked for.
func (c *Client) discover(ctx context.Context, issuer string) (*provider, error) {
	if p, ok := c.known.Find(issuer); ok {
		return p, nil
	}

	found, err := oidc.NewProvider(oidc.ClientContext(ctx, c.http), issuer)
	if err != nil {
		return nil, discoveryRefusal(issuer, err)
	}

	p := &provider{Provider: found}
	if err := found.Claims(p); err != nil {
		return nil, refuse(Unreadable, "The provider's description cannot be read.")
	}

	if e := found.Endpoint(); e.AuthURL == "" || e.TokenURL == "" || p.Keys == "" {
		return nil, refuse(
			Unreadable,
			"The provider's description lacks authorization_endpoint, token_endpoint or jwks_uri.",
		)
	}

	c.known.Keep(issuer, p)

	return p, nil
}

// Address returns where the browser goes to sign in. hint is the e-mail address that the person has typed; empty: none.
func (c *Client) Address(ctx context.Context, r Registration, a Attempt, hint string) (string, error) {
	p, err := c.discover(ctx, r.Issuer)
	if err != nil {
		return "", err
	}

	options := []oauth2.AuthCodeOption{oidc.Nonce(a.Nonce), oauth2.S256ChallengeOption(a.Verifier)}
	if hint != "" {
		options = append(options, oauth2.SetAuthURLParam("login_hint", hint))
	}

	return p.config(r).AuthCodeURL(a.State, options...), nil
}

// config returns how the library speaks to a provider. The style of authentication is the provider's own: to try both
// would use a code twice.
func (p *provider) config(r Registration) *oauth2.Config {
	at := p.Endpoint()
	at.AuthStyle = oauth2.AuthStyleInHeader

	basic := len(p.Methods) == 0 || slices.Contains(p.Methods, "client_secret_basic")
	if r.Secret == "" || !basic {
		at.AuthStyle = oauth2.AuthStyleInParams
	}

	return &oauth2.Config{
		ClientID:     r.ClientID,
		ClientSecret: r.Secret,
		Endpoint:     at,
		RedirectURL:  r.RedirectURI,
		Scopes:       []string{oidc.ScopeOpenID, "profile", "email"},
	}
}

// Exchange trades a code for the claims of its token. wanted are further claims that matter: what the token lacks of
// them is asked of the provider's userinfo. A second call with the same code is refused by the provider.
func (c *Client) Exchange(
	ctx context.Context, r Registration, a Attempt, back Return, wanted ...string,
) (Claims, error) {
	ctx, cancel := context.WithTimeout(oidc.ClientContext(ctx, c.http), timeout)
	defer cancel()

	p, err := c.discover(ctx, r.Issuer)
	if err != nil {
		return Claims{}, err
	}

	if back.Issuer != "" && back.Issuer != r.Issuer || back.Issuer == "" && p.NamesIssuer {
		return Claims{}, refuse(MixedUp, "The answer came from %q, and %q was asked.", back.Issuer, r.Issuer)
	}

	tokens, err := p.config(r).Exchange(ctx, back.Code, oauth2.VerifierOption(a.Verifier))
	if err != nil {
		return Claims{}, exchangeRefusal(err)
	}

	raw, _ := tokens.Extra("id_token").(string)

	claims, err := c.verify(ctx, p, r, raw, a.Nonce)
	if err != nil {
		return Claims{}, err
	}

	if claims.has(append(wanted, "email")...) || p.UserInfoEndpoint() == "" {
		return claims, nil
	}

	return c.complete(ctx, p, claims, tokens)
}

// verify checks a token and returns what it says.
func (c *Client) verify(ctx context.Context, p *provider, r Registration, raw, nonce string) (Claims, error) {
	switch {
	case raw == "":
		return Claims{}, refuse(Unreadable, "The provider has sent no id_token.")
	case len(raw) > maxToken:
		return Claims{}, refuse(
			TooLong,
			"The token is longer than %d kB: let the provider send fewer groups.",
			maxToken>>10,
		)
	}

	now := c.now()

	// The library allows no difference of clocks at the end, and five minutes at the beginning.
	token, err := p.VerifierContext(ctx, &oidc.Config{
		ClientID: r.ClientID,
		Now:      func() time.Time { return now.Add(-skew) },
	}).Verify(ctx, raw)
	if err != nil {
		return Claims{}, tokenRefusal(r, raw, err)
	}

	claims, err := readClaims(token)
	if err != nil {
		return Claims{}, err
	}

	party, named := claims.Raw["azp"].(string)

	switch {
	case nonce == "" || token.Nonce != nonce:
		return Claims{}, refuse(WrongNonce, "The token belongs to another sign-in.")
	case token.Subject == "" || len(token.Subject) > 255:
		return Claims{}, refuse(Unreadable, "The token names no subject.")
	case named && party != r.ClientID, !named && len(token.Audience) > 1:
		return Claims{}, refuse(WrongAudience, "The token was made for another application.")
	case token.IssuedAt.After(now.Add(aheadSkew)):
		return Claims{}, refuse(NotYetValid, "The token was issued at %s, which lies ahead: compare the clocks.",
			token.IssuedAt.UTC().Format(time.RFC3339))
	}

	return claims, nil
}

// complete adds what the userinfo endpoint says, of the same subject. What the token says counts first: it is signed.
func (c *Client) complete(ctx context.Context, p *provider, claims Claims, tokens *oauth2.Token) (Claims, error) {
	info, err := p.UserInfo(ctx, oauth2.StaticTokenSource(tokens))
	if err != nil {
		return claims, exchangeRefusal(err)
	}

	if info.Subject != claims.Subject { // OpenID Connect Core 5.3.2
		return claims, refuse(WrongSubject, "The provider speaks of two different people.")
	}

	more := map[string]any{}
	if err := info.Claims(&more); err != nil {
		return claims, refuse(Unreadable, "The provider's userinfo cannot be read.")
	}

	for name, value := range more {
		if _, ok := claims.Raw[name]; !ok {
			claims.Raw[name] = value
		}
	}

	return claims, nil
}

// Check asks a provider for its description and its keys, and returns what is wrong. ahead is by how much its clock is
// before ours; zero where it does not say.
func (c *Client) Check(ctx context.Context, issuer string) (ahead time.Duration, err error) {
	p, err := c.discover(ctx, issuer)
	if err != nil {
		return 0, err
	}

	r, err := http.NewRequestWithContext(ctx, http.MethodGet, p.Keys, http.NoBody)
	if err != nil {
		return 0, refuse(Unreadable, "jwks_uri is no address.")
	}

	answer, err := c.http.Do(r)
	if err != nil {
		return 0, exchangeRefusal(err)
	}
	defer answer.Body.Close() // it was only read

	if answer.StatusCode != http.StatusOK {
		return 0, refuse(Unreachable, "The provider's keys cannot be read: it answers %d.", answer.StatusCode)
	}

	keys, err := countKeys(answer.Body)
	if err != nil || keys == 0 {
		return 0, refuse(Unreadable, "The provider has no keys that tokens could be checked with.")
	}

	if at, err := http.ParseTime(answer.Header.Get("Date")); err == nil {
		ahead = at.Sub(c.now()).Round(time.Second)
	}

	return ahead, nil
}

// CheckIssuer returns what is wrong with an issuer as it is written, or nil.
func CheckIssuer(guard Guard, issuer string) error {
	if err := guard.CheckURL(issuer); err != nil {
		return refuse(BadIssuer, "The issuer %s.", err)
	}

	if strings.ContainsAny(issuer, "?{}") {
		return refuse(BadIssuer, "The issuer must have neither a query nor braces.")
	}

	shared := slices.ContainsFunc(sharedIssuers, func(s string) bool { return strings.Contains(issuer, s) })
	if strings.Contains(issuer, "microsoftonline") && shared {
		return refuse(BadIssuer, "This is the issuer of every customer of Microsoft. Take that of your own tenant: "+
			"https://login.microsoftonline.com/TENANT-ID/v2.0.")
	}

	return nil
}

// sharedIssuers are those of Microsoft by which anybody signs in, private people included.
var sharedIssuers = []string{"/common", "/organizations", "/consumers", "9188040d-6c67-4c5b-b112-36a304b66dad"}

// Host returns the host of a provider's page, for people.
func Host(address string) string {
	_, rest, _ := strings.Cut(address, "://")
	host, _, _ := strings.Cut(rest, "/")
	host, _, _ = strings.Cut(host, "?")

	return cmp.Or(host, address)
}
