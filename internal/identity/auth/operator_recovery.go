package auth

import (
	"context"
	"errors"

	"slipway/internal/core/caller"
	"slipway/internal/core/fault"
	"slipway/internal/identity/approval"
	"slipway/internal/identity/twofactor"
	"slipway/internal/identity/user"
	"slipway/internal/platform/db"
	"slipway/internal/platform/mail"
	"slipway/internal/platform/trail"
	"slipway/internal/platform/words"
)

// askRecovery asks a second operator to remove a second factor that is lost, or that belongs to somebody else. The
// operator who asks has checked the person's identity by other means and states how. Nothing changes before the second
// operator approves. A second request replaces the first.
func (s *Service) askRecovery(
	ctx context.Context, userID, reason string, done func(tx *db.Tx, a approval.Approval) error,
) error {
	reason, err := approval.Reason("/reason", reason)
	if err != nil {
		return err
	}

	return s.db.Write(ctx, func(tx *db.Tx) error {
		u, err := user.ByID(ctx, tx, userID)
		if errors.Is(err, db.ErrNone) {
			return fault.Missing("user")
		}

		if err != nil {
			return err
		}

		if err := caller.Unchanged(ctx, u.Version); err != nil {
			return err
		}

		on, err := twofactor.Enabled(ctx, tx, u.ID)
		if err != nil {
			return err
		}

		if !on {
			return fault.New(fault.Conflict, fault.TwoFactorOff,
				"The account has no second factor: a link for a new password is enough.")
		}

		a, err := s.config.Approvals.Ask(ctx, tx, approval.Request{
			Kind:   approval.Recovery,
			Object: u.ID,
			Summary: words.Phrase(
				"%[1]s (%[2]s) signs in without a second factor. Identity checked: %[3]s",
				u.FirstName+" "+u.LastName,
				u.Email,
				reason,
			),
			Authors: approval.People(u.ID),
		})
		if err != nil {
			return err
		}

		return done(tx, a)
	})
}

// recoveryDecided removes the second factor of an account, passkeys included, ends all its sessions, and mails a link
// for a new password to its address. A rejected recovery changes nothing.
func (s *Service) recoveryDecided(ctx context.Context, tx *db.Tx, a approval.Approval) error {
	if a.Status != approval.Approved {
		return nil
	}

	u, err := user.ByID(ctx, tx, a.Object)
	if err != nil {
		return err
	}

	if err := s.factors.Remove(ctx, tx, u.ID); err != nil {
		return err
	}

	if err := s.passkeys.DeleteAll(ctx, tx, u.ID); err != nil {
		return err
	}

	if err := revokeAll(tx, u.ID, "recovered by the platform"); err != nil {
		return err
	}

	if err := voidLinks(tx, u.ID, linkReset); err != nil {
		return err
	}

	token, err := newLink(tx, linkReset, u.ID, "", ResetLifetime)
	if err != nil {
		return err
	}

	s.mail.Queue(tx, mail.Message{
		Kind: mail.Reset,
		To:   u.Email,
		Data: map[string]string{"name": u.FirstName, "link": s.page("reset", token)},
	})
	tx.OnCommit(func() { s.cache.DropUser(u.ID) })
	trail.Audit(ctx, tx, "", "user.recovered", u.ID, a.ID)

	return s.alarm(ctx, tx, u.ID, mail.TwoFactorChanged,
		map[string]string{"what": words.Phrase("two-factor sign-in was switched off by the platform's people")})
}
