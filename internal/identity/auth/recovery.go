package auth

import (
	"context"
	"errors"
	"strings"

	"slipway/internal/core/caller"
	"slipway/internal/core/fault"
	"slipway/internal/identity/user"
	"slipway/internal/platform/db"
	"slipway/internal/platform/jobs"
	"slipway/internal/platform/mail"
	"slipway/internal/platform/secret"
	"slipway/internal/platform/trail"
)

// jobForgot sends the mail to set a new password, if the address has an account. Its payload is the address.
const jobForgot = "forgot-password"

// forgot asks for a link to set a new password. A job looks up whether the address has an account, so that the request
// does the same work for every address. A second call before the job has run does nothing.
func (s *Service) forgot(ctx context.Context, email string) error {
	if err := s.limits.fromSource(ctx, s.limits.source, s.db.Now()); err != nil {
		return err
	}

	var l fault.List

	email = user.CheckEmail(&l, "/email", email)
	if err := l.Err(); err != nil {
		return err
	}

	if !s.limits.mayMail(email, s.db.Now()) {
		return nil
	}

	return s.db.Write(ctx, func(tx *db.Tx) error {
		s.config.Jobs.Enqueue(tx, jobForgot, "forgot/"+digest(user.Key(email)), email)
		return nil
	})
}

