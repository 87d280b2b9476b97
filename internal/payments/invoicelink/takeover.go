package invoicelink

import (
	"context"
	"strings"
	"time"

	"slipway/internal/core/caller"
	"slipway/internal/core/fault"
	"slipway/internal/directory/bankaccount"
	"slipway/internal/directory/document"
	"slipway/internal/directory/receiver"
	"slipway/internal/directory/wallet"
	"slipway/internal/payments/payable"
	"slipway/internal/platform/db"
	"slipway/internal/platform/mail"
	"slipway/internal/platform/trail"
	"slipway/internal/platform/words"
)

// Confirm adds a proposed account or wallet to a known receiver; none of those it has is changed. proposal is the
// identifier of its content, so what was checked is what is confirmed. Nothing is paid to it for
// bankaccount.CoolDown. The receiver is informed at its known address, which may differ from the link's. A second call
// changes nothing.
func (s *Service) Confirm(ctx context.Context, organisation, linkID, proposal string, done Done) error {
	return s.decide(ctx, organisation, linkID, proposal, Confirmed, done)
}

// Refuse rejects a proposal. The outside party can hand in another one while the link is open. A second call changes
// nothing.
func (s *Service) Refuse(ctx context.Context, organisation, linkID, proposal string, done Done) error {
	return s.decide(ctx, organisation, linkID, proposal, Refused, done)
}

func (s *Service) decide(ctx context.Context, organisation, linkID, proposal string, to Proposal, done Done) error {
	return wallet.Refusal(s.deps.DB.Write(ctx, func(tx *db.Tx) error {
		k, err := ByID(ctx, tx, organisation, linkID)
		if err != nil {
			return err
		}

		if err := caller.Unchanged(ctx, k.Version); err != nil {
			return err
		}

		at := k.proposed(proposal)
		switch {
		case at == nil:
			return fault.New(
				fault.Conflict,
				fault.ProposalChanged,
				"This is not what the link proposes; look at it again.",
			)

		case *at == to:
			return done(tx, k)
		}

		if err := k.checkOpen(tx); err != nil {
			return err
		}

		if *at != Proposed {
			return fault.New(fault.Conflict, fault.ProposalDecided, "The proposal is %s already.", *at)
		}

		*at = to
		if to == Confirmed {
			if err := s.confirm(ctx, tx, k, proposal); err != nil {
				return err
			}
		}

		event := "invoice_link." + strings.ToLower(string(to))
		trail.Audit(ctx, tx, k.Organisation, event, k.ID, proposal)

		if k, err = update(tx, k, event); err != nil {
			return err
		}

		return done(tx, k)
	}))
}

// proposed returns a pointer to the state of a proposal, or nil if the link has no such proposal.
func (k *Link) proposed(id string) *Proposal {
	switch a, w := k.Given.Account, k.Given.Wallet; {
	case a != nil && a.Account.ID == id && a.Proposal != "":
		return &a.Proposal
	case w != nil && w.ID == id && w.Proposal != "":
		return &w.Proposal
	}

	return nil
}

// confirm adds the proposed account or wallet to the receiver.
func (s *Service) confirm(ctx context.Context, tx *db.Tx, k Link, proposal string) error {
	if err := s.deps.OrgApproved(ctx, tx, k.Organisation); err != nil {
		return err
	}

	r, err := receiver.ByID(ctx, tx, k.Organisation, k.Receiver)
	if fault.Is(err, fault.NotFoundCode) {
		return fault.New(fault.Conflict, fault.ReceiverUnknown, "The receiver was deleted.")
	}

	if err != nil {
		return err
	}

	if err := s.secondPerson(ctx, tx, k, r); err != nil {
		return err
	}

	if a := k.Given.Account; a != nil && a.Account.ID == proposal {
		added, err := s.deps.BankAccounts.Add(ctx, tx, a.record(), bankaccount.CoolDown)
		if err != nil {
			return err
		}

		return s.mailAdded(ctx, tx, k, r, "bank account", k.shown().Account.Ending, words.When(added.CoolUntil))
	}

	added, err := s.deps.Wallets.Add(ctx, tx, k.Given.Wallet.record(k), k.Given.Wallet.Proof, bankaccount.CoolDown)
	if err != nil {
		return err
	}

	return s.mailAdded(ctx, tx, k, r, "wallet", ending(added.Address), words.When(added.PayableFrom))
}

