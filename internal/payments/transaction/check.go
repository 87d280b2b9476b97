package transaction

import (
	"errors"
	"fmt"
	"math/big"
	"strconv"
	"strings"

	"github.com/ethereum/go-ethereum/common"

	"slipway/internal/core/caller"
	"slipway/internal/core/fault"
	"slipway/internal/core/money"
	"slipway/internal/directory/network"
	"slipway/internal/directory/receiver"
	"slipway/internal/directory/wallet"
	"slipway/internal/platform/jsonout"
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
	Receiver             caller.Ref `json:"receiver"`
	Amount               string     `json:"amount" maxLength:"64" doc:"decimal text, never a number. FIAT: in the target currency; CRYPTO: in the token; ONRAMP: what is deposited"`
	Reason               string     `json:"reason,omitempty" maxLength:"500" doc:"required for FIAT and CRYPTO"`
	Instructions         string     `json:"instructions,omitempty" maxLength:"1000" doc:"for people; nothing acts on it"`
	DocumentStorageKey   string     `json:"documentStorageKey,omitempty" maxLength:"200" doc:"of a document that belongs to the payment"`
	TokenIsoCode         string     `json:"tokenIsoCode,omitempty" maxLength:"16" doc:"CRYPTO: must be the transaction's token"`
	Wallet               caller.Ref `json:"wallet,omitempty" doc:"CRYPTO: a stored wallet of the receiver"`
	WalletAddress        string     `json:"walletAddress,omitempty" maxLength:"64" doc:"CRYPTO: an address, instead of wallet"`
	WalletType           string     `json:"walletType,omitempty" enum:"EOA,MULTISIG" doc:"required with walletAddress"`
	Network              string     `json:"network,omitempty" maxLength:"64" doc:"required with walletAddress"`
	BankAccount          caller.Ref `json:"bankAccount,omitempty" doc:"FIAT: a bank account of the receiver"`
	CurrencyIsoCode      string     `json:"currencyIsoCode,omitempty" maxLength:"3" doc:"FIAT: target currency, that of the bank account, which is taken when this is left out"`
	EstimatedRate        string     `json:"estimatedRate,omitempty" maxLength:"64" doc:"FIAT: the currency for one token, as you expect it; a rate outside the tolerance is refused"`
	Reference            string     `json:"reference,omitempty" maxLength:"50" doc:"FIAT: creditor reference that the payment carries: a QR reference or an ISO 11649 one (RF); a QR-IBAN takes no payment without one"`
	BankingFeesOption    string     `json:"bankingFeesOption,omitempty" enum:"OUR,SHA,BEN" doc:"FIAT: who bears the banks' fees; SHA when left out"`
	ExpectedTransferDate string     `json:"expectedTransferDate,omitempty" maxLength:"64" doc:"ONRAMP: the day on which the transfer is to start, as a date or a date-time"`
}

// maxUnits is the largest amount of one payment: the router packs it into 96 bits.
var maxUnits = new(big.Int).Sub(new(big.Int).Lsh(big.NewInt(1), 96), big.NewInt(1))

// known holds every record that a check compares with. It is read beforehand, so that checks are pure functions.
type known struct {
	payer     wallet.Wallet
	payerErr  error // the refusal that explains why walletAddress cannot be used
	network   network.Network
	token     network.Token
	tokenErr  error
	receivers map[string]receiver.Receiver
	snapshots map[string]string // of receivers, encoded once for each request
	wallets   map[string]wallet.Wallet
	forbidden func(networkID string, a common.Address) bool
	bank      bankKnown // FIAT and ONRAMP
}

// shape notes what is wrong in any type, and then what is wrong in this one. It reads nothing.
func (in *Input) shape(l *fault.List) {
	if in.Token == "" {
		l.Add("/token", fault.Required, "is required.")
	}

	if in.WalletAddress == "" {
		l.Add("/walletAddress", fault.Required, "is required.")
	}

	for i := range in.Payments {
		if p := &in.Payments[i]; p.Type != in.Type {
			l.Add(paymentAt(i)+"/type", fault.PaymentTypeMismatch, "must be %s like its transaction.", in.Type)
		}
	}

	kindOf(Type(in.Type)).shape(in, l)
}

// paymentAt returns the JSON pointer of a payment.
func paymentAt(i int) string { return "/payments/" + strconv.Itoa(i) }

// given is a field's name and the value the client wrote.
type given struct{ name, value string }

// refuse notes the fields that do not belong to payments of this type.
func (in *Input) refuse(l *fault.List, at string, fields ...given) {
	for _, x := range fields {
		if x.value != "" {
			l.Add(at+"/"+x.name, fault.NotAllowed, "does not belong to %s payments.", in.Type)
		}
	}
}

