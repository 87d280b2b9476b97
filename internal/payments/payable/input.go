package payable

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"math/big"
	"strings"
	"time"

	"slipway/internal/core/caller"
	"slipway/internal/core/fault"
	"slipway/internal/core/money"
	"slipway/internal/core/text"
	"slipway/internal/directory/bankaccount"
	"slipway/internal/directory/document"
	"slipway/internal/directory/network"
	"slipway/internal/directory/receiver"
	"slipway/internal/directory/refdata"
	"slipway/internal/directory/wallet"
	"slipway/internal/identity/user"
	"slipway/internal/payments/transaction"
	"slipway/internal/platform/db"
	"slipway/internal/standards/creditorref"
)

// Input is a payable as the client writes it in a request.
type Input struct {
	Name                string     `json:"name" maxLength:"200" doc:"what the invoice is called"`
	Amount              string     `json:"amount" maxLength:"64" doc:"decimal text, in the currency or token"`
	Reason              string     `json:"reason" maxLength:"400" doc:"what is paid for; the receiver reads it"`
	Receiver            caller.Ref `json:"receiver" record:"receiver"`
	Type                string     `json:"type" enum:"FIAT,CRYPTO" doc:"FIAT: to a bank account; CRYPTO: to a wallet"`
	Status              string     `json:"status,omitempty" enum:"DRAFT" doc:"DRAFT, whether it is said or not"`
	DocumentStorageKey  string     `json:"documentStorageKey,omitempty" maxLength:"200" doc:"of a document that was uploaded"`
	Instructions        string     `json:"instructions,omitempty" maxLength:"1000" doc:"for people; nothing acts on it"`
	ExpectedPaymentDate string     `json:"expectedPaymentDate,omitempty" maxLength:"64" doc:"when it is to be paid, as a date or a date-time"`
	BankAccount         caller.Ref `json:"bankAccount,omitempty" record:"bankAccount" doc:"FIAT: a bank account of the receiver"`
	CurrencyIsoCode     string     `json:"currencyIsoCode,omitempty" maxLength:"3" doc:"FIAT: the bank account's currency"`
	Wallet              caller.Ref `json:"wallet,omitempty" record:"wallet" doc:"CRYPTO: a wallet of the receiver"`
	TokenIsoCode        string     `json:"tokenIsoCode,omitempty" maxLength:"16" doc:"CRYPTO: the token"`
	InvoiceNumber       string     `json:"invoiceNumber,omitempty" maxLength:"70" doc:"the receiver's number of the invoice; the same one twice is warned of"`
	Reference           string     `json:"reference,omitempty" maxLength:"50" doc:"FIAT: creditor reference that the payment carries: a QR reference or an ISO 11649 one (RF)"`
	Origin              Origin     `json:"origin,omitempty" enum:"MEMBER,QR_BILL,EPC_QR" doc:"where the data came from; MEMBER when left out"`
	Link                string     `json:"-"` // set by an invoice link: the payable's origin is LINK
	LinkWarnings        []string   `json:"-"` // set by an invoice link: what there was to look at, see warnings.go
}

// Limits of texts besides those of the interface.
const (
	maxName    = 200
	maxReason  = 400
	maxInvoice = 70
)

// payee is the receiver of a payable and its account or wallet, as the directory has them now.
type payee struct {
	receiver receiver.Receiver
	account  bankaccount.Account // FIAT
	wallet   wallet.Wallet       // CRYPTO
}

// read checks an input and returns the payable, without identifier, state and times, and its payee. It refuses
// everything that is wrong at once.
func read(ctx context.Context, q db.Querier, organisation string, in Input) (Payable, payee, error) {
	l := caller.Faults(ctx)
	p := Payable{
		Organisation: organisation,
		Type:         Type(in.Type),
		Receiver:     string(in.Receiver),
		Instructions: strings.TrimSpace(in.Instructions),
		Document:     in.DocumentStorageKey,
		Origin:       in.Origin,
		Link:         in.Link,
		LinkWarnings: in.LinkWarnings,
	}
	p.Name = user.CheckText(&l, "/name", in.Name, maxName, true)
	p.Reason = user.CheckText(&l, "/reason", in.Reason, maxReason, true)
	p.InvoiceNumber = user.CheckText(&l, "/invoiceNumber", in.InvoiceNumber, maxInvoice, false)

	p.ExpectedPaymentDate = parseDay(&l, in.ExpectedPaymentDate)
	switch {
	case in.Link != "":
		p.Origin = ByLink
	case in.Origin == "":
		p.Origin = ByMember
	}

	to, err := p.readReceiver(ctx, q, &l)
	if err != nil {
		return p, to, err
	}

	switch {
	case !l.Sound("/type"): // what else belongs to it is not known
	case p.Type == Crypto:
		err = p.readCrypto(ctx, q, in, &to, &l)
	default:
		err = p.readFiat(ctx, q, in, &to, &l)
	}

	if err != nil {
		return p, to, err
	}

	if err := p.readDocument(ctx, q, &l); err != nil {
		return p, to, err
	}

	return p, to, l.Err()
}

