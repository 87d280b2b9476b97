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
	"slipway/internal/standards/bankcode"
)

// Opened is what a holder of the token may see.
type Opened struct {
	ID        string
	Status    Status // OPEN, SUBMITTED or USED
	Usable    bool   // something can still be handed in; if not, it is only read
	Progress  Progress
	PaidAt    time.Time // zero: not paid
	Followed  time.Time // until when the holder sees what became of the invoice; zero: none was handed in
	Receiver  string    // the identifier that a new receiver will have; empty for a known one
	Info      Info
	Steps     Steps
	Given     Shown
	ExpiresAt time.Time
}

// Info is who asks, and for what.
type Info struct {
	Organisation string // its name
	Asker        string // its identifier
	Email        string // the address that the link was sent to
	Existing     bool   // the receiver is known: its identity is not asked for
	Requested    Requested
}

// Steps is which steps are complete.
type Steps struct{ Receiver, BankAccount, Wallet, Invoice bool }

// Shown is what was handed in through this link, as its holder sees it again. Accounts show only the ends of their
// numbers.
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
	Ending                          string // the last four characters of its number
	Proposal                        Proposal
}

// ShownWallet is a wallet with only the two ends of its address.
type ShownWallet struct {
	ID, Network, Ending string
	Proposal            Proposal
	Proven              bool // its owner has signed
}

// ShownDocument is a file that was uploaded through this link.
type ShownDocument struct {
	Key, Name, ContentType string
	Size                   int64
}

// Confirmation is what the outside party gets after submitting its invoice.
type Confirmation struct {
	Reference   string // the link's identifier, which both sides can refer to it by
	SubmittedAt time.Time
	Opened      Opened
}

// linkOf returns the link of a valid token. Why another token is not valid is disclosed to nobody.
func linkOf(ctx context.Context, q db.Querier, token string, now time.Time) (Link, error) {
	return linkWhere(ctx, q, token, func(k Link) bool { return k.usable(now) })
}

// linkWhere returns the link of a token if it is good for what is wanted.
func linkWhere(ctx context.Context, q db.Querier, token string, good func(k Link) bool) (Link, error) {
	k, err := byHash(ctx, q, hashOf(token))
	if fault.Is(err, fault.NotFoundCode) {
		return Link{}, invalid()
	}

	if err == nil && !good(k) {
		return Link{}, invalid()
	}

	return k, err
}

// admit counts a call of an outside party and refuses one too many.
func (s *Service) admit(ctx context.Context, token string) error {
	now := s.deps.DB.Now()
	if err := s.limits.admit(ctx, now); err != nil {
		return err
	}

	if !secret.TokenForm(tokenPrefix, token) {
		return s.countIfInvalid(ctx, invalid())
	}

	return count(ctx, s.limits.link, hashOf(token), now)
}

// countIfInvalid counts an invalid token and returns err.
func (s *Service) countIfInvalid(ctx context.Context, err error) error {
	if fault.Is(err, fault.LinkInvalid) {
		s.limits.countInvalid(ctx, s.deps.DB.Now())
	}

	return err
}

// ValidUntil returns until when something can be handed in with a token. Every other one is refused alike:
// LINK_INVALID.
func (s *Service) ValidUntil(ctx context.Context, token string) (time.Time, error) {
	if err := s.admit(ctx, token); err != nil {
		return time.Time{}, err
	}

	k, err := linkOf(ctx, s.deps.DB, token, s.deps.DB.Now())

	return k.ExpiresAt, s.countIfInvalid(ctx, err)
}

// Open returns what a holder of the token may see, also of an invoice that was handed in and taken over since. Every
// invalid token is refused alike: LINK_INVALID.
func (s *Service) Open(ctx context.Context, token string) (out Opened, err error) {
	if err := s.admit(ctx, token); err != nil {
		return Opened{}, err
	}

	now := s.deps.DB.Now()
	err = s.deps.DB.Snapshot(ctx, func(q db.Querier) error {
		k, err := linkWhere(ctx, q, token, func(k Link) bool { return k.readable(now) })
		if err != nil {
			return err
		}

		out, err = s.openedView(ctx, q, k)

		return err
	})

	return out, s.countIfInvalid(ctx, err)
}

// openedView returns what the holder of a link's token sees.
func (s *Service) openedView(ctx context.Context, q db.Querier, k Link) (Opened, error) {
	name, err := s.deps.OrgName(ctx, q, k.Organisation)
	if err != nil {
		return Opened{}, err
	}

	progress, paid, err := k.progress(ctx, q)

	o := Opened{
		ID:        k.ID,
		Status:    k.Status,
		Usable:    k.usable(s.deps.DB.Now()),
		Progress:  progress,
		PaidAt:    paid,
		Info:      Info{name, k.Organisation, k.Email, k.Existing, k.Requested},
		Steps:     k.steps(),
		Given:     k.shown(),
		ExpiresAt: k.ExpiresAt,
	}
	if !k.Existing {
		o.Receiver = k.Receiver
	}

	if !k.SubmittedAt.IsZero() {
		o.Followed = k.SubmittedAt.Add(FollowedFor)
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

// shown returns what was handed in, as the link's holder sees it again. A mail can be forwarded, so numbers show only
// their ends.
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
			ID:       b.Account.ID,
			Country:  b.Account.Country,
			Currency: b.Account.Currency,
			BankName: b.Account.BankName(),
			Ending:   ending(number),
			Proposal: b.Proposal,
		}
	}

	if w := k.Given.Wallet; w != nil {
		out.Wallet = &ShownWallet{
			ID:       w.ID,
			Network:  w.Network,
			Ending:   w.Address[:6] + "…" + ending(w.Address),
			Proposal: w.Proposal,
			Proven:   w.Proof.Proven(),
		}
	}

	return out
}

