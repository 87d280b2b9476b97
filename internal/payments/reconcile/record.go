package reconcile

import (
	"context"
	"fmt"
	"slices"

	"slipway/internal/payments/chart"
	"slipway/internal/payments/ledger"
	"slipway/internal/payments/receivable"
	"slipway/internal/payments/transaction"
	"slipway/internal/platform/db"
)

// Credited records booked credits in the write that records the bank's evidence. Those that name a transaction, or
// what an organisation owes, are left to the matching step, which it enqueues. All others go to suspense at once and are posted there by one journal,
// because no rule can ever match them: a reference is allotted before a payer is told of it, so a deposit that is
// already here names no later transaction. One statement checks them all. If a credit was recorded before, the whole
// write fails with db.Unique of deposits.
func (s *Service) Credited(ctx context.Context, tx *db.Tx, deposits []Deposit) error {
	taken, err := transaction.ReferencesTaken(ctx, tx, referencesOf(deposits))
	if err != nil {
		return fmt.Errorf("references of deposits: %w", err)
	}

	if err := addOwed(ctx, tx, referencesOf(deposits), taken); err != nil {
		return err
	}

	suspended := make([]Deposit, 0, len(deposits))

	for _, d := range deposits {
		if d.Claim.Payout != "" {
			d.State = StateSuspense
			d.Reason = ReasonClaim
			suspended = append(suspended, d)
			insertDeposit(tx, d)
			insertClaim(tx, d)

			continue
		}

		d.State = StateNew

		named := d.references()
		if !slices.ContainsFunc(named, func(r string) bool { return taken[r] }) {
			d.State = StateSuspense
			d.Reason = Decide(d, len(named), nil).Reason
			suspended = append(suspended, d)
		}

		insertDeposit(tx, d)
	}

	if len(suspended) < len(deposits) {
		s.enqueueMatch(tx)
	}

	return postSuspended(tx, suspended)
}

// addOwed marks the references among others under which something is owed.
func addOwed(ctx context.Context, q db.Querier, references []string, taken map[string]bool) error {
	left := slices.DeleteFunc(slices.Clone(references), func(r string) bool { return taken[r] })

	owed, err := receivable.ByReference(ctx, q, left)
	if err != nil {
		return fmt.Errorf("receivables of deposits: %w", err)
	}

	for r := range owed {
		taken[r] = true
	}

	return nil
}

// referencesOf returns the references of some deposits, each once.
func referencesOf(deposits []Deposit) (all []string) {
	seen := map[string]bool{}
	for _, d := range deposits {
		for _, r := range d.references() {
			if !seen[r] {
				seen[r] = true
				all = append(all, r)
			}
		}
	}

	return all
}

// postSuspended books deposits that go to suspense, those of the same days together. Without deposits it does nothing.
func postSuspended(tx *db.Tx, deposits []Deposit) error {
	var order []ledger.Days

	of := map[ledger.Days][]chart.Deposit{}

	for _, d := range deposits {
		on := d.days()
		if of[on] == nil {
			order = append(order, on)
		}

		of[on] = append(of[on], d.event())
	}

	for _, on := range order {
		if err := chart.PostOn(tx, on, chart.DepositsSuspended{Deposits: of[on]}); err != nil {
			return err
		}
	}

	return nil
}

// enqueueMatch enqueues the matching step. There is one live job for all deposits. If it is running, it may have read
// past what this write adds, so it runs once more afterwards.
func (s *Service) enqueueMatch(tx *db.Tx) {
	s.Jobs.Demand(tx, JobKind, JobKind, "")
}

// event returns what the deposit is for the book.
func (d Deposit) event() chart.Deposit {
	return chart.Deposit{Entry: d.Entry, House: d.House, Amount: d.Amount}
}

// days returns the bank's days of the deposit.
func (d Deposit) days() ledger.Days { return ledger.OfBank(d.BookedAt, d.ValueAt) }

// of returns whom the deposit pays.
func (d Deposit) of() chart.Of {
	return chart.Of{Organisation: d.Organisation, Transaction: d.Transaction}
}

func (d Deposit) currency() string { return d.Amount.Asset().Code }

func (d Deposit) memo() string { return d.House + "/" + d.Entry }

// Account returns the account on which a deposit's money is.
func (d Deposit) Account() ledger.Account {
	if d.State == StateMatched {
		return ledger.ConvertClearing(d.currency())
	}

	return ledger.SuspenseAccount(d.currency())
}

// OfTransactions lists the deposits that pay transactions, or that name them, by transaction.
func OfTransactions(ctx context.Context, q db.Querier, transactionIDs ...string) (map[string][]Deposit, error) {
	all, err := depositsOf(ctx, q, transactionIDs...)

	out := map[string][]Deposit{}
	for _, d := range all {
		out[d.Transaction] = append(out[d.Transaction], d)
	}

	return out, err
}
