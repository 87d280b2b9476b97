package auth

import (
	"context"
	"errors"
	"time"

	"slipway/internal/core/caller"
	"slipway/internal/core/fault"
	"slipway/internal/identity/twofactor"
	"slipway/internal/identity/user"
	"slipway/internal/platform/db"
	"slipway/internal/platform/mail"
	"slipway/internal/platform/secret"
	"slipway/internal/platform/trail"
	"slipway/internal/standards/otp"
)

// maxWrongCodes is how many wrong codes use a tempToken up.
const maxWrongCodes = 5

// challenge is a sign-in whose second factor is still missing.
type challenge struct {
	user           string
	password       int64 // version of the password that was sent
	failures, used int64
	expiresAt      int64
	hash           string
}

// openChallenge returns the challenge of a tempToken. Unknown, used and expired tempTokens are refused alike, and so
// are those whose account has got another password since.
func openChallenge(ctx context.Context, tx *db.Tx, hash string) (challenge, error) {
	c, err := challengeByHash(ctx, tx, hash)
	if errors.Is(err, db.ErrNone) {
		return c, tokenInvalid()
	}

	if err != nil {
		return c, err
	}

	if c.used != 0 || !tx.Now.Before(db.Time(c.expiresAt)) {
		return c, tokenInvalid()
	}

	p, err := passwordOf(ctx, tx, c.user)
	if err == nil && p.version != c.password {
		return c, tokenInvalid()
	}

	return c, err
}

// loginSecond trades a tempToken and a code for tokens, and uses the tempToken up.
func (s *Service) loginSecond(ctx context.Context, temp, code string) (signIn, error) {
	if err := s.limits.fromSource(ctx, s.limits.source, s.db.Now()); err != nil {
		return signIn{}, err
	}

	if !secret.TokenForm(tempPrefix, temp) {
		return signIn{}, tokenInvalid()
	}

	out := signIn{Tokens: newTokens()}
	hash := digest(temp)
	err := s.tryCode(ctx, func(tx *db.Tx) (refused, err error) {
		c, err := openChallenge(ctx, tx, hash)
		if err != nil {
			return nil, err
		}

		u, err := user.ByID(ctx, tx, c.user)
		if err != nil {
			return nil, err
		}

		if !u.IsActive {
			return nil, accountInactive()
		}

		as := caller.With(ctx, caller.Principal{User: u.ID})

		refused, err = s.factors.Check(as, tx, u.ID, code)
		switch {
		case err != nil:
			return nil, err

		case refused != nil:
			if fault.Is(refused, fault.CodeInvalid) {
				c.countWrongCode(tx)
			}

			return refused, nil
		}

		c.use(tx)
		s.begin(ctx, tx, session{user: u.ID, provenAt: tx.Now}, out.Tokens)

		return nil, nil
	})

	return out, err
}

// writeAndRefuse runs a write that commits although its body refuses the request: what the body has counted or revoked
// stays. An error undoes the write as usual.
func (s *Service) writeAndRefuse(ctx context.Context, body func(tx *db.Tx) (refused, err error)) error {
	var refused error

	err := s.db.Write(ctx, func(tx *db.Tx) (err error) {
		refused, err = body(tx)
		return err
	})
	if err == nil {
		err = refused
	}

	return err
}

// tryCode runs a write that checks a code of the second factor. A wrong code stays counted. If two requests send the
// same code at once, the later one is refused as if the code had been used before.
func (s *Service) tryCode(ctx context.Context, body func(tx *db.Tx) (refused, err error)) error {
	err := s.writeAndRefuse(ctx, body)
	if errors.Is(err, db.ErrStale) {
		return fault.New(fault.Forbidden, fault.CodeInvalid,
			"The code is wrong, or was used before. Every code works once.")
	}

	return err
}

// Prove checks a code and records that the second factor was just proven in the caller's session. It is
// web.Config.StepUp.
func (s *Service) Prove(ctx context.Context, p caller.Principal, code string) error {
	return s.tryCode(ctx, func(tx *db.Tx) (refused, err error) {
		if refused, err = s.factors.Check(ctx, tx, p.User, code); refused != nil || err != nil {
			return refused, err
		}

		return nil, s.recordProof(tx, p)
	})
}

func (s *Service) recordProof(tx *db.Tx, p caller.Principal) error {
	tx.OnCommit(func() { s.cache.DropUser(p.User) })
	return writeProof(tx, p.Credential)
}

