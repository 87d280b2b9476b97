package reconcile

import (
	"context"
	"errors"

	"slipway/internal/core/fault"
	"slipway/internal/core/money"
	"slipway/internal/payments/ledger"
	"slipway/internal/platform/db"
	"slipway/internal/platform/trail"
)

// Receivable is what an organisation owes the house.
type Receivable struct {
	Entry, Organisation, Transaction string
	Amount                           money.Amount
	ProposedBy, SettledBy, Note      string
	CreatedAt, SettledAt             int64 // microseconds; 0: not yet
}

// SettleReceivable takes one person's word that a claim is settled (paid, or written off); another person's makes it
// so. What was paid came in as a deposit of its own, which is settled by itself; here the claim is closed.
func (s *Service) SettleReceivable(
	ctx context.Context,
	entry, person, note string,
) (r Receivable, done bool, err error) {
	err = s.DB.Write(ctx, func(tx *db.Tx) error {
		done = false

		r, err = db.First(receivablesWhere(ctx, tx, "entry = ?", entry))

		switch {
		case errors.Is(err, db.ErrNone):
			return fault.Missing("receivable")

		case err != nil:
			return err

		case r.SettledAt != 0:
			return fault.New(fault.Conflict, fault.DepositSettled, "The receivable is settled already.")

		case r.ProposedBy == "":
			r.ProposedBy = person
			r.Note = note
			proposeReceivable(tx, r)
			trail.Audit(ctx, tx, r.Organisation, "receivable.proposed", entry, person)

			return nil

		case r.ProposedBy == person:
			return fault.New(
				fault.Conflict,
				fault.TwoPersonsNeeded,
				"You have proposed this yourself; another person has to decide the same.",
			)
		}

		done = true
		r.SettledBy = person
		r.SettledAt = db.Micros(tx.Now)
		closeReceivable(tx, r)
		trail.Audit(ctx, tx, r.Organisation, "receivable.settled", entry, r.ProposedBy+" and "+person)

		return ledger.Post(tx, ledger.Journal{
			Key:          "receivable/" + entry,
			Kind:         "receivable",
			Organisation: r.Organisation,
			Postings: []ledger.Posting{
				{Account: ledger.ReceivableAccount(r.Organisation), Amount: r.Amount, Memo: entry},
				{Account: ledger.ClosedAccount(r.Amount.Asset().Code), Amount: r.Amount.Neg(), Memo: entry},
			},
		})
	})
	if errors.Is(err, db.ErrStale) {
		err = fault.New(
			fault.Conflict,
			fault.DepositSettled,
			"Someone else has decided at the same moment. Look again.",
		)
	}

	return r, done, err
}
