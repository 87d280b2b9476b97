package organisation

import (
	"context"
	"fmt"
	"slices"
	"time"

	"github.com/go-json-experiment/json"

	"slipway/internal/core/caller"
	"slipway/internal/core/fault"
	"slipway/internal/identity/approval"
	"slipway/internal/identity/user"
	"slipway/internal/platform/db"
	"slipway/internal/platform/trail"
	"slipway/internal/platform/words"
)

// proposal is a policy that waits for a second admin.
type proposal struct {
	FourEyes      bool   `json:"fourEyes"`
	Limits        string `json:"limits"`
	PayeeApproval bool   `json:"payeeApproval"`
	DelaySeconds  int64  `json:"delaySeconds"`
	SignedIntents bool   `json:"signedIntents"`
	DailyCaps     string `json:"dailyCaps"`
	AcceptRules   string `json:"acceptRules"`
	Instead       int64  `json:"instead"` // version of the policy whose place it takes
}

// setPolicy replaces the organisation's policy. A policy that asks for less in any respect waits for a second admin,
// and pending names the approval. A second call with the same policy changes nothing.
func (s *Service) setPolicy(
	ctx context.Context, userID, orgID string, next Policy, done func(tx *db.Tx, p Policy, pending string) error,
) error {
	return s.db.Write(ctx, func(tx *db.Tx) error {
		next := next // a write body may run twice

		if _, _, err := ForAdmin(ctx, tx, orgID, userID); err != nil {
			return err
		}

		current, err := PolicyOf(ctx, tx, orgID)
		if err != nil {
			return err
		}

		if err := caller.Unchanged(ctx, current.Version); err != nil {
			return err
		}

		if next.equal(current) {
			pending, err := approval.OpenAbout(ctx, tx, orgID, approval.Policy, orgID)
			if err != nil {
				return err
			}

			return done(tx, current, pending)
		}

		if err := enoughAdmins(ctx, tx, orgID, next); err != nil {
			return err
		}

		next.Version = current.Version + 1

		if next.weakerThan(current) {
			a, err := s.proposePolicy(ctx, tx, orgID, next, current)
			if err != nil {
				return err
			}

			return done(tx, current, a.ID)
		}

		if err := s.config.Approvals.Withdraw(ctx, tx, orgID, approval.Policy, orgID); err != nil {
			return err
		}

		s.applyPolicy(ctx, tx, orgID, next)

		return done(tx, next, "")
	})
}

// equal reports whether two policies ask for the same.
func (p Policy) equal(other Policy) bool {
	return p.FourEyes == other.FourEyes && p.PayeeApproval == other.PayeeApproval && p.PayeeDelay == other.PayeeDelay &&
		writeLimits(p.Limits) == writeLimits(other.Limits) && p.SignedIntents == other.SignedIntents &&
		writeLimits(p.DailyCaps) == writeLimits(other.DailyCaps) && slices.Equal(p.AcceptRules, other.AcceptRules)
}

// proposePolicy asks a second admin to approve a policy in place of the current one.
func (s *Service) proposePolicy(
	ctx context.Context, tx *db.Tx, orgID string, next, current Policy,
) (approval.Approval, error) {
	raw, err := json.Marshal(proposal{
		FourEyes:      next.FourEyes,
		Limits:        writeLimits(next.Limits),
		PayeeApproval: next.PayeeApproval,
		DelaySeconds:  int64(next.PayeeDelay / time.Second),
		SignedIntents: next.SignedIntents,
		DailyCaps:     writeLimits(next.DailyCaps),
		AcceptRules:   writeRules(next.AcceptRules),
		Instead:       current.Version,
	})
	if err != nil {
		return approval.Approval{}, fmt.Errorf("encode a policy of %s: %w", orgID, err)
	}

	return s.config.Approvals.Ask(ctx, tx, approval.Request{
		Organisation: orgID,
		Kind:         approval.Policy,
		Object:       orgID,
		Data:         string(raw),
		Summary:      words.Phrase("From now on: %[1]s. Until now: %[2]s.", next.describe(), current.describe()),
	})
}

// applyPolicy puts a policy into force.
func (s *Service) applyPolicy(ctx context.Context, tx *db.Tx, orgID string, p Policy) {
	writePolicy(tx, orgID, p)
	trail.Audit(ctx, tx, orgID, "organisation.policy_changed", orgID, words.English(p.describe()))
	tx.OnCommit(func() { s.config.Changed("", orgID) })
}

