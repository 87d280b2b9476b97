package auth

import (
	"context"
	"errors"

	"slipway/internal/core/fault"
	"slipway/internal/identity/user"
	"slipway/internal/platform/db"
)

// Prepare creates the account of one of the platform's people, who must set up a second factor, and returns the address
// of the page that completes it. It is for whoever runs the deployment and hands the address over in person, before
// there is anybody who could invite. A second call returns a new address, and the earlier one stops working; once the
// account is complete, the call is refused with ACCOUNT_SET_UP and changes nothing.
func (s *Service) Prepare(ctx context.Context, p user.Person, staff string) (page string, err error) {
	var l fault.List
	p.Check(&l)

	if err := l.Err(); err != nil {
		return "", err
	}

	err = s.db.Write(ctx, func(tx *db.Tx) error {
		u, err := user.ByEmail(ctx, tx, p.Email)
		if errors.Is(err, db.ErrNone) {
			u = user.Prepare(ctx, tx, p)
			err = nil
		}

		if err != nil {
			return err
		}

		if u.IsAccountSetup {
			return fault.New(fault.Conflict, fault.AccountSetUp, "The account has been set up already.")
		}

		if err := s.grant(ctx, tx, p.Email, staff); err != nil {
			return err
		}

		if _, err := user.RequireTwoFactor(ctx, tx, p.Email, true); err != nil {
			return err
		}

		token, err := newLink(tx, linkComplete, u.ID, "", CompleteLifetime)
		page = s.page("complete", token)

		return err
	})

	return page, err
}
