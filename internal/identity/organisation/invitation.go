package organisation

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"strings"
	"time"

	"slipway/internal/core/caller"
	"slipway/internal/core/fault"
	"slipway/internal/core/id"
	"slipway/internal/identity/approval"
	"slipway/internal/identity/user"
	"slipway/internal/platform/db"
	"slipway/internal/platform/mail"
	"slipway/internal/platform/secret"
	"slipway/internal/platform/trail"
	"slipway/internal/platform/words"
)

// tokenPrefix marks invitation tokens.
const tokenPrefix = "it_"

// Limits of invitations in a day, so that nobody can send a mail bomb: an invitation mails a member's own words to an
// address that never asked for it.
const (
	invitationsADay      = 50 // of one organisation
	invitationsToAddress = 3  // to one address, from all organisations
)

// Invitation lets the person behind one e-mail address become a member. Token is set only where it was just created.
type Invitation struct {
	ID, Organisation, EmailKey, Token string
	Address                           string // as the admin wrote it: where the mail goes
	Roles                             []string
	ApprovedBy                        string // the second admin; empty: nobody has approved it
	PendingApproval                   string // the approval that it waits for, where it was just created
	CreatedBy, UsedBy                 string
	UsedAt, ExpiresAt, CreatedAt      time.Time
}

// hashOf returns a token in the form in which it is stored.
func hashOf(token string) string {
	sum := sha256.Sum256([]byte(token))

	return hex.EncodeToString(sum[:])
}

// invite writes an invitation. Earlier open ones for the same address end: only the newest token works.
//
// Under an approval policy the invitation waits for a second admin, whatever roles it has. It then names the approval
// and has no token, and the mail goes out when it is approved. An organisation that is not APPROVED sends no mails; its
// admin hands the token over.
func (s *Service) invite(
	ctx context.Context, userID, orgID, email string, roles []string, done func(tx *db.Tx, in Invitation) error,
) error {
	return s.db.Write(ctx, func(tx *db.Tx) error {
		o, _, err := ForAdmin(ctx, tx, orgID, userID)
		if err != nil {
			return err
		}

		in, err := s.newInvitation(ctx, tx, o, userID, email, roles)
		if err != nil {
			return err
		}

		if err := s.writeInvitation(ctx, tx, in); err != nil {
			return err
		}

		policy, err := PolicyOf(ctx, tx, o.ID)
		if err != nil {
			return err
		}

		if !policy.Asks() {
			if err := s.mailInvitation(ctx, tx, o, in); err != nil {
				return err
			}

			return done(tx, in)
		}

		in.Token = ""

		asked, err := s.config.Approvals.Ask(ctx, tx, approval.Request{
			Organisation: o.ID,
			Kind:         approval.Invitation,
			Object:       in.ID,
			Summary:      words.Phrase("%[1]s becomes a member: %[2]s.", in.Address, strings.Join(in.Roles, ", ")),
		})
		in.PendingApproval = asked.ID

		if err != nil {
			return err
		}

		return done(tx, in)
	})
}

// writeInvitation writes an invitation in the place of the open ones for its address.
func (s *Service) writeInvitation(ctx context.Context, tx *db.Tx, in Invitation) error {
	if err := endInvitations(tx, in); err != nil {
		return err
	}

	insertInvitation(tx, in)
	trail.Audit(ctx, tx, in.Organisation, "member.invited", in.ID, in.EmailKey)

	return nil
}

// newInvitation returns a checked invitation, or everything that is wrong with it.
func (s *Service) newInvitation(
	ctx context.Context, tx *db.Tx, o Organisation, userID, email string, roles []string,
) (Invitation, error) {
	var l fault.List

	address := user.CheckEmail(&l, "/email", email)
	in := Invitation{
		ID:           id.New(invitationPrefix, tx.Now),
		Organisation: o.ID,
		EmailKey:     user.Key(address),
		Address:      address,
		Token:        secret.Token(tokenPrefix),
		Roles:        checkRoles(&l, "/roles", roles),
		CreatedBy:    userID,
		ExpiresAt:    tx.Now.Add(InvitationLifetime),
		CreatedAt:    tx.Now,
	}

	if err := l.Err(); err != nil {
		return in, err
	}

	return in, s.mayInvite(ctx, tx, in)
}

