package transaction

import (
	"context"
	"fmt"
	"maps"
	"math/big"
	"slices"
	"strings"
	"time"

	"github.com/go-json-experiment/json"

	"slipway/internal/core/fault"
	"slipway/internal/core/money"
	"slipway/internal/directory/bankaccount"
	"slipway/internal/directory/receiver"
	"slipway/internal/directory/refdata"
	"slipway/internal/payments/quote"
	"slipway/internal/platform/db"
	"slipway/internal/standards/creditorref"
)

// Banking holds what FIAT and ONRAMP transactions need from other packages. Without Quotes neither type is offered;
// without DepositAccounts ONRAMP is not.
type Banking struct {
	Quotes *quote.Service
	// PayoutRails returns the rails on which the house pays out in a currency, as refdata's codes.
	PayoutRails func(currency string) []string
	// Carries returns what a payment file of the rail cannot carry, as a message for each field of the payment. It
	// returns an empty map when everything fits, and makes no call.
	Carries func(p Payment, rail string) map[string]string
	// DepositAccounts returns the house's accounts that deposits go to, one for each supported currency.
	DepositAccounts func() []DepositAccount
	// Bank returns the transaction's instructions at the bank, and money that came back.
	Bank func(ctx context.Context, q db.Querier, t Transaction) (BankSide, error)
}

// bankKnown holds the further records that checks of FIAT and ONRAMP transactions compare with.
type bankKnown struct {
	accounts    map[string]bankaccount.Account
	payoutRails func(currency string) []string
	carries     func(p Payment, rail string) map[string]string
	currency    refdata.Currency // of the deposit
	currencyErr error            // why no deposit can be made in it
	minimum     money.Amount     // of a deposit
	now         time.Time        // zero for a stored draft: its dates were checked when it was made
}

// fiatKind pays tokens from one wallet as fiat to bank accounts: the tokens are pulled to the treasury, converted and
// paid out.
func fiatKind() kind {
	return kind{
		offered:    func(s *Service) bool { return s.Quotes != nil },
		shape:      (*Input).fiatShape,
		lookUp:     lookUpFiat,
		build:      (*Input).fiatBuild,
		price:      priceFiat,
		again:      Transaction.fiatInput,
		usable:     fiatUsable,
		prepare:    prepareFiat,
		lock:       lockFiat,
		costs:      fiatCosts,
		acceptable: fiatAcceptable,
		cancel: func(tx *db.Tx, t Transaction) error {
			releaseReservation(tx, t.ID)
			return quote.Release(tx, t.ID)
		},
		accepted: SettlementPulling,
		hash:     fiatHash,
		show:     fiatShow,
		more:     bankMore,
		actions:  map[Status][]string{StatusDraft: {"validate", "check-allowance"}, StatusWaiting: {"check-allowance"}},
	}
}

func (in *Input) fiatShape(l *fault.List) {
	if in.AmountCurrency != "" {
		l.Add("/amountCurrency", fault.NotAllowed, "belongs to ONRAMP transactions.")
	}

	for i := range in.Payments {
		p := &in.Payments[i]
		at := paymentAt(i)
		p.needReason(l, at)

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

		in.refuse(
			l,
			at,
			given{"tokenIsoCode", p.TokenIsoCode},
			given{"wallet", string(p.Wallet)},
			given{"walletAddress", p.WalletAddress},
			given{"walletType", p.WalletType},
			given{"network", p.Network},
			given{"expectedTransferDate", p.ExpectedTransferDate},
		)
	}
}

// positive reports whether a text is a decimal number above zero.
func positive(s string) bool {
	return money.CheckForm(s) == nil && strings.Trim(s, "0.") != ""
}

