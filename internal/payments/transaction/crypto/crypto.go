// Package crypto is what CRYPTO transactions do differently: they pay tokens from one wallet to others on the same
// network.
//
// It promises that a draft never pays an address at which tokens would be lost or come back. It moves no money and
// keeps nothing; package transaction calls it.
package crypto

import (
	"context"
	"errors"
	"strings"
	"time"

	"slipway/internal/core/caller"
	"slipway/internal/core/fault"
	"slipway/internal/core/money"
	"slipway/internal/payments/quote"
	"slipway/internal/payments/transaction"
	"slipway/internal/platform/db"
	"slipway/internal/standards/eip55"
)

// Kind is the type CRYPTO.
type Kind struct{}

// Traits returns the facts of the type.
func (Kind) Traits() transaction.Traits {
	return transaction.Traits{Accepted: transaction.SettlementPulling, Actions: actions}
}

var actions = map[transaction.Status][]string{
	transaction.StatusDraft:   {"validate", "check-allowance"},
	transaction.StatusWaiting: {"check-allowance"},
}

// Offered returns true: every deployment has a chain.
func (Kind) Offered() bool { return true }

// Shape notes what is wrong with an input by itself.
func (Kind) Shape(in *transaction.Input, l *fault.List) {
	in.NoDeposit(l)

	for i := range in.Payments {
		in.NeedsReason(l, i)
		in.TakesOnly(l, i, "tokenIsoCode", "wallet", "walletAddress", "walletType", "network")

		if code := in.Payments[i].TokenIsoCode; code != "" && code != in.Token && l.Sound("/token") {
			l.Add(
				transaction.PaymentAt(i)+"/tokenIsoCode",
				fault.TokenSwapMissing,
				"must be %s, the transaction's token: no swap provider is configured for %s to %s.",
				in.Token,
				in.Token,
				code,
			)
		}

		shapePayee(transaction.PaymentAt(i), &in.Payments[i], l)
	}
}

// shapePayee notes a payment that names neither a stored wallet nor an address.
func shapePayee(at string, p *transaction.PaymentInput, l *fault.List) {
	inline := p.WalletAddress != ""

	switch {
	case p.Wallet != "": // what else is said of it is compared with it
		return

	case !inline && !l.Sound(at+"/wallet", at+"/walletAddress"):
		return

	case !inline:
		l.Add(at+"/wallet", fault.Required, "is required, or walletAddress with walletType and network.")
		return
	}

	if inline && p.WalletType == "" {
		l.Add(at+"/walletType", fault.Required, "is required with walletAddress.")
	}

	if inline && p.Network == "" {
		l.Add(at+"/network", fault.Required, "is required with walletAddress.")
	}
}

// Check reads nothing more than the records of the request.
func (Kind) Check(
	_ context.Context,
	s *transaction.Service,
	_ db.Querier,
	r *transaction.Request,
) (transaction.Check, error) {
	return check{s, r}, nil
}

// Input returns the stored transaction as a client would write it.
func (Kind) Input(t transaction.Transaction) transaction.Input {
	in := t.Input()
	for _, p := range t.Payments {
		x := p.Input(t.Type)
		x.Amount = t.Amount(p).String()
		x.Wallet = caller.Ref(p.Wallet)

		if p.Wallet == "" {
			x.WalletAddress = p.Address
			x.WalletType = p.WalletType
			x.Network = p.Network
		}

		in.Payments = append(in.Payments, x)
	}

	return in
}

// Costs returns the transaction as it is: its costs do not change.
func (Kind) Costs(
	_ context.Context,
	_ *transaction.Service,
	t transaction.Transaction,
) (transaction.Transaction, *quote.Quote, error) {
	return t, nil, nil
}

// Acceptable refuses a transaction that the wallet does not cover.
func (Kind) Acceptable(
	ctx context.Context,
	s *transaction.Service,
	t transaction.Transaction,
) (transaction.Guard, error) {
	return nil, s.CheckFunds(ctx, t)
}

// Deletable returns nil: nothing that comes from outside can belong to a waiting transaction.
func (Kind) Deletable(transaction.Transaction) error { return nil }

// Cancel frees what submit reserved of the wallet.
func (Kind) Cancel(tx *db.Tx, t transaction.Transaction) error {
	transaction.ReleaseReservation(tx, t)
	return nil
}

