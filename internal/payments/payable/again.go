package payable

import (
	"context"

	"slipway/internal/core/caller"
	"slipway/internal/core/fault"
	"slipway/internal/payments/transaction"
)

// PayAgain makes a DRAFT transaction of just those payments of another one that have failed, each of which names the
// one that it makes again. Of payables it reserves those that are free again, and pays them as they are now; one that
// waits for approvals again, or that another transaction pays, is left out. A second call is refused while the first
// draft lives, or once it has paid.
func (s *Service) PayAgain(ctx context.Context, transactionID string, done transaction.Done) error {
	t, failed, err := s.Transactions.Failed(ctx, transactionID)
	if err != nil {
		return err
	}

	if !t.OfPayables {
		return s.Transactions.CreateAgain(ctx, t, failed, done)
	}

	of, err := reservedBy(ctx, s.DB, []string{t.ID})
	if err != nil {
		return err
	}

	var ids []string
	again := map[string]string{}

	for _, p := range failed {
		id := of[t.ID][p.Position]
		ids = append(ids, id)
		again[id] = t.PaymentID(p.Position)
	}

	all, err := ByIDs(ctx, s.DB, caller.Of(ctx).Organisation, ids)
	if err != nil {
		return err
	}

	var free []string
	for _, id := range ids {
		if p := all[id]; p.Status == Approved && p.Transaction == "" {
			free = append(free, id)
		}
	}

	if len(free) == 0 {
		return fault.New(fault.Conflict, fault.PayableNotApproved,
			"No payable of the failed payments can be paid now: each waits for approvals, was rejected, or belongs to "+
				"another transaction.")
	}

	return s.pay(ctx, free, t.Token, again, done)
}
