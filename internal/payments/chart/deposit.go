package chart

import (
	"fmt"
	"strconv"

	"slipway/internal/core/money"
	"slipway/internal/payments/effect"
	"slipway/internal/payments/ledger"
)

// Deposit is a credit that a bank has booked on a house account.
type Deposit struct {
	Entry, House string
	Amount       money.Amount
}

func (d Deposit) currency() string        { return d.Amount.Asset().Code }
func (d Deposit) memo() string            { return d.House + "/" + d.Entry }
func (d Deposit) key(event string) string { return "entry/" + d.Entry + event }
func (d Deposit) sender() ledger.Account  { return ledger.SenderAccount(d.currency()) }

func (d Deposit) suspense(of Of) ledger.Account {
	return ledger.SuspenseAccount(d.currency(), of.Organisation)
}

// arrival returns the postings of money that arrived on a house account, without those of its destination.
func arrival(house string, amount money.Amount, memo string) []ledger.Posting {
	return append(onBank(house, amount, memo), ledger.Posting{
		Account: ledger.SenderAccount(amount.Asset().Code),
		Amount:  amount.Neg(),
		Memo:    memo,
	})
}

// DepositMatched is a deposit that pays a transaction; it waits for its conversion.
type DepositMatched struct {
	Of
	Deposit
}

// Journal returns what is posted.
func (e DepositMatched) Journal() ledger.Journal {
	lines := append(arrival(e.House, e.Amount, e.memo()), ledger.Posting{
		Account: ledger.ConvertClearing(e.currency()),
		Amount:  e.Amount,
		Memo:    e.memo(),
	})

	return e.journal(e.Deposit.key(""), "deposit", lines...)
}

// DepositsSuspended is deposits that match nothing and go to suspense together: one of an organisation's, or those of
// which it is not known whose they are. Suspense has a line for each deposit, which names it; the house's accounts and
// the senders have one sum for each account and currency. The key is that of the first deposit. No deposit can be in
// two journals, because its row enters suspense in the same write, and only once.
type DepositsSuspended struct {
	Of

	Deposits []Deposit
}

// Journal returns what is posted.
func (e DepositsSuspended) Journal() ledger.Journal {
	type place struct{ house, currency string }

	type total struct {
		sum   money.Amount
		first Deposit
		more  int
	}

	var places []place

	totals := map[place]*total{}
	lines := make([]ledger.Posting, 0, len(e.Deposits)+3)

	for _, d := range e.Deposits {
		lines = append(lines, ledger.Posting{Account: d.suspense(e.Of), Amount: d.Amount, Memo: d.memo()})

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

		lines = append(lines, arrival(p.house, t.sum, memo)...)
	}

	return e.journal(e.Deposits[0].key(""), "deposit", lines...)
}

// DepositOwned is a deposit in suspense that enters a book: that of its owner, who was found out, or that of nobody, if
// it is not the one's who was taken for its owner.
type DepositOwned struct {
	Of
	Deposit

	Number int64 // one more with each change of the deposit
}

// Journal returns what is posted.
func (e DepositOwned) Journal() ledger.Journal {
	return e.journal(e.Deposit.key("/owned/"+strconv.FormatInt(e.Number, 10)), "owned",
		move(e.sender(), e.suspense(e.Of), e.Amount, e.memo())...)
}

// DepositDisowned is a deposit in suspense that leaves a book in which it should not stand. It is the opposite of
// DepositOwned, and posted before it.
type DepositDisowned struct{ DepositOwned }

// Journal returns what is posted.
func (e DepositDisowned) Journal() ledger.Journal {
	return opposite(e.DepositOwned.Journal(), e.Deposit.key("/disowned/"+strconv.FormatInt(e.Number, 10)), "disowned")
}

// DepositAssigned is a deposit in suspense that pays a transaction, as people have found out.
type DepositAssigned struct {
	Of
	Deposit
}

