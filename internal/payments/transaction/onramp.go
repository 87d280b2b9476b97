package transaction

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"math/big"
	"time"

	"github.com/go-json-experiment/json"

	"slipway/internal/core/caller"
	"slipway/internal/core/fault"
	"slipway/internal/core/money"
	"slipway/internal/directory/refdata"
	"slipway/internal/identity/organisation"
	"slipway/internal/payments/quote"
	"slipway/internal/platform/db"
	"slipway/internal/standards/creditorref"
)

// DepositLifetime is how long a deposit is awaited after the day on which its transfer was to start. A later deposit is
// not matched with the transaction.
const DepositLifetime = 30 * 24 * time.Hour

// longestNotice is how far ahead a transfer may be announced.
const longestNotice = 365 * 24 * time.Hour

// DepositAccount is an account of the house for deposits in one currency, as clients see it.
type DepositAccount struct {
	ID            string `json:"id"`
	Currency      string `json:"currency"` // ISO 4217
	Country       string `json:"country"`  // ISO 3166-1 alpha-2
	Holder        string `json:"holder"`
	Street        string `json:"street,omitempty"` // the holder's address, as the next two
	PostCode      string `json:"postCode,omitempty"`
	Town          string `json:"town,omitempty"`
	BankName      string `json:"bankName"`
	BankAddress   string `json:"bankAddress,omitempty"`
	IBAN          string `json:"iban,omitempty"`
	BIC           string `json:"bic,omitempty"`
	AccountNumber string `json:"accountNumber,omitempty"`
	SortCode      string `json:"sortCode,omitempty"`
	RoutingNumber string `json:"routingNumber,omitempty"`
	IFSC          string `json:"ifsc,omitempty"`
	Rail          string `json:"rail"` // refdata's code of the recommended rail
}

// onrampKind takes a deposit of fiat and delivers tokens to the organisation's wallet.
func onrampKind() kind {
	return kind{
		offered:     func(s *Service) bool { return s.Quotes != nil && s.DepositAccounts != nil },
		gate:        onrampGate,
		shape:       (*Input).onrampShape,
		lookUp:      lookUpOnramp,
		build:       (*Input).onrampBuild,
		price:       priceOnramp,
		again:       Transaction.onrampInput,
		usable:      onrampUsable,
		prepare:     prepareOnramp,
		lock:        lockOnramp,
		takesSender: true,
		costs: func(context.Context, *Service, Transaction) (Transaction, error) {
			return Transaction{}, notForOnramp(
				"An ONRAMP transaction takes nothing from the wallet, so there is no allowance to check.",
			)
		},
		acceptable: func(context.Context, *Service, caller.Principal, Transaction) (func(time.Time) error, error) {
			return nil, notForOnramp(
				"An ONRAMP transaction is not accepted: it goes on when the deposit has arrived and was matched.",
			)
		},
		deletable: onrampDeletable,
		cancel:    func(tx *db.Tx, t Transaction) error { return quote.Release(tx, t.ID) },
		hash:      onrampHash,
		show:      onrampShow,
		more:      bankMore,
		tell: func(t Transaction, v *eventView) {
			v.Amount = t.Deposit().String()
			v.AmountCurrency = t.AmountCurrency
		},
		actions: map[Status][]string{StatusDraft: {"validate"}, StatusWaiting: {"bank-details"}},
	}
}

// onrampUsable notes a wallet that must not receive tokens.
func onrampUsable(k *known, _ draft, now time.Time, l *fault.List) {
	if k.payerErr == nil {
		if err := k.payer.PayableTo(now); err != nil {
			noteAt(l, "/walletAddress", err)
		}
	}
}

func notForOnramp(why string) error { return fault.New(fault.Conflict, fault.TxNotForType, "%s", why) }

// onrampGate refuses an organisation that is not APPROVED: it may not create an ONRAMP transaction.
func onrampGate(ctx context.Context, _ *Service, q db.Querier, org string) error {
	o, err := organisation.ByID(ctx, q, org)
	if err != nil {
		return err
	}

	return o.Approved()
}

