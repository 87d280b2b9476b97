package auth

import (
	"context"
	"errors"

	"slipway/internal/core/caller"
	"slipway/internal/core/fault"
	"slipway/internal/identity/organisation"
	"slipway/internal/identity/user"
	"slipway/internal/platform/db"
)

// changeStatus switches an account on or off. A nil active means the other state than now.
//
// Switching off ends every session and keeps the user's API clients out. Refused are one's own account, that of the
// last active admin of an organisation, and an operator's account unless another operator asks.
func (s *Service) changeStatus(
	ctx context.Context, p caller.Principal, userID string, active *bool, done func(tx *db.Tx, u user.User) error,
) error {
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

		if u.Staff == user.Operator && p.Staff != user.Operator {
			return fault.New(fault.Forbidden, fault.RoleRequired,
				"Only an operator may switch an operator's account on or off.")
		}

		next := !u.IsActive
		if active != nil {
			next = *active
		}

		if next == u.IsActive {
			return done(tx, u)
		}

		if u.ID == p.User {
			return fault.New(fault.Conflict, fault.ChangeStatusSelf, "You cannot switch off your own account.")
		}

		if !next {
			if err := s.endAccess(ctx, tx, u); err != nil {
				return err
			}
		}

		tx.OnCommit(func() { s.cache.DropUser(u.ID) })

		return done(tx, user.SetActive(ctx, tx, u, next))
	})
}

// endAccess ends all sessions of a user. It refuses to if an organisation would be left without an active admin.
func (s *Service) endAccess(ctx context.Context, tx *db.Tx, u user.User) error {
	sole, err := organisation.SoleAdmin(ctx, tx, u.ID)
	if err != nil {
		return err
	}

	if sole != "" {
		return fault.New(fault.Conflict, fault.LastAdmin,
			"The organisation %s would be left without an active admin.", sole)
	}

	return revokeAll(tx, u.ID, "account switched off")
}