// enoughAdmins refuses a policy if the organisation has too few admins to approve a weaker one later, or too few who
// accept.
func enoughAdmins(ctx context.Context, q db.Querier, orgID string, p Policy) error {
	if !p.Asks() {
		return nil
	}

	members, err := membersOf(ctx, q, orgID, "", maxMembers, 0)
	if err != nil {
		return err
	}

	if countAdmins(members, "") < adminsOfPolicy {
		return fault.New(
			fault.Conflict,
			fault.SecondPersonMissing,
			"The organisation needs at least %d active admins for this policy: one asks for changes, another one "+
				"approves them.",
			adminsOfPolicy,
		)
	}

	return enoughAccepters(members, "", p)
}

// countAdmins counts the active admins among members, except one member.
func countAdmins(members []Member, except string) int {
	n := 0
	for _, m := range members {
		if m.ID != except && m.Is(Admin) {
			n++
		}
	}

	return n
}

// policyDecided puts an approved policy into force. If the policy was changed since the request, it refuses.
func (s *Service) policyDecided(ctx context.Context, tx *db.Tx, a approval.Approval) error {
	if a.Status != approval.Approved {
		return nil
	}

	var p proposal
	if err := json.Unmarshal([]byte(a.Data), &p); err != nil {
		return fmt.Errorf("decode the policy that %s proposes: %w", a.ID, err)
	}

	current, err := PolicyOf(ctx, tx, a.Organisation)
	if err != nil {
		return err
	}

	if current.Version != p.Instead {
		return changedSince()
	}

	next := Policy{
		FourEyes:      p.FourEyes,
		PayeeApproval: p.PayeeApproval,
		PayeeDelay:    time.Duration(p.DelaySeconds) * time.Second,
		SignedIntents: p.SignedIntents,
		Version:       current.Version + 1,
	}

	if next.Limits, err = readLimits(p.Limits); err != nil {
		return fmt.Errorf("decode the policy that %s proposes: %w", a.ID, err)
	}

	if next.DailyCaps, err = readLimits(p.DailyCaps); err != nil {
		return fmt.Errorf("decode the policy that %s proposes: %w", a.ID, err)
	}

	if next.AcceptRules, err = readRules(p.AcceptRules); err != nil {
		return fmt.Errorf("decode the policy that %s proposes: %w", a.ID, err)
	}

	if err := enoughAdmins(ctx, tx, a.Organisation, next); err != nil {
		return err
	}

	s.applyPolicy(ctx, tx, a.Organisation, next)

	return nil
}

// changedSince refuses an approval whose object was changed after the request.
func changedSince() error {
	return fault.New(fault.Conflict, fault.ApprovalOvertaken,
		"What was to be changed is no longer as it was when this was asked for. Ask again.")
}

// handleApprovals registers who decides on policies, members, invitations and terms, and what a decision does.
func (s *Service) handleApprovals() {
	s.config.Approvals.Handle(approval.Policy, approval.Handler{Roles: []string{Admin}, Decided: s.policyDecided})
	s.config.Approvals.Handle(approval.Member, approval.Handler{Roles: []string{Admin}, Decided: s.memberDecided})
	s.config.Approvals.Handle(approval.Invitation, approval.Handler{
		Roles:   []string{Admin},
		Decided: s.invitationDecided,
	})
	s.config.Approvals.Handle(approval.Terms, approval.Handler{Roles: []string{user.Operator}, Decided: s.termsDecided})
}

// Holds reports whether a user is an active member of the organisation with one of the roles.
func Holds(ctx context.Context, q db.Querier, orgID, userID string, roles []string) (bool, error) {
	m, err := MemberOf(ctx, q, orgID, userID)
	if fault.Is(err, fault.NotFoundCode) {
		return false, nil
	}

	return err == nil && slices.ContainsFunc(roles, m.Is), err
}

// HoldersOf returns the users who are active members with one of the roles.
func HoldersOf(ctx context.Context, q db.Querier, orgID string, roles []string) ([]string, error) {
	members, err := membersOf(ctx, q, orgID, "", maxMembers, 0)

	var out []string

	for _, m := range members {
		if slices.ContainsFunc(roles, m.Is) {
			out = append(out, m.User)
		}
	}

	return out, err
}

// StandInsOf returns the users who accept for another one at present, with that other one.
func StandInsOf(ctx context.Context, q db.Querier, orgID string, now time.Time) (map[string]string, error) {
	members, err := membersOf(ctx, q, orgID, "", maxMembers, 0)
	accept := map[string]string{}

	for _, m := range members {
		if m.MayAccept() == nil {
			accept[m.ID] = m.User
		}
	}

	out := map[string]string{}

	for _, m := range members {
		if other := accept[m.StandsIn.For]; other != "" && m.IsActive && m.StandsIn.runsAt(now) {
			out[m.User] = other
		}
	}

	return out, err
}

// Deciders returns the roles of which a member needs one to approve a payee.
func Deciders() []string { return []string{Approver, Admin, Authorized} }