// sendReset runs jobForgot. For an account that was never completed it sends the link that completes it.
func (s *Service) sendReset(ctx context.Context, j jobs.Job) (jobs.Result, error) {
	return jobs.Done(), s.db.Write(ctx, func(tx *db.Tx) error {
		u, err := user.ByEmail(ctx, tx, j.Payload)
		if errors.Is(err, db.ErrNone) || err == nil && !u.IsActive {
			return nil
		}

		if err != nil {
			return err
		}

		if !u.IsAccountSetup {
			return s.sendComplete(ctx, tx, u)
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
		trail.Audit(ctx, tx, "", "password.reset_asked", u.ID, "")

		return nil
	})
}

// reset sets a new password by a link and ends every session of the person. It does not sign in: the next sign-in asks
// for the second factor.
func (s *Service) reset(ctx context.Context, token, fresh string) error {
	if err := s.limits.fromSource(ctx, s.limits.source, s.db.Now()); err != nil {
		return err
	}

	_, u, err := openLink(ctx, s.db, token, s.db.Now(), linkReset)
	if err != nil {
		return err
	}

	s.limits.trust(ctx, u.Email)

	hash, err := s.newPassword(ctx, "/newPassword", fresh, personOf(u))
	if err != nil {
		return err
	}

	return usedLink(s.db.Write(ctx, func(tx *db.Tx) error {
		k, u, err := openLink(ctx, tx, token, tx.Now, linkReset)
		if err != nil {
			return err
		}

		k.use(tx)

		old, err := passwordOf(ctx, tx, u.ID)
		if err != nil {
			return err
		}

		as := caller.With(ctx, caller.Principal{User: u.ID})
		u = user.Confirm(as, tx, u) // the link was mailed to the address

		return s.setPassword(as, tx, u, password{hash: hash}, old.version, "")
	}))
}

// newPassword checks and hashes a password that must do without a second factor.
func (s *Service) newPassword(ctx context.Context, pointer, fresh string, p user.Person) (string, error) {
	var l fault.List
	fresh = normal(fresh)
	s.common.check(&l, pointer, fresh, p, minAlone)

	if err := l.Err(); err != nil {
		return "", err
	}

	return s.hasher.hash(ctx, fresh)
}

// sendConfirm queues the mail that confirms an address.
func (s *Service) sendConfirm(tx *db.Tx, u user.User) {
	token := secret.Token(linkPrefix)
	writeLink(tx, token, linkConfirm, u.ID, "", ConfirmLifetime)
	s.mail.Queue(tx, mail.Message{
		Kind: mail.Confirm,
		To:   u.Email,
		Data: map[string]string{"name": u.FirstName, "link": s.page("confirm", token)},
	})
}

// remindToConfirm refuses a sign-in because the address is unconfirmed, and sends the link again unless it did so
// a moment ago.
func (s *Service) remindToConfirm(ctx context.Context, u user.User) error {
	if s.limits.mayMail(u.Email, s.db.Now()) {
		err := s.db.Write(ctx, func(tx *db.Tx) error {
			if err := voidLinks(tx, u.ID, linkConfirm); err != nil {
				return err
			}

			s.sendConfirm(tx, u)

			return nil
		})
		if err != nil {
			return err
		}
	}

	return fault.New(fault.Forbidden, fault.EmailUnconfirmed,
		"Confirm your e-mail address first, by the link in the mail that was sent to it.")
}

// confirm follows a link that confirms the address of an account, or one side of its change.
func (s *Service) confirm(ctx context.Context, token string, done func(tx *db.Tx, u user.User) error) error {
	if err := s.limits.fromSource(ctx, s.limits.source, s.db.Now()); err != nil {
		return err
	}

	err := s.db.Write(ctx, func(tx *db.Tx) error {
		k, u, err := openLink(ctx, tx, token, tx.Now, linkConfirm, linkOldEmail, linkNewEmail)
		if err != nil {
			return err
		}

		k.use(tx)

		ctx := caller.With(ctx, caller.Principal{User: u.ID})
		if k.purpose == linkConfirm {
			u = user.Confirm(ctx, tx, u)
		} else if u, err = s.confirmChange(ctx, tx, k, u); err != nil {
			return err
		}

		return done(tx, u)
	})
	if db.IsUnique(err, "users") {
		return emailTaken()
	}

	return usedLink(err)
}

// confirmChange changes the address once both sides have confirmed it.
func (s *Service) confirmChange(ctx context.Context, tx *db.Tx, k link, u user.User) (user.User, error) {
	other := linkOldEmail
	if k.purpose == linkOldEmail {
		other = linkNewEmail
	}

	confirmed, err := linkUsed(ctx, tx, u.ID, other, k.data)
	if err != nil || !confirmed {
		return u, err
	}

	_, email, _ := strings.Cut(k.data, " ")
	if _, err := user.ByEmail(ctx, tx, email); err == nil {
		return u, emailTaken()
	} else if !errors.Is(err, db.ErrNone) {
		return u, err
	}

	if err := voidLinks(tx, u.ID, linkReset); err != nil { // sent to the old address
		return u, err
	}

	return user.SetEmail(ctx, tx, u, email), nil
}

func emailTaken() error {
	return fault.New(fault.Conflict, fault.EmailTaken, "The e-mail address belongs to another account.")
}

// changeEmail sends links to both addresses; the change takes effect when both were followed. It asks for the password,
// however the session was begun. If the new address has an account, the answer does not show it: its owner would not
// follow the link.
func (s *Service) changeEmail(ctx context.Context, p caller.Principal, email, pass string) error {
	u, err := user.ByID(ctx, s.db, p.User)
	if err != nil {
		return err
	}

	var l fault.List
	if email = user.CheckEmail(&l, "/newEmail", email); l.Empty() && user.Key(email) == user.Key(u.Email) {
		l.Add("/newEmail", fault.NotAllowed, "is the present address.")
	}

	if err := l.Err(); err != nil {
		return err
	}

	if err := s.checkOwnPassword(ctx, p.User, pass); err != nil {
		return err
	}

	mayMail := s.limits.mayMail(email, s.db.Now())

	return s.db.Write(ctx, func(tx *db.Tx) error {
		// The random part names this change, so that one half of it and one of another do not add up.
		change := secret.Token("")[:12] + " " + email
		for purpose, to := range map[string]string{linkOldEmail: u.Email, linkNewEmail: email} {
			token, err := newLink(tx, purpose, u.ID, change, ConfirmLifetime)
			if err != nil {
				return err
			}

			if mayMail {
				s.mail.Queue(tx, mail.Message{
					Kind: mail.EmailChange,
					To:   to,
					Data: map[string]string{
						"name": u.FirstName,
						"old":  u.Email,
						"new":  email,
						"link": s.page("confirm", token),
					},
				})
			}
		}

		trail.Audit(ctx, tx, "", "user.email_change_asked", u.ID, "")

		return nil
	})
}
