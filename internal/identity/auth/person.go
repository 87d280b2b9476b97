package auth

import (
	"context"

	"slipway/internal/core/caller"
	"slipway/internal/core/fault"
	"slipway/internal/identity/user"
	"slipway/internal/platform/db"
	"slipway/internal/platform/secret"
	"slipway/internal/platform/trail"
)

// ProvePerson checks a person's password and second factor as a sign-in does, and returns who it is. It refuses as a
// sign-in does, and begins no session. It is for the command line, where one of the platform's people decides
// something. purpose is what for; the audit log has it.
//
// Wrong codes are counted in the database, together with those of sign-ins. Wrong passwords are counted by this process
// alone, and each command is a process: they are as many as somebody types. Whoever can give commands can read the
// stored hashes, too, so a count would not stop him. The second factor does.
//
// code is called after the password was right, and only if the person has a second factor. Whoever has passkeys alone
// gives a recovery code. Where the platform's people must have a second factor, one without is refused. A second call
// needs another code.
func (s *Service) ProvePerson(
	ctx context.Context, email, pass, purpose string, code func() (string, error),
) (user.User, error) {
	u, p, err := s.checkFirst(ctx, email, pass)
	if err != nil {
		return user.User{}, err
	}

	temp := secret.Token(tempPrefix)
	second := false

	err = s.db.Write(ctx, func(tx *db.Tx) error {
		if second, err = s.askSecond(ctx, tx, u, p, temp); err != nil || second {
			return err
		}

		if u.TwoFactorRequired || s.config.OperatorsProve {
			return fault.New(fault.Forbidden, fault.TwoFactorSetup,
				"The platform's people decide nothing without a second factor. Set one up in the console.")
		}

		noteProven(ctx, tx, u.ID, purpose)

		return nil
	})
	if err != nil || !second {
		return u, err
	}

	typed, err := code()
	if err != nil {
		return user.User{}, err
	}

	given := proof{code: typed}
	if err := given.check(); err != nil {
		return user.User{}, err
	}

	err = s.tryCode(ctx, func(tx *db.Tx) (refused, err error) {
		_, u, refused, err = s.passChallenge(ctx, tx, digest(temp), given)
		if refused == nil && err == nil {
			noteProven(ctx, tx, u.ID, purpose)
		}

		return refused, err
	})
	if err != nil {
		return user.User{}, err
	}

	return u, nil
}

// noteProven writes the audit line of a person who has proven who he is without beginning a session.
func noteProven(ctx context.Context, tx *db.Tx, userID, purpose string) {
	trail.Audit(caller.With(ctx, caller.Principal{User: userID}), tx, "", "person.proven", userID, purpose)
}
