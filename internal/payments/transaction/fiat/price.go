package fiat

import (
	"context"
	"math/big"

	"slipway/internal/core/fault"
	"slipway/internal/core/money"
	"slipway/internal/payments/quote"
	"slipway/internal/payments/transaction"
	"slipway/internal/platform/db"
)

// Price adds the price to a draft: the quote that check-allowance has locked for it, while that holds and is for the
// same content, or else one at the present rates. If no rate is available, a draft stays without a price; with firm set
// (validate and submit), that is an error.
func (c check) Price(ctx context.Context, d *transaction.Draft, firm bool) error {
	for _, p := range d.Payments {
		if c.Rail(p) == "" && !firm {
			return nil // it cannot be paid to yet; Usable refuses it at validate and submit
		}
	}

	request := quote.Request{
		Kind:         quote.Fiat,
		Organisation: c.request.Organisation,
		Partner:      c.request.Partner,
		Network:      c.request.Network.ID,
		Token:        c.request.Asset(),
		Lines:        c.lines(d.Payments),
		Firm:         firm,
	}
	for i, p := range d.Payments {
		request.Lines[i].EstimatedRate = p.EstimatedRate
	}

	q, err := c.present(ctx, c.service, c.request.Transaction, request)
	if f, ok := fault.As(err); ok && f.Kind == fault.Unavailable && !firm {
		return nil
	}

	if err != nil {
		return err
	}

	if err := movable(q); err != nil {
		return err
	}

	d.Quote = &q
	d.Debit = q.TokenDebit
	d.Payments = priced(d.Payments, q)
	d.Terms.CommissionType = string(q.Commission)

	return nil
}

// movable refuses a price that is more than one transaction can move.
func movable(q quote.Quote) error {
	var l fault.List
	if limit := transaction.MaxUnits(); q.TokenDebit.Cmp(limit) > 0 {
		l.Add(
			"/payments",
			fault.TransactionTooLarge,
			"cost %s %s together; one transaction moves at most %s.",
			money.Format(q.TokenDebit, q.Token.Decimals),
			q.Token.Code,
			money.Format(limit, q.Token.Decimals),
		)
	}

	return l.Err()
}

// locked returns the request for the price of a stored transaction. The rate that a client expects is not compared:
// from submit on the locked quote counts.
func (k Kind) locked(t transaction.Transaction) quote.Request {
	return quote.Request{
		Kind:         quote.Fiat,
		Organisation: t.Organisation,
		Partner:      t.Partner,
		Network:      t.Network,
		Token:        t.Asset(),
		Lines:        k.lines(t.Payments),
	}
}

func (k Kind) lines(payments []transaction.Payment) []quote.LineRequest {
	lines := make([]quote.LineRequest, len(payments))
	for i, p := range payments {
		lines[i] = quote.LineRequest{
			Position:  p.Position,
			Currency:  p.Fiat().Asset(),
			FiatUnits: p.FiatUnits,
			Charges:   quote.Charges(p.FeesOption),
			Rail:      k.Rail(p),
		}
	}

	return lines
}

// Rail returns the best rail to the payment's bank account on which the house pays, or "" if there is none.
func (k Kind) Rail(p transaction.Payment) string {
	a, err := p.Account()
	if err != nil {
		return ""
	}

	return bestRail(a, k.PayoutRails(p.Currency))
}

// priced returns the payments with the cost of each in tokens, without fees.
func priced(payments []transaction.Payment, q quote.Quote) []transaction.Payment {
	out := append([]transaction.Payment(nil), payments...)
	for i, line := range q.Lines { // one for each payment, in their order
		out[i].Units = new(big.Int).Set(line.TokenUnits)
	}

	return out
}

// Prepare reads the wallet's funds. The lock locks the quote, reserves the whole debit with its fees, and stores the
// receivers and bank accounts as they are now.
func (c check) Prepare(
	ctx context.Context,
	t transaction.Transaction,
	d transaction.Draft,
) (transaction.Lock, error) {
	funds, err := c.service.ReadFunds(ctx, t, c.request.Token)
	if err != nil {
		return nil, err
	}

	return func(
		ctx context.Context,
		tx *db.Tx,
		t transaction.Transaction,
	) (transaction.Transaction, transaction.SettlementStatus, error) {
		t.Debit = d.Quote.TokenDebit // what each payment costs of it, Price has put into the draft
		t.CommissionType = string(d.Quote.Commission)
		t.Treasury = c.request.Network.WalletAddress

		if err := transaction.ReserveFunds(ctx, tx, t, funds); err != nil {
			return t, "", err
		}

		if _, err := c.Quotes.Lock(ctx, tx, t.ID, *d.Quote); err != nil {
			return t, "", err
		}

		return t, transaction.SettlementQuoted, transaction.LockPayouts(tx, t)
	}, nil
}

// requote locks a new price in place of an expired one and returns a refusal that contains both rates, because nothing
// is paid at a rate that nobody has seen. Only a caller who could have accepted triggers a new price.
func (k Kind) requote(
	ctx context.Context,
	s *transaction.Service,
	t transaction.Transaction,
	before quote.Quote,
) error {
	if err := t.CheckContent(); err != nil {
		return err
	}

	if err := s.CheckGates(ctx, t); err != nil {
		return err
	}

	request := k.locked(t)
	request.Firm = true

	next, err := k.Quotes.Price(ctx, request)
	if err != nil {
		return err
	}

	if next.TokenDebit.Cmp(transaction.MaxUnits()) > 0 {
		return fault.New(
			fault.Invalid,
			fault.TransactionTooLarge,
			"At the present rate the payments cost more tokens than one transaction can move.",
		)
	}

	var refusal error

	err = s.Change(ctx, t.ID, func(tx *db.Tx, now transaction.Transaction) error {
		var err error
		if now.Version != t.Version { // another caller was faster; the stored price counts
			refusal, err = k.replaced(ctx, tx, now, before)
			return err
		}

		locked, err := k.Quotes.Lock(ctx, tx, t.ID, next)
		if err != nil {
			return err
		}

		refusal = quote.Expired(before, locked)
		now.Payments = priced(now.Payments, locked)
		now.Debit = locked.TokenDebit

		return s.Relock(ctx, tx, now)
	})
	if err != nil { // a price of a write that was rolled back must not be reported
		return err
	}

	return refusal
}

// replaced returns the answer for a caller that found an expired quote which another caller has replaced since.
func (k Kind) replaced(
	ctx context.Context,
	q db.Querier,
	t transaction.Transaction,
	before quote.Quote,
) (refusal, err error) {
	if t.Status != transaction.StatusWaiting {
		return t.NotWaiting(), nil
	}

	current, err := k.Quotes.ForTransaction(ctx, q, t.ID)
	if err != nil {
		return nil, err
	}

	return quote.Expired(before, current), nil
}
