package reconcile

import (
	"context"
	"fmt"
	"slices"

	"slipway/internal/core/money"
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

// postSuspended books deposits that go to suspense. Without deposits it does nothing.
func postSuspended(tx *db.Tx, deposits []Deposit) error {
	if len(deposits) == 0 {
		return nil
	}

	return ledger.Post(tx, suspenseJournal(deposits))
}

// enqueueMatch enqueues the matching step. There is one live job for all deposits. If it is running, it may have read
// past what this write adds, so it runs once more afterwards.
func (s *Service) enqueueMatch(tx *db.Tx) {
	s.Jobs.Demand(tx, JobKind, JobKind, "")
}

// matchJournal returns the journal of a deposit that pays a transaction: on the house's account, and where the money
// waits for conversion.
func matchJournal(d Deposit, t transaction.Transaction) ledger.Journal {
	return ledger.Journal{
		Key:          entryKey(d),
		Kind:         "deposit",
		Organisation: t.Organisation,
		Transaction:  t.ID,
		Postings: append(arrivalPostings(d.House, d.Amount, d.memo()), ledger.Posting{
			Account: ledger.ConvertClearing(d.currency()),
			Amount:  d.Amount,
			Memo:    d.memo(),
		}),
	}
}

// suspenseJournal returns one journal for deposits that go to suspense together. Suspense has a line for each deposit,
// which names it; the house's accounts and the senders have one sum for each account and currency. Its key is that of
// the first deposit. No deposit can be in two journals, because its row enters suspense in the same write, and only
// once.
func suspenseJournal(deposits []Deposit) ledger.Journal {
	type place struct{ house, currency string }

	type total struct {
		sum   money.Amount
		first Deposit
		more  int
	}
	j := ledger.Journal{
		Key:      entryKey(deposits[0]),
		Kind:     "deposit",
		Postings: make([]ledger.Posting, 0, len(deposits)+3),
	}

	var places []place

	totals := map[place]*total{}
	for _, d := range deposits {
		j.Postings = append(j.Postings, ledger.Posting{
			Account: ledger.SuspenseAccount(d.currency()),
			Amount:  d.Amount,
			Memo:    d.memo(),
		})

		p := place{d.House, d.currency()}
		if t := totals[p]; t != nil {
			t.sum = t.sum.Add(d.Amount)
			t.more++
			continue
		}

		places = append(places, p)
		totals[p] = &total{sum: d.Amount, first: d}
	}

	for _, p := range places {
		t := totals[p]

		memo := t.first.memo()
		if t.more > 0 {
			memo += fmt.Sprintf(" and %d more", t.more)
		}

		j.Postings = append(j.Postings, arrivalPostings(p.house, t.sum, memo)...)
	}

	return j
}

// arrivalPostings returns the postings of money that arrived on a house account, without those of its destination.
func arrivalPostings(house string, amount money.Amount, memo string) []ledger.Posting {
	return append(ledger.OnBank(house, amount, memo), ledger.Posting{
		Account: ledger.SenderAccount(amount.Asset().Code),
		Amount:  amount.Neg(),
		Memo:    memo,
	})
}

func entryKey(d Deposit) string { return "entry/" + d.Entry }

// assignJournal returns the journal that moves a deposit from suspense to the transaction that it pays.
func assignJournal(d Deposit) ledger.Journal {
	return ledger.Journal{
		Key:          entryKey(d) + "/assigned",
		Kind:         "assign",
		Organisation: d.Organisation,
		Transaction:  d.Transaction,
		Postings: []ledger.Posting{
			{Account: ledger.SuspenseAccount(d.currency()), Amount: d.Amount.Neg(), Memo: d.memo()},
			{Account: ledger.ConvertClearing(d.currency()), Amount: d.Amount, Memo: d.memo()},
		},
	}
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
