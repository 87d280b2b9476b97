package payable

import (
	"context"

	"slipway/internal/core/caller"
	"slipway/internal/core/fault"
	"slipway/internal/core/money"
	"slipway/internal/identity/organisation"
	"slipway/internal/platform/db"
)

// Approve records one person's approval of a draft. Under four eyes this person must be none of its authors, unless a
// single person may pay the amount. What was approved, including the payee, is stored as a fingerprint. A second
// call is refused: the payable is no longer DRAFT.
func (s *Service) Approve(ctx context.Context, payableID, comment string, done Done) error {
	return s.decide(ctx, func(tx *db.Tx) error {
		p, err := ByID(ctx, tx, caller.Of(ctx).Organisation, payableID)
		if err != nil {
			return err
		}

		if err := p.draft(ctx); err != nil {
			return err
		}

		if p, err = s.approve(ctx, tx, p, comment); err != nil {
			return err
		}

		return s.finish(ctx, tx, p, done)
	})
}

// approve writes the decision about a draft.
func (s *Service) approve(ctx context.Context, tx *db.Tx, p Payable, comment string) (Payable, error) {
	caller := caller.Of(ctx)
	if err := mayApprove(ctx, tx, p, caller.User); err != nil {
		return p, err
	}

	_, to, err := read(ctx, tx, p.Organisation, p.input()) // its payee may have been deleted since it was written
	if err != nil {
		return p, err
	}

	next := p

	next.Fingerprint = fingerprintOf(p, to)
	if next, err = write(tx, p, next, Approved); err != nil {
		return p, err
	}

	approvalRows.Insert(tx, &approvalRow{next.ID, next.Version, Approval{
		By:          caller.User,
		Comment:     comment,
		Fingerprint: next.Fingerprint,
		At:          tx.Now,
	}})

	return next, record(ctx, tx, next, "approved", next.Fingerprint)
}

// mayApprove refuses if the organisation's policy, as read in this transaction, does not let the caller approve.
func mayApprove(ctx context.Context, q db.Querier, p Payable, user string) error {
	if !p.Authors.Has(user) {
		return nil
	}

	policy, err := organisation.PolicyOf(ctx, q, p.Organisation)
	if err != nil || policy.OnePersonPays([]money.Amount{p.Amount}, p.Amount) {
		return err
	}

	return fault.New(
		fault.Forbidden,
		fault.SecondPersonRequired,
		"You have created or changed this payable; your organisation wants another member to approve it.",
	)
}

// Outcome is the result for one of several payables.
type Outcome struct {
	ID      string
	Payable Payable      // if it was approved
	Refused *fault.Fault // if it was not
}

// ApproveAll approves several payables in one write. It returns an outcome for each: approved, or the reason why not.
func (s *Service) ApproveAll(
	ctx context.Context,
	ids []string,
	comment string,
	done func(tx *db.Tx, all []Outcome) error,
) error {
	org := caller.Of(ctx).Organisation

	return s.decide(ctx, func(tx *db.Tx) error {
		found, err := ByIDs(ctx, tx, org, ids)
		if err != nil {
			return err
		}

		out := make([]Outcome, len(ids))

		decided := map[string]bool{}
		for i, id := range ids {
			out[i].ID = id

			p, ok := found[id]
			switch {
			case !ok:
				err = fault.Missing("payable")
			case decided[id]:
				err = fault.New(fault.Conflict, fault.PayableTwice, "The payable is named twice.")

			default:
				decided[id] = true

				if err = p.draft(ctx); err == nil {
					out[i].Payable, err = s.approve(ctx, tx, p, comment)
				}
			}

			if err == nil {
				continue
			}

			refused, isFault := fault.As(err)
			if !isFault {
				return err
			}

			out[i].Refused = refused
		}

		return done(tx, out)
	})
}

// Reopen takes an approval back. The payable is DRAFT again and can be changed, rejected or approved. It is refused for
// a payable that belongs to a transaction.
func (s *Service) Reopen(ctx context.Context, payableID, reason string, done Done) error {
	return s.decide(ctx, func(tx *db.Tx) error {
		p, err := ByID(ctx, tx, caller.Of(ctx).Organisation, payableID)
		switch {
		case err != nil:
			return err

		case p.Status != Approved:
			return fault.New(
				fault.Conflict,
				fault.PayableNotApproved,
				"The payable is %s; only one that is APPROVED can be reopened.",
				p.Status,
			)

		case p.Transaction != "":
			return reserved(p)
		}

		if err := caller.Unchanged(ctx, p.Version); err != nil {
			return err
		}

		if p, err = reopen(ctx, tx, p, "Taken back. "+reason); err != nil {
			return err
		}

		return s.finish(ctx, tx, p, done)
	})
}

func reserved(p Payable) error {
	return fault.New(fault.Conflict, fault.PayableReserved, "The payable belongs to transaction %s.", p.Transaction)
}

// reopen makes an approved payable a DRAFT, and frees it from its transaction if there is one.
func reopen(ctx context.Context, tx *db.Tx, p Payable, why string) (Payable, error) {
	if err := endApprovals(tx, p, why); err != nil {
		return p, err
	}

	next, err := release(tx, p, Draft)
	if err != nil {
		return p, err
	}

	return next, record(ctx, tx, next, "reopened", why)
}

// release frees a payable from its transaction, if it has one. If its new status is DRAFT, its approval no longer
// counts.
func release(tx *db.Tx, p Payable, to Status) (Payable, error) {
	next := p
	next.Transaction = ""
	next.Position = 0
	next.locked = false

	next.PayeeChanged = false
	if to == Draft {
		next.Fingerprint = ""
	}

	next, err := write(tx, p, next, to)
	if err == nil && p.Transaction != "" {
		freeReservation(tx, p)
	}

	return next, err
}
