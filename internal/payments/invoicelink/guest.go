package invoicelink

import (
	"context"
	"time"

	"slipway/internal/core/fault"
	"slipway/internal/directory/bankaccount"
	"slipway/internal/directory/network"
	"slipway/internal/directory/wallet"
	"slipway/internal/platform/db"
	"slipway/internal/platform/secret"
	"slipway/internal/platform/trail"
)

// Opened is what a holder of the token may know.
type Opened struct {
	ID        string
	Status    Status // OPEN or SUBMITTED
	Receiver  string // the identifier that a new receiver will have; empty where it is known already
	Info      Info
	Steps     Steps
	Given     Shown
	ExpiresAt time.Time
}

// Info is who asks for what.
type Info struct {
	Organisation string // its name
	Email        string // the address that the link was sent to
	Existing     bool   // the receiver is known: it is not asked who it is
	Requested    Requested
}

// Steps says what was handed in already.
type Steps struct{ Receiver, BankAccount, Wallet, Invoice bool }

// Shown is what was handed in by this link, as its holder sees it again: accounts by their ends alone.
type Shown struct {
	Receiver  *Receiver // without the date of birth and the tax number; nil: not given
	Account   *ShownAccount
	Wallet    *ShownWallet
	Invoice   *Invoice
	Documents []ShownDocument
}

// ShownAccount is a bank account without its numbers.
type ShownAccount struct {
	ID, Country, Currency, BankName string
	Ending                          string // the last four places of its number
	Proposal                        Proposal
}

// ShownWallet is a wallet by the two ends of its address.
type ShownWallet struct {
	ID, Network, Ending string
	Proposal            Proposal
}

// ShownDocument is a file that came by this link.
type ShownDocument struct {
	Key, Name, ContentType string
	Size                   int64
}

// Confirmation is what the outside party gets when it has handed in its invoice.
type Confirmation struct {
	Reference   string // the link's identifier: what it and the organisation can name it by
	SubmittedAt time.Time
	Opened      Opened
}

// good gives the link of a token that is good now. What makes another one useless is told to nobody.
func good(ctx context.Context, q db.Querier, token string, now time.Time) (Link, error) {
	k, err := byHash(ctx, q, hashOf(token))
	if fault.Is(err, fault.NotFoundCode) {
		return Link{}, invalid()
	}

	if err == nil && (k.Status != Open && k.Status != Submitted || !now.Before(k.ExpiresAt)) {
		return Link{}, invalid()
	}

	return k, err
}

// arriving counts a call of an outside party.
func (s *Service) arriving(ctx context.Context, token string) error {
	now := s.deps.DB.Now()
	if err := s.limits.arriving(ctx, now); err != nil {
		return err
	}

	if !secret.TokenForm(tokenPrefix, token) {
		return s.judged(ctx, invalid())
	}

	return count(ctx, s.limits.link, hashOf(token), now)
}

// judged counts a token that was not good.
func (s *Service) judged(ctx context.Context, err error) error {
	if fault.Is(err, fault.LinkInvalid) {
		s.limits.guessed(ctx, s.deps.DB.Now())
	}

	return err
}

// Open gives what a holder of the token may know. Every token that is not good is refused alike: LINK_INVALID.
func (s *Service) Open(ctx context.Context, token string) (out Opened, err error) {
	if err := s.arriving(ctx, token); err != nil {
		return Opened{}, err
	}

	err = s.deps.DB.Snapshot(ctx, func(q db.Querier) error {
		k, err := good(ctx, q, token, s.deps.DB.Now())
		if err != nil {
			return err
		}

		out, err = s.opened(ctx, q, k)

		return err
	})

	return out, s.judged(ctx, err)
}

