package payable

import (
	"context"

	"slipway/internal/core/caller"
	"slipway/internal/core/fault"
	"slipway/internal/core/money"
	"slipway/internal/identity/organisation"
	"slipway/internal/platform/db"
)

// Approve is one person's word that a draft is to be paid as it is. With four eyes on, that person is none of its
// authors, unless the amount is one that a single person may pay. What was approved is kept as a fingerprint, payee
// included. A second call is refused: the payable is no longer DRAFT.
func (s *Service) Approve(ctx context.Context, payableID, comment string, version int64, done Done) error {
	return s.decide(ctx, func(tx *db.Tx) error {
		p, err := ByID(ctx, tx, caller.Of(ctx).Organisation, payableID)
		if err != nil {
			return err
		}

		if err := p.draft(version); err != nil {
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

	_, to, err := read(ctx, tx, p.Organisation, p.input()) // its payee may be gone since it was written
	if err != nil {
		return p, err
	}

	next := p

	next.Fingerprint = fingerprintOf(p, to)
	if next, err = write(tx, p, next, Approved); err != nil {
		return p, err
	}

	tx.Insert(insertApproval, next.ID, next.Version, caller.User, comment, next.Fingerprint, db.Micros(tx.Now))

	return next, record(ctx, tx, next, "approved", next.Fingerprint)
}

// mayApprove holds the caller against the organisation's policy as it is in this transaction.
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

// Outcome is what has become of one of several payables.
type Outcome struct {
	ID      string
	Payable Payable      // where it was approved
	Refused *fault.Fault // where it was not
}

// ApproveAll approves those of several payables that can be, and says of each of the others why not. They are decided
// in one write.
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

				if err = p.draft(0); err == nil {
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

// Reopen takes an approval back: the payable is DRAFT again and can be changed, rejected or approved. One that
// belongs to a transaction stays as it is.
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

		if p, err = reopen(ctx, tx, p, "Taken back. "+reason); err != nil {
			return err
		}

		return s.finish(ctx, tx, p, done)
	})
}

func reserved(p Payable) error {
	return fault.New(fault.Conflict, fault.PayableReserved, "The payable belongs to transaction %s.", p.Transaction)
}

// reopen makes a DRAFT of an approved payable, and frees it of its transaction if there is one.
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

// release frees a payable of its transaction, if it has one. As DRAFT it has not been approved.
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