// secondPerson refuses whoever made the link, in two cases: under four eyes, and if the link went to another address
// than the receiver's own, since then only its maker knows who answers there.
func (s *Service) secondPerson(ctx context.Context, q db.Querier, k Link, r receiver.Receiver) error {
	if caller.Of(ctx).User != k.CreatedBy {
		return nil
	}

	four, err := s.deps.FourEyes(ctx, q, k.Organisation)
	switch {
	case err != nil:
		return err

	case k.sentElsewhere(r):
		return fault.New(
			fault.Forbidden,
			fault.SecondPersonRequired,
			"The receiver is known by another address than the one you have sent the link to: another person confirms.",
		)

	case four:
		return fault.New(
			fault.Forbidden,
			fault.SecondPersonRequired,
			"You have made the link: another person confirms what came by it.",
		)
	}

	return nil
}

// mailAdded informs the receiver at its known address.
func (s *Service) mailAdded(
	ctx context.Context,
	tx *db.Tx,
	k Link,
	r receiver.Receiver,
	what, ending, until string,
) error {
	name, err := s.deps.OrgName(ctx, tx, k.Organisation)
	if err == nil && r.Email != "" {
		s.deps.Mail(tx, mail.Message{
			Kind:         mail.PayeeDetailsAdded,
			To:           r.Email,
			Organisation: k.Organisation,
			Data: map[string]string{
				"name":         r.Name(),
				"organisation": name,
				"when":         words.When(tx.Now),
				"what":         what,
				"ending":       ending,
				"until":        until,
				"email":        k.Email,
			},
		})
	}

	return err
}

// Payable makes a DRAFT from what was handed in, and closes the link. The caller's fields take precedence over the
// outside party's. A new receiver is created now, with the account or wallet that the payable pays to, as if the caller
// had created them. A second call is refused with the identifier of the payable.
func (s *Service) Payable(ctx context.Context, linkID string, in payable.Input, done payable.Done) error {
	organisation := caller.Of(ctx).Organisation

	return s.deps.DB.Write(ctx, func(tx *db.Tx) error {
		k, err := ByID(ctx, tx, organisation, linkID)
		if err != nil {
			return err
		}

		if err := k.checkOpen(tx); err != nil {
			return err
		}

		if err := s.deps.OrgApproved(ctx, tx, organisation); err != nil {
			return err
		}

		if err := k.dropDeleted(ctx, tx); err != nil {
			return err
		}

		in, err := k.input(in)
		if err != nil {
			return err
		}

		if in.LinkWarnings, err = k.warningsFor(ctx, tx, in, tx.Now); err != nil {
			return err
		}

		if err := s.createReceiver(ctx, tx, k, in); err != nil {
			return err
		}

		p, err := s.deps.Payables.New(ctx, tx, in)
		if err != nil {
			return err
		}

		if err := s.closeUsed(ctx, tx, k, p.ID); err != nil {
			return err
		}

		v, err := s.deps.Payables.View(ctx, tx, p)
		if err != nil {
			return err
		}

		return done(tx, v)
	})
}

// payableNow refuses to make a payable of a link that is over, of nobody, or to a proposal that nobody has decided
// about.
func (k Link) payableNow(now time.Time) error {
	if err := k.openAt(now); err != nil {
		return err
	}

	if err := k.identified(); err != nil {
		return err
	}

	_, err := k.target(payable.Input{Type: k.kind()})

	return err
}

// identified refuses a new receiver that has not entered its identity.
func (k Link) identified() error {
	if k.Existing || k.Given.Receiver != nil {
		return nil
	}

	return fault.New(fault.Conflict, fault.InvoiceLinkIncomplete, "The outside party has not said who it is yet.")
}

// dropDeleted removes a file from the invoice that a member has deleted since it came.
func (k *Link) dropDeleted(ctx context.Context, q db.Querier) error {
	i := k.Given.Invoice
	if i == nil || i.DocumentKey == "" {
		return nil
	}

	known, err := document.Known(ctx, q, k.Organisation, []string{i.DocumentKey})
	if _, there := known[i.DocumentKey]; err == nil && !there {
		i.DocumentKey = ""
	}

	return err
}

// input fills the fields that the caller has left empty from what was handed in.
func (k Link) input(in payable.Input) (payable.Input, error) {
	in.Receiver = caller.Ref(k.Receiver)

	in.Link = k.ID
	if in.Type == "" {
		in.Type = k.kind()
	}

	if i := k.Given.Invoice; i != nil {
		for _, f := range []struct {
			into *string
			said string
		}{
			{&in.Reason, i.Reason},
			{&in.InvoiceNumber, i.Number},
			{&in.DocumentStorageKey, i.DocumentKey},
			{&in.ExpectedPaymentDate, i.due()},
		} {
			if *f.into == "" {
				*f.into = f.said
			}
		}

		price(&in, *i)
	}

	if in.Name == "" {
		in.Name = k.name()
	}

	return k.target(in)
}

