package reconcile

import (
	"context"

	"slipway/internal/payments/ledger"
	"slipway/internal/platform/db"
)

// Credited writes down booked credits in the write that records the bank's evidence, and asks for the matching step. Nothing is decided
// and nothing is posted here: an import of a hundred thousand entries writes one row for each.
func (s *Service) Credited(tx *db.Tx, deposits []Deposit) {
	for _, d := range deposits {
		insertDeposit(tx, d)
	}
	s.ask(tx)
}

// ask wants the matching step. There is one live job for all deposits.
func (s *Service) ask(tx *db.Tx) {
	s.Jobs.Enqueue(tx, JobKind, JobKind, "")
}

// entryJournal books a deposit: on the house's account, and where the sender's money stands from now on.
func entryJournal(d Deposit, organisation, transactionID string, to ledger.Account) ledger.Journal {
	memo := d.memo()
	return ledger.Journal{Key: "entry/" + d.Entry, Kind: "deposit", Organisation: organisation, Transaction: transactionID, Postings: append(ledger.OnBank(d.House, d.Amount, memo),
		ledger.Posting{Account: ledger.SenderAccount(d.currency()), Amount: d.Amount.Neg(), Memo: memo},
		ledger.Posting{Account: to, Amount: d.Amount, Memo: memo})}
}

// assignJournal moves a deposit from suspense to the transaction that it pays.
func assignJournal(d Deposit) ledger.Journal {
	return ledger.Journal{Key: "entry/" + d.Entry + "/assigned", Kind: "assign", Organisation: d.Organisation, Transaction: d.Transaction, Postings: []ledger.Posting{
		{Account: ledger.SuspenseAccount(d.currency()), Amount: d.Amount.Neg(), Memo: d.memo()},
		{Account: ledger.ConvertClearing(d.currency()), Amount: d.Amount, Memo: d.memo()},
	}}
}

func (d Deposit) currency() string { return d.Amount.Asset().Code }

func (d Deposit) memo() string { return d.House + "/" + d.Entry }

// Stands is the account on which a deposit's money is.
func (d Deposit) Stands() ledger.Account {
	if d.State == StateMatched {
		return ledger.ConvertClearing(d.currency())
	}
	return ledger.SuspenseAccount(d.currency())
}

// ByEntry reads a deposit; db.ErrNone when there is none.
func ByEntry(ctx context.Context, q db.Querier, entry string) (Deposit, error) {
	return depositByEntry(ctx, q, entry)
}

// OfTransaction lists the deposits that pay a transaction, or that name it.
func OfTransaction(ctx context.Context, q db.Querier, transactionID string) ([]Deposit, error) {
	return depositsOf(ctx, q, transactionID)
}
