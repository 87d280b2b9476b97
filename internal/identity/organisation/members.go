package organisation

import (
	"context"
	"errors"

	"slipway/internal/core/fault"
	"slipway/internal/identity/user"
	"slipway/internal/platform/db"
	"slipway/internal/platform/trail"
)

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
		return o, Member{}, fault.New(fault.Conflict, fault.MemberLimit,
			"An organisation may have at most %d members, and a user be in %d.", maxMembers, maxOrganisations)
	}

	m, err := MemberOf(ctx, tx, o.ID, u.ID)
	switch {
	case fault.Is(err, fault.NotFoundCode):
		if m, err = s.enrol(ctx, tx, newMember(tx, o.ID, u.ID, Viewer, in.Roles)); err != nil {
			return o, m, err
		}

	case err != nil:
		return o, m, err
	case m.IsActive:
		return o, m, fault.New(fault.Conflict, fault.MemberExists, "You are a member of the organisation already.")

	default:
		old := m.Version
		m.UserType = Viewer
		m.Roles = in.Roles
		m.IsActive = true
		m.Version = old + 1
		m.UpdatedAt = tx.Now
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

// changeMember makes an admin's changes to a member. One active admin always remains. Under a policy every change
// waits for a second admin; the member then names the approval. What changes nothing waits for nobody.
func (s *Service) changeMember(
	ctx context.Context, userID, orgID, memberID string, c MemberChanges, done func(tx *db.Tx, m Member) error,
) error {
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
			return m, fault.New(fault.Conflict, fault.LastAdmin,
				"The organisation would be left without an active admin.")
		}

		p, err := PolicyOf(ctx, tx, m.Organisation)
		if err != nil {
			return m, err
		}

		if p.Asks() && left < adminsOfPolicy {
			return m, fault.New(fault.Conflict, fault.LastAdmin,
				"Under its policy the organisation keeps at least %d active admins.", adminsOfPolicy)
		}
	}

	m.Version = was.Version + 1
	m.UpdatedAt = tx.Now
	writeMember(tx, m, was.Version)
	trail.Audit(ctx, tx, m.Organisation, "member.changed", m.ID, m.UserType)
	tx.OnCommit(func() { s.config.Changed(m.User, m.Organisation) })

	return m, nil
}
