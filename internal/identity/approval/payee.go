package approval

import (
	"context"
	"time"

	"slipway/internal/core/caller"
	"slipway/internal/core/fault"
	"slipway/internal/platform/db"
)

// Rules are what an organisation requires before it pays a payee.
type Rules struct {
	Approval bool          // a second person approves new and changed payees before anything is paid to them
	Delay    time.Duration // how long nothing is paid to a new payee; 0: at once
}

// Mark is the part of a payee's record that belongs to approvals.
type Mark struct {
	ChangedBy People // who has created or changed it since a second person approved it
	Approval  string // the approval that it waits for, or that was refused; empty: it can be used
}

// Usable refuses a record that a second person has not approved.
func (m Mark) Usable(noun string) error {
	if m.Approval == "" {
		return nil
	}

	return fault.New(fault.Invalid, fault.PayeeNotApproved,
		"The %s waits for the approval of a second person, or was refused: %s.", noun, m.Approval)
}

// Payees applies an organisation's rules to the nouns of payees. A nil Payees has no rules.
type Payees struct {
	Service *Service
	Rules   func(ctx context.Context, q db.Querier, organisation string) (Rules, error)
	// OnChange is called, in the same write, for every payee that was changed or taken out of use: earlier decisions
	// about it no longer count. It may be nil.
	OnChange func(ctx context.Context, tx *db.Tx, c Change) error
}

// Change describes a payee that was created or changed.
type Change struct {
	Organisation string
	Kind         Kind
	Object       string
	Summary      string // in English: a mail names the payee alone
	Destination  bool   // money that is paid to it goes somewhere new
	New          bool   // just created: there are no earlier decisions about it
}

// Removed must be called in the write that takes a payee out of use.
func (p *Payees) Removed(ctx context.Context, tx *db.Tx, c Change) error {
	if p == nil || p.OnChange == nil {
		return nil
	}

	return p.OnChange(ctx, tx, c)
}

// Changed must be called in the write that creates or changes a payee. It adds the caller to the mark and asks for an
// approval if the organisation's rules require one. It returns the time from which a new destination can be paid to;
// the zero time means at once.
func (p *Payees) Changed(ctx context.Context, tx *db.Tx, m *Mark, c Change) (from time.Time, err error) {
	asker := caller.Of(ctx).User
	m.ChangedBy = m.ChangedBy.With(asker)

	if p == nil {
		return from, nil
	}

	if p.OnChange != nil && !c.New {
		if err := p.OnChange(ctx, tx, c); err != nil {
			return from, err
		}
	}

	rules, err := p.Rules(ctx, tx, c.Organisation)
	if err != nil {
		return from, err
	}

	if c.Destination && rules.Delay > 0 {
		from = tx.Now.Add(rules.Delay)
		if err := p.Service.notifyNewPayee(ctx, tx, Notice{Change: c, From: from}); err != nil {
			return from, err
		}
	}

	if !rules.Approval && m.Approval != "" { // the rules have changed: it need not wait any more
		m.Approval = ""
		return from, p.Service.Withdraw(ctx, tx, c.Organisation, c.Kind, c.Object)
	}

	if !rules.Approval {
		return from, nil
	}

	authors, err := m.earlierAuthors(ctx, tx, c.Organisation)
	if err != nil {
		return from, err
	}

	a, err := p.Service.Ask(ctx, tx, Request{
		Organisation: c.Organisation,
		Kind:         c.Kind,
		Object:       c.Object,
		Summary:      c.Summary,
		Authors:      authors,
	})
	m.Approval = a.ID

	return from, err
}

// earlierAuthors returns who has had a part in changes that are not approved yet. There is nobody if the record could
// be used until now.
func (m Mark) earlierAuthors(ctx context.Context, q db.Querier, organisation string) (People, error) {
	if m.Approval == "" {
		return "", nil
	}

	before, err := ByID(ctx, q, organisation, m.Approval)

	return before.Authors, err
}

// Decided applies a decision to the mark. changed is false if the record does not wait for that approval any more, or
// the approval was rejected.
func (m *Mark) Decided(a Approval) (changed bool) {
	if m.Approval != a.ID || a.Status != Approved {
		return false
	}

	m.Approval = ""
	m.ChangedBy = m.ChangedBy.Without(a.Authors) // a second person has looked at what they did

	return true
}