// invitationDecided sends an approved invitation with a new token. Its lifetime begins now.
func (s *Service) invitationDecided(ctx context.Context, tx *db.Tx, a approval.Approval) error {
	if a.Status != approval.Approved {
		return nil
	}

	in, err := invitationByID(ctx, tx, a.Organisation, a.Object)
	if err != nil {
		return err
	}

	if !in.UsedAt.IsZero() || !tx.Now.Before(in.ExpiresAt) {
		return changedSince()
	}

	o, err := ByID(ctx, tx, in.Organisation)
	if err != nil {
		return err
	}

	in.Token = secret.Token(tokenPrefix)
	in.ExpiresAt = tx.Now.Add(InvitationLifetime)
	approveInvitation(tx, in, a.DecidedBy)

	return s.mailInvitation(ctx, tx, o, in)
}

// mailInvitation mails the invitation's link to the person. An unverified organisation sends no mails: its name could
// say anything.
func (s *Service) mailInvitation(ctx context.Context, tx *db.Tx, o Organisation, in Invitation) error {
	if s.config.Mail == nil || o.Onboarding != Approved {
		return nil
	}

	inviter, err := user.ByID(ctx, tx, in.CreatedBy)
	if err != nil {
		return err
	}

	s.config.Mail.Queue(tx, mail.Message{
		Kind:     mail.Invitation,
		To:       in.Address,
		Record:   in.ID,
		Language: caller.RequestOf(ctx).Language,
		Data: map[string]string{
			"organisation": o.Name,
			"inviter":      inviter.FirstName + " " + inviter.LastName,
			"when":         words.When(in.ExpiresAt),
			"link":         s.config.BaseURL + "/account/join#" + in.Token,
		},
	})

	return nil
}

// mayInvite refuses an invitation for a member, and one that exceeds a limit: of those open at once, of those in a day,
// or of those to one address.
func (s *Service) mayInvite(ctx context.Context, tx *db.Tx, in Invitation) error {
	open, err := openInvitations(ctx, tx, in.Organisation, tx.Now)
	if err != nil {
		return err
	}

	if open >= maxInvitations {
		return fault.New(fault.Conflict, fault.MemberLimit,
			"At most %d invitations may be open at once.", maxInvitations)
	}

	yesterday := tx.Now.Add(-24 * time.Hour)

	today, err := invitationsSince(ctx, tx, in.Organisation, yesterday)
	if err != nil {
		return err
	}

	toAddress, err := invitationsTo(ctx, tx, in.EmailKey, yesterday)
	if err != nil {
		return err
	}

	if today >= invitationsADay || toAddress >= invitationsToAddress {
		return fault.New(
			fault.TooMany,
			fault.InvitationLimit,
			"In a day an organisation sends at most %d invitations, and one address gets at most %d.",
			invitationsADay,
			invitationsToAddress,
		)
	}

	return s.notYetMember(ctx, tx, in)
}

// notYetMember refuses an invitation for an active member.
func (s *Service) notYetMember(ctx context.Context, tx *db.Tx, in Invitation) error {
	u, err := user.ByEmail(ctx, tx, in.EmailKey)
	if errors.Is(err, db.ErrNone) {
		return nil
	}

	if err != nil {
		return err
	}

	m, err := MemberOf(ctx, tx, in.Organisation, u.ID)
	if err == nil && m.IsActive {
		return fault.New(fault.Conflict, fault.MemberExists, "This person is a member of the organisation already.")
	}

	if fault.Is(err, fault.NotFoundCode) {
		return nil
	}

	return err
}

// CheckInvitation returns the invitation of a token that this address may use now. Unknown, used and expired tokens and
// those of other people are refused alike. So are those without the approval that the organisation's policy asks for:
// an invitation that is older than the policy must be created again.
func CheckInvitation(ctx context.Context, q db.Querier, token, email string, now time.Time) (Invitation, error) {
	var l fault.List
	l.Add("/invitationToken", fault.InvitationInvalid, "is unknown, used, expired, or for another e-mail address.")

	if !secret.TokenForm(tokenPrefix, token) {
		return Invitation{}, l.Err()
	}

	in, err := invitationByHash(ctx, q, hashOf(token))
	if errors.Is(err, db.ErrNone) {
		return in, l.Err()
	}

	if err != nil {
		return in, err
	}

	if !in.UsedAt.IsZero() || !now.Before(in.ExpiresAt) || in.EmailKey != user.Key(email) {
		return in, l.Err()
	}

	policy, err := PolicyOf(ctx, q, in.Organisation)
	if err == nil && policy.Asks() && in.ApprovedBy == "" {
		return in, l.Err()
	}

	return in, err
}
