package organisation

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"time"

	"slipway/internal/core/fault"
	"slipway/internal/core/id"
	"slipway/internal/identity/user"
	"slipway/internal/platform/db"
	"slipway/internal/platform/mail"
	"slipway/internal/platform/secret"
	"slipway/internal/platform/trail"
)

// tokenPrefix marks invitation tokens.
const tokenPrefix = "it_"

// Invitation lets the person behind one e-mail address become a member. Token is there only where the invitation was just made.
type Invitation struct {
	ID, Organisation, EmailKey, Token string
	Roles                             []string
	CreatedBy, UsedBy                 string
	UsedAt, ExpiresAt, CreatedAt      time.Time
}

func hashOf(token string) string {
	sum := sha256.Sum256([]byte(token))
	return hex.EncodeToString(sum[:])
}

// invite makes an invitation. Earlier open ones for the same address end: only the newest token works.
func (s *Service) invite(ctx context.Context, userID, orgID, email string, roles []string, done func(tx *db.Tx, in Invitation) error) error {
	token := secret.Token(tokenPrefix)
	return s.db.Write(ctx, func(tx *db.Tx) error {
		o, _, err := ForAdmin(ctx, tx, orgID, userID)
		if err != nil {
			return err
		}
		var l fault.List
		address := user.CheckEmail(&l, "/email", email)
		in := Invitation{ID: id.New(invitationPrefix, tx.Now), Organisation: o.ID, EmailKey: user.Key(address), Token: token,
			Roles: checkRoles(&l, "/roles", roles), CreatedBy: userID, ExpiresAt: tx.Now.Add(InvitationLifetime), CreatedAt: tx.Now}
		if err := invitable(ctx, tx, o.ID, in.Roles, &l); err != nil {
			return err
		}
		if err := l.Err(); err != nil {
			return err
		}
		if err := s.mayInvite(ctx, tx, in); err != nil {
			return err
		}
		if err := endInvitations(tx, in); err != nil {
			return err
		}
		insertInvitation(tx, in)
		trail.Audit(ctx, tx, o.ID, "member.invited", in.ID, in.EmailKey)
		if err := s.mailInvitation(ctx, tx, o, in, address); err != nil {
			return err
		}
		return done(tx, in)
	})
}

// mailInvitation tells the person who invites him, and to what.
func (s *Service) mailInvitation(ctx context.Context, tx *db.Tx, o Organisation, in Invitation, address string) error {
	if s.config.Mail == nil {
		return nil
	}
	inviter, err := user.ByID(ctx, tx, in.CreatedBy)
	if err != nil {
		return err
	}
	s.config.Mail.Queue(tx, mail.Message{Kind: mail.Invitation, To: address, Data: map[string]string{"organisation": o.Name,
		"inviter": inviter.FirstName + " " + inviter.LastName, "when": mail.When(in.ExpiresAt), "link": s.config.BaseURL + "/account/join#" + in.Token}})
	return nil
}

// mayInvite refuses an invitation for someone who is a member, and one too many.
func (s *Service) mayInvite(ctx context.Context, tx *db.Tx, in Invitation) error {
	open, err := openInvitations(ctx, tx, in.Organisation, tx.Now)
	if err != nil {
		return err
	}
	if open >= maxInvitations {
		return fault.New(fault.Conflict, fault.MemberLimit, "At most %d invitations may be open at once.", maxInvitations)
	}
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

// CheckInvitation finds the invitation behind a token that this address may use now. Unknown, used, expired and another person's
// tokens are refused alike.
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
	if err == nil && (!in.UsedAt.IsZero() || !now.Before(in.ExpiresAt) || in.EmailKey != user.Key(email)) {
		return in, l.Err()
	}
	return in, err
}