// ending returns the last four characters of a number.
func ending(number string) string { return number[max(0, len(number)-4):] }

// step changes a link by what was handed in. changed is false if it is there already; then nothing is written.
type step func(ctx context.Context, tx *db.Tx, k *Link) (changed bool, err error)

// runStep runs a step for the holder of the token.
func (s *Service) runStep(ctx context.Context, token, event string, do step) (out Opened, err error) {
	if err := s.admit(ctx, token); err != nil {
		return Opened{}, err
	}

	err = s.deps.DB.Write(ctx, func(tx *db.Tx) error {
		k, err := linkOf(ctx, tx, token, tx.Now)
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

		out, err = s.openedView(ctx, tx, k)

		return err
	})

	return out, s.countIfInvalid(ctx, err)
}

// checkChangeable refuses to change what was handed in once the invoice was submitted, or a member has confirmed it.
func (k Link) checkChangeable(p Proposal) error {
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

// proposal returns the state of an account or wallet that is handed in now.
func (k Link) proposal() Proposal {
	if k.Existing {
		return Proposed
	}

	return ""
}

// GiveReceiver stores the identity of the outside party. A second call with the same content changes nothing. Refusals
// point to the fields of CreateReceiver's body: /type, /firstName, /lastName, /legalName, /email, /address,
// /countryIsoCode, /dateOfBirth ...
func (s *Service) GiveReceiver(ctx context.Context, token string, r Receiver) (Opened, error) {
	r = r.trimmed()

	return s.runStep(ctx, token, "invoice_link.receiver", func(_ context.Context, tx *db.Tx, k *Link) (bool, error) {
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

		if k.Given.Receiver != nil && encoded(*k.Given.Receiver) == encoded(r) {
			return false, nil
		}

		if err := k.checkChangeable(""); err != nil {
			return false, err
		}

		k.Given.Receiver = &r

		return true, countChange(&k.Counts.Receiver)
	})
}

// AsksFor names the numbers to ask for of a bank account, by the interface's names: see bankaccount.Service.Asks.
func (s *Service) AsksFor(country, currency string) []string {
	return s.deps.BankAccounts.Asks(country, currency)
}

// BankOf returns the bank of an IBAN: see bankaccount.Service.BankOf.
func (s *Service) BankOf(iban string) (bankcode.Bank, bool) { return s.deps.BankAccounts.BankOf(iban) }

// GiveBankAccount stores the account to be paid. Only its country, currency and numbers count. A second call with the
// same content changes nothing. Refusals point to /bankCountry, /currency, /iban, /bicSwift, /accountNumber, /sortCode,
// /routingNumber, /ifscCode, /accountType ... The answer does not disclose whether a known receiver already has the
// account.
func (s *Service) GiveBankAccount(ctx context.Context, token string, a bankaccount.Account) (Opened, error) {
	const event = "invoice_link.bank_account"

	return s.runStep(ctx, token, event, func(_ context.Context, tx *db.Tx, k *Link) (bool, error) {
		var l fault.List

		checked := s.deps.BankAccounts.Check(enteredAccount(*k, a), &l)
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

		if err := k.checkChangeable(before.proposal()); err != nil {
			return false, err
		}

		next.Account.ID = bankaccount.NewID(tx.Now)
		k.Given.Account = &next

		return true, countChange(&k.Counts.Target)
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

// GiveWallet stores the wallet to be paid. Only Network, Address and Type count. A second call with the same content
// changes nothing. Refusals point to /network, /address, /type. The answer does not disclose whether a known receiver
// already has the wallet.
func (s *Service) GiveWallet(ctx context.Context, token string, w Wallet) (Opened, error) {
	return s.runStep(ctx, token, "invoice_link.wallet", func(ctx context.Context, tx *db.Tx, k *Link) (bool, error) {
		next := Wallet{Network: w.Network, Address: w.Address, Type: w.Type, Proposal: k.proposal()}
		if err := next.check(ctx, tx); err != nil {
			return false, err
		}

		before := k.Given.Wallet
		if before != nil && before.same(next) && before.Proposal != Refused {
			return false, nil
		}

		if err := k.checkChangeable(before.proposal()); err != nil {
			return false, err
		}

		next.ID = wallet.NewID(tx.Now)

		var err error
		if next.Proof, err = s.deps.Wallets.NewProof(ctx, tx, next.record(*k)); err != nil {
			return false, err
		}

		k.Given.Wallet = &next

		return true, countChange(&k.Counts.Target)
	})
}

// check converts the wallet's address to its checksummed form, and refuses an address that cannot be paid.
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
