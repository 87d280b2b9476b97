package onramp

import (
	"context"
	"math/big"
	"strings"
	"time"

	"slipway/internal/core/fault"
	"slipway/internal/core/money"
	"slipway/internal/directory/refdata"
	"slipway/internal/payments/quote"
	"slipway/internal/payments/transaction"
	"slipway/internal/platform/db"
)

// longestNotice is how far ahead a transfer may be announced.
const longestNotice = 365 * 24 * time.Hour

// westernmost is how far behind UTC the zone is where a day ends last (UTC-12, Baker Island). A date has no zone: it is
// of the past when it has ended everywhere, so that somebody's today is accepted wherever they are.
const westernmost = 12 * time.Hour

// Shape notes what is wrong with an input by itself.
func (Kind) Shape(in *transaction.Input, l *fault.List) {
	if in.AmountCurrency == "" {
		l.Add("/amountCurrency", fault.Required, "is required for ONRAMP transactions.")
	}

	if len(in.Payments) > 1 {
		l.Add("/payments", fault.TooManyItems, "An ONRAMP transaction has one payment: the deposit.")
	}

	for i := range in.Payments {
		if _, err := transaction.Day(in.Payments[i].ExpectedTransferDate); err != nil {
			l.Add(
				transaction.PaymentAt(i)+"/expectedTransferDate",
				fault.FormatInvalid,
				"must be a date such as 2026-11-30, or a date-time of RFC 3339.",
			)
		}

		in.TakesOnly(l, i, append(restated(), "expectedTransferDate")...)
	}
}

// restated are the fields in which an answer repeats what the transaction says. A payment may repeat it, too.
func restated() []string {
	return []string{"wallet", "walletAddress", "walletType", "network", "tokenIsoCode", "currencyIsoCode"}
}

// noteRestated notes a payment that says another wallet, token or currency than its transaction.
func (c *check) noteRestated(position int, l *fault.List) {
	p := c.request.Input.Payments[position]
	payer := c.request.Payer

	for _, f := range []struct{ name, said, is string }{
		{"wallet", string(p.Wallet), payer.ID},
		{"walletAddress", p.WalletAddress, payer.Address},
		{"walletType", p.WalletType, string(payer.Type)},
		{"network", p.Network, payer.Network},
		{"tokenIsoCode", p.TokenIsoCode, c.request.Input.Token},
		{"currencyIsoCode", p.CurrencyIsoCode, c.currency.Code},
	} {
		if f.said != "" && f.is != "" && !strings.EqualFold(f.said, f.is) {
			at := transaction.PaymentAt(position) + "/" + f.name
			l.Add(at, fault.NotAllowed, "belongs to the transaction, which says something else.")
		}
	}
}

// check compares one input with the records that it names.
type check struct {
	Kind
	request     *transaction.Request
	currency    refdata.Currency           // of the deposit
	currencyErr error                      // why no deposit can be made in it
	house       transaction.DepositAccount // that the deposit goes to
	minimum     money.Amount               // of a deposit
	now         time.Time                  // zero for a stored draft: its dates were checked when it was made
}

// Check looks up the currency of the deposit, the house's account for it and the smallest amount.
func (k Kind) Check(
	ctx context.Context,
	s *transaction.Service,
	_ db.Querier,
	r *transaction.Request,
) (transaction.Check, error) {
	c := &check{Kind: k, request: r}
	if !r.Fresh {
		c.now = s.DB.Now()
	}

	var ok bool
	if c.currency, ok = refdata.All().Currency(r.Input.AmountCurrency); !ok {
		c.currencyErr = fault.New(
			fault.Invalid,
			fault.CurrencyUnknown,
			"is no currency: give its identifier or its code of ISO 4217.",
		)

		return c, nil
	}

	if c.house, ok = k.depositAccount(c.currency.Code); !ok {
		c.currencyErr = fault.New(
			fault.Invalid,
			fault.CurrencyNotOnramp,
			"No deposits are taken in %s.",
			c.currency.Code,
		)

		return c, nil
	}

	var err error
	c.minimum, err = k.Quotes.MinOnramp(ctx, assetOf(c.currency))

	return c, err
}

// depositAccount returns the house's account for a currency.
func (k Kind) depositAccount(currency string) (transaction.DepositAccount, bool) {
	for _, a := range k.DepositAccounts() {
		if a.Currency == currency {
			return a, true
		}
	}

	return transaction.DepositAccount{}, false
}

