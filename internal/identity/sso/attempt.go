package sso

import (
	"context"
	"crypto/hmac"
	"crypto/sha256"
	"encoding/base64"
	"encoding/hex"
	"errors"
	"strconv"
	"strings"
	"time"

	"slipway/internal/core/caller"
	"slipway/internal/core/fault"
	"slipway/internal/identity/auth"
	"slipway/internal/identity/organisation"
	"slipway/internal/identity/user"
	"slipway/internal/platform/db"
	"slipway/internal/platform/secret"
	"slipway/internal/platform/trail"
	"slipway/internal/rails/openid"
)

// attempt is a sign-in that is at a provider.
type attempt struct {
	hash, browser, organisation string
	provider                    string // which setting, with its version
	tester                      string // the admin who only looks; "": somebody signs in
	next                        string
	usedAt, expiresAt           time.Time
}

// setting is one provider as an attempt needs it: an organisation's or the platform's.
type setting struct {
	registration openid.Registration
	organisation string // "": the platform
	domains      []string
	provider     Provider // of the platform: what the configuration says of it
}

// mark names a setting and its version.
func (x setting) mark() string {
	sum := sha256.Sum256([]byte(x.registration.Issuer + "\n" + x.registration.ClientID))
	return x.provider.ID + "/" + strconv.FormatInt(x.provider.Version, 10) + "/" + hex.EncodeToString(sum[:8])
}

// Begun is where a browser goes, and the cookie by which it is known when it comes back.
type Begun struct {
	Address string
	Host    string // of the provider, for people
	Cookie  string
}

// Begin begins a sign-in for the address that somebody has typed. It asks the provider where to go. Addresses that no
// provider signs in are refused with SIGN_ON_NONE: the answer says of a domain what its people know, and nothing of a
// person.
func (s *Service) Begin(ctx context.Context, email, next string) (Begun, error) {
	if err := s.Auth.CountSignOn(ctx); err != nil {
		return Begun{}, err
	}

	var l fault.List

	email = user.CheckEmail(&l, "/email", email)
	if !l.Empty() {
		return Begun{}, none()
	}

	x, err := s.settingFor(ctx, domainOf(email))
	if err != nil {
		return Begun{}, err
	}

	return s.leave(ctx, x, attempt{next: next}, email)
}

// BeginTest begins a sign-in that changes nothing and shows an admin what the provider says.
func (s *Service) BeginTest(ctx context.Context, p caller.Principal, orgID string) (Begun, error) {
	if err := s.Auth.CountSignOn(ctx); err != nil {
		return Begun{}, err
	}

	if _, _, err := organisation.ForAdmin(caller.With(ctx, p), s.DB, orgID, p.User); err != nil {
		return Begun{}, err
	}

	x, err := s.settingOf(ctx, orgID)
	if err != nil {
		return Begun{}, err
	}

	return s.leave(ctx, x, attempt{tester: p.User}, "")
}

func none() error {
	return fault.New(
		fault.NotFound,
		fault.SignOnNone,
		"No organisation signs people with this address in by a provider.",
	)
}

// settingFor returns the provider that signs the people of a domain in.
func (s *Service) settingFor(ctx context.Context, domain string) (setting, error) {
	if x, ok := s.Platform.setting(s); ok && s.Platform.has(domain) {
		return x, nil
	}

	owner, err := ownerOf(ctx, s.DB, domain)
	if err != nil {
		return setting{}, err
	}

	if owner == "" {
		return setting{}, none()
	}

	x, err := s.settingOf(ctx, owner)
	if err == nil && !x.provider.Enabled {
		err = none()
	}

	return x, err
}

// settingOf returns the provider of an organisation, or of the platform for "".
func (s *Service) settingOf(ctx context.Context, orgID string) (setting, error) {
	if orgID == "" || orgID == auth.Platform {
		if x, ok := s.Platform.setting(s); ok {
			return x, nil
		}

		return setting{}, none()
	}

	p, err := liveOf(ctx, s.DB, orgID)
	if errors.Is(err, db.ErrNone) {
		return setting{}, none()
	}

	if err != nil {
		return setting{}, err
	}

	domains, err := provenOf(ctx, s.DB, orgID)

	return setting{
		organisation: orgID,
		domains:      domains,
		provider:     p,
		registration: openid.Registration{
			Issuer:      p.Issuer,
			ClientID:    p.ClientID,
			Secret:      p.Secret,
			RedirectURI: s.redirectURI(orgID),
		},
	}, err
}

