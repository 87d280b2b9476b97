// Package chart is the chart of what the book can contain: each event that moves value is a type here, and its postings
// are a function of it. No other package posts. docs/reference/journals.md, written by a test, shows each event with
// figures.
//
// An event holds amounts above zero; the chart gives them their signs. It reads nothing and decides nothing.
//
// Read in this order: chart.go, payer.go (a wallet's tokens on their way), conversion.go, send.go (what the treasury
// sends), payout.go, returned.go, deposit.go, house.go (what is the house's own, and what it is owed). Package
// charttest has an example of each.
package chart

import (
	"slipway/internal/core/money"
	"slipway/internal/payments/ledger"
	"slipway/internal/platform/db"
)

// Event is something that moves value. Two of the same effect have the same key, so the second cannot be posted.
type Event interface{ Journal() ledger.Journal }

// Post writes an event into the book, in the caller's transaction. A second call with an event of the same key makes
// the transaction fail with db.Unique of journals.
func Post(tx *db.Tx, e Event) error { return PostOn(tx, ledger.Days{}, e) }

// PostOn writes an event into the book like Post, with the days on which its evidence says that it happened.
func PostOn(tx *db.Tx, on ledger.Days, e Event) error {
	j := e.Journal()
	j.Days = on

	return ledger.Post(tx, j)
}

// Of is whose value an event moves.
type Of struct {
	Organisation string
	Transaction  string // empty: of none
}

func (o Of) journal(key, kind string, lines ...ledger.Posting) ledger.Journal {
	return ledger.Journal{
		Key:          key,
		Kind:         kind,
		Organisation: o.Organisation,
		Transaction:  o.Transaction,
		Postings:     lines,
	}
}

// key returns the key of an event that a transaction meets once.
func (o Of) key(event string) string { return "transaction/" + o.Transaction + "/" + event }

// move returns the two postings that take an amount from an account and bring it to another one.
func move(from, to ledger.Account, amount money.Amount, memo string) []ledger.Posting {
	return []ledger.Posting{
		{Account: from, Amount: amount.Neg(), Memo: memo},
		{Account: to, Amount: amount, Memo: memo},
	}
}

// over returns the two postings of an amount that passes over an account, and leaves it as it was in its asset. In the
// home currency of a book the two may have different values.
func over(account ledger.Account, amount money.Amount) []ledger.Posting {
	return []ledger.Posting{{Account: account, Amount: amount}, {Account: account, Amount: amount.Neg()}}
}

// against returns the two postings of an amount that an account gains, and that another one is posted against.
func against(account, other ledger.Account, amount money.Amount, memo string) []ledger.Posting {
	return []ledger.Posting{
		{Account: account, Amount: amount, Memo: memo},
		{Account: other, Amount: amount.Neg(), Memo: memo},
	}
}

// opposite returns the postings that undo a journal, under another key.
func opposite(j ledger.Journal, key, kind string) ledger.Journal {
	undone := make([]ledger.Posting, len(j.Postings))
	for i, p := range j.Postings {
		p.Amount = p.Amount.Neg()
		undone[i] = p
	}

	j.Key = key
	j.Kind = kind
	j.Postings = undone

	return j
}

// onTreasury returns the postings of tokens that reached the treasury.
func onTreasury(network string, amount money.Amount, memo string) []ledger.Posting {
	return against(ledger.TreasuryAccount(network), ledger.PositionAccount(network), amount, memo)
}

// onEquity returns the postings of tokens that the house's owners brought into the treasury; below zero they took them
// out.
func onEquity(network string, amount money.Amount, memo string) []ledger.Posting {
	return against(ledger.TreasuryAccount(network), ledger.EquityAccount(network), amount, memo)
}

// onBank returns the postings of money that was booked to a house account.
func onBank(house string, amount money.Amount, memo string) []ledger.Posting {
	return against(ledger.BankAccount(house), ledger.PositionAccount(amount.Asset().Code), amount, memo)
}
