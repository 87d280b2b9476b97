package transaction

import (
	"context"
	"errors"
	"slices"
	"strconv"
	"strings"

	"slipway/internal/core/caller"
	"slipway/internal/core/fault"
	"slipway/internal/platform/db"
)

// A payment that has failed is made again by a payment of another transaction, which names it. At most one live payment
// names it, so that it is made again once: who makes a draft of it a second time is told of the first one. A payment
// that fails in its turn, or a draft that is deleted, leaves it free.

// failedPayments returns the payments that were not made and never will be. What a bank has sent back is not among them
// before its tokens are back: until then people may have it sent again.
func (t *Transaction) failedPayments() []Payment {
	if t.Type == TypeOnramp {
		return nil
	}

	var out []Payment
	for _, p := range t.Payments {
		switch t.PaymentStatus(p.Outcome) {
		case PaymentFailed, PaymentRefunded, PaymentCancelled:
			out = append(out, p)
		case PaymentDraft,
			PaymentLocked,
			PaymentProcess,
			PaymentSent,
			PaymentCompleted,
			PaymentReturned,
			PaymentUnknown:
		}
	}

	return out
}

// Failed returns a transaction of the caller's organisation with those of its payments that were not made and that
// nobody makes again. It refuses one without any.
func (s *Service) Failed(ctx context.Context, transactionID string) (Transaction, []Payment, error) {
	t, err := s.Find(ctx, s.DB, transactionID)
	if err != nil {
		return t, nil, err
	}

	if err := caller.Unchanged(ctx, t.Version); err != nil {
		return t, nil, err
	}

	failed := t.failedPayments()
	if len(failed) == 0 {
		return t, nil, fault.New(fault.Conflict, fault.TxNothingFailed, "No payment of this transaction has failed.")
	}

	ids := make([]string, len(failed))
	for i, p := range failed {
		ids[i] = t.PaymentID(p.Position)
	}

	again, err := madeAgain(ctx, s.DB, []string{t.Organisation}, ids, "")
	if err != nil {
		return t, nil, err
	}

	open := slices.DeleteFunc(failed, func(p Payment) bool { return again[t.PaymentID(p.Position)] != "" })
	if len(open) == 0 {
		return t, nil, fault.New(fault.Conflict, fault.TxMadeAgain,
			"Transaction %s makes the failed payments again.", again[ids[0]])
	}

	return t, open, nil
}

// CreateAgain makes a draft of payments of a transaction that have failed, each naming the one that it makes again.
// Failed has returned both. A second call is refused, unless the first draft was deleted or has failed, too.
func (s *Service) CreateAgain(ctx context.Context, t Transaction, failed []Payment, done Done) error {
	in := s.Kinds[t.Type].Input(t)
	all := in.Payments
	in.Payments = nil

	for _, p := range failed {
		again := all[p.Position]
		again.Again = t.PaymentID(p.Position)
		again.EstimatedRate = "" // of another day
		in.Payments = append(in.Payments, again)
	}

	return s.Create(ctx, in, t.Partner, done)
}

// noteAgain notes payments that name one which did not fail, or which another payment makes again. It runs in the write
// that makes a draft, submits it or accepts it, so that of two of them one is refused. Without such payments it runs no
// statement.
func noteAgain(ctx context.Context, q db.Querier, t Transaction, l *fault.List) error {
	named := map[string]int{} // the payment, and who names it

	for _, p := range t.Payments {
		if p.Again == "" {
			continue
		}

		if _, twice := named[p.Again]; twice {
			l.Add(againAt(p.Position), fault.TxMadeAgain, "stands twice.")
		}

		named[p.Again] = p.Position
	}

	if len(named) == 0 {
		return nil
	}

	ids := make([]string, 0, len(named))
	for id := range named {
		ids = append(ids, id)
	}

	slices.Sort(ids)

	failed, err := failedOf(ctx, q, t.Organisation, ids)
	if err != nil {
		return err
	}

	again, err := madeAgain(ctx, q, []string{t.Organisation}, ids, t.ID)
	if err != nil {
		return err
	}

	for _, id := range ids {
		switch {
		case !failed[id]:
			l.Add(againAt(named[id]), fault.TxNothingFailed, "is not a payment of your organisation that has failed.")
		case again[id] != "":
			l.Add(againAt(named[id]), fault.TxMadeAgain, "is made again by transaction %s.", again[id])
		}
	}

	return nil
}

// checkAgain refuses a transaction that noteAgain has something against.
func checkAgain(ctx context.Context, q db.Querier, t Transaction) error {
	var l fault.List
	if err := noteAgain(ctx, q, t, &l); err != nil {
		return err
	}

	return l.Err()
}

func againAt(position int) string { return PaymentAt(position) + "/again" }

// failedOf reports which of some payments belong to an organisation and have failed.
func failedOf(ctx context.Context, q db.Querier, organisation string, ids []string) (map[string]bool, error) {
	transactions := map[string]bool{}

	for _, id := range ids {
		if of, _, ok := paymentPlace(id); ok {
			transactions[of] = true
		}
	}

	out := map[string]bool{}

	for id := range transactions {
		t, err := find(ctx, q, id)
		if errors.Is(err, db.ErrNone) || err == nil && t.Organisation != organisation {
			continue
		}

		if err != nil {
			return nil, err
		}

		for _, p := range t.failedPayments() {
			out[t.PaymentID(p.Position)] = true
		}
	}

	return out, nil
}

// paymentPlace returns where a payment stands, by its identifier.
func paymentPlace(id string) (transactionID string, position int, ok bool) {
	rest, is := strings.CutPrefix(id, "pay_")
	of, last, cut := strings.Cut(rest, "_")
	position, err := strconv.Atoi(last)

	return Prefix + "_" + of, position, is && cut && err == nil
}

// madeAgainOf is madeAgain of all failed payments of some transactions. Without such payments it runs no statement.
func madeAgainOf(ctx context.Context, q db.Querier, all []Transaction) (map[string]string, error) {
	var failed, owners []string

	for i := range all {
		for _, p := range all[i].failedPayments() {
			failed = append(failed, all[i].PaymentID(p.Position))
			owners = append(owners, all[i].Organisation)
		}
	}

	slices.Sort(owners)

	return madeAgain(ctx, q, slices.Compact(owners), failed, "")
}
