package organisation

import (
	"context"

	"slipway/internal/core/caller"
	"slipway/internal/platform/db"
)

// simulateOnboarding moves an organisation to a status as the verification provider would.
func (s *Service) simulateOnboarding(
	ctx context.Context, userID, orgID string, to Status, done func(tx *db.Tx, o Organisation) error,
) error {
	return s.db.Write(ctx, func(tx *db.Tx) error {
		o, _, err := ForMember(ctx, tx, orgID, userID)
		if err != nil {
			return err
		}

		if err := caller.Unchanged(ctx, o.Version); err != nil {
			return err
		}

		for _, next := range path(o.Onboarding, to) {
			if o, err = Advance(ctx, tx, o, next, "sandbox"); err != nil {
				return err
			}
		}

		return done(tx, o)
	})
}

// simulateMember changes a member as an admin would, for any member of the organisation and without a second admin.
func (s *Service) simulateMember(
	ctx context.Context, userID, orgID, memberID string, c MemberChanges, done func(tx *db.Tx, m Member) error,
) error {
	return s.db.Write(ctx, func(tx *db.Tx) error {
		if _, _, err := ForMember(ctx, tx, orgID, userID); err != nil {
			return err
		}

		m, err := memberByID(ctx, tx, orgID, memberID)
		if err != nil {
			return err
		}

		if err := caller.Unchanged(ctx, m.Version); err != nil {
			return err
		}

		if m, err = s.writeChanges(ctx, tx, m, c, false); err != nil {
			return err
		}

		return done(tx, m)
	})
}
