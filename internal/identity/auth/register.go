package auth

import (
	"context"
	"errors"

	"slipway/internal/core/caller"
	"slipway/internal/core/fault"
	"slipway/internal/identity/organisation"
	"slipway/internal/identity/user"
	"slipway/internal/platform/db"
	"slipway/internal/platform/mail"
)

// registration is what a new user sends.
type registration struct {
	user.Person
	password         string
	invitation       string
	withOrganisation bool
}

// check normalises the password and returns everything that is wrong. Whether the address has an account plays no part.
func (r *registration) check(b blockList) error {
	var l fault.List
	r.Person.Check(&l)

	r.password = normal(r.password)
	b.check(&l, "/password", r.password, r.Person, minAlone)

	return l.Err()
}

// register creates an account and, if the request asks for it, an organisation or a membership. If the address already
// has an account, its owner gets a mail and nothing else changes.
//
// The caller cannot find out which of the two happened. The answer is the same, the password is hashed before
// the address is looked up, and both ways end in one transaction that may queue a mail.
func (s *Service) register(ctx context.Context, r registration) error {
	if err := s.limits.fromSource(ctx, s.limits.source, s.db.Now()); err != nil {
		return err
	}

	if err := r.check(s.common); err != nil {
		return err
	}

	// A bad invitation is refused before the address is looked up, so that the refusal says nothing about the address.
	if r.invitation != "" {
		if _, err := organisation.CheckInvitation(ctx, s.db, r.invitation, r.Email, s.db.Now()); err != nil {
			return err
		}
	}

	if now := s.db.Now(); !s.limits.newcomers.Enter(caller.RequestOf(ctx).Source, now) {
		if err := pay(ctx, s.limits.newcomers, now); err != nil {
			return err
		}
	}

	hash, err := s.hasher.register(ctx, r.password)
	if err != nil {
		return err
	}

	mayMail := s.limits.mayMail(r.Email, s.db.Now())

	err = s.db.Write(ctx, func(tx *db.Tx) error { return s.createAccount(ctx, tx, r, hash, mayMail) })
	if db.IsUnique(err, "users") { // another request has just registered the address
		return nil
	}

	return err
}

// createAccount writes the account of a registration, unless the address has one already.
func (s *Service) createAccount(ctx context.Context, tx *db.Tx, r registration, hash string, mayMail bool) error {
	existing, err := user.ByEmail(ctx, tx, r.Email)
	if err == nil {
		if mayMail && existing.IsActive {
			s.mail.Queue(tx, mail.Message{
				Kind: mail.AccountExists,
				To:   existing.Email,
				Data: map[string]string{"name": existing.FirstName, "link": s.page("forgot", "")},
			})
		}

		return nil
	}

	if !errors.Is(err, db.ErrNone) {
		return err
	}

	u := user.Create(ctx, tx, r.Person)
	writePassword(tx, u.ID, password{hash: hash}, 0)

	if err := user.NoteLanguage(ctx, tx, u.ID); err != nil {
		return err
	}

	if mayMail && r.invitation == "" { // an invitation has had its own mail
		s.sendConfirm(tx, u)
	}

	switch {
	case r.invitation != "":
		_, _, err := s.orgs.Join(ctx, tx, r.invitation, u)
		return err
	case r.withOrganisation:
		_, _, err := s.orgs.Create(ctx, tx, u, organisation.Details{Type: organisation.TypeOrganisation})
		return err
	}

	return nil
}
