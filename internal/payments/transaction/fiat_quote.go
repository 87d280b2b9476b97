package transaction

import (
	"context"
	"errors"
	"math/big"
	"time"

	"slipway/internal/core/caller"
	"slipway/internal/core/fault"
	"slipway/internal/core/money"
	"slipway/internal/payments/quote"
	"slipway/internal/platform/db"
)

// priceFiat adds the price at the present rates to a draft. If no rate is available, a draft stays without a price;
// with must set (validate and submit), that is an error.
func priceFiat(ctx context.Context, s *Service, org, partner string, d *draft, k *known, must bool) error {
	for _, p := range d.payments {
		if s.rail(p) == "" && !must {
			return nil // it cannot be paid to yet; usable refuses it at validate and submit
		}
	}

	request := s.fiatRequest(org, partner, k.network.ID, money.Asset{
		Code:     k.token.Code,
		Decimals: k.token.Decimals,
	}, d.payments, true)
	request.Firm = must

	q, err := s.Quotes.Price(ctx, request)
	if f, ok := fault.As(err); ok && f.Kind == fault.Unavailable && !must {
		return nil
	}

	if err != nil {
		return err
	}

	if q.TokenDebit.Cmp(maxUnits) > 0 {
		var l fault.List
		l.Add(
			"/payments",
			fault.TransactionTooLarge,
			"cost %s %s together; one transaction moves at most %s.",
			money.Format(q.TokenDebit, k.token.Decimals),
			k.token.Code,
			money.Format(maxUnits, k.token.Decimals),
		)

		return l.Err()
	}

	d.quote = &q
	d.debit = q.TokenDebit
	d.payments = priced(d.payments, q)
	d.terms.CommissionType = string(q.Commission)

	return nil
}

// fiatRequest returns the request for the price of payments. The rate that a client expects is compared only until
// submit; from then on the locked quote counts.
func (s *Service) fiatRequest(
	org, partner, network string,
	token money.Asset,
	payments []Payment,
	expected bool,
) quote.Request {
	in := quote.Request{
		Kind:         quote.Fiat,
		Organisation: org,
		Partner:      partner,
		Network:      network,
		Token:        token,
	}
	for _, p := range payments {
		line := quote.LineRequest{
			Position:  p.Position,
			Currency:  p.Fiat().Asset(),
			FiatUnits: p.FiatUnits,
			Charges:   quote.Charges(p.FeesOption),
			Rail:      s.rail(p),
		}
		if expected {
			line.EstimatedRate = p.EstimatedRate
		}

		in.Lines = append(in.Lines, line)
	}

	return in
}

// rail returns the best rail to the payment's bank account on which the house pays, or "" if there is none.
func (s *Service) rail(p Payment) string {
	a, err := p.Account()
	if err != nil {
		return ""
	}

	return bestRail(a, s.PayoutRails(p.Currency))
}

// priced returns the payments with the cost of each in tokens, without fees.
func priced(payments []Payment, q quote.Quote) []Payment {
	out := append([]Payment(nil), payments...)
	for _, line := range q.Lines {
		out[line.Position].Units = new(big.Int).Set(line.TokenUnits)
	}

	return out
}

// fiatCosts returns what check-allowance compares with: the price at the present rates for a draft, the locked price
// afterwards.
func fiatCosts(ctx context.Context, s *Service, t Transaction) (Transaction, error) {
	if t.Status != StatusDraft {
		return t, nil
	}

	q, err := s.Quotes.Price(ctx, s.fiatRequest(t.Organisation, t.Partner, t.Network, t.Asset(), t.Payments, false))
	if err != nil {
		return t, err
	}

	t.Debit = q.TokenDebit

	return t, nil
}

func prepareFiat(ctx context.Context, s *Service, t Transaction, d draft, k *known) (p prepared, err error) {
	p.quote = *d.quote
	p.read = s.DB.Now()
	p.treasury = k.network.WalletAddress
	p.funds, err = s.fundsOf(ctx, t, k.token, true)

	return p, err
}