func lookUpFiat(ctx context.Context, s *Service, q db.Querier, org string, in *Input, fresh bool) (*known, error) {
	k, err := s.lookUp(ctx, q, org, in, fresh)
	if err != nil {
		return k, err
	}

	var ids []string

	seen := map[string]bool{"": true}
	for i := range in.Payments {
		if id := string(in.Payments[i].BankAccount); !seen[id] {
			seen[id] = true
			ids = append(ids, id)
		}
	}

	k.bank.payoutRails = s.PayoutRails
	k.bank.carries = s.Carries
	k.bank.accounts, err = bankaccount.ByIDs(ctx, q, org, ids)

	return k, err
}

func (in *Input) fiatBuild(k *known, l *fault.List) draft {
	in.notePayer(k, l)

	d := draft{
		debit:    new(big.Int),
		payments: make([]Payment, len(in.Payments)),
		terms:    Terms{CommissionType: CommissionStandard},
	}
	for i := range in.Payments {
		d.payments[i] = in.Payments[i].fiatBuild(i, k, l)
	}

	return d
}

func (p *PaymentInput) fiatBuild(position int, k *known, l *fault.List) Payment {
	at := paymentAt(position)
	out := Payment{
		Position:     position,
		Reason:       p.Reason,
		Instructions: p.Instructions,
		Document:     p.DocumentStorageKey,
		Receiver:     string(p.Receiver),
		Units:        new(big.Int),
	}
	out.FeesOption = FeesOption(p.BankingFeesOption)
	out.EstimatedRate = p.EstimatedRate

	out.Reference, _ = creditorref.Structured(p.Reference)
	if out.FeesOption == "" {
		out.FeesOption = FeesSha
	}

	if r, ok := k.receivers[string(p.Receiver)]; ok {
		out.Snapshot = creditorSnapshot(r)
	} else {
		l.Add(at+"/receiver", fault.ReceiverUnknown, "There is no such receiver.")
	}

	code := p.CurrencyIsoCode
	if p.BankAccount != "" {
		a, ok := k.bank.accounts[string(p.BankAccount)]
		switch {
		case !ok || a.Receiver != string(p.Receiver): // another's account is refused like an unknown one
			l.Add(at+"/bankAccount", fault.BankAccountUnknown, "The receiver has no such bank account.")
		case code == "":
			code = a.Currency

		case code != a.Currency:
			l.Add(
				at+"/currencyIsoCode",
				fault.CurrencyMismatch,
				"must be %s, the currency of the bank account.",
				a.Currency,
			)
		}

		out.BankAccount = a.ID
		out.BankSnapshot = a.Snapshot()
	}

	c, ok := refdata.All().Currency(code)
	if !ok || c.Code != code {
		if code != "" {
			l.Add(at+"/currencyIsoCode", fault.CurrencyUnknown, "is not a currency code of ISO 4217.")
		}

		if err := money.CheckForm(p.Amount); err != nil {
			l.Add(at+"/amount", fault.AmountForm, "%s.", err)
		}

		return out
	}

	out.Currency = c.Code
	out.CurrencyDecimals = c.Decimals
	out.FiatUnits = ParseFiat(l, at+"/amount", c, p.Amount)

	return out
}

// maxFiatDigits limits an amount. ISO 20022 writes at most 18 digits; SEPA lets 11 of them be used (EPC AT-T002:
// 999,999,999.99).
const maxFiatDigits = 15

var maxSEPA = big.NewInt(99_999_999_999)

// ParseFiat parses an amount of a currency into minor units. It notes what is wrong with the amount and then returns
// nil.
func ParseFiat(l *fault.List, at string, c refdata.Currency, s string) *big.Int {
	units := ParseUnits(l, at, money.Asset{Code: c.Code, Decimals: c.Decimals}, s)
	switch {
	case units == nil:
		return nil
	case c.Code == "EUR" && units.Cmp(maxSEPA) > 0:
		l.Add(at, fault.AmountTooLarge, "may be at most %s EUR.", money.Format(maxSEPA, c.Decimals))
	case len(units.String()) > maxFiatDigits:
		l.Add(at, fault.AmountTooLarge, "may have at most %d digits.", maxFiatDigits)
	default:
		return units
	}

	return nil
}

