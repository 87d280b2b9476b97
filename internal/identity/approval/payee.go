package approval

import (
	"context"
	"time"

	"slipway/internal/core/caller"
	"slipway/internal/core/fault"
	"slipway/internal/platform/db"
)

// Rules are what an organisation asks of its payees.
type Rules struct {
	Approval bool          // a second person approves new and changed ones before anything is paid to them
	Delay    time.Duration // nothing is paid to a new one before; 0: at once
}

// Mark is what a payee's record carries.
type Mark struct {
	ChangedBy People // who has made or changed it since a second person approved it
	Approval  string // what it waits for, or what was refused; empty: it can be used
}

// Usable refuses a record that a second person has not approved.
func (m Mark) Usable(noun string) error {
	if m.Approval == "" {
		return nil
	}

	return fault.New(fault.Invalid, fault.PayeeNotApproved,
		"The %s waits for the approval of a second person, or was refused: %s.", noun, m.Approval)
}

// Payees keeps the nouns of payees to an organisation's rules. Of nil there are no rules.
type Payees struct {
	Service *Service
	Rules   func(ctx context.Context, q db.Querier, organisation string) (Rules, error)
	// Follow is told, in the same write, of every payee that was changed or taken out of use: what was decided about
	// the old one counts no longer. nil: nobody is.
	Follow func(ctx context.Context, tx *db.Tx, c Change) error
}

// Change is a payee that was made, or whose destination was changed.
type Change struct {
	Organisation string
	Kind         Kind
	Object       string
	Summary      string
	Destination  bool // money that is paid to it goes somewhere new
	New          bool // nobody can have decided anything about it yet
}

// Removed tells that the caller takes a payee out of use, in the write that does so.
func (p *Payees) Removed(ctx context.Context, tx *db.Tx, c Change) error {
	if p == nil || p.Follow == nil {
		return nil
	}

	return p.Follow(ctx, tx, c)
}

// Changed notes in the mark that the caller has made or changed a record, in the write that does so, and asks for an
// approval where the organisation's rules want one. It returns the moment from which a new destination can be paid to;
// the zero time: at once.
func (p *Payees) Changed(ctx context.Context, tx *db.Tx, m *Mark, c Change) (from time.Time, err error) {
	asker := caller.Of(ctx).User
	m.ChangedBy = m.ChangedBy.With(asker)

	if p == nil {
		return from, nil
	}

	if p.Follow != nil && !c.New {
		if err := p.Follow(ctx, tx, c); err != nil {
			return from, err
		}
	}

	rules, err := p.Rules(ctx, tx, c.Organisation)
	if err != nil {
		return from, err
	}

	if c.Destination && rules.Delay > 0 {
		from = tx.Now.Add(rules.Delay)
		if err := p.Service.tell(ctx, tx, Notice{Change: c, From: from}); err != nil {
			return from, err
		}
	}

	if !rules.Approval && m.Approval != "" { // what the rules no longer ask for is no longer waited for
		m.Approval = ""
		return from, p.Service.Withdraw(ctx, tx, c.Organisation, c.Kind, c.Object)
	}

	if !rules.Approval {
		return from, nil
	}

	authors, err := m.waitingFrom(ctx, tx, c.Organisation)
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

// waitingFrom are those who have had a part in what was not approved yet: a record that could be used until now
// counts as approved.
func (m Mark) waitingFrom(ctx context.Context, q db.Querier, organisation string) (People, error) {
	if m.Approval == "" {
		return "", nil
	}

	before, err := ByID(ctx, q, organisation, m.Approval)

	return before.Authors, err
}

// Decided changes the mark as a decision about the record wants it. changed is false for one that the record no
// longer waits for.
func (m *Mark) Decided(a Approval) (changed bool) {
	if m.Approval != a.ID || a.Status != Approved {
		return false
	}

	m.Approval = ""
	m.ChangedBy = m.ChangedBy.Without(a.Authors) // a second person has looked at what they did

	return true
}