// needReason notes a payment without a reason.
func (p *PaymentInput) needReason(l *fault.List, at string) {
	if strings.TrimSpace(p.Reason) == "" {
		l.Add(at+"/reason", fault.Required, "is required.")
	}
}

func (in *Input) cryptoShape(l *fault.List) {
	if in.AmountCurrency != "" {
		l.Add("/amountCurrency", fault.NotAllowed, "belongs to ONRAMP transactions.")
	}

	for i := range in.Payments {
		in.Payments[i].cryptoShape(paymentAt(i), in, l)
	}
}

func (p *PaymentInput) cryptoShape(at string, in *Input, l *fault.List) {
	p.needReason(l, at)

	in.refuse(
		l,
		at,
		given{"bankAccount", string(p.BankAccount)},
		given{"currencyIsoCode", p.CurrencyIsoCode},
		given{"estimatedRate", p.EstimatedRate},
		given{"bankingFeesOption", p.BankingFeesOption},
		given{"reference", p.Reference},
		given{"expectedTransferDate", p.ExpectedTransferDate},
	)

	if p.TokenIsoCode != "" && p.TokenIsoCode != in.Token {
		l.Add(
			at+"/tokenIsoCode",
			fault.TokenSwapMissing,
			"must be %s, the transaction's token: no swap provider is configured for %s to %s.",
			in.Token,
			in.Token,
			p.TokenIsoCode,
		)
	}

	switch inline := p.WalletAddress != ""; {
	case p.Wallet != "" && (inline || p.WalletType != "" || p.Network != ""):
		l.Add(at+"/wallet", fault.PayeeConflict, "Give either wallet, or walletAddress with walletType and network.")
	case p.Wallet == "" && !inline:
		l.Add(at+"/wallet", fault.Required, "is required, or walletAddress with walletType and network.")
	case inline && p.WalletType == "":
		l.Add(at+"/walletType", fault.Required, "is required with walletAddress.")
		fallthrough

	case inline && p.Network == "":
		if p.Network == "" {
			l.Add(at+"/network", fault.Required, "is required with walletAddress.")
		}
	}
}

// notePayer notes why the paying wallet or the token cannot be used. shape has already noted those that are missing.
func (in *Input) notePayer(k *known, l *fault.List) {
	if k.payerErr != nil && in.WalletAddress != "" {
		noteAt(l, "/walletAddress", k.payerErr)
	}

	if k.tokenErr != nil && in.Token != "" {
		noteAt(l, "/token", k.tokenErr)
	}
}

// cryptoBuild compares an input with the known records and returns the draft.
func (in *Input) cryptoBuild(k *known, l *fault.List) draft {
	in.notePayer(k, l)
	d := draft{debit: new(big.Int), payments: make([]Payment, len(in.Payments))}

	for i := range in.Payments {
		in.Payments[i].cryptoBuild(&d.payments[i], i, k, l)

		if d.payments[i].Units != nil {
			d.debit.Add(d.debit, d.payments[i].Units)
		}
	}

	return d
}

func (p *PaymentInput) cryptoBuild(out *Payment, position int, k *known, l *fault.List) {
	at := paymentAt(position)

	*out = Payment{
		Position:     position,
		Reason:       p.Reason,
		Instructions: p.Instructions,
		Document:     p.DocumentStorageKey,
		Receiver:     string(p.Receiver),
		Network:      k.network.ID,
	}
	if k.tokenErr == nil && k.payerErr == nil {
		out.Units = ParseUnits(l, at+"/amount", money.Asset{Code: k.token.Code, Decimals: k.token.Decimals}, p.Amount)
	} else if err := money.CheckForm(p.Amount); err != nil {
		l.Add(at+"/amount", fault.AmountForm, "%s.", err)
	}

	r, ok := k.receivers[string(p.Receiver)]
	if !ok {
		l.Add(at+"/receiver", fault.ReceiverUnknown, "There is no such receiver.")
	} else {
		out.Snapshot = k.snapshot(r)
	}

	if p.Wallet != "" {
		p.stored(at, k, out, l)
	} else if p.WalletAddress != "" {
		p.inline(at, k, out, l)
	}
}