// creditorSnapshot encodes the copy of a receiver that a payment through a bank keeps.
func creditorSnapshot(r receiver.Receiver) string {
	s := snapshotOf(r)
	address := receiver.AddressView(r.Address)
	s.MiddleName = r.MiddleName
	s.Address = &address
	s.Country = r.Country

	return s.text()
}

// Creditor returns the receiver of a payment through a bank as submit locked it (F-09). It returns an error when the
// stored copy cannot be decoded.
func (p Payment) Creditor() (receiver.Receiver, error) {
	var c receiverSnapshot
	if err := json.Unmarshal([]byte(p.Snapshot), &c); err != nil {
		return receiver.Receiver{}, fmt.Errorf("read the receiver that payment %d was locked with: %w", p.Position, err)
	}

	r := receiver.Receiver{
		ID:         c.ID,
		Type:       receiver.Type(c.Type),
		FirstName:  c.FirstName,
		MiddleName: c.MiddleName,
		LastName:   c.LastName,
		LegalName:  c.LegalName,
		Email:      c.Email,
		Self:       c.IsSelf,
		Country:    c.Country,
	}
	if c.Address != nil {
		r.Address = receiver.Address(*c.Address)
	}

	return r, nil
}

// Account returns the bank account that a payment goes to as submit locked it (F-09).
func (p Payment) Account() (bankaccount.Account, error) {
	return bankaccount.FromSnapshot(p.BankSnapshot)
}

// fiatInput returns the stored transaction as an Input, as a client would write it.
func (t Transaction) fiatInput() Input {
	in := Input{Type: string(t.Type), Token: t.Token, WalletAddress: t.WalletAddress, Network: t.Network}
	for _, p := range t.Payments {
		x := t.paymentInput(p)
		x.Amount = p.Fiat().String()
		x.BankAccount = refOf(p.BankAccount)
		x.CurrencyIsoCode = p.Currency
		x.EstimatedRate = p.EstimatedRate
		x.BankingFeesOption = string(p.FeesOption)
		x.Reference = p.Reference
		in.Payments = append(in.Payments, x)
	}

	return in
}

// fiatUsable notes a paying wallet that is not proven or screened, bank accounts that must not be paid to, and details
// that no bank could carry. The last would otherwise be found only after the tokens have been taken.
func fiatUsable(k *known, d draft, now time.Time, l *fault.List) {
	payerUsable(k, now, l)

	for i, p := range d.payments {
		a, ok := k.bank.accounts[p.BankAccount]
		if !ok || p.BankAccount == "" {
			continue
		}

		if err := a.Usable(now); err != nil {
			noteAt(l, paymentAt(i)+"/bankAccount", err)
			continue
		}

		if err := a.Takes(p.Reference); err != nil {
			noteAt(l, paymentAt(i)+"/reference", err)
			continue
		}

		rail := bestRail(a, k.bank.payoutRails(p.Currency))
		if p.Currency != "" && rail == "" {
			l.Add(
				paymentAt(i)+"/bankAccount",
				fault.BankAccountUnreachable,
				"No rail on which this deployment pays %s reaches the bank account.",
				p.Currency,
			)
		}

		if rail == "" || p.FiatUnits == nil || k.bank.carries == nil {
			continue
		}

		refused := k.bank.carries(p, rail)
		for _, field := range slices.Sorted(maps.Keys(refused)) {
			l.Add(
				paymentAt(i)+"/"+field,
				fault.FormatInvalid,
				"cannot be written into a payment by %s: %s.",
				rail,
				refused[field],
			)
		}
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

// fiatHash adds to the content hash where the tokens and the money go, and how much of each (I8).
func fiatHash(t Transaction, put func(string)) {
	put(t.Treasury)

	for _, p := range t.Payments {
		for _, s := range []string{
			p.Units.String(),
			p.Receiver,
			p.Snapshot,
			p.Currency,
			digits(p.FiatUnits),
			p.BankAccount,
			p.BankSnapshot,
			string(p.FeesOption),
			p.Reference,
		} {
			put(s)
		}
	}
}