// parseDay parses a day, at most a century away.
func parseDay(l *fault.List, s string) time.Time {
	day, err := transaction.Day(strings.TrimSpace(s))
	switch {
	case err != nil:
		l.Add(
			"/expectedPaymentDate",
			fault.FormatInvalid,
			"must be a date such as 2026-11-30, or a date-time of RFC 3339.",
		)

	case !day.IsZero() && (day.Year() < 2000 || day.Year() > 2100):
		l.Add("/expectedPaymentDate", fault.OutOfRange, "must be in the years 2000 to 2100.")
	case !day.IsZero():
		return day.Truncate(24 * time.Hour)
	}

	return time.Time{}
}

func (p *Payable) readReceiver(ctx context.Context, q db.Querier, l *fault.List) (to payee, err error) {
	if p.Receiver == "" {
		l.Add("/receiver", fault.Required, "is required.")
		return to, nil
	}

	to.receiver, err = receiver.ByID(ctx, q, p.Organisation, p.Receiver)
	if fault.Is(err, fault.NotFoundCode) {
		l.Add("/receiver", fault.ReceiverUnknown, "There is no such receiver.")
		err = nil
	}

	return to, err
}

// refuseFields notes fields that belong to payables of the other type.
func (p *Payable) refuseFields(l *fault.List, fields map[string]string) {
	for name, value := range fields {
		if value != "" {
			l.Add("/"+name, fault.NotAllowed, "does not belong to %s payables.", p.Type)
		}
	}
}

// readFiat reads the receiving bank account. Another receiver's account is refused like one that does not exist.
func (p *Payable) readFiat(ctx context.Context, q db.Querier, in Input, to *payee, l *fault.List) error {
	p.refuseFields(l, map[string]string{"wallet": string(in.Wallet), "tokenIsoCode": in.TokenIsoCode})

	p.BankAccount = string(in.BankAccount)
	if p.BankAccount == "" {
		l.Add("/bankAccount", fault.Required, "is required for FIAT payables.")
	} else {
		var err error
		to.account, err = bankaccount.ByID(ctx, q, p.Organisation, p.BankAccount)

		unknown := fault.Is(err, fault.NotFoundCode)
		switch {
		case err != nil && !unknown:
			return err
		case !l.Sound("/receiver"):
		case unknown || to.account.Receiver != p.Receiver:
			l.Add("/bankAccount", fault.BankAccountUnknown, "The receiver has no such bank account.")

		case in.CurrencyIsoCode != "" && in.CurrencyIsoCode != to.account.Currency:
			l.Add(
				"/currencyIsoCode",
				fault.CurrencyMismatch,
				"must be %s, the currency of the bank account.",
				to.account.Currency,
			)
		}
	}

	p.readReference(in.Reference, l)

	if f, no := fault.As(to.account.Takes(p.Reference)); no && l.Err() == nil {
		l.Add("/reference", f.Code, "%s", f.Detail)
	}

	c, known := refdata.All().Currency(in.CurrencyIsoCode)
	switch {
	case in.CurrencyIsoCode == "":
		l.Add("/currencyIsoCode", fault.Required, "is required for FIAT payables.")
	case !known || c.Code != in.CurrencyIsoCode:
		l.Add("/currencyIsoCode", fault.CurrencyUnknown, "is not a currency code of ISO 4217.")
	default:
		p.amount(money.Asset{Code: c.Code, Decimals: c.Decimals}, transaction.ParseFiat(l, "/amount", c, in.Amount))
		return nil
	}

	checkForm(l, in.Amount)

	return nil
}

// readReference accepts the two structured references that have check digits: those of the Swiss QR bill, and of ISO
// 11649.
func (p *Payable) readReference(s string, l *fault.List) {
	if s = strings.TrimSpace(s); s == "" {
		return
	}

	ref, ok := creditorref.Structured(s)
	if !ok {
		l.Add(
			"/reference",
			fault.CreditorReference,
			"must be a QR reference of 27 digits or an ISO 11649 reference (RF), with right check digits.",
		)
	}

	p.Reference = ref
}