// Journal returns what is posted.
func (e DepositAssigned) Journal() ledger.Journal {
	return e.journal(e.Deposit.key("/assigned"), "assign",
		move(e.suspense(e.Of), ledger.ConvertClearing(e.currency()), e.Amount, e.memo())...)
}

// DepositWithdrawn is a deposit in suspense that its bank has never booked: it was read wrong and is reported anew. It
// is the opposite of DepositsSuspended with this one alone.
type DepositWithdrawn struct {
	Of
	Deposit
}

// Journal returns what is posted.
func (e DepositWithdrawn) Journal() ledger.Journal {
	return opposite(DepositsSuspended{e.Of, []Deposit{e.Deposit}}.Journal(), e.Deposit.key("/withdrawn"), "withdrawn")
}

// DebitBooked is a debit that its bank has booked and that is no payout of ours: a charge of the house's, or a reversal
// that names no deposit.
type DebitBooked struct {
	Deposit // the debit's entry, house account and amount

	Reversal bool
}

// Journal returns what is posted.
func (e DebitBooked) Journal() ledger.Journal {
	kind := "charge"
	if e.Reversal {
		kind = "reversal"
	}

	return Of{}.journal(e.key(""), kind, onBank(e.House, e.Amount.Neg(), e.memo())...)
}

// DebitWithdrawn is a charge that its bank has never booked. It is the opposite of DebitBooked.
type DebitWithdrawn struct{ Deposit }

// Journal returns what is posted.
func (e DebitWithdrawn) Journal() ledger.Journal {
	return opposite(DebitBooked{Deposit: e.Deposit}.Journal(), e.key("/withdrawn"), "withdrawn")
}

// DepositReversed is a deposit that its bank took back from the house's account. From is where the money is missing:
// what is left of it, or what the organisation owes. The entry is that of the debit.
type DepositReversed struct {
	Of
	Deposit

	Original   Deposit
	From       ledger.Account
	Receivable string // what is owed for it; empty: nothing
}

// Journal returns what is posted.
func (e DepositReversed) Journal() ledger.Journal {
	lines := onBank(e.House, e.Amount.Neg(), e.memo())
	missing := move(e.From, e.sender(), e.Amount, e.Original.memo())

	if e.Receivable != "" {
		missing[0].Memo = e.Receivable
	}

	return e.journal(e.Deposit.key(""), "reversal", append(lines, missing...)...)
}

// SentBack is a deposit on its way back to the account from which it came.
type SentBack struct {
	Of
	Deposit

	Key  effect.Key
	Rail string
}

func (e SentBack) journal(event, kind string, lines []ledger.Posting) ledger.Journal {
	return e.Of.journal(e.Key.String()+"/"+event, kind, lines...)
}

// SendBackBegun is the return of a deposit that was planned.
type SendBackBegun struct {
	SentBack

	From ledger.Account // where the deposit was
}

// Journal returns what is posted.
func (e SendBackBegun) Journal() ledger.Journal {
	return e.journal("send", "refund", move(e.From, ledger.BankClearing(e.Rail), e.Amount, e.memo()))
}

// SendBackBooked is the return of a deposit that the bank has debited.
type SendBackBooked struct {
	SentBack

	Booked Booking
}

// Journal returns what is posted.
func (e SendBackBooked) Journal() ledger.Journal {
	return e.journal("booked", "booked", append(onBank(e.Booked.House, e.Booked.Amount.Neg(), e.Booked.Memo),
		move(ledger.BankClearing(e.Rail), e.sender(), e.Amount, e.memo())...))
}

// SendBackRefused is the return of a deposit that the bank refuses: the money is in suspense, and a person acts next.
type SendBackRefused struct{ SentBack }

// Journal returns what is posted.
func (e SendBackRefused) Journal() ledger.Journal {
	return e.journal("rejected", "rejected",
		move(ledger.BankClearing(e.Rail), e.suspense(e.Of), e.Amount, e.memo()))
}
