package auth

import (
	"context"
	"time"

	"slipway/internal/core/caller"
	"slipway/internal/core/fault"
	"slipway/internal/identity/twofactor"
	"slipway/internal/identity/user"
	"slipway/internal/platform/db"
	"slipway/internal/platform/mail"
	"slipway/internal/platform/trail"
)

// changePassword sets a new password and ends every other session of the user. The session that asks goes on.
func (s *Service) changePassword(
	ctx context.Context, p caller.Principal, old, fresh string, done func(tx *db.Tx) error,
) error {
	if err := count(ctx, s.limits.signIn, p.User, s.db.Now()); err != nil {
		return err
	}

	u, err := user.ByID(ctx, s.db, p.User)
	if err != nil {
		return err
	}

	var l fault.List

	old = normal(old)
	fresh = normal(fresh)
	s.common.check(&l, "/newPassword", fresh, personOf(u), minLength(p.TwoFactor))

	if old == fresh && l.Empty() {
		l.Add("/newPassword", fault.PasswordWeak, "must differ from the old one.")
	}

	if err := l.Err(); err != nil {
		return err
	}

	current, err := passwordOf(ctx, s.db, u.ID)
	if err != nil {
		return err
	}

	ok, err := s.hasher.matches(ctx, old, current.hash)
	if err != nil {
		return err
	}

	if !ok {
		l.Add("/oldPassword", fault.CredentialsInvalid, "is not the current password.")
		return l.Err()
	}

	hash, err := s.hasher.hash(ctx, fresh)
	if err != nil {
		return err
	}

	next := password{hash: hash, short: tooShortAlone(fresh)}

	return s.db.Write(ctx, func(tx *db.Tx) error {
		now, err := passwordOf(ctx, tx, u.ID)
		if err != nil {
			return err
		}

		if now.version != current.version {
			return fault.New(fault.Conflict, fault.VersionMismatch, "The password was changed by another request.")
		}

		if err := s.setPassword(ctx, tx, u, next, current.version, p.Credential); err != nil {
			return err
		}

		if err := writePasswordGiven(tx, p); err != nil {
			return err
		}

		return done(tx)
	})
}

// setPassword replaces the password of a version, ends every session of the person except keep, voids links that set
// another password, and sends the person a mail.
func (s *Service) setPassword(
	ctx context.Context, tx *db.Tx, u user.User, fresh password, version int64, keep string,
) error {
	if fresh.short { // allowed beside a second factor, which another request may have switched off since
		on, err := twofactor.Enabled(ctx, tx, u.ID)
		if err != nil {
			return err
		}

		if !on {
			return fault.New(fault.Conflict, fault.PasswordTooShortBy,
				"Without a second factor a password needs at least %d characters.", minAlone)
		}
	}

	writePassword(tx, u.ID, fresh, version)

	if _, err := revokeOthers(tx, u.ID, keep, "password changed"); err != nil {
		return err
	}

	if err := voidLinks(tx, u.ID, linkReset); err != nil {
		return err
	}

	trail.Audit(ctx, tx, "", "password.changed", u.ID, "")
	tx.OnCommit(func() { s.cache.DropUser(u.ID) })

	clients, err := usableClients(ctx, tx, u.ID, tx.Now)
	if err != nil {
		return err
	}

	return s.alarm(ctx, tx, u.ID, mail.PasswordChanged, map[string]string{"clients": clients})
}

// PasswordLifetime is how long the password that a session was begun with is proof of its person.
const PasswordLifetime = 5 * time.Minute

// provePassword returns nil if the text is the person's password, or if none was sent and the session's was given
// within PasswordLifetime. Operations that an access token alone must not open ask for it: the token may have been
// stolen. Tries count like sign-ins.
func (s *Service) provePassword(ctx context.Context, p caller.Principal, pass string) error {
	if pass == "" {
		return s.recentPassword(ctx, p)
	}

	return s.checkOwnPassword(ctx, p.User, pass)
}

// recentPassword refuses a session whose password was given too long ago, or never.
func (s *Service) recentPassword(ctx context.Context, p caller.Principal) error {
	at, err := passwordGivenAt(ctx, s.db, p.Credential)
	if err != nil {
		return err
	}

	if s.db.Now().Sub(at).Abs() <= PasswordLifetime { // given in the future: before the clock was set back
		return nil
	}

	refusal := fault.New(fault.Forbidden, fault.StepUpRequired,
		"Your password was given more than five minutes ago. Send it as `password` in the body, or sign in anew.")
	refusal.Fields = []fault.Field{{ // so that a client sees which proof is asked for
		Pointer: "/password",
		Code:    fault.Required,
		Message: "is required here: the session's was given more than five minutes ago.",
	}}

	return refusal
}

// checkOwnPassword refuses, at the field password, a text that is not the person's password.
func (s *Service) checkOwnPassword(ctx context.Context, userID, pass string) error {
	var l fault.List

	if err := count(ctx, s.limits.signIn, userID, s.db.Now()); err != nil {
		return err
	}

	current, err := passwordOf(ctx, s.db, userID)
	if err != nil {
		return err
	}

	ok, err := s.hasher.matches(ctx, normal(pass), current.hash)
	if err != nil {
		return err
	}

	if !ok {
		l.Add("/password", fault.CredentialsInvalid, "is not the current password.")
	}

	return l.Err()
}
