package auth

import (
	"context"

	"slipway/internal/core/caller"
	"slipway/internal/core/fault"
	"slipway/internal/identity/passkey"
	"slipway/internal/identity/twofactor"
	"slipway/internal/identity/user"
	"slipway/internal/platform/db"
	"slipway/internal/platform/mail"
	"slipway/internal/platform/secret"
	"slipway/internal/platform/words"
)

// offerPasskey returns the options with which the caller's browser makes a passkey.
//
// As with an authenticator app, it asks for the password while there is no second factor. With one, step-up has
// asked for a proof.
func (s *Service) offerPasskey(ctx context.Context, p caller.Principal, pass string) (o passkey.Options, err error) {
	on, err := twofactor.Enabled(ctx, s.db, p.User)
	if err != nil {
		return "", err
	}

	if !on {
		if err := s.provePassword(ctx, p, pass); err != nil {
			return "", err
		}
	}

	err = s.db.Write(ctx, func(tx *db.Tx) error {
		u, err := user.ByID(ctx, tx, p.User)
		if err != nil {
			return err
		}

		o, err = s.passkeys.Offer(ctx, tx, ownerOf(u), p.Credential)

		return err
	})

	return o, err
}

func ownerOf(u user.User) passkey.Owner {
	return passkey.Owner{ID: u.ID, Email: u.Email, Name: u.FirstName + " " + u.LastName}
}

// addPasskey stores the passkey that the caller's browser has made. The first second factor comes with recovery codes,
// and every other session of the person ends: it was begun without it.
func (s *Service) addPasskey(
	ctx context.Context, p caller.Principal, name string, a passkey.Answer,
) (k passkey.Passkey, recovery []string, err error) {
	fresh := newCookie()

	err = s.writeAndRefuse(ctx, func(tx *db.Tx) (refused, err error) {
		u, err := user.ByID(ctx, tx, p.User)
		if err != nil {
			return nil, err
		}

		if k, refused, err = s.passkeys.Register(
			ctx,
			tx,
			ownerOf(u),
			p.Credential,
			name,
			a,
		); refused != nil ||
			err != nil {
			return refused, err
		}

		if recovery, err = s.factors.TurnOn(ctx, tx, p.User); err != nil {
			return nil, err
		}

		if len(recovery) > 0 {
			if _, err := revokeOthers(tx, p.User, p.Credential, "second factor set up"); err != nil {
				return nil, err
			}
		}

		if err := s.recordProof(ctx, tx, p, fresh); err != nil {
			return nil, err
		}

		return nil, s.alarm(ctx, tx, p.User, mail.TwoFactorChanged,
			map[string]string{"what": words.Phrase("the passkey “%s” was added", k.Name)})
	})
	if db.IsUnique(err, "passkeys") { // of another account: authenticators do not make an identifier twice
		err = fault.New(fault.Forbidden, fault.PasskeyInvalid, "The passkey belongs to another account.")
	}

	if err == nil {
		caller.Renew(ctx, fresh.Cookie)
	}

	return k, recovery, err
}

// askPasskey returns the options with which the caller's browser proves a second factor in the caller's session.
func (s *Service) askPasskey(ctx context.Context, p caller.Principal) (o passkey.Options, err error) {
	err = s.db.Write(ctx, func(tx *db.Tx) error {
		o, err = s.passkeys.Ask(ctx, tx, passkey.Challenge{Purpose: passkey.Prove, User: p.User, Holder: p.Credential})
		return err
	})

	return o, err
}

// AskToSignIn returns the options with which a browser signs in by a passkey. With a tempToken it answers for the
// second factor of that sign-in; without one it signs in by itself, whoever it is.
func (s *Service) AskToSignIn(ctx context.Context, temp string) (o passkey.Options, err error) {
	if err := s.limits.fromSource(ctx, s.limits.source, s.db.Now()); err != nil {
		return "", err
	}

	if temp != "" && !secret.TokenForm(tempPrefix, temp) {
		return "", tokenInvalid()
	}

	err = s.db.Write(ctx, func(tx *db.Tx) error {
		c := passkey.Challenge{Purpose: passkey.SignIn}

		if temp != "" {
			begun, err := openChallenge(ctx, tx, digest(temp))
			if err != nil {
				return err
			}

			c = passkey.Challenge{Purpose: passkey.Prove, User: begun.user, Holder: digest(temp)}
		}

		o, err = s.passkeys.Ask(ctx, tx, c)

		return err
	})

	return o, err
}