// readCrypto reads the receiving wallet. The token's decimals are those on the wallet's network.
func (p *Payable) readCrypto(ctx context.Context, q db.Querier, in Input, to *payee, l *fault.List) error {
	p.refuseFields(l, map[string]string{
		"bankAccount":     string(in.BankAccount),
		"currencyIsoCode": in.CurrencyIsoCode,
		"reference":       in.Reference,
	})
	p.Wallet = string(in.Wallet)

	found := false
	if p.Wallet == "" {
		l.Add("/wallet", fault.Required, "is required for CRYPTO payables.")
	} else {
		var err error
		to.wallet, err = wallet.ByID(ctx, q, p.Organisation, p.Wallet)

		unknown := fault.Is(err, fault.NotFoundCode)
		switch {
		case err != nil && !unknown:
			return err
		case !l.Sound("/receiver"):
		case unknown || to.wallet.Receiver != p.Receiver:
			l.Add("/wallet", fault.WalletUnknown, "The receiver has no such wallet.")
		default:
			found = true
		}
	}

	if t, known := refdata.All().Token(in.TokenIsoCode); in.TokenIsoCode == "" {
		l.Add("/tokenIsoCode", fault.Required, "is required for CRYPTO payables.")
	} else if !known || t.Code != in.TokenIsoCode || t.Native {
		l.Add("/tokenIsoCode", fault.TokenUnknown, "is not a token that is offered.")
	} else if found {
		placed, err := network.TokenOn(ctx, q, to.wallet.Network, in.TokenIsoCode)

		if f, refused := fault.As(err); refused {
			l.Add("/tokenIsoCode", f.Code, "%s", f.Detail)
		} else if err != nil {
			return err
		} else {
			asset := money.Asset{Code: placed.Code, Decimals: placed.Decimals}
			p.amount(asset, transaction.ParseUnits(l, "/amount", asset, in.Amount))
			return nil
		}
	}

	checkForm(l, in.Amount)

	return nil
}

// checkForm notes an amount that is malformed for any asset.
func checkForm(l *fault.List, s string) {
	if err := money.CheckForm(s); err != nil {
		l.Add("/amount", fault.AmountForm, "%s.", err)
	}
}

func (p *Payable) amount(asset money.Asset, units *big.Int) {
	if units != nil {
		p.Amount = money.FromUnits(asset, units)
	}
}

// readDocument accepts a document of the organisation, whoever has uploaded it. Another's is refused like one that does
// not exist.
func (p *Payable) readDocument(ctx context.Context, q db.Querier, l *fault.List) error {
	if p.Document == "" {
		return nil
	}

	known, err := document.Known(ctx, q, p.Organisation, []string{p.Document})
	if err != nil {
		return err
	}

	d, ok := known[p.Document]
	if !ok {
		l.Add("/documentStorageKey", fault.DocumentUnknown, "There is no such document.")
	}

	p.DocumentHash = d.SHA256

	return nil
}

// input returns the stored payable as an Input, as a client would write it.
func (p Payable) input() Input {
	in := Input{
		Name:               p.Name,
		Amount:             p.Amount.String(),
		Reason:             p.Reason,
		Receiver:           caller.Ref(p.Receiver),
		Type:               string(p.Type),
		DocumentStorageKey: p.Document,
		Instructions:       p.Instructions,
		BankAccount:        caller.Ref(p.BankAccount),
		Wallet:             caller.Ref(p.Wallet),
		InvoiceNumber:      p.InvoiceNumber,
		Reference:          p.Reference,
		Origin:             p.Origin,
		Link:               p.Link,
		LinkWarnings:       p.LinkWarnings,
	}
	if p.Type == Crypto {
		in.TokenIsoCode = p.Amount.Asset().Code
	} else {
		in.CurrencyIsoCode = p.Amount.Asset().Code
	}

	if !p.ExpectedPaymentDate.IsZero() {
		in.ExpectedPaymentDate = p.ExpectedPaymentDate.Format(time.DateOnly)
	}

	return in
}

// fingerprintOf returns a hash of what is approved: the payable's content, and the payee's identity and destination. A
// later change of either changes the fingerprint. The organisation's own details are left out: nobody approves them,
// they follow what was verified, and a change of them announces nothing (receiver.RenameSelf).
func fingerprintOf(p Payable, to payee) string {
	a := p.Amount.Asset()
	r := to.receiver

	parts := []string{
		p.ID,
		p.Organisation,
		string(p.Type),
		a.Code,
		fmt.Sprint(a.Decimals),
		p.Amount.Units().String(),
		p.Receiver,
		p.BankAccount,
		p.Wallet,
		p.Name,
		p.Reason,
		p.InvoiceNumber,
		p.Reference,
		p.DocumentHash,
	}
	if !r.Self {
		parts = append(parts, string(r.Type), r.Name(), r.Email, r.Country, fmt.Sprint(r.Address))
	}

	if p.Type == Crypto {
		parts = append(parts, to.wallet.Destination())
	} else {
		parts = append(parts, to.account.Destination())
	}

	return hashOf(parts...)
}

// likenessOf returns a hash that is equal for payables that may be the same invoice: same receiver, same amount, same
// number however it is written.
func likenessOf(p Payable) string {
	number := strings.ReplaceAll(text.Fold(p.InvoiceNumber), " ", "")

	return hashOf(p.Receiver, p.Amount.Asset().Code, p.Amount.String(), number)
}

// hashOf returns the SHA-256 of texts. Each is preceded by its length, so no two lists are encoded alike.
func hashOf(parts ...string) string {
	h := sha256.New()
	for _, s := range parts {
		fmt.Fprintf(h, "%d:%s", len(s), s)
	}

	return hex.EncodeToString(h.Sum(nil))
}