// lockFiat locks the quote, reserves the whole debit with its fees, and stores the receivers and bank accounts as they
// are now.
func lockFiat(
	ctx context.Context,
	s *Service,
	tx *db.Tx,
	t Transaction,
	p prepared,
) (Transaction, SettlementStatus, error) {
	t.Payments = priced(t.Payments, p.quote)
	t.Debit = p.quote.TokenDebit
	t.CommissionType = string(p.quote.Commission)
	t.Treasury = p.treasury

	if err := s.reserveFunds(ctx, tx, t, p.funds, p.read); err != nil {
		return t, "", err
	}

	if _, err := s.Quotes.Lock(ctx, tx, t.ID, p.quote); err != nil {
		return t, "", err
	}

	lockPrice(tx, t)

	return t, SettlementQuoted, lockAccounts(tx, t)
}

// fiatAcceptable checks first whether the quote is still valid, then whether the wallet covers it.
func fiatAcceptable(
	ctx context.Context,
	s *Service,
	p caller.Principal,
	t Transaction,
) (func(now time.Time) error, error) {
	if t.Status != StatusWaiting {
		return nil, notWaiting(t)
	}

	q, err := s.Quotes.ForTransaction(ctx, s.DB, t.ID)
	if err != nil {
		return nil, err
	}

	if errors.Is(q.Good(s.DB.Now()), quote.ErrExpired) {
		return nil, s.requote(ctx, p, t, q)
	}

	return q.Good, s.acceptable(ctx, t)
}

// requote locks a new price in place of an expired one and returns a refusal that contains both rates, because nothing
// is paid at a rate that nobody has seen. Only a caller who could have accepted triggers a new price.
func (s *Service) requote(ctx context.Context, p caller.Principal, t Transaction, before quote.Quote) error {
	if !t.ContentUnchanged() {
		return contentChanged()
	}

	if err := s.gates(ctx, p, t); err != nil {
		return err
	}

	request := s.fiatRequest(t.Organisation, t.Partner, t.Network, t.Asset(), t.Payments, false)
	request.Firm = true

	next, err := s.Quotes.Price(ctx, request)
	if err != nil {
		return err
	}

	if next.TokenDebit.Cmp(maxUnits) > 0 {
		return fault.New(
			fault.Invalid,
			fault.TransactionTooLarge,
			"At the present rate the payments cost more tokens than one transaction can move.",
		)
	}

	var refusal error

	err = s.write(ctx, func(tx *db.Tx) error {
		now, err := s.Find(ctx, tx, t.ID)
		if err != nil {
			return err
		}

		if now.Version != t.Version { // another caller was faster; the stored price counts
			refusal, err = s.overtakenQuote(ctx, tx, now, before)
			return err
		}

		locked, err := s.Quotes.Lock(ctx, tx, t.ID, next)
		if err != nil {
			return err
		}

		refusal = quote.Expired(before, locked)
		now.Payments = priced(now.Payments, locked)
		now.Debit = locked.TokenDebit
		now.ContentHash = now.contentHash()
		lockPrice(tx, now)
		reserveAnew(tx, now)
		_, err = s.advance(ctx, tx, now, Step{Status: StatusWaiting, Settlement: SettlementQuoted, What: "quoted"})

		return err
	})
	if err != nil { // a price of a write that was rolled back must not be reported
		return err
	}

	return refusal
}

// overtakenQuote returns the answer for a caller that found an expired quote which another caller has replaced since.
func (s *Service) overtakenQuote(
	ctx context.Context,
	q db.Querier,
	t Transaction,
	before quote.Quote,
) (refusal, err error) {
	if t.Status != StatusWaiting {
		return notWaiting(t), nil
	}

	current, err := s.Quotes.ForTransaction(ctx, q, t.ID)
	if err != nil {
		return nil, err
	}

	return quote.Expired(before, current), nil
}
