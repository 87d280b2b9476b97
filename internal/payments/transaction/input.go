package transaction

import (
	"errors"
	"fmt"
	"math/big"
	"slices"
	"strconv"
	"strings"
	"time"

	"slipway/internal/core/caller"
	"slipway/internal/core/day"
	"slipway/internal/core/fault"
	"slipway/internal/core/money"
	"slipway/internal/directory/refdata"
	"slipway/internal/directory/wallet"
	"slipway/internal/standards/eip55"
)

// Input is a transaction as the client writes it in a request.
type Input struct {
	Type           string         `json:"type" enum:"FIAT,CRYPTO,ONRAMP" doc:"FIAT: tokens to bank accounts; CRYPTO: tokens to wallets; ONRAMP: a bank transfer to tokens"`
	Token          string         `json:"token,omitempty" enum:"USDT,USDC,DAI" doc:"token that is paid with; ONRAMP: that is delivered"`
	WalletAddress  string         `json:"walletAddress,omitempty" maxLength:"64" doc:"paying wallet, ONRAMP: the one the tokens go to: a stored, verified wallet of your organisation's own receiver"`
	Network        string         `json:"network,omitempty" maxLength:"64" doc:"network identifier; may be left out when the wallet is stored on one network only"`
	AmountCurrency string         `json:"amountCurrency,omitempty" maxLength:"64" doc:"ONRAMP: currency of the deposit, by identifier or ISO 4217 code"`
	Payments       []PaymentInput `json:"payments" minItems:"1" maxItems:"30"`
}

// PaymentInput is one payment of an Input. It has the fields of all types; a field that does not belong to the type is
// refused.
type PaymentInput struct {
	Type                 string     `json:"type" enum:"FIAT,CRYPTO,ONRAMP" doc:"the type of its transaction"`
	Receiver             caller.Ref `json:"receiver" record:"receiver"`
	Amount               string     `json:"amount" maxLength:"64" doc:"decimal text, never a number. FIAT: in the target currency; CRYPTO: in the token; ONRAMP: what is deposited"`
	Reason               string     `json:"reason,omitempty" maxLength:"500" doc:"required for FIAT and CRYPTO"`
	Instructions         string     `json:"instructions,omitempty" maxLength:"1000" doc:"for people; nothing acts on it"`
	DocumentStorageKey   string     `json:"documentStorageKey,omitempty" maxLength:"200" doc:"of a document that belongs to the payment"`
	Again                string     `json:"again,omitempty" maxLength:"64" example:"pay_06f2k8s0m4x3v7q9.1" doc:"identifier of a payment that failed and that this one makes again; at most one makes it again"`
	TokenIsoCode         string     `json:"tokenIsoCode,omitempty" maxLength:"16" doc:"CRYPTO: must be the transaction's token"`
	Wallet               caller.Ref `json:"wallet,omitempty" record:"wallet" doc:"CRYPTO: a stored wallet of the receiver"`
	WalletAddress        string     `json:"walletAddress,omitempty" maxLength:"64" doc:"CRYPTO: an address, instead of wallet"`
	WalletType           string     `json:"walletType,omitempty" enum:"EOA,MULTISIG" doc:"required with walletAddress"`
	Network              string     `json:"network,omitempty" maxLength:"64" doc:"required with walletAddress"`
	BankAccount          caller.Ref `json:"bankAccount,omitempty" record:"bankAccount" doc:"FIAT: a bank account of the receiver"`
	CurrencyIsoCode      string     `json:"currencyIsoCode,omitempty" maxLength:"3" doc:"FIAT: target currency, that of the bank account, which is taken when this is left out"`
	EstimatedRate        string     `json:"estimatedRate,omitempty" maxLength:"64" doc:"FIAT: the currency for one token, as you expect it; a rate outside the tolerance is refused"`
	Reference            string     `json:"reference,omitempty" maxLength:"50" doc:"FIAT: creditor reference that the payment carries: a QR reference or an ISO 11649 one (RF); a QR-IBAN takes no payment without one"`
	BankingFeesOption    string     `json:"bankingFeesOption,omitempty" enum:"OUR,SHA,BEN" doc:"FIAT: who bears the banks' fees; SHA when left out"`
	ExpectedTransferDate string     `json:"expectedTransferDate,omitempty" maxLength:"64" doc:"ONRAMP: the day on which the transfer is to start, as a date or a date-time"`
}

// Input returns what the client wrote of a transaction of any type, without its payments.
func (t Transaction) Input() Input {
	return Input{
		Type:          string(t.Type),
		Token:         t.Token,
		WalletAddress: t.WalletAddress,
		Network:       t.Network,
	}
}

// maxUnits is the largest amount of one payment: the router packs it into 96 bits.
var maxUnits = new(big.Int).Sub(new(big.Int).Lsh(big.NewInt(1), 96), big.NewInt(1))

// MaxUnits returns the largest amount that one transaction moves, in base units of its token.
func MaxUnits() *big.Int { return new(big.Int).Set(maxUnits) }