func (in *Input) onrampShape(l *fault.List) {
	if in.AmountCurrency == "" {
		l.Add("/amountCurrency", fault.Required, "is required for ONRAMP transactions.")
	}

	if len(in.Payments) > 1 {
		l.Add("/payments", fault.TooManyItems, "An ONRAMP transaction has one payment: the deposit.")
	}

	for i := range in.Payments {
		p := &in.Payments[i]

		at := paymentAt(i)
		if _, err := Day(p.ExpectedTransferDate); err != nil {
			l.Add(
				at+"/expectedTransferDate",
				fault.FormatInvalid,
				"must be a date such as 2026-11-30, or a date-time of RFC 3339.",
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
			given{"bankAccount", string(p.BankAccount)},
			given{"currencyIsoCode", p.CurrencyIsoCode},
			given{"estimatedRate", p.EstimatedRate},
			given{"bankingFeesOption", p.BankingFeesOption},
			given{"reference", p.Reference},
		)
	}
}

// Day parses a day as clients write it: a date or a date-time. An empty text returns the zero time.
func Day(s string) (time.Time, error) {
	if s == "" {
		return time.Time{}, nil
	}

	if t, err := time.Parse(time.DateOnly, s); err == nil {
		return t, nil
	}

	t, err := time.Parse(time.RFC3339, s)

	return t.UTC(), err
}

func lookUpOnramp(ctx context.Context, s *Service, q db.Querier, org string, in *Input, fresh bool) (*known, error) {
	k, err := s.lookUp(ctx, q, org, in, fresh)
	if err != nil {
		return k, err
	}

	b := &k.bank
	if !fresh {
		b.now = s.DB.Now()
	}

	var ok bool
	if b.currency, ok = refdata.All().Currency(in.AmountCurrency); !ok {
		b.currencyErr = fault.New(
			fault.Invalid,
			fault.CurrencyUnknown,
			"is no currency: give its identifier or its code of ISO 4217.",
		)

		return k, nil
	}

	if _, ok := s.depositAccount(b.currency.Code); !ok {
		b.currencyErr = fault.New(
			fault.Invalid,
			fault.CurrencyNotOnramp,
			"No deposits are taken in %s.",
			b.currency.Code,
		)

		return k, nil
	}

	b.minimum, err = s.Quotes.MinOnramp(ctx, assetOf(b.currency))

	return k, err
}

// depositAccount returns the house's account for a currency.
func (s *Service) depositAccount(currency string) (DepositAccount, bool) {
	for _, a := range s.DepositAccounts() {
		if a.Currency == currency {
			return a, true
		}
	}

	return DepositAccount{}, false
}

func assetOf(c refdata.Currency) money.Asset { return money.Asset{Code: c.Code, Decimals: c.Decimals} }

func (in *Input) onrampBuild(k *known, l *fault.List) draft {
	in.notePayer(k, l)

	if t, ok := refdata.All().Token(in.Token); ok && !t.Onramp {
		l.Add("/token", fault.TokenNotOnramp, "cannot be bought by a deposit.")
	}

	if k.bank.currencyErr != nil && in.AmountCurrency != "" {
		noteAt(l, "/amountCurrency", k.bank.currencyErr)
	}

	d := draft{
		debit:    new(big.Int),
		payments: make([]Payment, len(in.Payments)),
		terms:    Terms{CommissionType: CommissionStandard, FiatUnits: new(big.Int)},
	}
	for i := range in.Payments {
		d.payments[i] = in.Payments[i].onrampBuild(i, k, l)
	}

	if len(d.payments) == 1 && d.payments[0].FiatUnits != nil {
		d.terms.FiatUnits = d.payments[0].FiatUnits
	}

	d.terms.AmountCurrency = k.bank.currency.Code

	d.terms.CurrencyDecimals = k.bank.currency.Decimals
	if len(in.Payments) > 0 {
		d.terms.ExpectedAt, _ = Day(in.Payments[0].ExpectedTransferDate) // shape has noted what is wrong with it
	}

	return d
}

func (p *PaymentInput) onrampBuild(position int, k *known, l *fault.List) Payment {
	at := paymentAt(position)
	c := k.bank.currency
	out := Payment{
		Position:     position,
		Reason:       p.Reason,
		Instructions: p.Instructions,
		Document:     p.DocumentStorageKey,
		Receiver:     string(p.Receiver),
		Units:        new(big.Int),
		Wallet:       k.payer.ID,
		Address:      k.payer.Address,
		WalletType:   string(k.payer.Type),
		Network:      k.network.ID,
	}
	out.Currency = c.Code

	out.CurrencyDecimals = c.Decimals
	if r, ok := k.receivers[string(p.Receiver)]; ok {
		out.Snapshot = k.snapshot(r)
	} else {
		l.Add(at+"/receiver", fault.ReceiverUnknown, "There is no such receiver.")
	}

	if k.bank.currencyErr != nil {
		if err := money.CheckForm(p.Amount); err != nil {
			l.Add(at+"/amount", fault.AmountForm, "%s.", err)
		}
	} else if out.FiatUnits = ParseFiat(l, at+"/amount", c, p.Amount); out.FiatUnits != nil && out.FiatUnits.Cmp(k.bank.minimum.Units()) < 0 {
		l.Add(
			at+"/amount",
			fault.AmountBelowMinimum,
			"is below the minimum on-ramp amount of %s %s.",
			k.bank.minimum,
			c.Code,
		)
	}

	if day, err := Day(p.ExpectedTransferDate); err == nil && !day.IsZero() && !k.bank.now.IsZero() {
		if today := k.bank.now.UTC().Truncate(24 * time.Hour); day.Before(today) ||
			day.After(today.Add(longestNotice)) {
			l.Add(at+"/expectedTransferDate", fault.OutOfRange, "must be from today on, and within a year.")
		}
	}

	return out
}

// onrampInput returns the stored transaction as an Input, as a client would write it.
func (t Transaction) onrampInput() Input {
	in := Input{
		Type:           string(t.Type),
		Token:          t.Token,
		WalletAddress:  t.WalletAddress,
		Network:        t.Network,
		AmountCurrency: t.AmountCurrency,
	}
	for _, p := range t.Payments {
		x := t.paymentInput(p)

		x.Amount = p.Fiat().String()
		if !t.ExpectedAt.IsZero() {
			x.ExpectedTransferDate = t.ExpectedAt.Format(time.RFC3339)
		}

		in.Payments = append(in.Payments, x)
	}

	return in
}

// priceOnramp checks a deposit against the organisation's limits before anybody is told where to send it. The amount of
// tokens is known only when the deposit has arrived, so the price is shown and not stored.
func priceOnramp(ctx context.Context, s *Service, org, partner string, d *draft, k *known, must bool) error {
	if !must {
		return nil
	}

	q, err := s.Quotes.Price(ctx, quote.Request{
		Kind:         quote.Onramp,
		Organisation: org,
		Partner:      partner,
		Network:      k.network.ID,
		Token:        money.Asset{Code: k.token.Code, Decimals: k.token.Decimals},
		Lines:        []quote.LineRequest{{Currency: assetOf(k.bank.currency), FiatUnits: d.terms.FiatUnits}},
	})
	d.quote = &q

	return err
}

// prepareOnramp allots a reference. It has 35 random bits, so that nobody can guess another transaction's.
func prepareOnramp(_ context.Context, s *Service, t Transaction, d draft, k *known) (p prepared, err error) {
	p.quote = *d.quote
	p.treasury = k.network.WalletAddress
	p.deposit, _ = s.depositAccount(k.bank.currency.Code) // it was found a moment ago

	var bits [5]byte
	if _, err = rand.Read(bits[:]); err != nil {
		return p, fmt.Errorf("random bits for the reference of %s: %w", t.ID, err)
	}

	p.reference = creditorref.Deposit(bits)

	return p, nil
}

// lockOnramp stores what the depositor is told: the account, the reference and the last day.
func lockOnramp(
	ctx context.Context,
	s *Service,
	tx *db.Tx,
	t Transaction,
	p prepared,
) (Transaction, SettlementStatus, error) {
	if err := s.Quotes.Announce(ctx, tx, t.ID, p.quote); err != nil {
		return t, "", err
	}

	house, err := json.Marshal(p.deposit)
	if err != nil {
		return t, "", fmt.Errorf("write down the account of %s: %w", t.ID, err)
	}

	t.Reference = p.reference
	t.Sender = p.sender
	t.House = string(house)
	t.Treasury = p.treasury

	from := tx.Now
	if t.ExpectedAt.After(from) {
		from = t.ExpectedAt
	}

	t.ExpiresAt = from.Add(DepositLifetime)
	lockDeposit(tx, t, searchText(t))

	return t, SettlementAwaiting, nil
}

// HouseAccount returns the account that the depositor was told to pay to.
func (t Terms) HouseAccount() (DepositAccount, error) {
	var a DepositAccount
	err := json.Unmarshal([]byte(t.House), &a)
	return a, err
}

// onrampDeletable refuses to delete a transaction whose reference a deposit has already carried: that deposit must be
// decided on first. A deposit that arrives after the deletion matches nothing and goes to suspense.
func onrampDeletable(t Transaction) error {
	if t.Settlement == SettlementAwaiting {
		return nil
	}

	return fault.New(
		fault.Conflict,
		fault.TxDepositAssigned,
		"A deposit has named this transaction; it cannot be deleted until it is decided what becomes of the deposit.",
	)
}

// onrampHash adds to the content hash what is deposited and where the tokens go. The number of tokens is known only
// after the conversion.
func onrampHash(t Transaction, put func(string)) {
	for _, s := range []string{t.AmountCurrency, digits(t.FiatUnits), t.Reference, t.House, t.Treasury, t.Sender} {
		put(s)
	}

	for _, p := range t.Payments {
		put(p.Receiver)
		put(p.Address)
	}
}

// ExpireDeposits moves ONRAMP transactions whose deposit has not arrived in time to FAILED, at most limit of them, and
// returns how many. A transaction whose deposit is booked at the same moment continues. The housekeeping job calls it.
func (s *Service) ExpireDeposits(ctx context.Context, limit int) (int, error) {
	ids, err := overdueDeposits(ctx, s.DB, s.DB.Now(), limit)
	if err != nil {
		return 0, fmt.Errorf("look for deposits that are overdue: %w", err)
	}

	done := 0

	var problems []error // one that cannot be ended does not stop the others
	for _, id := range ids {
		ended := false

		err := s.write(ctx, func(tx *db.Tx) (err error) {
			ended, err = s.expire(ctx, tx, id)
			return err
		})
		if err != nil {
			problems = append(problems, fmt.Errorf("end %s: %w", id, err))
		} else if ended {
			done++
		}
	}

	return done, errors.Join(problems...)
}

// expire ends one transaction and reports whether it did. It does nothing if the deposit was booked or the transaction
// was deleted or rejected in the meantime.
func (s *Service) expire(ctx context.Context, tx *db.Tx, transactionID string) (bool, error) {
	t, err := find(ctx, tx, transactionID)
	if errors.Is(err, db.ErrNone) {
		return false, nil
	}

	if err != nil {
		return false, err
	}

	if t.Status != StatusWaiting || t.Settlement != SettlementAwaiting || t.ExpiresAt.After(tx.Now) {
		return false, nil
	}

	why := "No deposit has arrived by " + t.ExpiresAt.UTC().Format(time.DateOnly) + "."
	for _, p := range t.Payments {
		if err := SetOutcome(tx, t, p.Position, PaymentFailed, why); err != nil {
			return false, err
		}
	}

	_, err = s.advance(ctx, tx, t, Step{Status: StatusFailed, Settlement: SettlementIdle, Info: why, What: "failed"})

	return true, err
}