// stored fills in a payment to a stored wallet. A wallet of another receiver is refused like one that does not exist.
func (p *PaymentInput) stored(at string, k *known, out *Payment, l *fault.List) {
	w, ok := k.wallets[string(p.Wallet)]

	switch {
	case !ok || w.Receiver != string(p.Receiver):
		l.Add(at+"/wallet", fault.WalletUnknown, "The receiver has no such wallet.")
	case k.payerErr == nil && w.Network != k.network.ID:
		l.Add(at+"/wallet", fault.PayeeNetwork, "The wallet is on another network than the paying wallet.")
	case k.payerErr == nil && strings.EqualFold(w.Address, k.payer.Address):
		l.Add(at+"/wallet", fault.AddressForbidden, "The paying wallet cannot pay itself.")

	default:
		out.Wallet = w.ID
		out.Address = w.Address
		out.WalletType = string(w.Type)
	}
}

func (p *PaymentInput) inline(at string, k *known, out *Payment, l *fault.List) {
	address, err := eip55.Parse(p.WalletAddress)
	if errors.Is(err, eip55.ErrChecksum) {
		l.Add(
			at+"/walletAddress",
			fault.AddressChecksum,
			"mixes upper and lower case in another way than its checksum: a letter is mistyped.",
		)

		return
	}

	if err != nil {
		l.Add(at+"/walletAddress", fault.AddressInvalid, "must be 0x and 40 hexadecimal digits.")
		return
	}

	if k.payerErr == nil && p.Network != "" && p.Network != k.network.ID {
		l.Add(at+"/network", fault.PayeeNetwork, "must be the network of the paying wallet, %s.", k.network.ID)
		return
	}

	text := p.WalletAddress
	if !eip55.Mixed(text) {
		text = address.Hex()
	}

	if k.payerErr == nil && (k.forbidden(k.network.ID, address) || strings.EqualFold(text, k.payer.Address)) {
		l.Add(at+"/walletAddress", fault.AddressForbidden, "Tokens sent to this address would be lost or come back.")
		return
	}

	out.Address = text
	out.WalletType = p.WalletType
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

// noteAt notes a refusal of another package at the field that caused it.
func noteAt(l *fault.List, at string, err error) {
	f, ok := fault.As(err)
	if !ok {
		panic(fmt.Sprintf("not a refusal: %v", err))
	}

	l.Add(at, f.Code, "%s", f.Detail)
}

// receiverSnapshot is the copy of a receiver that a payment keeps. It shows who was paid, whatever happens to the
// record later. A payment through a bank also keeps what the bank's message needs of a creditor.
type receiverSnapshot struct {
	ID         string                `json:"_id"`
	Type       string                `json:"type"`
	FirstName  string                `json:"firstName,omitempty"`
	MiddleName string                `json:"middleName,omitempty"`
	LastName   string                `json:"lastName,omitempty"`
	LegalName  string                `json:"legalName,omitempty"`
	Email      string                `json:"email,omitempty"`
	IsSelf     bool                  `json:"isSelf"`
	Country    string                `json:"countryIsoCode,omitempty" doc:"FIAT"`
	Address    *receiver.AddressView `json:"address,omitempty" doc:"FIAT"` // the last: see cutAddress
}

// addressField is what a snapshot's address stands behind. In no text of it does a quotation mark stand unescaped, so
// it is there once.
const addressField = `,"address":`

// cutAddress takes the address out of a snapshot; it is empty where there is none.
func cutAddress(snapshot string) (named, address string) {
	named, address, ok := strings.Cut(snapshot, addressField)
	if !ok {
		return snapshot, ""
	}

	return named + "}", strings.TrimSuffix(address, "}")
}

// withAddress puts back what cutAddress took out.
func withAddress(snapshot, address string) string {
	if address == "" || strings.Contains(snapshot, addressField) {
		return snapshot
	}

	return strings.TrimSuffix(snapshot, "}") + addressField + address + "}"
}

// snapshot returns the encoded snapshot of a receiver and caches it, because many payments of a request go to few
// receivers.
func (k *known) snapshot(r receiver.Receiver) string {
	s, ok := k.snapshots[r.ID]
	if !ok {
		s = snapshot(r)
		k.snapshots[r.ID] = s
	}

	return s
}

func snapshot(r receiver.Receiver) string { return snapshotOf(r).text() }

func snapshotOf(r receiver.Receiver) receiverSnapshot {
	return receiverSnapshot{
		ID:        r.ID,
		Type:      string(r.Type),
		FirstName: r.FirstName,
		LastName:  r.LastName,
		LegalName: r.LegalName,
		Email:     r.Email,
		IsSelf:    r.Self,
	}
}

func (s receiverSnapshot) text() string {
	b, err := jsonout.Marshal(s)
	if err != nil {
		panic(err) // strings and a bool always encode
	}

	return string(b)
}
