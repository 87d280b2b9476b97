package organisation

import (
	"context"
	"slices"

	"slipway/internal/core/fault"
	"slipway/internal/identity/user"
	"slipway/internal/platform/db"
	"slipway/internal/platform/trail"
)

// CheckRoles returns roles once each, sorted, in lower case. It adds those that there are not to l.
func CheckRoles(l *fault.List, pointer string, roles []string) []string {
	return checkRoles(l, pointer, roles)
}

// Enter makes a person a member whom the organisation's provider has signed in, with the roles that the organisation's
// rules give him. Nobody becomes authorized by it. back lets a member in again who has left.
//
// It returns the membership as it is from then on, and a refusal for a member who was shut out.
func (s *Service) Enter(
	ctx context.Context, tx *db.Tx, orgID string, u user.User, roles []string, back bool,
) (Member, error) {
	m, err := MemberOf(ctx, tx, orgID, u.ID)

	switch {
	case err == nil && m.IsActive:
		return m, nil

	case err == nil && !back:
		return m, fault.New(fault.Forbidden, fault.SignOnNoAccess,
			"You have been shut out of the organisation. One of its admins can let you in again.")

	case err == nil:
		version := m.Version
		m.UserType = Viewer
		m.Roles = roles
		m.IsActive = true
		m.Version++
		m.UpdatedAt = tx.Now
		writeMember(tx, m, version)

	case !fault.Is(err, fault.NotFoundCode):
		return m, err

	default:
		if err := s.hasRoom(ctx, tx, orgID, u.ID); err != nil {
			return m, err
		}

		if m, err = s.enrol(ctx, tx, newMember(tx, orgID, u.ID, Viewer, roles)); err != nil {
			return m, err
		}
	}

	trail.Audit(ctx, tx, orgID, "member.joined", m.ID, "by sign-on")
	tx.OnCommit(func() { s.config.Changed(u.ID, orgID) })

	return m, nil
}

// FollowRoles gives a member the roles that the organisation's rules give him now. Whoever the organisation needs as an
// admin keeps what he has. A second call changes nothing.
func (s *Service) FollowRoles(ctx context.Context, tx *db.Tx, m Member, roles []string) error {
	if slices.Equal(m.Roles, roles) {
		return nil
	}

	_, err := s.writeChanges(ctx, tx, m, MemberChanges{Roles: roles}, false)
	if fault.Is(err, fault.LastAdmin) {
		trail.Audit(
			ctx,
			tx,
			m.Organisation,
			"sign_on.roles_kept",
			m.ID,
			"the organisation would be left without an admin",
		)

		return nil
	}

	return err
}

// Leave ends the membership of a person whom the organisation's directory has switched off. Whoever the organisation
// needs as an admin is refused with LAST_ADMIN. Whoever is no active member is none afterwards.
func (s *Service) Leave(ctx context.Context, tx *db.Tx, orgID, userID string) error {
	m, err := MemberOf(ctx, tx, orgID, userID)
	if fault.Is(err, fault.NotFoundCode) || err == nil && !m.IsActive {
		return nil
	}

	if err != nil {
		return err
	}

	inactive := false
	if _, err = s.writeChanges(ctx, tx, m, MemberChanges{IsActive: &inactive}, false); err != nil {
		return err
	}

	return noteLeft(tx, m)
}

// MembersOf returns the members of an organisation, inactive ones included.
func MembersOf(ctx context.Context, q db.Querier, orgID string) ([]Member, error) {
	return membersOf(ctx, q, orgID, "", maxMembers, 0)
}

// hasRoom refuses a further member of an organisation that has as many as it may, and a further membership of a person.
func (s *Service) hasRoom(ctx context.Context, tx *db.Tx, orgID, userID string) error {
	members, err := countMembers(ctx, tx, orgID)
	if err != nil {
		return err
	}

	mine, err := countMemberships(ctx, tx, userID)
	if err != nil {
		return err
	}

	if members >= maxMembers || mine >= maxOrganisations {
		return fault.New(fault.Conflict, fault.MemberLimit,
			"An organisation may have at most %d members, and a user be in %d.", maxMembers, maxOrganisations)
	}

	return nil
}
