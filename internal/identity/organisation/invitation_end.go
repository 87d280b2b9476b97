package organisation

import (
	"context"
	"time"

	"slipway/internal/core/fault"
	"slipway/internal/identity/user"
	"slipway/internal/platform/db"
	"slipway/internal/platform/mail"
	"slipway/internal/platform/trail"
)

// An invitation has at most one event of each kind, in this order: its sequence tells which one.
const (
	invitationUndelivered int64 = iota + 1
	invitationExpired
)

// invitationNotice is the content of an invitation's events.
type invitationNotice struct {
	ID          string       `json:"_id"`
	Email       string       `json:"email"`
	Roles       []string     `json:"roles"`
	MailProblem mail.Problem `json:"mailProblem,omitempty"`
	ExpiresAt   time.Time    `json:"expiresAt"`
}

// tellInvitation writes an event about an invitation, and the line of the audit log.
func tellInvitation(ctx context.Context, tx *db.Tx, in Invitation, kind string, sequence int64, p mail.Problem) error {
	trail.Audit(ctx, tx, in.Organisation, kind, in.ID, in.EmailKey)

	return trail.Event(tx, kind, in.Organisation, in.ID, sequence, invitationNotice{
		ID:          in.ID,
		Email:       in.EmailKey,
		Roles:       in.Roles,
		MailProblem: p,
		ExpiresAt:   user.Shown(in.ExpiresAt),
	})
}

// InvitationUndelivered notes that the mail of an invitation was not delivered, and mails whoever invited. The outbox
// calls it in the transaction that ends the mail. An invitation that was used or has ended is left alone.
func (s *Service) InvitationUndelivered(ctx context.Context, tx *db.Tx, f mail.Failure) error {
	in, err := invitationOf(ctx, tx, f.Record)
	if fault.Is(err, fault.NotFoundCode) || err == nil && !in.openAt(tx.Now) {
		return nil
	}

	if err != nil {
		return err
	}

	if err := tellInvitation(ctx, tx, in, "invitation.undelivered", invitationUndelivered, f.Problem); err != nil {
		return err
	}

	o, err := ByID(ctx, tx, in.Organisation)
	if err != nil {
		return err
	}

	inviter, err := user.ByID(ctx, tx, in.CreatedBy)
	if err != nil || !inviter.IsActive {
		return err
	}

	s.config.Mail.Queue(tx, mail.Message{
		Kind: mail.InvitationUndelivered,
		To:   inviter.Email,
		User: inviter.ID,
		Data: map[string]string{
			"name":         inviter.FirstName,
			"organisation": o.Name,
			"email":        in.Address,
			"why":          f.Problem.Words(),
		},
	})

	return nil
}

// openAt reports whether the invitation can still be used at a time.
func (in Invitation) openAt(now time.Time) bool {
	return in.UsedAt.IsZero() && now.Before(in.ExpiresAt)
}

// EndInvitations writes the event of each invitation that has ended unused, at most most of them, and returns how many.
// A job calls it. An invitation that a newer one has replaced ends as well.
func (s *Service) EndInvitations(ctx context.Context, most int) (n int, err error) {
	err = s.db.Write(ctx, func(tx *db.Tx) error {
		ended, err := untoldInvitations(ctx, tx, most)
		if err != nil {
			return err
		}

		for _, in := range ended {
			markInvitationTold(tx, in)

			if err := tellInvitation(ctx, tx, in, "invitation.expired", invitationExpired, ""); err != nil {
				return err
			}
		}

		n = len(ended)

		return nil
	})

	return n, err
}