// CheckShape notes what is wrong with an input by itself: first what is wrong in any type, then what is wrong in its
// own. It reads nothing.
func (in *Input) CheckShape(kind Kind, l *fault.List) {
	if in.Token == "" {
		l.Add("/token", fault.Required, "is required.")
	}

	if in.WalletAddress = eip55.Plain(in.WalletAddress); in.WalletAddress == "" {
		l.Add("/walletAddress", fault.Required, "is required.")
	}

	for i := range in.Payments {
		p := &in.Payments[i]
		p.WalletAddress = eip55.Plain(p.WalletAddress)

		if p.Type != in.Type {
			l.Add(PaymentAt(i)+"/type", fault.PaymentTypeMismatch, "must be %s like its transaction.", in.Type)
		}
	}

	kind.Shape(in, l)
}

// PaymentAt returns the JSON pointer of a payment.
func PaymentAt(i int) string { return "/payments/" + strconv.Itoa(i) }

// optionalField is a field that payments of some types have, with the value that the client wrote.
type optionalField struct{ name, value string }

// optionalFields returns the fields that only payments of some types have.
func (p *PaymentInput) optionalFields() [11]optionalField {
	return [...]optionalField{
		{"tokenIsoCode", p.TokenIsoCode},
		{"wallet", string(p.Wallet)},
		{"walletAddress", p.WalletAddress},
		{"walletType", p.WalletType},
		{"network", p.Network},
		{"bankAccount", string(p.BankAccount)},
		{"currencyIsoCode", p.CurrencyIsoCode},
		{"estimatedRate", p.EstimatedRate},
		{"bankingFeesOption", p.BankingFeesOption},
		{"reference", p.Reference},
		{"expectedTransferDate", p.ExpectedTransferDate},
	}
}

// TakesOnly notes the optional fields of a payment that its type does not have; has names those that it has.
func (in *Input) TakesOnly(l *fault.List, position int, has ...string) {
	for _, f := range in.Payments[position].optionalFields() {
		if f.value != "" && !slices.Contains(has, f.name) {
			l.Add(PaymentAt(position)+"/"+f.name, fault.NotAllowed, "does not belong to %s payments.", in.Type)
		}
	}
}

// Contradicts reports whether the payment says of a wallet what is not so. To repeat what is so, as an answer shows it,
// is no contradiction.
func (p *PaymentInput) Contradicts(w wallet.Wallet) bool {
	return p.Wallet != "" && string(p.Wallet) != w.ID ||
		p.WalletAddress != "" && !strings.EqualFold(p.WalletAddress, w.Address) ||
		p.WalletType != "" && p.WalletType != string(w.Type) ||
		p.Network != "" && p.Network != w.Network
}

// NeedsReason notes a payment without a reason.
func (in *Input) NeedsReason(l *fault.List, position int) {
	if strings.TrimSpace(in.Payments[position].Reason) == "" {
		l.Add(PaymentAt(position)+"/reason", fault.Required, "is required.")
	}
}

// NoDeposit notes a currency of a deposit, which only ONRAMP transactions have.
func (in *Input) NoDeposit(l *fault.List) {
	if in.AmountCurrency != "" {
		l.Add("/amountCurrency", fault.NotAllowed, "belongs to ONRAMP transactions.")
	}
}

// Payment returns a payment with the fields that every type has.
func (in *Input) Payment(position int) Payment {
	p := &in.Payments[position]

	return Payment{
		Position:     position,
		Reason:       p.Reason,
		Instructions: p.Instructions,
		Document:     p.DocumentStorageKey,
		Receiver:     string(p.Receiver),
		Again:        p.Again,
	}
}

// Input returns the fields of a stored payment that every type has, as a client would write them.
func (p *Payment) Input(t Type) PaymentInput {
	return PaymentInput{
		Type:               string(t),
		Receiver:           caller.Ref(p.Receiver),
		Reason:             p.Reason,
		Instructions:       p.Instructions,
		DocumentStorageKey: p.Document,
		Again:              p.Again,
	}
}

// ParseUnits parses an amount of a token into base units. It notes what is wrong with the amount and then returns nil.
func ParseUnits(l *fault.List, at string, asset money.Asset, s string) *big.Int {
	a, err := money.Parse(asset, s)

	switch {
	case errors.Is(err, money.ErrPrecision):
		l.Add(at, fault.AmountPrecision, "%s has %d decimals; %s has more.", asset.Code, asset.Decimals, s)
	case errors.Is(err, money.ErrZero):
		l.Add(at, fault.AmountZero, "must be more than zero.")
	case errors.Is(err, money.ErrTooLarge):
		l.Add(at, fault.AmountTooLarge, "has too many digits.")
	case err != nil:
		l.Add(at, fault.AmountForm, "%s.", err)

	default:
		units := a.Units()
		if units.Cmp(maxUnits) <= 0 {
			return units
		}

		l.Add(at, fault.AmountTooLarge, "may be at most %s.", money.Format(maxUnits, asset.Decimals))
	}

	return nil
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

// Day parses a day as clients write it, and returns its midnight (UTC). An empty text returns the zero time.
func Day(s string) (time.Time, error) {
	if s == "" {
		return time.Time{}, nil
	}

	return day.Parse(s)
}

// NoteAt notes a refusal of another package at the fields that it names, or else at the one that caused it.
func NoteAt(l *fault.List, at string, err error) {
	f, ok := fault.As(err)
	if !ok {
		panic(fmt.Sprintf("not a refusal: %v", err))
	}

	if len(f.Fields) > 0 {
		l.Append(f.Fields...)
		return
	}

	l.Add(at, f.Code, "%s", f.Detail)
}
