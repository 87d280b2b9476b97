package organisation

import (
	"context"
	"fmt"
	"slices"
	"time"

	"github.com/go-json-experiment/json"

	"slipway/internal/core/fault"
	"slipway/internal/identity/approval"
	"slipway/internal/identity/user"
	"slipway/internal/platform/db"
	"slipway/internal/platform/trail"
)

// proposal is a policy that waits for a second admin.
type proposal struct {
	FourEyes      bool   `json:"fourEyes"`
	Limits        string `json:"limits"`
	PayeeApproval bool   `json:"payeeApproval"`
	DelaySeconds  int64  `json:"delaySeconds"`
	Instead       int64  `json:"instead"` // version of the policy whose place it takes
}

// setPolicy makes a policy the organisation's. One that asks for less than before in any respect waits for a second
// admin; pending then names the approval. The same policy again changes nothing.
func (s *Service) setPolicy(
	ctx context.Context, userID, orgID string, next Policy, done func(tx *db.Tx, p Policy, pending string) error,
) error {
	return s.db.Write(ctx, func(tx *db.Tx) error {
		next := next

		if _, _, err := ForAdmin(ctx, tx, orgID, userID); err != nil {
			return err
		}

		was, err := PolicyOf(ctx, tx, orgID)
		if err != nil {
			return err
		}

		if next.same(was) {
			pending, err := approval.OpenAbout(ctx, tx, orgID, approval.Policy, orgID)
			if err != nil {
				return err
			}

			return done(tx, was, pending)
		}

		if err := enoughAdmins(ctx, tx, orgID, next); err != nil {
			return err
		}

		next.Version = was.Version + 1
		if next.weakerThan(was) {
			a, err := s.proposePolicy(ctx, tx, orgID, next, was)
			if err != nil {
				return err
			}

			return done(tx, was, a.ID)
		}

		if err := s.config.Approvals.Withdraw(ctx, tx, orgID, approval.Policy, orgID); err != nil {
			return err
		}

		s.applyPolicy(ctx, tx, orgID, next)

		return done(tx, next, "")
	})
}

// same compares what policies ask for.
func (p Policy) same(other Policy) bool {
	return p.FourEyes == other.FourEyes && p.PayeeApproval == other.PayeeApproval && p.PayeeDelay == other.PayeeDelay &&
		writeLimits(p.Limits) == writeLimits(other.Limits)
}

func (s *Service) proposePolicy(
	ctx context.Context, tx *db.Tx, orgID string, next, was Policy,
) (approval.Approval, error) {
	raw, err := json.Marshal(
		proposal{
			next.FourEyes,
			writeLimits(next.Limits),
			next.PayeeApproval,
			int64(next.PayeeDelay / time.Second),
			was.Version,
		},
	)
	if err != nil {
		return approval.Approval{}, fmt.Errorf("write down a policy of %s: %w", orgID, err)
	}

	return s.config.Approvals.Ask(ctx, tx, approval.Request{
		Organisation: orgID,
		Kind:         approval.Policy,
		Object:       orgID,
		Data:         string(raw),
		Summary:      "From now on: " + next.says() + ". Until now: " + was.says() + ".",
	})
}

func (s *Service) applyPolicy(ctx context.Context, tx *db.Tx, orgID string, p Policy) {
	writePolicy(tx, orgID, p)
	trail.Audit(ctx, tx, orgID, "organisation.policy_changed", orgID, p.says())
	tx.OnCommit(func() { s.config.Changed("", orgID) })
}

// enoughAdmins refuses a policy of which nobody could ever approve less.
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

	return nil
}

// countAdmins counts active admins, but for one member.
func countAdmins(members []Member, but string) int {
	n := 0
	for _, m := range members {
		if m.ID != but && m.Is(Admin) {
			n++
		}
	}

	return n
}

// policyDecided puts a proposed policy into force, if the one it was to replace still stands.
func (s *Service) policyDecided(ctx context.Context, tx *db.Tx, a approval.Approval) error {
	if a.Status != approval.Approved {
		return nil
	}

	var p proposal
	if err := json.Unmarshal([]byte(a.Data), &p); err != nil {
		return fmt.Errorf("read the policy that %s proposes: %w", a.ID, err)
	}

	was, err := PolicyOf(ctx, tx, a.Organisation)
	if err != nil {
		return err
	}

	if was.Version != p.Instead {
		return overtaken()
	}

	next := Policy{
		FourEyes:      p.FourEyes,
		PayeeApproval: p.PayeeApproval,
		PayeeDelay:    time.Duration(p.DelaySeconds) * time.Second,
		Version:       was.Version + 1,
	}

	if next.Limits, err = readLimits(p.Limits); err != nil {
		return fmt.Errorf("read the policy that %s proposes: %w", a.ID, err)
	}

	s.applyPolicy(ctx, tx, a.Organisation, next)

	return nil
}

func overtaken() error {
	return fault.New(fault.Conflict, fault.ApprovalOvertaken,
		"What was to be changed is no longer as it was when this was asked for. Ask again.")
}

// handleApprovals says who decides about policies and members, and what a decision does.
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

// HoldersOf lists the users who are active members with one of the roles.
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

// Deciders are the roles of which a member needs one to approve a payee.
func Deciders() []string { return []string{Approver, Admin, Authorized} }