// opened is what the holder of a link's token sees.
func (s *Service) opened(ctx context.Context, q db.Querier, k Link) (Opened, error) {
	name, err := s.deps.OrgName(ctx, q, k.Organisation)

	o := Opened{
		ID:        k.ID,
		Status:    k.Status,
		Info:      Info{name, k.Email, k.Existing, k.Requested},
		Steps:     k.steps(),
		Given:     k.shown(),
		ExpiresAt: k.ExpiresAt,
	}
	if !k.Existing {
		o.Receiver = k.Receiver
	}

	return o, err
}

func (k Link) steps() Steps {
	g := k.Given

	return Steps{
		Receiver:    k.Existing || g.Receiver != nil,
		BankAccount: g.Account != nil,
		Wallet:      g.Wallet != nil,
		Invoice:     g.Invoice != nil,
	}
}

// shown is what was handed in, as whoever holds the link sees it again. A mail can be passed on, so of numbers there
// are the ends alone.
func (k Link) shown() Shown {
	out := Shown{Invoice: k.Given.Invoice, Documents: k.Given.Documents}
	if r := k.Given.Receiver; r != nil {
		seen := *r
		seen.BirthDate = time.Time{}
		seen.TaxID = ""
		out.Receiver = &seen
	}

	if b := k.Given.Account; b != nil {
		number := b.Account.IBAN
		if number == "" {
			number = b.Account.AccountNumber
		}

		out.Account = &ShownAccount{
			b.Account.ID,
			b.Account.Country,
			b.Account.Currency,
			b.Account.BankName(),
			ending(number),
			b.Proposal,
		}
	}

	if w := k.Given.Wallet; w != nil {
		out.Wallet = &ShownWallet{w.ID, w.Network, w.Address[:6] + "…" + ending(w.Address), w.Proposal}
	}

	return out
}

// ending is the last four places of a number.
func ending(number string) string { return number[max(0, len(number)-4):] }

// step changes a link by what was handed in. changed is false for what is there already, and nothing is written then.
type step func(ctx context.Context, tx *db.Tx, k *Link) (changed bool, err error)

// take runs a step of whoever holds the token.
func (s *Service) take(ctx context.Context, token, event string, do step) (out Opened, err error) {
	if err := s.arriving(ctx, token); err != nil {
		return Opened{}, err
	}

	err = s.deps.DB.Write(ctx, func(tx *db.Tx) error {
		k, err := good(ctx, tx, token, tx.Now)
		if err != nil {
			return err
		}

		changed, err := do(ctx, tx, &k)
		if err != nil {
			return err
		}

		if changed {
			if k, err = update(tx, k, event); err != nil {
				return err
			}

			trail.Audit(ctx, tx, k.Organisation, event, k.ID, "by the link")
		}

		out, err = s.opened(ctx, tx, k)

		return err
	})

	return out, s.judged(ctx, err)
}

// changeable refuses to change what was handed in once the invoice is there, or a member has confirmed it.
func (k Link) changeable(p Proposal) error {
	switch {
	case k.Status != Open:
		return fault.New(
			fault.Conflict,
			fault.InvoiceLinkFixed,
			"The invoice was handed in; nothing of it can be changed any more.",
		)

	case p == Confirmed:
		return fault.New(
			fault.Conflict,
			fault.InvoiceLinkFixed,
			"This was looked at and confirmed already; it cannot be changed by this link any more.",
		)
	}

	return nil
}

// proposal is what becomes of an account or wallet that is handed in now.
func (k Link) proposal() Proposal {
	if k.Existing {
		return Proposed
	}

	return ""
}

