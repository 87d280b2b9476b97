package organisation

import (
	"context"
	"fmt"
	"slices"

	"github.com/go-json-experiment/json"

	"slipway/internal/core/fault"
	"slipway/internal/identity/approval"
	"slipway/internal/identity/user"
	"slipway/internal/platform/db"
	"slipway/internal/platform/words"
)

// Where a policy asks for a second person, an admin alone must not be able to create that person. So two admins decide
// on new members and on every change of a member.

// memberProposal is a change to a member that waits for a second admin.
type memberProposal struct {
	Changes MemberChanges `json:"changes"`
	Version int64         `json:"version"` // of the member when the change was asked for
}

// differences returns what differs between two states of a member, as values of words.Phrase. It returns nothing if
// they are the same. Roles stay as the interface calls them.
func differences(before, next Member) []string {
	var out []string

	for _, role := range []string{Authorized, Approver, Admin, Initiator, Viewer} {
		switch {
		case !before.holds(role) && next.holds(role):
			out = append(out, words.Phrase("becomes %s", role))
		case before.holds(role) && !next.holds(role):
			out = append(out, words.Phrase("is no longer %s", role))
		}
	}

	switch {
	case !before.IsActive && next.IsActive:
		out = append(out, words.Phrase("is let in again"))
	case before.IsActive && !next.IsActive:
		out = append(out, words.Phrase("is shut out"))
	}

	return out
}

// holds reports whether the member's record has a role, active or not.
func (m Member) holds(role string) bool {
	return m.UserType == role || slices.Contains(m.Roles, role)
}

// proposeMember asks a second admin to approve a change of a member. asked is false if the organisation has no policy
// or the request changes nothing.
func (s *Service) proposeMember(
	ctx context.Context, tx *db.Tx, m Member, c MemberChanges, self bool,
) (asked bool, err error) {
	next, err := c.apply(m, self)
	if err != nil {
		return false, err
	}

	changes := differences(m, next)

	other, err := s.calledMember(ctx, tx, next)
	if err != nil {
		return false, err
	}

	if text := standInChange(m, next, other); text != "" {
		changes = append(changes, text)
	}

	if len(changes) == 0 {
		return false, nil
	}

	p, err := PolicyOf(ctx, tx, m.Organisation)
	if err != nil || !p.Asks() {
		return false, err
	}

	if err := checkStandIn(ctx, tx, m, next, self, tx.Now); err != nil {
		return false, err
	}

	people, err := user.BriefsOf(ctx, tx, []string{m.User})
	if err != nil {
		return false, err
	}

	raw, err := json.Marshal(memberProposal{c, m.Version})
	if err != nil {
		return false, fmt.Errorf("encode a change of %s: %w", m.ID, err)
	}

	who := people[m.User]
	_, err = s.config.Approvals.Ask(ctx, tx, approval.Request{
		Organisation: m.Organisation,
		Kind:         approval.Member,
		Object:       m.ID,
		Data:         string(raw),
		Authors:      approval.People(m.User), // nobody approves a change of their own membership
		Summary: words.Phrase(
			"%[1]s (%[2]s) %[3]s.",
			who.FirstName+" "+who.LastName,
			who.Email,
			words.List(words.Commas, changes...),
		),
	})

	return true, err
}

// calledMember returns what the person is called for whom a member stands in, or "" for nobody.
func (s *Service) calledMember(ctx context.Context, q db.Querier, m Member) (string, error) {
	if m.StandsIn.For == "" {
		return "", nil
	}

	other, err := memberByID(ctx, q, m.Organisation, m.StandsIn.For)
	if fault.Is(err, fault.NotFoundCode) { // checkStandIn refuses it
		return "", nil
	}

	if err != nil {
		return "", err
	}

	people, err := user.BriefsOf(ctx, q, []string{other.User})

	return people[other.User].Name(), err
}

// memberDecided makes an approved change to a member. If the member was changed since, it refuses.
func (s *Service) memberDecided(ctx context.Context, tx *db.Tx, a approval.Approval) error {
	if a.Status != approval.Approved {
		return nil
	}

	var p memberProposal
	if err := json.Unmarshal([]byte(a.Data), &p); err != nil {
		return fmt.Errorf("decode the change that %s proposes: %w", a.ID, err)
	}

	m, err := memberByID(ctx, tx, a.Organisation, a.Object)
	if err != nil {
		return err
	}

	if m.Version != p.Version {
		return changedSince()
	}

	if err := keepsAccepters(ctx, tx, m, p.Changes, false); err != nil {
		return err
	}

	_, err = s.writeChanges(ctx, tx, m, p.Changes, false)

	return err
}