// Join makes a user a member by an invitation, which is used up. He is never authorized by it, whatever he was before.
func (s *Service) Join(ctx context.Context, tx *db.Tx, token string, u user.User) (Organisation, Member, error) {
	in, err := CheckInvitation(ctx, tx, token, u.Email, tx.Now)
	if err != nil {
		return Organisation{}, Member{}, err
	}
	o, err := ByID(ctx, tx, in.Organisation)
	if err != nil {
		return o, Member{}, err
	}
	if !o.IsActive {
		return o, Member{}, fault.New(fault.Forbidden, fault.AccountInactive, "The organisation has been switched off.")
	}
	members, err := countMembers(ctx, tx, o.ID)
	if err != nil {
		return o, Member{}, err
	}
	mine, err := countMemberships(ctx, tx, u.ID)
	if err != nil {
		return o, Member{}, err
	}
	if members >= maxMembers || mine >= maxOrganisations {
		return o, Member{}, fault.New(fault.Conflict, fault.MemberLimit, "An organisation may have at most %d members, and a user be in %d.", maxMembers, maxOrganisations)
	}
	roles, err := joining(ctx, tx, in)
	if err != nil {
		return o, Member{}, err
	}
	m, err := MemberOf(ctx, tx, o.ID, u.ID)
	switch {
	case fault.Is(err, fault.NotFoundCode):
		if m, err = s.enrol(ctx, tx, newMember(tx, o.ID, u.ID, Viewer, roles)); err != nil {
			return o, m, err
		}
	case err != nil:
		return o, m, err
	case m.IsActive:
		return o, m, fault.New(fault.Conflict, fault.MemberExists, "You are a member of the organisation already.")
	default:
		old := m.Version
		m.UserType, m.Roles, m.IsActive, m.Version, m.UpdatedAt = Viewer, roles, true, old+1, tx.Now
		writeMember(tx, m, old)
	}
	useInvitation(tx, in, u.ID)
	trail.Audit(ctx, tx, o.ID, "member.joined", m.ID, "by invitation "+in.ID)
	tx.OnCommit(func() { s.config.Changed(u.ID, o.ID) })
	return o, m, nil
}

// join is Join as a use case of its own.
func (s *Service) join(ctx context.Context, userID, token string, done func(tx *db.Tx, o Organisation) error) error {
	return s.db.Write(ctx, func(tx *db.Tx) error {
		u, err := user.ByID(ctx, tx, userID)
		if errors.Is(err, db.ErrNone) {
			return fault.Missing("user")
		}
		if err != nil {
			return err
		}
		o, _, err := s.Join(ctx, tx, token, u)
		if err != nil {
			return err
		}
		return done(tx, o)
	})
}

// changeMember makes an admin's changes to a member. One active admin always remains. Under a policy, what gives a member power waits for a
// second admin; the member then names the approval.
func (s *Service) changeMember(ctx context.Context, userID, orgID, memberID string, c MemberChanges, done func(tx *db.Tx, m Member) error) error {
	return s.db.Write(ctx, func(tx *db.Tx) error {
		o, _, err := ForAdmin(ctx, tx, orgID, userID)
		if err != nil {
			return err
		}
		m, err := memberByID(ctx, tx, o.ID, memberID)
		if err != nil {
			return err
		}
		pending, asked, err := s.proposeMember(ctx, tx, m, c, m.User == userID)
		if err != nil {
			return err
		}
		if asked {
			m.PendingApproval = pending
			return done(tx, m)
		}
		if m, err = s.applyTo(ctx, tx, m, c, m.User == userID); err != nil {
			return err
		}
		return done(tx, m)
	})
}

// applyTo checks and writes changes to one member.
func (s *Service) applyTo(ctx context.Context, tx *db.Tx, m Member, c MemberChanges, self bool) (Member, error) {
	was := m
	m, err := c.apply(m, self)
	if err != nil {
		return m, err
	}
	if was.Is(Admin) && !m.Is(Admin) {
		all, err := membersOf(ctx, tx, m.Organisation, "", maxMembers, 0)
		if err != nil {
			return m, err
		}
		left := countAdmins(all, m.ID)
		if left == 0 {
			return m, fault.New(fault.Conflict, fault.LastAdmin, "The organisation would be left without an active admin.")
		}
		p, err := PolicyOf(ctx, tx, m.Organisation)
		if err != nil {
			return m, err
		}
		if p.Asks() && left < adminsOfPolicy {
			return m, fault.New(fault.Conflict, fault.LastAdmin, "Under its policy the organisation keeps at least %d active admins.", adminsOfPolicy)
		}
	}
	m.Version, m.UpdatedAt = was.Version+1, tx.Now
	writeMember(tx, m, was.Version)
	trail.Audit(ctx, tx, m.Organisation, "member.changed", m.ID, m.UserType)
	tx.OnCommit(func() { s.config.Changed(m.User, m.Organisation) })
	return m, nil
}
