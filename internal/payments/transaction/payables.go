package transaction

import (
	"context"

	"slipway/internal/core/fault"
	"slipway/internal/identity/approval"
	"slipway/internal/platform/db"
)

// Payables is what a transaction that is made of payables asks of them. Each function runs in the write that it is
// about, and an error of it undoes that. One that is made of none asks nothing, and costs no statement more.
type Payables struct {
	// Lock refuses submit unless every payment is that of a payable which is still reserved for it and is what was
	// approved. From then on what becomes of payees changes the payables no more.
	Lock func(ctx context.Context, tx *db.Tx, t Transaction) error
	// Ended is told of every move of a transaction that has ended, or was deleted: t has its payments' outcomes as
	// they are now. Whoever is told twice of the same finds nothing left to do.
	Ended func(ctx context.Context, tx *db.Tx, t Transaction) error
	// Of gives the identifiers of the payables that a transaction was made of, by the position of their payments.
	Of func(ctx context.Context, q db.Querier, transactionID string) (map[int]string, error)
}

// ofPayables is how a draft of payables is made; nil: it is made of none.
type ofPayables struct {
	authors approval.People
	take    func(tx *db.Tx, t Transaction) error
}

// CreateOfPayables makes a draft like Create for the noun of payables. take reserves them in the write that makes it;
// an error undoes both. authors have had a part in the transaction besides the caller. The draft cannot be replaced.
func (s *Service) CreateOfPayables(
	ctx context.Context,
	in Input,
	authors approval.People,
	take func(tx *db.Tx, t Transaction) error,
	done Done,
) error {
	return s.create(ctx, in, "", &ofPayables{authors, take}, done)
}

func (m *ofPayables) mark(t *Transaction) {
	if m != nil {
		t.OfPayables = true
		t.Authors = m.authors.Without(approval.People(t.CreatedBy))
	}
}

func (m *ofPayables) reserve(tx *db.Tx, t Transaction) error {
	if m == nil {
		return nil
	}

	return m.take(tx, t)
}

// fixedByPayables refuses to write a draft anew whose payments are those of payables.
func fixedByPayables() error {
	return fault.New(
		fault.Conflict,
		fault.TxOfPayables,
		"The transaction is made of payables: change those, and delete the transaction while it is a draft.",
	)
}

// tellPayables tells the payables of a transaction that it has ended, with its payments as this write has left them.
func (s *Service) tellPayables(ctx context.Context, tx *db.Tx, t Transaction) error {
	if !t.OfPayables ||
		!t.Deleted && t.Status != StatusCompleted && t.Status != StatusFailed && t.Status != StatusRejected {
		return nil
	}

	var err error
	if t.Payments, err = paymentsOf(ctx, tx, t.ID); err != nil {
		return err
	}

	return s.Payables.Ended(ctx, tx, t)
}

// showPayables names in a view the payables that are paid.
func (s *Service) showPayables(ctx context.Context, q db.Querier, v *View, t Transaction) error {
	if !t.OfPayables {
		return nil
	}

	of, err := s.Payables.Of(ctx, q, t.ID)
	for i := range v.Payments {
		v.Payments[i].Payable = of[i]
	}

	return err
}

// paymentsOf reads the payments of a transaction as they are now.
func paymentsOf(ctx context.Context, q db.Querier, id string) ([]Payment, error) {
	t := []Transaction{{ID: id}}
	err := attachPayments(ctx, q, t, map[string]int{id: 0}, []string{id})
	return t[0].Payments, err
}

// Progress is how far the payment of a payable has come.
type Progress struct {
	Status     Status
	Settlement SettlementStatus
	Payment    PaymentStatus
	PaymentID  string
	Info       string // of the payment
}

// ProgressOf tells how far the payments of several transactions have come, by transaction and position, in one
// statement. Those of deleted transactions are left out.
func ProgressOf(ctx context.Context, q db.Querier, ids []string) (map[string]map[int]Progress, error) {
	out := map[string]map[int]Progress{}
	if len(ids) == 0 {
		return out, nil
	}

	rows, err := progressOf(ctx, q, ids)
	for _, r := range rows {
		if out[r.t.ID] == nil {
			out[r.t.ID] = map[int]Progress{}
		}

		r.p.Position = int(r.position)
		out[r.t.ID][r.p.Position] = Progress{
			r.t.Status,
			r.t.Settlement,
			r.t.PaymentStatus(r.p.Outcome),
			r.t.PaymentID(r.p.Position),
			r.p.StatusInfo,
		}
	}

	return out, err
}
