package organisation

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/go-json-experiment/json"

	"slipway/internal/identity/approval"
	"slipway/internal/identity/user"
	"slipway/internal/platform/db"
)

// Where a policy asks for a second person, an admin alone must not make one: whoever becomes a member, and each
// change of a member, is decided by two.

// memberProposal is a change to a member that waits for a second admin.
type memberProposal struct {
	Changes MemberChanges `json:"changes"`
	Version int64         `json:"version"` // of the member when it was asked for
}

// differences says in words what a change makes of a member; empty: it changes nothing.
func differences(was, next Member) []string {
	var out []string

	for _, role := range []string{Authorized, Approver, Admin, Initiator, Viewer} {
		switch {
		case !was.holds(role) && next.holds(role):
			out = append(out, "becomes "+role)
		case was.holds(role) && !next.holds(role):
			out = append(out, "is no longer "+role)
		}
	}

	switch {
	case !was.IsActive && next.IsActive:
		out = append(out, "is let in again")
	case was.IsActive && !next.IsActive:
		out = append(out, "is shut out")
	}

	return out
}

// holds reports whether a member has a role by his record, active or not.
func (m Member) holds(role string) bool {
	return m.UserType == role || slices.Contains(m.Roles, role)
}

// proposeMember asks a second admin for a change of a member, where the organisation has a policy; asked is false
// where it has none, and for what changes nothing.
func (s *Service) proposeMember(
	ctx context.Context, tx *db.Tx, m Member, c MemberChanges, self bool,
) (pending string, asked bool, err error) {
	next, err := c.apply(m, self)
	if err != nil {
		return "", false, err
	}

	changes := differences(m, next)
	if len(changes) == 0 {
		return "", false, nil
	}

	p, err := PolicyOf(ctx, tx, m.Organisation)
	if err != nil || !p.Asks() {
		return "", false, err
	}

	people, err := user.BriefsOf(ctx, tx, []string{m.User})
	if err != nil {
		return "", false, err
	}

	raw, err := json.Marshal(memberProposal{c, m.Version})
	if err != nil {
		return "", false, fmt.Errorf("write down a change of %s: %w", m.ID, err)
	}

	who := people[m.User]
	a, err := s.config.Approvals.Ask(ctx, tx, approval.Request{
		Organisation: m.Organisation,
		Kind:         approval.Member,
		Object:       m.ID,
		Data:         string(raw),
		Authors:      approval.People(m.User), // nobody approves his own
		Summary:      who.FirstName + " " + who.LastName + " (" + who.Email + ") " + strings.Join(changes, ", ") + ".",
	})

	return a.ID, true, err
}

// memberDecided carries out a change to a member, if he is still as he was.
func (s *Service) memberDecided(ctx context.Context, tx *db.Tx, a approval.Approval) error {
	if a.Status != approval.Approved {
		return nil
	}

	var p memberProposal
	if err := json.Unmarshal([]byte(a.Data), &p); err != nil {
		return fmt.Errorf("read the change that %s proposes: %w", a.ID, err)
	}

	m, err := memberByID(ctx, tx, a.Organisation, a.Object)
	if err != nil {
		return err
	}

	if m.Version != p.Version {
		return overtaken()
	}

	_, err = s.applyTo(ctx, tx, m, p.Changes, false)

	return err
}
