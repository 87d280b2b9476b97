// Package onramp is what ONRAMP transactions do differently: they take a deposit of fiat and deliver tokens to the
// organisation's wallet.
//
// It promises that a reference belongs to one transaction for ever, that what a depositor was told at submit does not
// change, and that a deposit which does not arrive in time ends its transaction. It moves no money; package transaction
// calls it.
//
// Read onramp.go (what the type does in each use case), then check.go (what a draft must be), deposit.go (what the
// depositor is told, and what happens if nothing arrives), code.go (the QR code of the deposit), http.go.
package onramp

import (
	"context"
	"time"

	"slipway/internal/core/fault"
	"slipway/internal/directory/refdata"
	"slipway/internal/payments/quote"
	"slipway/internal/payments/transaction"
	"slipway/internal/platform/db"
)

// Kind is the type ONRAMP.
type Kind struct {
	// Quotes makes the prices; nil: this deployment does not carry the type out.
	Quotes *quote.Service
	// DepositAccounts returns the house's accounts that deposits go to, one for each supported currency; nil: this
	// deployment does not carry the type out.
	DepositAccounts func() []transaction.DepositAccount
}

// Traits returns the facts of the type. It is never accepted: it goes on when the deposit was matched.
func (Kind) Traits() transaction.Traits {
	return transaction.Traits{ApprovedOnly: true, TakesSender: true, Actions: actions}
}

var actions = map[transaction.Status][]string{
	transaction.StatusDraft:   {"validate"},
	transaction.StatusWaiting: {"bank-details"},
}

// Offered reports whether there are prices and accounts for deposits.
func (k Kind) Offered() bool { return k.Quotes != nil && k.DepositAccounts != nil }

// Input returns the stored transaction as a client would write it.
func (Kind) Input(t transaction.Transaction) transaction.Input {
	in := t.Input()
	in.AmountCurrency = t.AmountCurrency

	for _, p := range t.Payments {
		x := p.Input(t.Type)
		x.Amount = p.Fiat().String()

		if !t.ExpectedAt.IsZero() {
			x.ExpectedTransferDate = t.ExpectedAt.Format(time.RFC3339)
		}

		in.Payments = append(in.Payments, x)
	}

	return in
}

// Costs refuses: nothing leaves the wallet.
func (Kind) Costs(
	context.Context,
	*transaction.Service,
	transaction.Transaction,
) (transaction.Transaction, *quote.Quote, error) {
	return transaction.Transaction{}, nil, notForType(
		"An ONRAMP transaction takes nothing from the wallet, so there is no allowance to check.",
	)
}

// Acceptable refuses: the deposit is the decision.
func (Kind) Acceptable(
	context.Context,
	*transaction.Service,
	transaction.Transaction,
) (transaction.Guard, error) {
	return nil, notForType(
		"An ONRAMP transaction is not accepted: it goes on when the deposit has arrived and was matched.",
	)
}

func notForType(why string) error { return fault.New(fault.Conflict, fault.TxNotForType, "%s", why) }

// Deletable refuses to delete a transaction whose reference a deposit has already carried: that deposit must be decided
// on first. A deposit that arrives after the deletion matches nothing and goes to suspense.
func (Kind) Deletable(t transaction.Transaction) error {
	if t.Settlement == transaction.SettlementAwaiting {
		return nil
	}

	return fault.New(
		fault.Conflict,
		fault.TxDepositAssigned,
		"A deposit has named this transaction; it cannot be deleted until it is decided what becomes of the deposit.",
	)
}

// Cancel frees what submit counted towards the limits.
func (Kind) Cancel(tx *db.Tx, t transaction.Transaction) error { return quote.Release(tx, t.ID) }

// Show fills in what the transaction takes, and where the tokens go.
func (Kind) Show(v *transaction.View, t transaction.Transaction, _ bool) {
	v.CommissionType = t.CommissionType
	v.Reference = t.Reference
	v.Sender = t.Sender

	if c, ok := refdata.All().Currency(t.AmountCurrency); ok {
		v.AmountCurrency = c.ID
	}

	v.Totals.FiatIn = &quote.AmountView{CurrencyIsoCode: t.AmountCurrency, Amount: t.Deposit().String()}

	for i, x := range t.Payments {
		p := &v.Payments[i]
		p.Amount = x.Fiat().String()
		p.CurrencyIsoCode = x.Currency
		p.TokenIsoCode = t.Token
		p.ShowWallet(x)

		if !t.ExpectedAt.IsZero() {
			p.ExpectedTransferDate = t.ExpectedAt.UTC().Format(time.DateOnly)
		}

		if x.Units.Sign() > 0 {
			p.TokenAmount = t.Amount(x).String()
			v.Totals.TokenCredit = p.TokenAmount
		}
	}
}