// GiveReceiver takes who the outside party says it is; the same once more changes nothing. Faults point to the fields
// of CreateReceiver's body: /type, /firstName, /lastName, /legalName, /email, /address, /countryIsoCode, /dateOfBirth
// ...
func (s *Service) GiveReceiver(ctx context.Context, token string, r Receiver) (Opened, error) {
	r = r.trimmed()

	return s.take(ctx, token, "invoice_link.receiver", func(_ context.Context, tx *db.Tx, k *Link) (bool, error) {
		if k.Existing {
			return false, fault.New(
				fault.Conflict,
				fault.InvoiceLinkReceiverKnown,
				"You are known to the organisation: it does not ask who you are.",
			)
		}

		var l fault.List
		r.check(*k, tx.Now, &l)

		if err := l.Err(); err != nil {
			return false, err
		}

		if k.Given.Receiver != nil && text(*k.Given.Receiver) == text(r) {
			return false, nil
		}

		if err := k.changeable(""); err != nil {
			return false, err
		}

		k.Given.Receiver = &r

		return true, onceMore(&k.Counts.Receiver)
	})
}

// GiveBankAccount takes the account to pay to; of the account only country, currency and numbers count. The same once
// more changes nothing. Faults point to /bankCountry, /currency, /iban, /bicSwift, /accountNumber, /sortCode,
// /routingNumber, /ifscCode, /accountType ... Whether a known receiver has the account already is not told.
func (s *Service) GiveBankAccount(ctx context.Context, token string, a bankaccount.Account) (Opened, error) {
	return s.take(ctx, token, "invoice_link.bank_account", func(_ context.Context, tx *db.Tx, k *Link) (bool, error) {
		var l fault.List

		checked := s.deps.BankAccounts.Check(said(*k, a), &l)
		if err := l.Err(); err != nil {
			return false, err
		}

		next := BankAccount{
			Account:  checked,
			ACHSaid:  checked.ACHSaid,
			FedSaid:  checked.FedSaid,
			Proposal: k.proposal(),
		}

		before := k.Given.Account
		if before != nil && before.same(next) && before.Proposal != Refused {
			return false, nil
		}

		if err := k.changeable(before.proposal()); err != nil {
			return false, err
		}

		next.Account.ID = bankaccount.NewID(tx.Now)
		k.Given.Account = &next

		return true, onceMore(&k.Counts.Target)
	})
}

func (b *BankAccount) proposal() Proposal {
	if b == nil {
		return ""
	}

	return b.Proposal
}

func (w *Wallet) proposal() Proposal {
	if w == nil {
		return ""
	}

	return w.Proposal
}

// GiveWallet takes the wallet to pay to: Network, Address and Type count. The same once more changes nothing. Faults
// point to /network, /address, /type. Whether a known receiver has the wallet already is not told.
func (s *Service) GiveWallet(ctx context.Context, token string, w Wallet) (Opened, error) {
	return s.take(ctx, token, "invoice_link.wallet", func(ctx context.Context, tx *db.Tx, k *Link) (bool, error) {
		next := Wallet{Network: w.Network, Address: w.Address, Type: w.Type, Proposal: k.proposal()}
		if err := next.check(ctx, tx); err != nil {
			return false, err
		}

		before := k.Given.Wallet
		if before != nil && before.same(next) && before.Proposal != Refused {
			return false, nil
		}

		if err := k.changeable(before.proposal()); err != nil {
			return false, err
		}

		next.ID = wallet.NewID(tx.Now)
		k.Given.Wallet = &next

		return true, onceMore(&k.Counts.Target)
	})
}

// check brings the wallet's address into its checksummed form, and refuses one that nothing could be paid to.
func (w *Wallet) check(ctx context.Context, q db.Querier) error {
	var l fault.List
	if w.Type != wallet.EOA && w.Type != wallet.Multisig {
		l.Add("/type", fault.NotInEnum, "must be EOA or MULTISIG.")
	}

	n, err := network.ByID(ctx, q, w.Network)
	if err != nil && !fault.Is(err, fault.NotFoundCode) {
		return err
	}

	if err != nil || !n.Ready() {
		l.Add("/network", fault.NetworkUnknown, "is not a network that is offered.")
	}

	if w.Address, err = wallet.ForbiddenAddress(ctx, q, n, "/address", w.Address, &l); err != nil {
		return err
	}

	return l.Err()
}