// price fills in the invoice's amount and asset. The amount belongs to its own currency or token: for another one the
// caller must enter the amount.
func price(in *payable.Input, i Invoice) {
	asset := &in.CurrencyIsoCode

	asked := i.Currency
	if in.Type == string(payable.Crypto) {
		asset = &in.TokenIsoCode
		asked = i.Token
	}

	if *asset == "" {
		*asset = asked
	}

	if in.Amount == "" && *asset == asked {
		in.Amount = i.Amount
	}
}

// kind returns how the outside party wants to be paid.
func (k Link) kind() string {
	i := k.Given.Invoice
	if i != nil && i.Token != "" || i == nil && k.Given.Account == nil && k.Given.Wallet != nil {
		return string(payable.Crypto)
	}

	return string(payable.Fiat)
}

// name returns the name of a payable that nobody has named.
func (k Link) name() string {
	if i := k.Given.Invoice; i != nil && i.Number != "" {
		return "Invoice " + i.Number
	}

	if r := k.Given.Receiver; r != nil {
		return "Invoice of " + r.record(k).Name()
	}

	return "Invoice of " + k.Email
}

// target returns the input with the payable's destination: the caller's choice, or what was handed in. A proposal that
// nobody has confirmed is no destination.
func (k Link) target(in payable.Input) (payable.Input, error) {
	var (
		given string
		state Proposal
	)

	into := &in.BankAccount
	if a := k.Given.Account; in.Type == string(payable.Fiat) && a != nil {
		given = a.Account.ID
		state = a.Proposal
	}

	if in.Type == string(payable.Crypto) {
		into = &in.Wallet
		if w := k.Given.Wallet; w != nil {
			given = w.ID
			state = w.Proposal
		}
	}

	own := *into == "" || string(*into) == given
	switch {
	case own && state == Proposed:
		return in, fault.New(
			fault.Conflict,
			fault.ProposalOpen,
			"What was handed in for a receiver that you know is a proposal (%s): confirm or refuse it first, or "+
				"name another of the receiver's.",
			given,
		)

	case own && state != Refused:
		*into = caller.Ref(given)
	}

	return in, nil
}

// createReceiver creates a new receiver from what was handed in, with the account or wallet that the payable pays to.
// Anything else that was handed in is left out, because nobody has checked it.
func (s *Service) createReceiver(ctx context.Context, tx *db.Tx, k Link, in payable.Input) error {
	if k.Existing {
		return nil
	}

	if err := k.identified(); err != nil {
		return err
	}

	like, err := k.alike(ctx, tx)
	if err != nil {
		return err
	}

	cool := time.Duration(0)
	// it may impersonate a known receiver: as with a proposal, there is a day to find out
	if len(like) > 0 {
		cool = bankaccount.CoolDown
	}

	r := k.Given.Receiver.record(k)

	r.Owner = caller.Of(ctx).User
	if _, err := receiver.Insert(ctx, tx, s.deps.Payees, r); err != nil {
		return err
	}

	a := k.Given.Account

	w := k.Given.Wallet
	switch {
	case a != nil && in.Type == string(payable.Fiat) && string(in.BankAccount) == a.Account.ID:
		_, err = s.deps.BankAccounts.Add(ctx, tx, a.record(), cool)
	case w != nil && in.Type == string(payable.Crypto) && string(in.Wallet) == w.ID:
		_, err = s.deps.Wallets.Add(ctx, tx, w.record(k), w.Proof, cool)
	}

	return err
}

// closeUsed closes a link whose payable was made. That refuses proposals which were not confirmed, and deletes files
// that are not the payable's.
func (s *Service) closeUsed(ctx context.Context, tx *db.Tx, k Link, payableID string) error {
	if a := k.Given.Account; a != nil && a.Proposal == Proposed {
		a.Proposal = Refused
	}

	if w := k.Given.Wallet; w != nil && w.Proposal == Proposed {
		w.Proposal = Refused
	}

	if err := k.move(Used); err != nil {
		return err
	}

	if err := s.dropUnused(ctx, tx, &k); err != nil {
		return err
	}

	k.Payable = payableID
	trail.Audit(ctx, tx, k.Organisation, "invoice_link.used", k.ID, payableID)
	_, err := update(tx, k, "invoice_link.used")

	return err
}
