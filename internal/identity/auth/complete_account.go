package auth

import (
	"context"
	"time"

	"slipway/internal/core/caller"
	"slipway/internal/core/fault"
	"slipway/internal/identity/user"
	"slipway/internal/platform/db"
)

// preparedAccount is what a person is shown before completing an account.
type preparedAccount struct {
	user         user.User
	organisation string
	expires      time.Time // of the link
}

// completion is what a person sends to complete an account.
type completion struct {
	user.Person // without the address: the link has proven it
	token       string
	password    string
	phone       string
}

// preparedAccount returns the account that a link completes. It does not use the link up.
func (s *Service) preparedAccount(ctx context.Context, token string) (preparedAccount, error) {
	if err := s.limits.fromSource(ctx, s.limits.source, s.db.Now()); err != nil {
		return preparedAccount{}, err
	}

	k, u, err := openLink(ctx, s.db, token, s.db.Now(), linkComplete)
	if err != nil {
		return preparedAccount{}, err
	}

	name, err := firstOrganisation(ctx, s.db, u.ID)

	return preparedAccount{user: u, organisation: name, expires: db.Time(k.expires)}, err
}

// complete sets the password of a prepared account and the name of its person. The link is used up. If the person has a
// role of the platform, the operators get a mail: the role can be used from now on.
func (s *Service) complete(ctx context.Context, c completion, done func(tx *db.Tx, u user.User) error) error {
	if err := s.limits.fromSource(ctx, s.limits.source, s.db.Now()); err != nil {
		return err
	}

	_, u, err := openLink(ctx, s.db, c.token, s.db.Now(), linkComplete)
	if err != nil {
		return err
	}

	c.Person.Email = u.Email

	var l fault.List
	c.Person.Check(&l)

	c.phone = user.CheckPhone(&l, "/phoneNumber", c.phone)
	c.password = normal(c.password)
	s.common.check(&l, "/password", c.password, c.Person, minAlone)

	if err := l.Err(); err != nil {
		return err
	}

	hash, err := s.hasher.hash(ctx, c.password)
	if err != nil {
		return err
	}

	return usedLink(s.db.Write(ctx, func(tx *db.Tx) error {
		k, u, err := openLink(ctx, tx, c.token, tx.Now, linkComplete)
		if err != nil {
			return err
		}

		if u.IsAccountSetup {
			return fault.New(fault.Conflict, fault.AccountSetUp, "The account has been set up already.")
		}

		k.use(tx)
		writePassword(tx, u.ID, password{hash: hash}, 0)

		ctx := caller.With(ctx, caller.Principal{User: u.ID})

		u = user.Complete(ctx, tx, u, c.Person, c.phone)

		if u.Staff != user.NoStaff {
			if err := s.announceRole(ctx, tx, u); err != nil {
				return err
			}
		}

		return done(tx, u)
	}))
}
