package transaction

import (
	"context"

	"slipway/internal/core/fault"
	"slipway/internal/identity/approval"
	"slipway/internal/platform/db"
)

// Payables are the functions that a transaction made of payables calls. Each runs inside the write that it is about,
// and its error rolls that write back. A transaction without payables calls none of them and runs no further statement.
type Payables struct {
	// Lock refuses submit unless every payment belongs to a payable that is still reserved for it and still equals what
	// was approved. From then on, changes of payees no longer change the payables.
	Lock func(ctx context.Context, tx *db.Tx, t Transaction) error
	// Ended is called with every move of a transaction that has ended or was deleted. t holds the present outcomes of
	// its payments. A second call with the same outcomes must change nothing.
	Ended func(ctx context.Context, tx *db.Tx, t Transaction) error
	// Of returns the identifiers of the payables that transactions were made of, by transaction and by the position of
	// their payments.
	Of func(ctx context.Context, q db.Querier, transactionIDs []string) (map[string]map[int]string, error)
	// Likes returns an organisation's open payables that no transaction pays yet and that are alike some payments.
	Likes func(ctx context.Context, q db.Querier, organisation string, payments []Like) ([]Like, error)
}

// ofPayables holds what makes a draft a draft of payables; nil: it is made of none.
type ofPayables struct {
	authors approval.People
	take    func(tx *db.Tx, t Transaction) error
}

// CreateOfPayables makes a draft of payables, like Create. take reserves the payables inside the write that creates the
// draft; its error rolls both back. authors are people who have had a part besides the caller. The draft cannot be
// replaced. A second call makes a second draft, unless take refuses.
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

// fixedByPayables returns the refusal to replace a draft whose payments belong to payables.
func fixedByPayables() error {
	return fault.New(
		fault.Conflict,
		fault.TxOfPayables,
		"The transaction is made of payables: change those, and delete the transaction while it is a draft.",
	)
}

// notifyPayables calls Payables.Ended for a transaction that has ended, with its payments as this write leaves them.
func (s *Service) notifyPayables(ctx context.Context, tx *db.Tx, t Transaction) error {
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

// paymentsOf reads the present payments of a transaction.
func paymentsOf(ctx context.Context, q db.Querier, id string) ([]Payment, error) {
	t := []Transaction{{ID: id}}
	err := attachPayments(ctx, q, t)
	return t[0].Payments, err
}

// Progress is the state of the payment of a payable.
type Progress struct {
	Status     Status
	Settlement SettlementStatus
	Payment    PaymentStatus
	PaymentID  string
	Info       string // the payment's statusInfo
}

// ProgressOf returns the progress of the payments of several transactions, by transaction and position, in one
// statement. Deleted transactions are left out.
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
