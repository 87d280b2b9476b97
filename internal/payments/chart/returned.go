package chart

import (
	"slipway/internal/core/money"
	"slipway/internal/payments/ledger"
)

// Returned is money of a paid payment that came back. Kept says that it stays as fiat; otherwise it waits for its worth
// in tokens.
type Returned struct {
	Of

	Payout, Return    string // the payout's key, and the entry that proves the return
	Payment, Receiver string
	Amount            money.Amount // what arrived
	Charges           money.Amount // what banks have kept of it; below zero: some of what they had kept came, too
	Kept              bool
	Booked            *Booking       // it arrived as a return
	Deposit           *ReturnDeposit // it arrived as a deposit, and people have found out what it is
}

// ReturnDeposit is a deposit that is a return.
type ReturnDeposit struct {
	Deposit

	Account ledger.Account // where it is
}

// ReturnAccount returns the account on which returned money is until it is given back or paid again.
func ReturnAccount(organisation, currency string, kept bool) ledger.Account {
	if kept {
		return ledger.HeldAccount(currency, organisation)
	}

	return ledger.ReturnClearing(currency)
}

// Journal returns what is posted.
func (e Returned) Journal() ledger.Journal {
	var lines []ledger.Posting

	if e.Booked != nil {
		lines = onBank(e.Booked.House, e.Booked.Amount, e.Booked.Memo)
	}

	if d := e.Deposit; d != nil {
		lines = move(d.Account, d.sender(), d.Amount, d.memo())
	}

	payee := ledger.PayeeAccount(e.Receiver)
	currency := e.Amount.Asset().Code
	lines = append(lines, move(payee, ReturnAccount(e.Organisation, currency, e.Kept), e.Amount, e.Payment)...)

	if e.Charges.Sign() != 0 {
		lines = append(lines, move(payee, ledger.ChargesAccount(currency), e.Charges, e.Payment)...)
	}

	return e.journal(e.Payout+"/returned/"+e.Return, "returned", lines...)
}

// ReturnKept is returned money that cannot be given back in tokens: it is kept as fiat, and a person acts next.
type ReturnKept struct {
	Of

	Payout, Return string
	Amount         money.Amount
}

// Journal returns what is posted.
func (e ReturnKept) Journal() ledger.Journal {
	currency := e.Amount.Asset().Code

	return e.journal(
		e.Payout+"/kept/"+e.Return,
		"kept",
		move(
			ReturnAccount(e.Organisation, currency, false),
			ReturnAccount(e.Organisation, currency, true),
			e.Amount,
			"",
		)...)
}