// leave asks the provider where to go, and records the attempt.
func (s *Service) leave(ctx context.Context, x setting, a attempt, hint string) (Begun, error) {
	state := secret.Token(statePrefix)
	cookie := secret.Token(cookiePrefix)

	address, err := s.clientOf(x).Address(ctx, x.registration, secretsOf(state, cookie), hint)
	if err != nil {
		return Begun{}, s.refused(err)
	}

	a.hash = digest(state)
	a.browser = digest(cookie)
	a.organisation = x.organisation
	a.provider = x.mark()

	err = s.DB.Write(ctx, func(tx *db.Tx) error {
		a := a
		a.expiresAt = tx.Now.Add(AttemptLifetime)
		attemptRows.Insert(tx, &a)

		return nil
	})

	return Begun{Address: address, Host: openid.Host(address), Cookie: cookie}, err
}

// secretsOf returns the secrets of an attempt. They follow from the state and the cookie, so that nothing of them is
// stored: who reads the database, or the address of the return alone, cannot complete a sign-in.
func secretsOf(state, cookie string) openid.Attempt {
	of := func(what string) string {
		mac := hmac.New(sha256.New, []byte(cookie))
		mac.Write([]byte(what + "\n" + state))

		return base64.RawURLEncoding.EncodeToString(mac.Sum(nil))
	}

	return openid.Attempt{State: state, Nonce: of("nonce"), Verifier: of("verifier")}
}

func digest(s string) string {
	sum := sha256.Sum256([]byte(s))
	return hex.EncodeToString(sum[:])
}

// Back is what a browser has brought back from a provider.
type Back struct {
	Provider             string // whose address it came back to: an organisation, or auth.Platform
	State, Code, Issuer  string
	Problem, Description string // error and error_description (RFC 6749, 4.1.2.1)
	Cookie               string
}

// Arrived is what a return has led to: a session, a challenge for the second factor, or the report of a test.
type Arrived struct {
	auth.ConsoleSignIn

	Next   string
	Report *Report // of a test; nil: somebody has signed in
}

// Return takes what a provider has answered. It is taken once: a second call with the same state is refused.
func (s *Service) Return(ctx context.Context, b Back) (Arrived, error) {
	if err := s.Auth.CountSignOn(ctx); err != nil {
		return Arrived{}, err
	}

	a, err := s.take(ctx, b)
	if err != nil {
		return Arrived{}, err
	}

	out, err := s.arrive(ctx, a, b)
	out.Next = a.next

	if a.tester == "" {
		s.count(err)
	}

	return out, err
}

// take uses the attempt up that a state belongs to. Whoever has it without the cookie of the browser that has begun, or
// at another provider's address, uses nothing up.
func (s *Service) take(ctx context.Context, b Back) (a attempt, err error) {
	stale := fault.New(fault.Gone, fault.SignOnState,
		"This answer belongs to no sign-in of this browser, or it came too late. Begin again.")

	if !secret.TokenForm(statePrefix, b.State) || !secret.TokenForm(cookiePrefix, b.Cookie) {
		return a, stale
	}

	err = s.DB.Write(ctx, func(tx *db.Tx) error {
		a, err = attemptRows.One(ctx, tx, "WHERE hash = ?", digest(b.State))
		if errors.Is(err, db.ErrNone) {
			return stale
		}

		if err != nil {
			return err
		}

		from := a.organisation
		if from == "" {
			from = auth.Platform
		}

		mine := hmac.Equal([]byte(a.browser), []byte(digest(b.Cookie)))
		if !mine || b.Provider != from || !a.usedAt.IsZero() || !tx.Now.Before(a.expiresAt) {
			return stale
		}

		a.usedAt = tx.Now
		attemptUse.Change(tx, &a, "hash = ? AND used_at = 0", a.hash)

		return nil
	})
	if errors.Is(err, db.ErrStale) {
		err = stale
	}

	return a, err
}