// Show fills in what the transaction pays, and to which wallets.
func (Kind) Show(v *transaction.View, t transaction.Transaction, _ bool) {
	for i, p := range t.Payments {
		v.Payments[i].Amount = money.Format(p.Units, t.Decimals)
		v.Payments[i].TokenIsoCode = t.Token
		v.Payments[i].ShowWallet(p)
	}
}

// check compares one input with the records that it names.
type check struct {
	service *transaction.Service
	request *transaction.Request
}

// Build returns the draft of a request.
func (c check) Build(l *fault.List) transaction.Draft {
	c.request.NotePayer(l)

	d := transaction.NewDraft(c.request.Input)
	for i := range d.Payments {
		d.Payments[i] = c.buildPayment(i, l)

		if d.Payments[i].Units != nil {
			d.Debit.Add(d.Debit, d.Payments[i].Units)
		}
	}

	return d
}

func (c check) buildPayment(position int, l *fault.List) transaction.Payment {
	r := c.request
	p := &r.Input.Payments[position]
	at := transaction.PaymentAt(position)

	out := r.Input.Payment(position)
	out.Network = r.Network.ID

	if r.TokenErr == nil && r.PayerErr == nil {
		out.Units = transaction.ParseUnits(l, at+"/amount", r.Asset(), p.Amount)
	} else if err := money.CheckForm(p.Amount); err != nil {
		l.Add(at+"/amount", fault.AmountForm, "%s.", err)
	}

	out.Snapshot = r.Snapshot(position, l)

	if p.Wallet != "" {
		c.payStored(at, p, &out, l)
	} else if p.WalletAddress != "" {
		c.payInline(at, p, &out, l)
	}

	return out
}

// payStored fills in a payment to a stored wallet. A wallet of another receiver is refused like one that does not
// exist.
func (c check) payStored(at string, p *transaction.PaymentInput, out *transaction.Payment, l *fault.List) {
	r := c.request
	w, ok := r.Wallets[string(p.Wallet)]

	switch {
	case !l.Sound(at + "/receiver"):
	case !ok || w.Receiver != string(p.Receiver):
		l.Add(at+"/wallet", fault.WalletUnknown, "The receiver has no such wallet.")
	case r.PayerErr == nil && w.Network != r.Network.ID:
		l.Add(at+"/wallet", fault.PayeeNetwork, "The wallet is on another network than the paying wallet.")
	case r.PayerErr == nil && strings.EqualFold(w.Address, r.Payer.Address):
		l.Add(at+"/wallet", fault.AddressForbidden, "The paying wallet cannot pay itself.")

	case p.Contradicts(w):
		l.Add(at+"/wallet", fault.PayeeConflict, "Give either wallet, or walletAddress with walletType and network.")

	default:
		out.Wallet = w.ID
		out.Address = w.Address
		out.WalletType = string(w.Type)
	}
}

// payInline fills in a payment to an address that is not stored.
func (c check) payInline(at string, p *transaction.PaymentInput, out *transaction.Payment, l *fault.List) {
	r := c.request

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

	if r.PayerErr == nil && p.Network != "" && p.Network != r.Network.ID {
		l.Add(at+"/network", fault.PayeeNetwork, "must be the network of the paying wallet, %s.", r.Network.ID)
		return
	}

	text := p.WalletAddress
	if !eip55.Mixed(text) {
		text = address.Hex()
	}

	if r.PayerErr == nil && (r.Forbidden(address) || strings.EqualFold(text, r.Payer.Address)) {
		l.Add(at+"/walletAddress", fault.AddressForbidden, "Tokens sent to this address would be lost or come back.")
		return
	}

	out.Address = text
	out.WalletType = p.WalletType
}

// Usable notes wallets that are not proven or not screened.
func (c check) Usable(d transaction.Draft, now time.Time, l *fault.List) {
	c.request.NotePayerUsable(now, l)

	for i, p := range d.Payments {
		w, ok := c.request.Wallets[p.Wallet]
		if !ok { // an address that is not stored, or a fault that Build has noted
			continue
		}

		if err := w.PayableTo(now); err != nil {
			transaction.NoteAt(l, transaction.PaymentAt(i)+"/wallet", err)
		}
	}
}

// Price does nothing: a token is paid with itself, and the debit is the sum of the payments.
func (check) Price(context.Context, *transaction.Draft, bool) error { return nil }

// Prepare reads the wallet's funds; the lock reserves the debit of them.
func (c check) Prepare(
	ctx context.Context,
	t transaction.Transaction,
	_ transaction.Draft,
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
		return t, "", transaction.ReserveFunds(ctx, tx, t, funds)
	}, nil
}
