package organisation

import (
	"context"
	"errors"
	"time"

	"slipway/internal/core/fault"
	"slipway/internal/core/id"
	"slipway/internal/identity/approval"
	"slipway/internal/identity/user"
	"slipway/internal/platform/db"
	"slipway/internal/platform/secret"
	"slipway/internal/platform/trail"
)

// resend invites the same person once more: the new invitation has the roles of the open one, a new token and a whole
// lifetime, and the earlier token stops working. It counts like any invitation. One that waits for a second admin is
// refused: nobody has agreed to it yet. What a second admin has approved needs no second approval.
func (s *Service) resend(
	ctx context.Context, userID, orgID, invitationID string, done func(tx *db.Tx, in Invitation) error,
) error {
	return s.db.Write(ctx, func(tx *db.Tx) error {
		o, before, err := openForAdmin(ctx, tx, orgID, userID, invitationID)
		if err != nil {
			return err
		}

		policy, err := PolicyOf(ctx, tx, o.ID)
		if err != nil {
			return err
		}

		if policy.Asks() && before.ApprovedBy == "" {
			return fault.New(fault.Conflict, fault.InvitationWaits,
				"The invitation waits for another admin; it is sent when it is approved.")
		}

		in := before
		in.ID = id.New(invitationPrefix, tx.Now)
		in.Token = secret.Token(tokenPrefix)
		in.CreatedBy = userID
		in.CreatedAt = tx.Now
		in.ExpiresAt = tx.Now.Add(InvitationLifetime)

		if err := s.mayInvite(ctx, tx, in); err != nil {
			return err
		}

		if err := s.writeInvitation(ctx, tx, in); err != nil {
			return err
		}

		if err := s.mailInvitation(ctx, tx, o, in); err != nil {
			return err
		}

		return done(tx, in)
	})
}

// revoke ends an open invitation: its token stops working, and what a second admin was asked is withdrawn. A second
// call is refused as for one that there is not.
func (s *Service) revoke(
	ctx context.Context, userID, orgID, invitationID string, done func(tx *db.Tx, in Invitation) error,
) error {
	return s.db.Write(ctx, func(tx *db.Tx) error {
		o, in, err := openForAdmin(ctx, tx, orgID, userID, invitationID)
		if err != nil {
			return err
		}

		if err := s.config.Approvals.Withdraw(ctx, tx, o.ID, approval.Invitation, in.ID); err != nil {
			return err
		}

		in.ExpiresAt = tx.Now
		endInvitation(tx, in)
		trail.Audit(ctx, tx, o.ID, "member.invitation_revoked", in.ID, in.EmailKey)

		return done(tx, in)
	})
}

// openForAdmin returns an invitation that can still be used, for an admin of its organisation.
func openForAdmin(
	ctx context.Context, tx *db.Tx, orgID, userID, invitationID string,
) (Organisation, Invitation, error) {
	o, _, err := ForAdmin(ctx, tx, orgID, userID)
	if err != nil {
		return o, Invitation{}, err
	}

	in, err := invitationByID(ctx, tx, o.ID, invitationID)
	if err == nil && !in.openAt(tx.Now) {
		err = fault.Missing("invitation")
	}

	return o, in, err
}

// Invited is what somebody is shown who follows the link of an invitation: who asks, and into what.
type Invited struct {
	Organisation, Inviter, Email string
	Roles                        []string
	Verified                     bool // the organisation is APPROVED; before, its name is nobody's but its own word
	ExpiresAt                    time.Time
}

// InvitedBy returns what the invitation of a token says. It does not use the invitation up. Unknown, used, ended and
// unapproved ones are refused alike, and so are those of an organisation that is switched off.
func InvitedBy(ctx context.Context, q db.Querier, token string, now time.Time) (Invited, error) {
	refused := fault.New(fault.Gone, fault.LinkInvalid, "The invitation is unknown, used, replaced by a newer one, or "+
		"expired.")

	if !secret.TokenForm(tokenPrefix, token) {
		return Invited{}, refused
	}

	in, err := invitationByHash(ctx, q, hashOf(token))
	if errors.Is(err, db.ErrNone) {
		return Invited{}, refused
	}

	if err != nil {
		return Invited{}, err
	}

	// The token is the credential; the address is that of the invitation itself.
	if _, err := CheckInvitation(ctx, q, token, in.EmailKey, now); err != nil {
		if _, known := fault.As(err); known {
			err = refused
		}

		return Invited{}, err
	}

	o, err := ByID(ctx, q, in.Organisation)
	if err != nil {
		return Invited{}, err
	}

	if !o.IsActive {
		return Invited{}, refused
	}

	people, err := user.BriefsOf(ctx, q, []string{in.CreatedBy})

	return Invited{
		Organisation: o.Name,
		Inviter:      people[in.CreatedBy].Name(),
		Email:        in.Address,
		Roles:        in.Roles,
		Verified:     o.Onboarding == Approved,
		ExpiresAt:    in.ExpiresAt,
	}, err
}
