package auth

import (
	"context"
	"errors"
	"time"

	"slipway/internal/core/caller"
	"slipway/internal/core/fault"
	"slipway/internal/identity/passkey"
	"slipway/internal/platform/db"
	"slipway/internal/platform/limit"
	"slipway/internal/platform/secret"
)

// A session of the console is one of the person's sessions. It has a cookie in place of tokens: the browser holds
// nothing that works elsewhere, and nothing that a script could read.

// noteInterval is how far the stored time of the last use may lag behind.
const noteInterval = time.Minute

// ConsoleSignIn is the result of a sign-in at the console: the session's cookie, or a tempToken while the second factor
// is missing.
type ConsoleSignIn struct {
	Cookie, Temp string
	// SetUp means that the session opens nothing but ConsoleSetUp: the person must have a second factor, and has none.
	SetUp bool
}

// ConsoleLogin checks a password and begins a session of the console, or a challenge if the account has a second
// factor. It is the same sign-in as the API's: it has the same limits and refusals.
func (s *Service) ConsoleLogin(ctx context.Context, email, pass string) (ConsoleSignIn, error) {
	got, err := s.login(ctx, email, pass, newCookie())

	return ConsoleSignIn{Cookie: got.Cookie, Temp: got.temp, SetUp: got.setup}, err
}

// ConsoleAhead returns what a sign-in from where the request comes has to prove at the moment, and "" if it is nothing:
// so that a page can have it computed while a person types.
func (s *Service) ConsoleAhead(ctx context.Context) (challenge string) {
	return s.limits.strangers.Ahead(caller.RequestOf(ctx).Source, s.db.Now())
}

// ConsoleLoginSecond trades a tempToken and a code for a session's cookie, and uses the tempToken up.
func (s *Service) ConsoleLoginSecond(ctx context.Context, temp, code string) (cookie string, err error) {
	got, err := s.loginSecond(ctx, temp, proof{code: code}, newCookie())

	return got.Cookie, err
}

// ConsoleLoginPasskey trades a browser's answer to AskToSignIn for a session's cookie. With a tempToken, which it uses
// up, the passkey is the second factor of that sign-in; without one it signs in by itself.
func (s *Service) ConsoleLoginPasskey(ctx context.Context, temp string, a passkey.Answer) (cookie string, err error) {
	t := newCookie()

	if temp != "" {
		got, err := s.loginSecond(ctx, temp, proof{passkey: a}, t)
		return got.Cookie, err
	}

	return t.Cookie, s.signInByPasskey(ctx, a, t)
}

// ConsoleSetUp returns a new secret for the authenticator app of a person who must set up a second factor. needed is
// false for a session that is open already: there is nothing to do. It asks for the password, as POST
// /auth/2fa/generate does.
func (s *Service) ConsoleSetUp(ctx context.Context, cookie, pass string) (v *GeneratedView, needed bool, err error) {
	p, _, err := s.AuthenticateCookie(ctx, cookie, "", true)
	if err != nil || !p.SetupOnly {
		return nil, false, err
	}

	v, err = s.generated(caller.With(ctx, *p), *p, pass)

	return v, true, err
}

// ConsoleFinishSetUp puts the secret of ConsoleSetUp in use. It returns the recovery codes, which are shown once, and
// the cookie that the session has from here on.
func (s *Service) ConsoleFinishSetUp(
	ctx context.Context, cookie, code string,
) (recovery []string, fresh string, err error) {
	p, _, err := s.AuthenticateCookie(ctx, cookie, "", true)
	if err != nil {
		return nil, "", err
	}

	if !p.SetupOnly {
		return nil, "", tokenInvalid()
	}

	as := caller.WithCall(ctx, &caller.Call{
		Principal: p,
		Request:   caller.RequestOf(ctx),
		Cookie:    cookie,
		Renew:     func(c string) { fresh = c },
	})
	recovery, err = s.verify(as, *p, code)

	return recovery, fresh, err
}

// ConsoleLogout ends the session of a cookie. A cookie whose session has ended is no error: whoever signs out twice is
// signed out.
func (s *Service) ConsoleLogout(ctx context.Context, cookie string) error {
	if !secret.TokenForm(cookiePrefix, cookie) {
		return nil
	}

	err := s.logoutBy(ctx, func(tx *db.Tx) (session, time.Time, error) {
		return sessionOfCookie(ctx, tx, digest(cookie))
	})
	if fault.Is(err, fault.TokenInvalid) {
		return nil
	}

	return err
}

// AuthenticateCookie returns the principal of a session's cookie, as Authenticate does of a token. attended means that
// a person causes the request: a session ends ConsoleIdle after the last such request, whatever its pages ask for by
// themselves.
func (s *Service) AuthenticateCookie(
	ctx context.Context, cookie, orgID string, attended bool,
) (*caller.Principal, *limit.Meters, error) {
	return s.authenticate(ctx, byCookie, cookie, orgID, attended)
}

// renew gives the session that the request's cookie stands for another cookie, after its person has proven the second
// factor. A session with tokens keeps them.
//
// The cookie of before works on until the new one is used, so that a lost answer signs nobody out, but without the
// proof. Whoever has put a cookie of his own into the browser gains nothing.
func (s *Service) renew(ctx context.Context, tx *db.Tx, p caller.Principal, fresh Tokens) error {
	if caller.CookieOf(ctx) == "" {
		return nil
	}

	hash := digest(caller.CookieOf(ctx))

	ses, _, err := sessionOfCookie(ctx, tx, hash)
	if errors.Is(err, db.ErrNone) || err == nil && ses.id != p.Credential {
		return tokenInvalid()
	}

	if err != nil {
		return err
	}

	return replaceCookie(tx, ses, hash, fresh.Cookie)
}

// noteConsoleUse records that a person uses the session, and that the browser has received its cookie.
func (s *Service) noteConsoleUse(ctx context.Context, b bearer, now time.Time, attended bool) error {
	due := b.useIsDue(now, attended)
	if !due && b.cookieUsed {
		return nil
	}

	source := caller.RequestOf(ctx).Source

	return s.db.Write(ctx, func(tx *db.Tx) error {
		if due {
			if err := noteSessionUse(tx, b.session, source); err != nil {
				return err
			}
		}

		if b.cookieUsed {
			return nil
		}

		return confirmCookie(tx, b.session, b.hash)
	})
}

// useIsDue reports whether a request of a session of the console is to be recorded as its last use.
func (b bearer) useIsDue(now time.Time, attended bool) bool {
	return b.console && attended && now.Sub(b.lastUse) >= noteInterval
}
