package auth

import (
	"context"
	"errors"
	"time"

	"slipway/internal/core/caller"
	"slipway/internal/core/fault"
	"slipway/internal/core/id"
	"slipway/internal/identity/twofactor"
	"slipway/internal/identity/user"
	"slipway/internal/platform/db"
	"slipway/internal/platform/limit"
	"slipway/internal/platform/secret"
	"slipway/internal/platform/trail"
)

// signIn is the result of a sign-in: tokens, or a tempToken while the second factor is missing.
type signIn struct {
	Tokens
	temp  string
	setup bool // the tokens open nothing but the set-up of a second factor
}

// login checks a password and begins a session, or a challenge if the account has a second factor.
//
// t is what the session gets. Every failure costs one hash and returns the same refusal. Only the holder of the right
// password learns that the account is switched off or its address unconfirmed.
func (s *Service) login(ctx context.Context, email, pass string, t Tokens) (signIn, error) {
	u, p, err := s.checkFirst(ctx, email, pass)
	if err != nil {
		return signIn{}, err
	}

	var out signIn

	temp := secret.Token(tempPrefix)
	err = s.db.Write(ctx, func(tx *db.Tx) error {
		second, err := s.askSecond(ctx, tx, u, p, temp)
		if err != nil {
			return err
		}

		if second {
			out = signIn{temp: temp}
			return nil
		}

		ses, err := s.bind(ctx, tx, u, session{user: u.ID, passwordAt: tx.Now}, "")
		if err != nil {
			return err
		}

		out = signIn{Tokens: t, setup: u.TwoFactorRequired}
		s.begin(ctx, tx, ses, out.Tokens)

		return user.NoteLanguage(ctx, tx, u.ID)
	})

	return out, err
}

// checkFirst counts an attempt to sign in and checks the password. Every failure costs one hash and returns the same
// refusal.
func (s *Service) checkFirst(ctx context.Context, email, pass string) (user.User, password, error) {
	var l fault.List
	if email = user.CheckEmail(&l, "/email", email); !l.Empty() {
		email = "" // no account has it, and the answer costs the same
	}

	isKnown := func(source string) (bool, error) { return hasSignedInFrom(ctx, s.db, email, source) }

	attempt, err := s.limits.countSignIn(ctx, user.Key(email), s.db.Now(), isKnown)
	if err != nil {
		return user.User{}, password{}, err
	}

	u, p, err := s.checkPassword(ctx, email, pass)
	if err != nil {
		return user.User{}, password{}, err
	}

	s.limits.returnAttempt(attempt, s.db.Now())

	if s.config.MustConfirm && u.ConfirmedAt.IsZero() {
		return u, p, s.remindToConfirm(ctx, u)
	}

	return u, p, nil
}

// askSecond writes a challenge under a tempToken and reports true if the person has a second factor. Otherwise it
// writes nothing. It refuses a password that has changed since it was checked.
func (s *Service) askSecond(ctx context.Context, tx *db.Tx, u user.User, p password, temp string) (bool, error) {
	now, err := passwordOf(ctx, tx, u.ID)
	if err != nil {
		return false, err
	}

	if now.version != p.version { // it changed while the hash was computed
		return false, credentialsInvalid()
	}

	second, err := twofactor.Enabled(ctx, tx, u.ID)
	if second {
		writeChallenge(tx, temp, u.ID, p.version, "")
	}

	return second, err
}

// checkPassword returns the user with this address and password. An address without an account costs one hash, too.
func (s *Service) checkPassword(ctx context.Context, email, pass string) (user.User, password, error) {
	u, err := user.ByEmail(ctx, s.db, email)

	known := err == nil
	if err != nil && !errors.Is(err, db.ErrNone) {
		return u, password{}, err
	}

	p, err := passwordOf(ctx, s.db, u.ID) // with an empty id where there is no account: the work stays the same
	if err != nil && !errors.Is(err, db.ErrNone) {
		return u, p, err
	}

	ok, err := s.hasher.matches(ctx, normal(pass), p.hash)
	switch {
	case err != nil:
		return u, p, err
	case !known || !ok:
		return u, p, credentialsInvalid()
	case !u.IsActive:
		return u, p, accountInactive()
	}

	return u, p, nil
}

// begin writes a session and its first tokens. The caller fills in the user, the API client if there is one, and when
// the second factor was proven.
func (s *Service) begin(ctx context.Context, tx *db.Tx, ses session, t Tokens) {
	source := caller.RequestOf(ctx).Source

	ses.id = id.New(sessionPrefix, tx.Now)
	ses.generation = 1
	ses.rotatedAt = tx.Now
	ses.rotatedSource = source
	ses.begunFrom = limit.SourceKey(source)
	ses.expires = tx.Now.Add(SessionLifetime)

	if ses.console = t.Cookie != ""; ses.console {
		ses.expires = tx.Now.Add(ConsoleLifetime)
	}

	writeSession(tx, ses)
	writeTokens(tx, ses, t)

	actor := caller.Principal{User: ses.user, Client: ses.client != "", Credential: ses.client}
	trail.Audit(caller.With(ctx, actor), tx, ses.organisation, "session.begun", ses.id, "")
}

// logout ends the session of an access or refresh token. A second call finds an ended session and is refused.
func (s *Service) logout(ctx context.Context, token string) error {
	isAccess := secret.TokenForm(accessPrefix, token)
	if !isAccess && !secret.TokenForm(refreshPrefix, token) {
		return tokenInvalid()
	}

	hash := digest(token)

	return s.logoutBy(ctx, func(tx *db.Tx) (ses session, expires time.Time, err error) {
		if isAccess {
			return sessionOfAccess(ctx, tx, hash)
		}

		ses, _, expires, err = sessionOfRefresh(ctx, tx, hash)

		return ses, expires, err
	})
}

// logoutBy ends the session that find returns. find also returns when the credential expires.
func (s *Service) logoutBy(ctx context.Context, find func(tx *db.Tx) (session, time.Time, error)) error {
	return s.db.Write(ctx, func(tx *db.Tx) error {
		ses, expires, err := find(tx)
		if errors.Is(err, db.ErrNone) {
			return tokenInvalid()
		}

		if err != nil {
			return err
		}

		if !ses.usable(tx.Now) || !tx.Now.Before(expires) {
			return tokenInvalid()
		}

		tx.OnCommit(func() { s.cache.DropUser(ses.user) })
		trail.Audit(caller.With(ctx, caller.Principal{User: ses.user}), tx, "", "session.ended", ses.id, "logout")

		return revokeSession(tx, ses.id, "logout")
	})
}
