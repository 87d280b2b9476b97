package organisation

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/go-json-experiment/json"

	"slipway/internal/core/fault"
	"slipway/internal/identity/approval"
	"slipway/internal/identity/user"
	"slipway/internal/platform/db"
)

// Where a policy asks for a second person, an admin alone must not make one: power over payments is given by two.

// powers are what a second person needs to decide.
func powers() []string { return []string{Authorized, Approver, Admin} }

// gains lists the powers that a change gives a member.
func gains(was, next Member) []string {
	return slices.DeleteFunc(powers(), func(p string) bool { return was.Is(p) || !next.Is(p) })
}

// memberProposal is a change to a member that waits for a second admin.
type memberProposal struct {
	Changes MemberChanges `json:"changes"`
	Version int64         `json:"version"` // of the member when it was asked for
}

// proposeMember asks a second admin for a change that gives power, where the organisation has a policy; asked is false where it has none.
func (s *Service) proposeMember(ctx context.Context, tx *db.Tx, m Member, c MemberChanges, self bool) (pending string, asked bool, err error) {
	next, err := c.apply(m, self)
	if err != nil {
		return "", false, err
	}
	gained := gains(m, next)
	if len(gained) == 0 {
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
	a, err := s.config.Approvals.Ask(ctx, tx, approval.Request{Organisation: m.Organisation, Kind: approval.Member, Object: m.ID, Data: string(raw),
		Authors: approval.People(m.User), // nobody approves his own
		Summary: who.FirstName + " " + who.LastName + " (" + who.Email + ") becomes " + strings.Join(gained, ", ") + "."})
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

// invitable notes roles that an invitation cannot give under the organisation's policy.
func invitable(ctx context.Context, q db.Querier, orgID string, roles []string, l *fault.List) error {
	if len(weakened(roles)) == len(roles) {
		return nil
	}
	p, err := PolicyOf(ctx, q, orgID)
	if err == nil && p.Asks() {
		l.Add("/roles", fault.NotAllowed, "may be viewer and initiator: under the organisation's policy others are given to the member afterwards, by two admins.")
	}
	return err
}

// weakened takes the powers out of roles.
func weakened(roles []string) []string {
	return slices.DeleteFunc(slices.Clone(roles), func(r string) bool { return slices.Contains(powers(), r) })
}

// joining are the roles that an invitation gives now: it may be older than the policy.
func joining(ctx context.Context, q db.Querier, in Invitation) ([]string, error) {
	fewer := weakened(in.Roles)
	if len(fewer) == len(in.Roles) {
		return in.Roles, nil
	}
	p, err := PolicyOf(ctx, q, in.Organisation)
	if err != nil || !p.Asks() {
		return in.Roles, err
	}
	return fewer, nil
}