// arrive asks the provider for whom the code is, and lets him in or reports to the tester.
func (s *Service) arrive(ctx context.Context, a attempt, b Back) (Arrived, error) {
	x, err := s.settingOf(ctx, a.organisation)
	if err != nil {
		return Arrived{}, err
	}

	if x.mark() != a.provider || a.tester == "" && !x.provider.Enabled {
		return Arrived{}, fault.New(
			fault.Gone,
			fault.SignOnState,
			"The provider was set up anew meanwhile. Begin again.",
		)
	}

	if b.Problem != "" || b.Code == "" {
		return Arrived{}, fault.New(fault.Forbidden, fault.SignOnRefused, "The provider has not signed you in: %s.",
			problemOf(b.Problem, b.Description))
	}

	claims, err := s.clientOf(x).Exchange(ctx, x.registration, secretsOf(b.State, b.Cookie),
		openid.Return{Code: b.Code, Issuer: b.Issuer}, x.provider.Rules.Claim)
	if err != nil {
		return Arrived{}, s.refused(err)
	}

	if a.tester != "" {
		report, err := s.report(caller.With(ctx, caller.Principal{User: a.tester}), x, claims)
		return Arrived{Report: &report}, err
	}

	in, err := s.enter(ctx, x, claims)

	return Arrived{ConsoleSignIn: in}, err
}

// refused turns a provider's answer that cannot be used into a refusal that says why.
func (s *Service) refused(err error) error {
	var r *openid.Refusal
	if errors.As(err, &r) {
		kind := fault.Forbidden
		if r.Reason == openid.Unreachable {
			kind = fault.Unavailable
		}

		return fault.New(kind, fault.SignOnRefused, "%s", r.Detail)
	}

	return err
}

// problemOf says what a provider's error means (OpenID Connect Core, 3.1.2.6). Its own text comes from outside by way
// of the browser and is shown only if it is one line.
func problemOf(problem, description string) string {
	known := map[string]string{
		"access_denied":              "you were refused, or have broken off",
		"login_required":             "it wants you to sign in there first",
		"interaction_required":       "it wants to ask you something",
		"consent_required":           "an admin of the provider must allow this application",
		"unauthorized_client":        "it does not allow this application to do that",
		"invalid_scope":              "it does not know what was asked for",
		"invalid_request":            "it does not understand the question; compare the redirect address there with ours",
		"server_error":               "something failed there",
		"temporarily_unavailable":    "it cannot do so at the moment",
		"account_selection_required": "it wants you to choose an account",
		"":                           "it has sent no code",
	}

	text, ok := known[problem]
	if !ok {
		text = "it does not say why in a way that is known here"
	}

	if description = oneLine(description); description != "" {
		text += " (“" + description + "”)"
	}

	return text
}

// Report is what a test shows: what the provider says, and what it would lead to.
type Report struct {
	Claims []Claim
	Roles  []string
	Enters bool
	Why    string // he would not be let in, in words
}

// RoleList returns the roles for people; "-": none.
func (r Report) RoleList() string {
	if len(r.Roles) == 0 {
		return "-"
	}

	return strings.Join(r.Roles, ", ")
}

// Claim is one claim as a person reads it.
type Claim struct{ Name, Value string }

// report says what a sign-in with these claims would lead to. It changes nothing.
func (s *Service) report(ctx context.Context, x setting, c openid.Claims) (Report, error) {
	out := Report{Claims: shown(c)}

	roles, _, err := s.judge(x, c)
	if f, ok := fault.As(err); ok {
		out.Why = f.Detail
		return out, nil
	}

	if err != nil {
		return out, err
	}

	out.Roles = roles
	out.Enters = true

	return out, s.DB.Write(ctx, func(tx *db.Tx) error {
		trail.Audit(ctx, tx, x.organisation, "sign_on.tested", x.provider.ID, "")
		return nil
	})
}
