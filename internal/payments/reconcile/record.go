package reconcile

import (
	"context"
	"fmt"
	"slices"

	"slipway/internal/payments/chart"
	"slipway/internal/payments/effect"
	"slipway/internal/payments/ledger"
	"slipway/internal/payments/receivable"
	"slipway/internal/payments/transaction"
	"slipway/internal/platform/db"
)

// Credited records booked credits in the write that records the bank's evidence. Those that name a transaction, or what
// an organisation owes, are left to the matching step, which it enqueues. All others go to suspense at once and are
// posted there together, because no rule can ever match them: a reference is allotted before a payer is told of it, so
// a deposit that is already here names no later transaction. If a credit was recorded before, the whole write fails
// with db.Unique of deposits.
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

// postSuspended books deposits that go to suspense: those of nobody and of the same days by one journal, and each of
// the others by its own, so that it is one movement in its owner's book.
func postSuspended(tx *db.Tx, deposits []Deposit) error {
	var order []ledger.Days

	unknown := map[ledger.Days][]chart.Deposit{}

	for _, d := range deposits {
		on := d.days()

		if d.Owner != "" {
			owned := chart.DepositsSuspended{Of: d.of(), Deposits: []chart.Deposit{d.ForBook()}}
			if err := chart.PostOn(tx, on, owned); err != nil {
				return err
			}

			continue
		}

		if unknown[on] == nil {
			order = append(order, on)
		}

		unknown[on] = append(unknown[on], d.ForBook())
	}

	for _, on := range order {
		if err := chart.PostOn(tx, on, chart.DepositsSuspended{Deposits: unknown[on]}); err != nil {
			return err
		}
	}

	return nil
}

// Attribute moves a deposit in suspense into the book of its owner, from that of nobody or of another organisation. The
// caller stores it. A second call for the same owner does nothing.
func (s *Service) Attribute(tx *db.Tx, d *Deposit, organisation string) error {
	if d.Owner == organisation {
		return nil
	}

	was := chart.DepositOwned{Of: chart.Of{Organisation: d.Owner}, Deposit: d.ForBook(), Number: d.Version}
	now := was
	now.Organisation = organisation
	d.Owner = organisation

	if err := chart.PostOn(tx, d.days(), chart.DepositDisowned{DepositOwned: was}); err != nil {
		return err
	}

	return chart.PostOn(tx, d.days(), now)
}

// enqueueMatch enqueues the matching step. There is one live job for all deposits. If it is running, it may have read
// past what this write adds, so it runs once more afterwards.
func (s *Service) enqueueMatch(tx *db.Tx) {
	s.Jobs.Demand(tx, JobKind, JobKind, "")
}

// ForBook returns what the deposit is for the book.
func (d Deposit) ForBook() chart.Deposit {
	return chart.Deposit{Entry: d.Entry, House: d.House, Amount: d.Amount}
}

// days returns the bank's days of the deposit.
func (d Deposit) days() ledger.Days { return ledger.OfBank(d.BookedAt, d.ValueAt) }

// of returns in whose book the deposit stands.
func (d Deposit) of() chart.Of { return chart.Of{Organisation: d.Owner} }

// paying returns whom the deposit pays.
func (d Deposit) paying() chart.Of {
	return chart.Of{Organisation: d.Owner, Transaction: d.Transaction}
}

// ReturnForBook returns what the return of the deposit to its sender is for the book: of the transaction that it has
// paid, unless people send it back out of suspense.
func (d Deposit) ReturnForBook(key effect.Key, rail string) chart.SentBack {
	out := chart.SentBack{Of: d.of(), Deposit: d.ForBook(), Key: key, Rail: rail}
	if d.SettledAs != ActionRefund {
		out.Of = d.paying()
	}

	return out
}

func (d Deposit) currency() string { return d.Amount.Asset().Code }

func (d Deposit) memo() string { return d.House + "/" + d.Entry }

// Account returns the account on which a deposit's money is.
func (d Deposit) Account() ledger.Account {
	if d.State == StateMatched {
		return ledger.ConvertClearing(d.currency())
	}

	return ledger.SuspenseAccount(d.currency(), d.Owner)
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
