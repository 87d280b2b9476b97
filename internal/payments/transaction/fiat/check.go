package fiat

import (
	"context"
	"maps"
	"math/big"
	"slices"
	"strings"
	"time"

	"slipway/internal/core/fault"
	"slipway/internal/core/money"
	"slipway/internal/directory/bankaccount"
	"slipway/internal/directory/refdata"
	"slipway/internal/payments/transaction"
	"slipway/internal/platform/db"
	"slipway/internal/standards/creditorref"
)

// Shape notes what is wrong with an input by itself.
func (Kind) Shape(in *transaction.Input, l *fault.List) {
	in.NoDeposit(l)

	for i := range in.Payments {
		p := &in.Payments[i]
		at := transaction.PaymentAt(i)

		in.NeedsReason(l, i)

		if p.BankAccount == "" {
			l.Add(at+"/bankAccount", fault.Required, "is required for FIAT payments.")
		}

		if p.EstimatedRate != "" && !positive(p.EstimatedRate) {
			l.Add(at+"/estimatedRate", fault.FormatInvalid, "must be a decimal number above zero.")
		}

		if _, ok := creditorref.Structured(p.Reference); !ok && p.Reference != "" {
			l.Add(
				at+"/reference",
				fault.CreditorReference,
				"must be a QR reference of 27 digits or an ISO 11649 reference (RF), with right check digits.",
			)
		}

		in.TakesOnly(l, i, "bankAccount", "currencyIsoCode", "estimatedRate", "bankingFeesOption", "reference")
	}
}

// positive reports whether a text is a decimal number above zero.
func positive(s string) bool {
	return money.CheckForm(s) == nil && strings.Trim(s, "0.") != ""
}

// check compares one input with the records that it names.
type check struct {
	Kind
	service *transaction.Service
	request *transaction.Request
}

// Check reads the bank accounts that the input names.
func (k Kind) Check(
	ctx context.Context,
	s *transaction.Service,
	q db.Querier,
	r *transaction.Request,
) (transaction.Check, error) {
	var ids []string
	for i := range r.Input.Payments {
		if id := string(r.Input.Payments[i].BankAccount); id != "" && !slices.Contains(ids, id) {
			ids = append(ids, id)
		}
	}

	var err error
	r.Accounts, err = bankaccount.ByIDs(ctx, q, r.Organisation, ids)

	return check{k, s, r}, err
}

// Build returns the draft of a request.
func (c check) Build(l *fault.List) transaction.Draft {
	c.request.NotePayer(l)

	d := transaction.NewDraft(c.request.Input)
	d.Terms.CommissionType = transaction.CommissionStandard

	for i := range d.Payments {
		d.Payments[i] = c.buildPayment(i, l)
	}

	return d
}

func (c check) buildPayment(position int, l *fault.List) transaction.Payment {
	p := &c.request.Input.Payments[position]
	at := transaction.PaymentAt(position)

	out := c.request.Input.Payment(position)
	out.Units = new(big.Int)
	out.EstimatedRate = p.EstimatedRate
	out.Reference, _ = creditorref.Structured(p.Reference)

	out.FeesOption = transaction.FeesOption(p.BankingFeesOption)
	if out.FeesOption == "" {
		out.FeesOption = transaction.FeesSha
	}

	if r, ok := c.request.Receivers[string(p.Receiver)]; ok {
		out.Snapshot = transaction.CreditorSnapshot(r)
	} else {
		c.request.NoteNoReceiver(position, l)
	}

	code := p.CurrencyIsoCode
	if p.BankAccount != "" {
		code = c.payAccount(at, p, &out, l)
	}

	currency, ok := refdata.All().Currency(code)
	if ok && currency.Code == code {
		out.Currency = currency.Code
		out.CurrencyDecimals = currency.Decimals
		out.FiatUnits = transaction.ParseFiat(l, at+"/amount", currency, p.Amount)

		return out
	}

	if code != "" {
		l.Add(at+"/currencyIsoCode", fault.CurrencyUnknown, "is not a currency code of ISO 4217.")
	}

	if err := money.CheckForm(p.Amount); err != nil {
		l.Add(at+"/amount", fault.AmountForm, "%s.", err)
	}

	return out
}

// payAccount fills in the bank account of a payment and returns the currency: the one that the client wrote, or else
// that of the account. An account of another receiver is refused like one that does not exist.
func (c check) payAccount(
	at string,
	p *transaction.PaymentInput,
	out *transaction.Payment,
	l *fault.List,
) (currency string) {
	currency = p.CurrencyIsoCode
	a, ok := c.request.Accounts[string(p.BankAccount)]

	switch {
	case !l.Sound(at + "/receiver"):
	case !ok || a.Receiver != string(p.Receiver):
		l.Add(at+"/bankAccount", fault.BankAccountUnknown, "The receiver has no such bank account.")
	case currency == "":
		currency = a.Currency

	case currency != a.Currency:
		l.Add(
			at+"/currencyIsoCode",
			fault.CurrencyMismatch,
			"must be %s, the currency of the bank account.",
			a.Currency,
		)
	}

	out.BankAccount = a.ID
	out.BankSnapshot = a.Snapshot()

	return currency
}

// Usable notes a paying wallet that is not proven or screened, bank accounts that must not be paid to, and details that
// no bank could carry. The last would otherwise be found only after the tokens have been taken.
func (c check) Usable(d transaction.Draft, now time.Time, l *fault.List) {
	c.request.NotePayerUsable(now, l)

	for i, p := range d.Payments {
		a, ok := c.request.Accounts[p.BankAccount]
		if !ok || p.BankAccount == "" {
			continue
		}

		at := transaction.PaymentAt(i)
		if err := a.Usable(now); err != nil {
			transaction.NoteAt(l, at+"/bankAccount", err)
			continue
		}

		if err := a.Takes(p.Reference); err != nil {
			transaction.NoteAt(l, at+"/reference", err)
			continue
		}

		c.usableRail(at, p, a, l)
	}
}

// usableRail notes a payment that no rail of this deployment reaches, or that the best one cannot carry.
func (c check) usableRail(at string, p transaction.Payment, a bankaccount.Account, l *fault.List) {
	rail := bestRail(a, c.PayoutRails(p.Currency))
	if p.Currency != "" && rail == "" {
		l.Add(
			at+"/bankAccount",
			fault.BankAccountUnreachable,
			"No rail on which this deployment pays %s reaches the bank account.",
			p.Currency,
		)
	}

	if rail == "" || p.FiatUnits == nil || c.Carries == nil {
		return
	}

	refused := c.Carries(p, rail)
	for _, field := range slices.Sorted(maps.Keys(refused)) {
		l.Add(
			at+"/"+field,
			fault.FormatInvalid,
			"cannot be written into a payment by %s: %s.",
			rail,
			refused[field],
		)
	}
}

// bestRail returns the account's best rail among those on which the house pays out, or "" if there is none.
func bestRail(a bankaccount.Account, offered []string) string {
	for _, r := range a.Rails() {
		if slices.Contains(offered, r) {
			return r
		}
	}

	return ""
}
