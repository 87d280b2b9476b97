package invoicelink

import (
	"context"
	"slices"
	"time"

	"slipway/internal/core/fault"
	"slipway/internal/core/money"
	"slipway/internal/directory/bankaccount"
	"slipway/internal/directory/document"
	"slipway/internal/directory/network"
	"slipway/internal/directory/refdata"
	"slipway/internal/directory/wallet"
	"slipway/internal/identity/user"
	"slipway/internal/payments/transaction"
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
	o := Opened{ID: k.ID, Status: k.Status, Info: Info{name, k.Email, k.Existing, k.Requested}, Steps: k.steps(), Given: k.shown(), ExpiresAt: k.ExpiresAt}
	if !k.Existing {
		o.Receiver = k.Receiver
	}
	return o, err
}

func (k Link) steps() Steps {
	g := k.Given
	return Steps{Receiver: k.Existing || g.Receiver != nil, BankAccount: g.Account != nil, Wallet: g.Wallet != nil, Invoice: g.Invoice != nil}
}

// shown is what was handed in, as whoever holds the link sees it again. A mail can be passed on, so of numbers there are the ends alone.
func (k Link) shown() Shown {
	out := Shown{Invoice: k.Given.Invoice, Documents: k.Given.Documents}
	if r := k.Given.Receiver; r != nil {
		seen := *r
		seen.BirthDate, seen.TaxID = time.Time{}, ""
		out.Receiver = &seen
	}
	if b := k.Given.Account; b != nil {
		number := b.Account.IBAN
		if number == "" {
			number = b.Account.AccountNumber
		}
		out.Account = &ShownAccount{b.Account.ID, b.Account.Country, b.Account.Currency, b.Account.BankName(), ending(number), b.Proposal}
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
		return fault.New(fault.Conflict, fault.InvoiceLinkFixed, "The invoice was handed in; nothing of it can be changed any more.")
	case p == Confirmed:
		return fault.New(fault.Conflict, fault.InvoiceLinkFixed, "This was looked at and confirmed already; it cannot be changed by this link any more.")
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

// GiveReceiver takes who the outside party says it is; the same once more changes nothing. Faults point to the fields of CreateReceiver's
// body: /type, /firstName, /lastName, /legalName, /email, /address, /countryIsoCode, /dateOfBirth ...
func (s *Service) GiveReceiver(ctx context.Context, token string, r Receiver) (Opened, error) {
	r = r.trimmed()
	return s.take(ctx, token, "invoice_link.receiver", func(_ context.Context, tx *db.Tx, k *Link) (bool, error) {
		if k.Existing {
			return false, fault.New(fault.Conflict, fault.InvoiceLinkReceiverKnown, "You are known to the organisation: it does not ask who you are.")
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

// GiveBankAccount takes the account to pay to; of the account only what a client may say counts (country, currency, numbers, bank). The same
// once more changes nothing. Faults point to /bankCountry, /currency, /iban, /bicSwift, /accountNumber, /sortCode, /routingNumber, /ifscCode,
// /accountType ... Whether a known receiver has the account already is not told.
func (s *Service) GiveBankAccount(ctx context.Context, token string, a bankaccount.Account) (Opened, error) {
	return s.take(ctx, token, "invoice_link.bank_account", func(_ context.Context, tx *db.Tx, k *Link) (bool, error) {
		var l fault.List
		checked := s.deps.BankAccounts.Check(said(*k, a), &l)
		if err := l.Err(); err != nil {
			return false, err
		}
		next := BankAccount{Account: checked, ACHSaid: checked.ACHSaid, FedSaid: checked.FedSaid, Proposal: k.proposal()}
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

// GiveWallet takes the wallet to pay to: Network, Address and Type count. The same once more changes nothing. Faults point to /network,
// /address, /type. Whether a known receiver has the wallet already is not told.
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

// GiveDocument stores a file that came by the link; its key goes into Invoice.DocumentKey. Of f, Organisation and Link are the link's. A
// second call keeps another document. Nothing of f is read before the token is found good.
func (s *Service) GiveDocument(ctx context.Context, token string, f document.New) (out ShownDocument, err error) {
	if err := s.arriving(ctx, token); err != nil {
		return out, err
	}
	now := s.deps.DB.Now()
	k, err := good(ctx, s.deps.DB, token, now)
	if err == nil {
		err = k.takesDocument()
	}
	if err == nil {
		err = count(ctx, s.limits.upload, k.ID, now)
	}
	if err != nil {
		return out, s.judged(ctx, err)
	}
	f.Organisation, f.Link = k.Organisation, k.ID
	err = s.deps.StoreDocument(ctx, f, func(tx *db.Tx, d document.Stored) error {
		k, err := good(ctx, tx, token, tx.Now) // it may have been revoked, or submitted, while the file came
		if err == nil {
			err = k.takesDocument()
		}
		if err != nil {
			return err
		}
		out = ShownDocument{Key: d.Key, Name: d.Name, ContentType: d.ContentType, Size: d.Size}
		k.Given.Documents = append(slices.Clip(k.Given.Documents), out)
		trail.Audit(ctx, tx, k.Organisation, "invoice_link.document", k.ID, d.Key)
		_, err = update(tx, k, "invoice_link.document")
		return err
	})
	if fault.Is(err, fault.OrgNotApproved) { // how the organisation stands is no business of whoever has its link
		err = invalid()
	}
	return out, err
}

// takesDocument refuses a file that comes too late, and one too many.
func (k Link) takesDocument() error {
	if len(k.Given.Documents) >= mostChanges {
		return tooManyChanges()
	}
	return k.changeable("")
}

// Submit hands in the invoice; nothing can be changed afterwards. A second call with the same content gives the same confirmation. Faults
// point to /amount, /currencyIsoCode, /tokenIsoCode, /invoiceNumber, /reason, /dueDate, /documentStorageKey, and to /receiver, /bankAccount,
// /wallet when a step is missing.
func (s *Service) Submit(ctx context.Context, token string, in Invoice) (Confirmation, error) {
	in = in.trimmed()
	var at time.Time
	o, err := s.take(ctx, token, "invoice_link.submitted", func(ctx context.Context, tx *db.Tx, k *Link) (bool, error) {
		if k.Status == Submitted && text(*k.Given.Invoice) == text(in) {
			at = k.SubmittedAt
			return false, nil
		}
		if err := k.changeable(""); err != nil {
			return false, err
		}
		if err := k.complete(ctx, tx, in, tx.Now); err != nil {
			return false, err
		}
		k.Given.Invoice, k.SubmittedAt, at = &in, tx.Now, tx.Now
		if err := k.move(Submitted); err != nil {
			return false, err
		}
		return true, s.tellMaker(ctx, tx, *k)
	})
	return Confirmation{Reference: o.ID, SubmittedAt: at, Opened: o}, err
}

// Bounds of an invoice; those of texts are a payable's. A date that is far away is mistyped.
const (
	maxNumber, maxReason = 70, 400
	pastDue, aheadDue    = 366 * day, 2 * 366 * day
	mostDecimals         = 18 // of any token that is offered
)

// complete notes everything that is wrong with an invoice, and everything that is missing besides.
func (k Link) complete(ctx context.Context, q db.Querier, in Invoice, now time.Time) error {
	var l fault.List
	user.CheckText(&l, "/invoiceNumber", in.Number, maxNumber, false)
	user.CheckText(&l, "/reason", in.Reason, maxReason, true)
	if d := in.DueDate; !d.IsZero() && (d.Before(now.Add(-pastDue)) || d.After(now.Add(aheadDue))) {
		l.Add("/dueDate", fault.OutOfRange, "must be within a year back and two years ahead.")
	}
	if in.DocumentKey != "" && !slices.ContainsFunc(k.Given.Documents, func(d ShownDocument) bool { return d.Key == in.DocumentKey }) {
		l.Add("/documentStorageKey", fault.DocumentUnknown, "is not a document that came by this link.")
	}
	if !k.steps().Receiver {
		l.Add("/receiver", fault.InvoiceLinkIncomplete, "Say first who you are.")
	}
	if err := k.payable(ctx, q, in, &l); err != nil {
		return err
	}
	return l.Err()
}

// payable notes what is wrong with an invoice's amount, and a place to pay to that is missing or of another currency.
func (k Link) payable(ctx context.Context, q db.Querier, in Invoice, l *fault.List) error {
	if in.Currency != "" && in.Token != "" || in.Currency == "" && in.Token == "" {
		l.Add("/currencyIsoCode", fault.Required, "give one of currencyIsoCode, for a bank account, and tokenIsoCode, for a wallet.")
		return nil
	}
	if in.Token != "" {
		return k.payableInTokens(ctx, q, in, l)
	}
	c, ok := refdata.All().Currency(in.Currency)
	if !ok || c.Code != in.Currency {
		l.Add("/currencyIsoCode", fault.CurrencyUnknown, "is not a currency: give the code of one of /currencies.")
		return nil
	}
	transaction.ParseFiat(l, "/amount", c, in.Amount)
	switch a := k.Given.Account; {
	case a == nil && !k.Existing:
		l.Add("/bankAccount", fault.InvoiceLinkIncomplete, "Give a bank account first.")
	case a != nil && a.Account.Currency != c.Code:
		l.Add("/currencyIsoCode", fault.CurrencyMismatch, "must be the currency of the bank account, %s.", a.Account.Currency)
	}
	return nil
}

func (k Link) payableInTokens(ctx context.Context, q db.Querier, in Invoice, l *fault.List) error {
	known, ok := refdata.All().Token(in.Token)
	w := k.Given.Wallet
	switch {
	case !ok || known.Code != in.Token || known.Native:
		l.Add("/tokenIsoCode", fault.TokenUnknown, "is not a token that is offered.")
		return nil
	case w == nil && !k.Existing:
		l.Add("/wallet", fault.InvoiceLinkIncomplete, "Give a wallet first.")
	}
	if w == nil { // on which network is not known yet: the payable is held against that
		transaction.ParseUnits(l, "/amount", money.Asset{Code: in.Token, Decimals: mostDecimals}, in.Amount)
		return nil
	}
	t, err := network.TokenOn(ctx, q, w.Network, in.Token)
	if f, refused := fault.As(err); refused {
		l.Add("/tokenIsoCode", f.Code, "%s", f.Detail)
		return nil
	}
	if err == nil {
		transaction.ParseUnits(l, "/amount", money.Asset{Code: t.Code, Decimals: t.Decimals}, in.Amount)
	}
	return err
}
