// Package fiat is what FIAT transactions do differently: they pay tokens from one wallet as money to bank accounts. The
// tokens are pulled to the treasury, converted and paid out.
//
// It promises that submit locks one price and the bank accounts as they are then, and that nothing is accepted at a
// price which its caller has not seen. It moves no money and keeps nothing; package transaction calls it.
//
// Read fiat.go (what the type does in each use case), then check.go (what a draft must be), price.go (submit and
// accept), and hold.go (what check-allowance locks).
package fiat

import (
	"context"
	"errors"

	"slipway/internal/core/caller"
	"slipway/internal/core/money"
	"slipway/internal/directory/bankaccount"
	"slipway/internal/payments/quote"
	"slipway/internal/payments/transaction"
	"slipway/internal/platform/db"
)

// Kind is the type FIAT.
type Kind struct {
	// Quotes makes the prices; nil: this deployment does not carry the type out.
	Quotes *quote.Service
	// PayoutRails returns the rails on which the house pays out in a currency, as refdata's codes.
	PayoutRails func(currency string) []string
	// Carries returns what a payment file of the rail cannot carry, as a message for each field of the payment. It
	// returns an empty map when everything fits, and makes no call. nil: not checked.
	Carries func(p transaction.Payment, rail string) map[string]string
}

// Traits returns the facts of the type.
func (Kind) Traits() transaction.Traits {
	return transaction.Traits{Accepted: transaction.SettlementPulling, Converts: true, Actions: actions}
}

var actions = map[transaction.Status][]string{
	transaction.StatusDraft:   {"validate", "check-allowance"},
	transaction.StatusWaiting: {"check-allowance"},
}

// Offered reports whether there are prices.
func (k Kind) Offered() bool { return k.Quotes != nil }

// Input returns the stored transaction as a client would write it.
func (Kind) Input(t transaction.Transaction) transaction.Input {
	in := t.Input()
	for _, p := range t.Payments {
		x := p.Input(t.Type)
		x.Amount = p.Fiat().String()
		x.BankAccount = caller.Ref(p.BankAccount)
		x.CurrencyIsoCode = p.Currency
		x.EstimatedRate = p.EstimatedRate
		x.BankingFeesOption = string(p.FeesOption)
		x.Reference = p.Reference
		in.Payments = append(in.Payments, x)
	}

	return in
}

// Costs returns the transaction with what check-allowance compares. The price of a draft is the quote that submit would
// take: it is locked for it, unless the caller may not write, or a payment has no rail yet. Afterwards it is the price
// that was locked last.
func (k Kind) Costs(
	ctx context.Context,
	s *transaction.Service,
	t transaction.Transaction,
) (transaction.Transaction, *quote.Quote, error) {
	if t.Status == transaction.StatusDraft {
		q, err := k.hold(ctx, s, t)
		if err != nil {
			return t, nil, err
		}

		t.Debit = q.TokenDebit

		return t, &q, nil
	}

	q, err := k.Quotes.ForTransaction(ctx, s.DB, t.ID)
	if errors.Is(err, db.ErrNone) { // rejected as a draft
		return t, nil, nil
	}

	return t, &q, err
}

// Acceptable checks first whether the quote is still valid, then whether the wallet covers it. An expired quote is
// replaced, and the refusal contains both prices.
func (k Kind) Acceptable(
	ctx context.Context,
	s *transaction.Service,
	t transaction.Transaction,
) (guard transaction.Guard, err error) {
	if t.Status != transaction.StatusWaiting {
		return nil, t.NotWaiting()
	}

	q, err := k.Quotes.ForTransaction(ctx, s.DB, t.ID)
	if err != nil {
		return nil, err
	}

	if errors.Is(q.Good(s.DB.Now()), quote.ErrExpired) {
		return nil, k.requote(ctx, s, t, q)
	}

	keep := func(ctx context.Context, tx *db.Tx) error { return k.Quotes.Keep(ctx, tx, q) }

	return keep, s.CheckFunds(ctx, t)
}

// Deletable returns nil: nothing that comes from outside can belong to a waiting transaction.
func (Kind) Deletable(transaction.Transaction) error { return nil }

// Cancel frees what submit reserved of the wallet and of the limits, and lets the quote of a draft lapse.
func (Kind) Cancel(tx *db.Tx, t transaction.Transaction) error {
	transaction.ReleaseReservation(tx, t)
	return quote.Release(tx, t.ID)
}

// Show fills in what the transaction pays, and to which accounts. Callers from outside the organisation see masked
// numbers.
func (Kind) Show(v *transaction.View, t transaction.Transaction, own bool) {
	v.CommissionType = t.CommissionType

	for i, x := range t.Payments {
		p := &v.Payments[i]
		p.Amount = x.Fiat().String()
		p.CurrencyIsoCode = x.Currency
		p.EstimatedRate = x.EstimatedRate
		p.BankingFeesOption = string(x.FeesOption)
		p.Reference = x.Reference

		if x.Units.Sign() > 0 {
			p.TokenAmount = t.Amount(x).String()
		}

		if a, err := x.Account(); err == nil {
			p.BankAccount = showAccount(a, own)
		}
	}

	v.Totals.FiatOut = sums(t.Payments)
}

func showAccount(a bankaccount.Account, own bool) *transaction.BankAccountView {
	show := transaction.Masked
	if own {
		show = func(s string) string { return s }
	}

	return &transaction.BankAccountView{
		ID:            a.ID,
		BankCountry:   a.Country,
		Currency:      a.Currency,
		BankName:      a.BankName(),
		IBAN:          show(a.IBAN),
		BIC:           a.BankBIC(),
		AccountNumber: show(a.AccountNumber),
		SortCode:      show(a.SortCode),
		RoutingNumber: a.RoutingNumber,
		IFSC:          a.IFSC,
		AccountType:   a.AccountType,
	}
}

// sums returns what is paid out, one amount for each currency, in the order of the payments.
func sums(payments []transaction.Payment) []quote.AmountView {
	var order []string

	byCurrency := map[string]money.Amount{}

	for _, p := range payments {
		if sum, ok := byCurrency[p.Currency]; ok {
			byCurrency[p.Currency] = sum.Add(p.Fiat())
			continue
		}

		order = append(order, p.Currency)
		byCurrency[p.Currency] = p.Fiat()
	}

	out := make([]quote.AmountView, len(order))
	for i, c := range order {
		out[i] = quote.AmountView{CurrencyIsoCode: c, Amount: byCurrency[c].String()}
	}

	return out
}
