package chart

import (
	"slipway/internal/core/money"
	"slipway/internal/payments/effect"
	"slipway/internal/payments/ledger"
)

// Payout is money that a bank is to pay, or has paid, for a payment.
type Payout struct {
	Of

	Key           effect.Key
	Rail, Payment string
	Amount        money.Amount
}

// Booking is what a bank has booked on a house account.
type Booking struct {
	House  string
	Amount money.Amount
	Memo   string
}

// PayoutBooked is a payout that the bank has debited: it is paid.
type PayoutBooked struct {
	Payout

	Receiver string
	Booked   Booking
}

// Journal returns what is posted.
func (e PayoutBooked) Journal() ledger.Journal {
	lines := append(onBank(e.Booked.House, e.Booked.Amount.Neg(), e.Booked.Memo),
		move(ledger.BankClearing(e.Rail), ledger.PayeeAccount(e.Receiver), e.Amount, e.Payment)...)

	return e.journal(e.Key.String()+"/booked", "booked", lines...)
}

// PaidAgain is returned money that is kept as fiat and is paid to the payee again.
type PaidAgain struct{ Payout }

// Journal returns what is posted.
func (e PaidAgain) Journal() ledger.Journal {
	return e.journal(e.Key.String()+"/resend", "resend",
		move(e.held(), ledger.BankClearing(e.Rail), e.Amount, e.Payment)...)
}

func (e PaidAgain) held() ledger.Account {
	return ledger.HeldAccount(e.Amount.Asset().Code, e.Organisation)
}

// PaidAgainRefused is a second payout that its bank refused: its money is kept again. It is the opposite of PaidAgain.
type PaidAgainRefused struct{ Payout }

// Journal returns what is posted.
func (e PaidAgainRefused) Journal() ledger.Journal {
	return opposite(PaidAgain(e).Journal(), e.Key.String()+"/rejected", "rejected")
}