// loginPasskey trades a browser's answer for tokens. A passkey is two factors: what the person has, and the finger,
// face or PIN that unlocked it.
func (s *Service) loginPasskey(ctx context.Context, a passkey.Answer) (signIn, error) {
	out := signIn{Tokens: newTokens()}

	err := s.signInByPasskey(ctx, a, out.Tokens)

	return out, err
}

// signInByPasskey checks a browser's answer and begins a session of whose passkey it is. It refuses the accounts that a
// password would not sign in either.
func (s *Service) signInByPasskey(ctx context.Context, a passkey.Answer, t Tokens) error {
	if err := s.limits.fromSource(ctx, s.limits.source, s.db.Now()); err != nil {
		return err
	}

	var unconfirmed *user.User

	err := s.tryCode(ctx, func(tx *db.Tx) (refused, err error) {
		unconfirmed = nil

		k, refused, err := s.askedPasskey(ctx, tx, passkey.Challenge{Purpose: passkey.SignIn}, a)
		if refused != nil || err != nil {
			return refused, err
		}

		u, err := user.ByID(ctx, tx, k.User)
		if err != nil {
			return nil, err
		}

		switch {
		case !u.IsActive:
			return accountInactive(), nil

		case s.config.MustConfirm && u.ConfirmedAt.IsZero():
			unconfirmed = &u
			return nil, nil
		}

		ses, err := s.bind(ctx, tx, u, session{user: u.ID, provenAt: tx.Now}, "")
		if err != nil {
			return nil, err
		}

		s.begin(ctx, tx, ses, t)

		return nil, user.NoteLanguage(ctx, tx, u.ID)
	})
	if err == nil && unconfirmed != nil {
		err = s.remindToConfirm(ctx, *unconfirmed)
	}

	return err
}

// checkPasskey checks a browser's answer as a second factor.
func (s *Service) checkPasskey(
	ctx context.Context, tx *db.Tx, c passkey.Challenge, a passkey.Answer,
) (refused, err error) {
	_, refused, err = s.askedPasskey(ctx, tx, c, a)
	return refused, err
}

// askedPasskey checks a browser's answer. The owner of a passkey of which there may be a copy gets a mail.
func (s *Service) askedPasskey(
	ctx context.Context, tx *db.Tx, c passkey.Challenge, a passkey.Answer,
) (k passkey.Passkey, refused, err error) {
	k, refused, err = s.passkeys.Check(ctx, tx, c, a)
	if err == nil && fault.Is(refused, fault.PasskeyCopied) {
		err = s.alarm(ctx, tx, k.User, mail.TwoFactorChanged, map[string]string{
			"what": words.Phrase("the passkey “%s” was refused, because there may be a copy of it", k.Name),
		})
	}

	return k, refused, err
}

// renamePasskey gives one of the caller's passkeys another name.
func (s *Service) renamePasskey(
	ctx context.Context, p caller.Principal, passkeyID, name string, done func(*db.Tx, passkey.Passkey) error,
) error {
	return s.db.Write(ctx, func(tx *db.Tx) error {
		k, err := s.passkeys.Rename(ctx, tx, p.User, passkeyID, name)
		if err != nil {
			return err
		}

		return done(tx, k)
	})
}

// deletePasskey deletes one of the caller's passkeys. The only second factor that is left stays: POST /auth/2fa/disable
// is what switches it off, with all that this means.
func (s *Service) deletePasskey(
	ctx context.Context, p caller.Principal, passkeyID string, done func(tx *db.Tx) error,
) error {
	return s.db.Write(ctx, func(tx *db.Tx) error {
		k, err := s.passkeys.Delete(ctx, tx, p.User, passkeyID)
		if err != nil {
			return err
		}

		left, err := passkey.Of(ctx, tx, p.User)
		if err != nil {
			return err
		}

		app, err := s.factors.HasApp(ctx, tx, p.User)
		if err != nil {
			return err
		}

		if len(left) == 0 && !app {
			return fault.New(fault.Conflict, fault.LastSecondFactor,
				"It is your only second factor: set up another one first, or switch two-factor sign-in off.")
		}

		err = s.alarm(ctx, tx, p.User, mail.TwoFactorChanged,
			map[string]string{"what": words.Phrase("the passkey “%s” was deleted", k.Name)})
		if err != nil {
			return err
		}

		return done(tx)
	})
}
