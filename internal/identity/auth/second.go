package auth

import (
	"context"
	"errors"
	"time"

	"slipway/internal/core/caller"
	"slipway/internal/core/fault"
	"slipway/internal/identity/passkey"
	"slipway/internal/identity/twofactor"
	"slipway/internal/identity/user"
	"slipway/internal/platform/db"
	"slipway/internal/platform/mail"
	"slipway/internal/platform/secret"
	"slipway/internal/platform/trail"
	"slipway/internal/platform/words"
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
	signOn         string // whose provider has signed the person in; "": a password did
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

// proof is what a second factor is proven with: a code of the authenticator app, a recovery code, or a passkey.
type proof struct {
	code    string
	passkey passkey.Answer
}

// check refuses a proof that is none, or two.
func (p proof) check() error {
	var l fault.List

	switch {
	case p.code == "" && p.passkey == "":
		l.Add("/code", fault.Required, "is required, or a passkey in its place.")
	case p.code != "" && p.passkey != "":
		l.Add("/passkey", fault.NotAllowed, "must not be sent beside a code.")
	}

	return l.Err()
}

// checkFactor checks a proof of a person's second factor and uses it up. holder is the session or the tempToken that a
// passkey was asked for by. refused is as with twofactor.Service.Check.
func (s *Service) checkFactor(ctx context.Context, tx *db.Tx, userID, holder string, p proof) (refused, err error) {
	if p.passkey == "" {
		return s.factors.Check(ctx, tx, userID, p.code)
	}

	return s.checkPasskey(ctx, tx, passkey.Challenge{Purpose: passkey.Prove, User: userID, Holder: holder}, p.passkey)
}

// loginSecond trades a tempToken and a proof of the second factor for a session with tokens, and uses the tempToken up.
func (s *Service) loginSecond(ctx context.Context, temp string, given proof, t Tokens) (signIn, error) {
	if err := given.check(); err != nil {
		return signIn{}, err
	}

	if err := s.limits.fromSource(ctx, s.limits.source, s.db.Now()); err != nil {
		return signIn{}, err
	}

	if !secret.TokenForm(tempPrefix, temp) {
		return signIn{}, tokenInvalid()
	}

	out := signIn{Tokens: t}
	hash := digest(temp)
	err := s.tryCode(ctx, func(tx *db.Tx) (refused, err error) {
		c, u, refused, err := s.passChallenge(ctx, tx, hash, given)
		if refused != nil || err != nil {
			return refused, err
		}

		ses := session{
			user:       u.ID,
			provenAt:   tx.Now,
			passwordAt: db.Time(c.expiresAt).Add(-ChallengeLifetime),
		}
		if ses, err = s.bind(ctx, tx, u, ses, c.signOn); err != nil {
			return nil, err
		}

		s.begin(ctx, tx, ses, out.Tokens)

		return nil, user.NoteLanguage(ctx, tx, u.ID)
	})

	return out, err
}

// passChallenge checks a proof of the second factor against the challenge of a tempToken, and uses both up. A wrong
// code is counted; refused is then its answer and must not undo the transaction.
func (s *Service) passChallenge(
	ctx context.Context, tx *db.Tx, hash string, given proof,
) (c challenge, u user.User, refused, err error) {
	if c, err = openChallenge(ctx, tx, hash); err != nil {
		return c, u, nil, err
	}

	if u, err = user.ByID(ctx, tx, c.user); err != nil {
		return c, u, nil, err
	}

	if !u.IsActive {
		return c, u, nil, accountInactive()
	}

	as := caller.With(ctx, caller.Principal{User: u.ID})

	refused, err = s.checkFactor(as, tx, u.ID, hash, given)
	switch {
	case err != nil:
		return c, u, nil, err

	case refused != nil:
		if fault.Is(refused, fault.CodeInvalid) || fault.Is(refused, fault.PasskeyInvalid) {
			c.countWrongCode(tx)
		}

		return c, u, refused, nil
	}

	c.use(tx)

	return c, u, nil, nil
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
	return s.prove(ctx, p, proof{code: code})
}

func (s *Service) prove(ctx context.Context, p caller.Principal, given proof) error {
	if err := given.check(); err != nil {
		return err
	}

	fresh := newCookie()

	err := s.tryCode(ctx, func(tx *db.Tx) (refused, err error) {
		if refused, err = s.checkFactor(ctx, tx, p.User, p.Credential, given); refused != nil || err != nil {
			return refused, err
		}

		return nil, s.recordProof(ctx, tx, p, fresh)
	})
	if err == nil {
		caller.Renew(ctx, fresh.Cookie)
	}

	return err
}

// recordProof records that the second factor was just proven. A session of the console gets the fresh cookie, which the
// caller passes to caller.Renew after the commit.
func (s *Service) recordProof(ctx context.Context, tx *db.Tx, p caller.Principal, fresh Tokens) error {
	tx.OnCommit(func() { s.cache.DropUser(p.User) })

	if err := s.renew(ctx, tx, p, fresh); err != nil {
		return err
	}

	return writeProof(tx, p.Credential)
}

// generate returns a new secret for the caller, and the name of the account for the authenticator app.
//
// Without a second factor the password must be proven: a thief with a stolen access token must not be able to put a
// second factor before the owner's account. With one, step-up has asked for a code.
func (s *Service) generate(
	ctx context.Context, p caller.Principal, pass string,
) (key otp.Key, account string, err error) {
	on, err := twofactor.Enabled(ctx, s.db, p.User)
	if err != nil {
		return key, "", err
	}

	if !on {
		if err := s.provePassword(ctx, p, pass); err != nil {
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
	fresh := newCookie()

	err = s.db.Write(ctx, func(tx *db.Tx) error {
		if recovery, err = s.factors.Verify(ctx, tx, p.User, code); err != nil {
			return err
		}

		if _, err := revokeOthers(tx, p.User, p.Credential, "second factor set up"); err != nil {
			return err
		}

		if err := s.recordProof(ctx, tx, p, fresh); err != nil {
			return err
		}

		return s.alarm(ctx, tx, p.User, mail.TwoFactorChanged,
			map[string]string{"what": words.Phrase("two-factor sign-in was set up")})
	})
	if err == nil {
		caller.Renew(ctx, fresh.Cookie)
	}

	return recovery, err
}

// disable switches the second factor off: the app's secret, the recovery codes and the passkeys are deleted. Every
// other session of the person ends.
func (s *Service) disable(ctx context.Context, p caller.Principal, given proof) error {
	if err := given.check(); err != nil {
		return err
	}

	return s.tryCode(ctx, func(tx *db.Tx) (refused, err error) {
		if err := mayDisable(ctx, tx, p.User); err != nil {
			return nil, err
		}

		refused, err = s.checkFactor(ctx, tx, p.User, p.Credential, given)
		if refused != nil || err != nil {
			return refused, err
		}

		if err := s.factors.Disable(ctx, tx, p.User); err != nil {
			return nil, err
		}

		if err := s.passkeys.DeleteAll(ctx, tx, p.User); err != nil {
			return nil, err
		}

		if _, err := revokeOthers(tx, p.User, p.Credential, "second factor switched off"); err != nil {
			return nil, err
		}

		tx.OnCommit(func() { s.cache.DropUser(p.User) })

		return nil, s.alarm(ctx, tx, p.User, mail.TwoFactorChanged,
			map[string]string{"what": words.Phrase("two-factor sign-in was switched off")})
	})
}

// mayDisable refuses an account that needs its second factor.
func mayDisable(ctx context.Context, tx *db.Tx, userID string) error {
	u, err := user.ByID(ctx, tx, userID)
	if err != nil {
		return err
	}

	if u.TwoFactorRequired {
		return fault.New(fault.Forbidden, fault.TwoFactorNeeded,
			"The platform requires a second factor of this account.")
	}

	pass, err := passwordOf(ctx, tx, userID)
	if err != nil {
		return err
	}

	if pass.short {
		return fault.New(fault.Conflict, fault.PasswordTooShortBy,
			"Change the password to one of at least %d characters first.", minAlone)
	}

	return nil
}

// sessionView is a session as its person sees it.
type sessionView struct {
	ID         string     `json:"_id"`
	Source     string     `json:"source" doc:"address that used it last: for a sign-in or refresh, and in the console for anything"`
	Current    bool       `json:"current" doc:"the session that asks"`
	Console    bool       `json:"console" doc:"begun in the console: the browser holds a cookie, and no tokens"`
	SignOn     string     `json:"signOn" doc:"whose provider of OpenID Connect has begun it: an organisation, or platform; empty: a password or a passkey did" example:""`
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
			Console:    r.console,
			SignOn:     r.signOn,
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

// endSessions ends every session of the person, also the one that asks. API clients go on.
func (s *Service) endSessions(ctx context.Context, p caller.Principal, done func(tx *db.Tx) error) error {
	return s.db.Write(ctx, func(tx *db.Tx) error {
		if _, err := revokeOthers(tx, p.User, "", "all ended by their person"); err != nil {
			return err
		}

		tx.OnCommit(func() { s.cache.DropUser(p.User) })
		trail.Audit(ctx, tx, "", "session.ended", p.User, "all, by their person")

		return done(tx)
	})
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
