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

// maxWrongCodes is how many wrong codes burn a tempToken.
const maxWrongCodes = 5

// challenge is a sign-in whose second factor is still missing.
type challenge struct {
	user           string
	password       int64 // version of the password that was given
	failures, used int64
	expiresAt      int64
	hash           string
}

// openChallenge finds what a tempToken stands for, or refuses: unknown, used, burnt and expired ones alike, and those
// whose password was changed meanwhile.
func openChallenge(ctx context.Context, tx *db.Tx, hash string) (challenge, error) {
	c, err := db.One(ctx, tx, func(c *challenge) []any {
		return []any{&c.hash, &c.user, &c.password, &c.failures, &c.used, &c.expiresAt}
	},
		"SELECT hash, user_id, password, failures, used_at, expires_at FROM login_challenges WHERE hash = ?", hash)
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

// loginSecond trades a tempToken and a code for tokens. The tempToken is used up by it.
func (s *Service) loginSecond(ctx context.Context, temp, code string) (signIn, error) {
	if err := s.limits.fromSource(ctx, s.limits.source, s.db.Now()); err != nil {
		return signIn{}, err
	}

	if !secret.TokenForm(tempPrefix, temp) {
		return signIn{}, tokenInvalid()
	}

	out := signIn{Tokens: newTokens()}
	hash := digest(temp)
	err := s.counted(ctx, func(tx *db.Tx) (refused, err error) {
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
				c.failed(tx)
			}

			return refused, nil
		}

		c.use(tx)
		s.begin(ctx, tx, session{user: u.ID, provenAt: tx.Now}, out.Tokens)

		return nil, nil
	})

	return out, err
}

// counted runs a write whose refusal is stored with it: what was counted must not be undone. Of two at the same
// moment with the same code one comes too late; it is answered as a used code is.
func (s *Service) counted(ctx context.Context, body func(tx *db.Tx) (refused, err error)) error {
	var refused error

	err := s.db.Write(ctx, func(tx *db.Tx) (err error) {
		refused, err = body(tx)
		return err
	})
	if errors.Is(err, db.ErrStale) {
		return fault.New(fault.Forbidden, fault.CodeInvalid,
			"The code is wrong, or was used before. Every code works once.")
	}

	if err == nil {
		err = refused
	}

	return err
}

// Prove notes that the second factor was proven in the caller's session just now, if the code is good. It is
// web.Config.StepUp.
func (s *Service) Prove(ctx context.Context, p caller.Principal, code string) error {
	return s.counted(ctx, func(tx *db.Tx) (refused, err error) {
		if refused, err = s.factors.Check(ctx, tx, p.User, code); refused != nil || err != nil {
			return refused, err
		}

		return nil, s.proven(tx, p)
	})
}

func (s *Service) proven(tx *db.Tx, p caller.Principal) error {
	tx.OnCommit(func() { s.cache.DropUser(p.User) })
	return writeProof(tx, p.Credential)
}

// generate returns a new secret for the caller. Whoever has no second factor yet gives his password: an access token
// that was stolen must not put the thief's second factor before its owner's account. Whoever has one was asked
// for a code of it (step-up).
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

// verify puts the secret in use, and returns the recovery codes. Every other session of the person ends: it was begun
// without it.
func (s *Service) verify(ctx context.Context, p caller.Principal, code string) (recovery []string, err error) {
	err = s.db.Write(ctx, func(tx *db.Tx) error {
		if recovery, err = s.factors.Verify(ctx, tx, p.User, code); err != nil {
			return err
		}

		if _, err := revokeOthers(tx, p.User, p.Credential, "second factor set up"); err != nil {
			return err
		}

		if err := s.proven(tx, p); err != nil {
			return err
		}

		return s.alarm(ctx, tx, p.User, mail.TwoFactorChanged,
			map[string]string{"what": "two-factor sign-in was set up"})
	})

	return recovery, err
}

// disable switches the second factor off. Every other session of the person ends.
func (s *Service) disable(ctx context.Context, p caller.Principal, code string) error {
	return s.counted(ctx, func(tx *db.Tx) (refused, err error) {
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
				"Change the password to one of at least %d characters first.", alone)
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

// sessions lists the person's own, newest first.
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

// endSession ends one of the person's own sessions. One that has ended is there no more.
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