// generate returns a new secret for the caller, and the name of the account for the authenticator app.
//
// Without a second factor it asks for the password: a thief with a stolen access token must not be able to put a second
// factor before the owner's account. With one, step-up has asked for a code.
func (s *Service) generate(
	ctx context.Context, p caller.Principal, pass string,
) (key otp.Key, account string, err error) {
	on, err := twofactor.Enabled(ctx, s.db, p.User)
	if err != nil {
		return key, "", err
	}

	if !on {
		if err := s.provePassword(ctx, p.User, pass); err != nil {
			return key, "", err
		}
	}

	err = s.db.Write(ctx, func(tx *db.Tx) error {
		u, err := user.ByID(ctx, tx, p.User)
		if err != nil {
			return err
		}

		account = u.Email
		key, err = s.factors.Generate(ctx, tx, p.User)

		return err
	})

	return key, account, err
}

// verify puts the generated secret in use and returns the recovery codes. Every other session of the person ends: it
// was begun without the second factor.
func (s *Service) verify(ctx context.Context, p caller.Principal, code string) (recovery []string, err error) {
	err = s.db.Write(ctx, func(tx *db.Tx) error {
		if recovery, err = s.factors.Verify(ctx, tx, p.User, code); err != nil {
			return err
		}

		if _, err := revokeOthers(tx, p.User, p.Credential, "second factor set up"); err != nil {
			return err
		}

		if err := s.recordProof(tx, p); err != nil {
			return err
		}

		return s.alarm(ctx, tx, p.User, mail.TwoFactorChanged,
			map[string]string{"what": "two-factor sign-in was set up"})
	})

	return recovery, err
}

// disable switches the second factor off. Every other session of the person ends.
func (s *Service) disable(ctx context.Context, p caller.Principal, code string) error {
	return s.tryCode(ctx, func(tx *db.Tx) (refused, err error) {
		u, err := user.ByID(ctx, tx, p.User)
		if err != nil {
			return nil, err
		}

		if u.TwoFactorRequired {
			return nil, fault.New(fault.Forbidden, fault.TwoFactorNeeded,
				"The platform requires a second factor of this account.")
		}

		pass, err := passwordOf(ctx, tx, p.User)
		if err != nil {
			return nil, err
		}

		if pass.short {
			return nil, fault.New(fault.Conflict, fault.PasswordTooShortBy,
				"Change the password to one of at least %d characters first.", minAlone)
		}

		if refused, err = s.factors.Disable(ctx, tx, p.User, code); refused != nil || err != nil {
			return refused, err
		}

		if _, err := revokeOthers(tx, p.User, p.Credential, "second factor switched off"); err != nil {
			return nil, err
		}

		tx.OnCommit(func() { s.cache.DropUser(p.User) })

		return nil, s.alarm(ctx, tx, p.User, mail.TwoFactorChanged,
			map[string]string{"what": "two-factor sign-in was switched off"})
	})
}

// sessionView is a session as its person sees it.
type sessionView struct {
	ID         string     `json:"_id"`
	Source     string     `json:"source" doc:"address that used it last for a sign-in or refresh"`
	Current    bool       `json:"current" doc:"the session that asks"`
	ProvenAt   *time.Time `json:"secondFactorAt" doc:"when the second factor was last proven in it"`
	LastUsedAt time.Time  `json:"lastUsedAt"`
	ExpiresAt  time.Time  `json:"expiresAt"`
	CreatedAt  time.Time  `json:"createdAt"`
}

// sessions returns the person's own open sessions, newest first.
func (s *Service) sessions(ctx context.Context, p caller.Principal) ([]sessionView, error) {
	rows, err := openSessions(ctx, s.db, p.User)

	out := make([]sessionView, len(rows))
	for i, r := range rows {
		out[i] = sessionView{
			ID:         r.id,
			Source:     r.source,
			Current:    r.id == p.Credential,
			ProvenAt:   shownOrNil(r.proven),
			LastUsedAt: user.Shown(db.Time(r.rotated)),
			ExpiresAt:  user.Shown(db.Time(r.expires)),
			CreatedAt:  user.Shown(db.Time(r.created)),
		}
	}

	return out, err
}

func shownOrNil(micros int64) *time.Time {
	if micros == 0 {
		return nil
	}

	t := user.Shown(db.Time(micros))

	return &t
}

// endSession ends one of the person's own sessions. A second call returns NOT_FOUND.
func (s *Service) endSession(
	ctx context.Context, p caller.Principal, sessionID string, done func(tx *db.Tx) error,
) error {
	return s.db.Write(ctx, func(tx *db.Tx) error {
		n, err := revokeOwn(tx, p.User, sessionID)
		if err != nil {
			return err
		}

		if n == 0 {
			return fault.Missing("session")
		}

		tx.OnCommit(func() { s.cache.DropUser(p.User) })
		trail.Audit(ctx, tx, "", "session.ended", sessionID, "by its person")

		return done(tx)
	})
}
