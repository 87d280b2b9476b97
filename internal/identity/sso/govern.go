package sso

import (
	"context"
	"errors"
	"slices"

	"slipway/internal/identity/auth"
	"slipway/internal/identity/user"
	"slipway/internal/platform/db"
)

// governs returns whose provider must sign a person in: that of the organisation to which the domain of his address is
// proven, if it is required and the person is not one whom a password signs in all the same. It is auth.Governs.
func (s *Service) governs(ctx context.Context, q db.Querier, u user.User) (string, error) {
	if s.Platform.governs(u) {
		return auth.Platform, nil
	}

	owner, err := ownerOf(ctx, q, domainOf(u.Email))
	if err != nil || owner == "" {
		return "", err
	}

	p, err := liveOf(ctx, q, owner)
	if errors.Is(err, db.ErrNone) {
		return "", nil
	}

	if err != nil || !p.Enabled || !p.Required || slices.Contains(p.Emergency, u.ID) {
		return "", err
	}

	return owner, nil
}
