package organisation

import (
	"context"
	"errors"
	"reflect"

	"slipway/internal/core/caller"
	"slipway/internal/core/fault"
	"slipway/internal/identity/user"
	"slipway/internal/platform/db"
	"slipway/internal/platform/trail"
)

// Join makes a user a member by an invitation and uses the invitation up. The member is a viewer with the invitation's
// roles and never authorized, also one who was authorized before leaving.
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

	if err := s.hasRoom(ctx, tx, o.ID, u.ID); err != nil {
		return o, Member{}, err
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

	default: // a member who has left comes back
		version := m.Version
		m.UserType = Viewer
		m.Roles = in.Roles
		m.IsActive = true
		m.Version++
		m.UpdatedAt = tx.Now
		writeMember(tx, m, version)
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

// changeMember writes an admin's changes to a member. One active admin always remains. Under a policy every change
// waits for a second admin, and the member passed to done names the approval. A request that changes nothing does not
// wait.
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

		if err := caller.Unchanged(ctx, m.Version); err != nil {
			return err
		}

		asked, err := s.proposeMember(ctx, tx, m, c, m.User == userID)
		if err != nil {
			return err
		}

		if asked {
			return done(tx, m)
		}

		if err := keepsAccepters(ctx, tx, m, c, m.User == userID); err != nil {
			return err
		}

		if m, err = s.writeChanges(ctx, tx, m, c, m.User == userID); err != nil {
			return err
		}

		return done(tx, m)
	})
}

// writeChanges checks and writes changes to one member. self means that the member makes them.
func (s *Service) writeChanges(ctx context.Context, tx *db.Tx, m Member, c MemberChanges, self bool) (Member, error) {
	before := m

	m, err := c.apply(m, self)
	if err != nil {
		return m, err
	}

	if err := checkStandIn(ctx, tx, before, m, self, tx.Now); err != nil {
		return m, err
	}

	if before.Is(Admin) && !m.Is(Admin) {
		if err := keepsAdmins(ctx, tx, m); err != nil {
			return m, err
		}
	}

	if same := m.StandsIn.equal(before.StandsIn); same {
		m.StandsIn = before.StandsIn // the same moments, whatever their zones
	}

	if reflect.DeepEqual(m, before) {
		return m, nil
	}

	m.Version++
	m.UpdatedAt = tx.Now
	writeMember(tx, m, before.Version)
	trail.Audit(ctx, tx, m.Organisation, "member.changed", m.ID, m.UserType)

	if !m.StandsIn.equal(before.StandsIn) {
		trail.Audit(ctx, tx, m.Organisation, "member.stand_in", m.ID, m.StandsIn.line())
	}

	tx.OnCommit(func() { s.config.Changed(m.User, m.Organisation) })

	return m, nil
}

// keepsAdmins refuses to take an admin away if too few others remain.
func keepsAdmins(ctx context.Context, tx *db.Tx, m Member) error {
	all, err := membersOf(ctx, tx, m.Organisation, "", maxMembers, 0)
	if err != nil {
		return err
	}

	others := countAdmins(all, m.ID)
	if others == 0 {
		return fault.New(fault.Conflict, fault.LastAdmin, "The organisation would be left without an active admin.")
	}

	p, err := PolicyOf(ctx, tx, m.Organisation)
	if err != nil {
		return err
	}

	if p.Asks() && others < adminsOfPolicy {
		return fault.New(fault.Conflict, fault.LastAdmin,
			"Under its policy the organisation keeps at least %d active admins.", adminsOfPolicy)
	}

	return nil
}