func assetOf(c refdata.Currency) money.Asset { return money.Asset{Code: c.Code, Decimals: c.Decimals} }

// Build returns the draft of a request.
func (c *check) Build(l *fault.List) transaction.Draft {
	in := c.request.Input
	c.request.NotePayer(l)

	if t, ok := refdata.All().Token(in.Token); ok && !t.Onramp {
		l.Add("/token", fault.TokenNotOnramp, "cannot be bought by a deposit.")
	}

	if c.currencyErr != nil && in.AmountCurrency != "" {
		transaction.NoteAt(l, "/amountCurrency", c.currencyErr)
	}

	d := transaction.NewDraft(in)
	for i := range d.Payments {
		d.Payments[i] = c.buildPayment(i, l)
	}

	d.Terms = transaction.Terms{
		CommissionType:   transaction.CommissionStandard,
		AmountCurrency:   c.currency.Code,
		CurrencyDecimals: c.currency.Decimals,
		FiatUnits:        new(big.Int),
	}
	if len(d.Payments) == 1 && d.Payments[0].FiatUnits != nil {
		d.Terms.FiatUnits = d.Payments[0].FiatUnits
	}

	if len(in.Payments) > 0 {
		d.Terms.ExpectedAt, _ = transaction.Day(in.Payments[0].ExpectedTransferDate) // Shape has noted what is wrong
	}

	return d
}

func (c *check) buildPayment(position int, l *fault.List) transaction.Payment {
	r := c.request
	p := &r.Input.Payments[position]

	out := r.Input.Payment(position)
	out.Units = new(big.Int)
	out.Wallet = r.Payer.ID
	out.Address = r.Payer.Address
	out.WalletType = string(r.Payer.Type)
	out.Network = r.Network.ID
	out.Currency = c.currency.Code
	out.CurrencyDecimals = c.currency.Decimals
	out.Snapshot = r.Snapshot(position, l)
	c.noteRestated(position, l)
	out.FiatUnits = c.parseAmount(transaction.PaymentAt(position)+"/amount", p.Amount, l)

	day, err := transaction.Day(p.ExpectedTransferDate)
	if err != nil || day.IsZero() || c.now.IsZero() {
		return out
	}

	first := c.now.UTC().Add(-westernmost).Truncate(24 * time.Hour)
	if day.Before(first) || day.After(c.now.Add(longestNotice)) {
		l.Add(
			transaction.PaymentAt(position)+"/expectedTransferDate",
			fault.OutOfRange,
			"must be from today on, and within a year.",
		)
	}

	return out
}

// parseAmount parses the amount of the deposit and notes one below the minimum.
func (c *check) parseAmount(at, amount string, l *fault.List) *big.Int {
	if c.currencyErr != nil {
		if err := money.CheckForm(amount); err != nil {
			l.Add(at, fault.AmountForm, "%s.", err)
		}

		return nil
	}

	units := transaction.ParseFiat(l, at, c.currency, amount)
	if units != nil && units.Cmp(c.minimum.Units()) < 0 {
		l.Add(
			at,
			fault.AmountBelowMinimum,
			"is below the minimum on-ramp amount of %s %s.",
			c.minimum,
			c.currency.Code,
		)
	}

	return units
}

// Usable notes a wallet that must not receive tokens.
func (c *check) Usable(_ transaction.Draft, now time.Time, l *fault.List) {
	if c.request.PayerErr != nil {
		return
	}

	if err := c.request.Payer.PayableTo(now); err != nil {
		transaction.NoteAt(l, "/walletAddress", err)
	}
}

// Price checks a deposit against the organisation's limits before anybody is told where to send it. The amount of
// tokens is known only when the deposit has arrived, so the price is shown and not stored.
func (c *check) Price(ctx context.Context, d *transaction.Draft, firm bool) error {
	if !firm {
		return nil
	}

	q, err := c.Quotes.Price(ctx, quote.Request{
		Kind:         quote.Onramp,
		Organisation: c.request.Organisation,
		Partner:      c.request.Partner,
		Network:      c.request.Network.ID,
		Token:        c.request.Asset(),
		Lines:        []quote.LineRequest{{Currency: assetOf(c.currency), FiatUnits: d.Terms.FiatUnits}},
	})
	d.Quote = &q

	return err
}
