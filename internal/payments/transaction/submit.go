package transaction

import (
	"context"
	"errors"

	"slipway/internal/core/caller"
	"slipway/internal/core/fault"
	"slipway/internal/directory/analysis"
	"slipway/internal/payments/quote"
	"slipway/internal/platform/db"
	"slipway/internal/rails/chain/contract"
)

// checked is a stored draft that was compared with the directory and the market as they are now.
type checked struct {
	Draft
	request *Request
	check   Check
}

// recheck compares a stored draft with what is true now: deleted wallets, networks that were switched off, missing
// ownership and screening, changed rates. The result has fresh snapshots.
func (s *Service) recheck(ctx context.Context, t Transaction) (checked, error) {
	if err := s.offers(t); err != nil {
		return checked{}, err
	}

	kind := s.Kinds[t.Type]
	in := kind.Input(t)
	r := &Request{
		Organisation: t.Organisation,
		Partner:      t.Partner,
		Transaction:  t.ID,
		Input:        &in,
		Fresh:        true,
	}

	check, err := s.readCheck(ctx, s.DB, kind, r)
	if err != nil {
		return checked{}, err
	}

	var l fault.List

	d := check.Build(&l)
	sound := l.Empty()

	check.Usable(d, s.DB.Now(), &l)
	r.noteReceiversUsable(d.Payments, &l)

	if err := s.noteInline(ctx, s.DB, t, d.Payments, &l); err != nil {
		return checked{}, err
	}

	if sound { // what is built of a draft can be priced, whether it can be paid yet or not
		if err := l.Note("/payments", check.Price(ctx, &d, true)); err != nil && l.Empty() {
			return checked{}, err
		}
	}

	return checked{d, r, check}, l.Err()
}

// Validate returns every reason why the transaction could not be submitted, except for allowance and balance. It also
// returns the quote that submit would take, and the transaction with its amounts, which it does not store: the quote
// that check-allowance has locked, while it holds, or else one at the present rates, which is not locked. The quote is
// nil if nothing is converted.
func (s *Service) Validate(ctx context.Context, transactionID string) (Transaction, *quote.Quote, error) {
	t, err := s.Find(ctx, s.DB, transactionID)
	if err != nil {
		return t, nil, err
	}

	if t.Status != StatusDraft {
		return t, nil, fault.New(
			fault.Conflict,
			fault.TxNotDraft,
			"The transaction is %s; only a DRAFT is validated.",
			t.Status,
		)
	}

	var l fault.List

	c, err := s.recheck(ctx, t)
	if err = l.Note("", err); err != nil {
		return t, nil, err
	}

	if l.Empty() {
		t.Debit = c.Debit
		t.Payments = c.Payments
	}

	// the parties are those of the draft, whatever else is wrong with it
	if _, err = s.screen(ctx, t, analysis.ForSubmit); l.Note("", err) != nil && l.Empty() {
		return t, nil, err
	}

	return t, c.Quote, l.Err()
}

// maxSubmits limits how often a submit starts again: because the reference of a deposit is taken, which 35 random bits
// make very rare, or because the quote that was held for the draft expired while it was being submitted.
const maxSubmits = 3

// Submit locks a draft. It repeats all checks, compares the wallet's allowance and balance with what all submitted
// transactions have reserved, and stores the hash of the content. The price is the quote that check-allowance has
// locked for this content, while it holds, or else a new one. sender is who will send the deposit of an ONRAMP
// transaction. A second call is refused: the transaction is no longer DRAFT.
//
// rests is what the wallet has signed in place of an approval, or that it pays itself.
func (s *Service) Submit(ctx context.Context, transactionID, sender string, rests Rests, done Done) (err error) {
	for range maxSubmits {
		err = s.submit(ctx, transactionID, sender, rests, done)
		if !db.IsUnique(err, "transaction_terms") && !errors.Is(err, quote.ErrExpired) {
			return err
		}
	}

	return err
}

func (s *Service) submit(ctx context.Context, transactionID, sender string, rests Rests, done Done) error {
	t, err := s.Find(ctx, s.DB, transactionID)
	if err != nil {
		return err
	}

	if err := s.submittable(ctx, t, sender); err != nil {
		return err
	}

	if err := caller.Unchanged(ctx, t.Version); err != nil {
		return err // the write compares it with the version that was read here
	}

	c, err := s.recheck(ctx, t)
	if err != nil {
		return err
	}

	asked := t
	asked.Payments = c.Payments
	asked.Sender = sender

	outcome, err := s.screen(ctx, asked, analysis.ForSubmit)
	if err != nil {
		return err
	}

	signed, err := s.signedDraft(ctx, asked, c, rests)
	if err != nil {
		return err
	}

	lock, err := c.check.Prepare(ctx, asked, c.Draft)
	if err != nil {
		return err
	}

	s.payers.rememberProof(c.request.Payer)

	if err := s.checkProof(ctx, t); err != nil {
		return err
	}

	return s.Change(ctx, transactionID, func(tx *db.Tx, now Transaction) error {
		if now.Version != t.Version {
			return ChangedMeanwhile(now)
		}

		locked, err := s.lock(ctx, tx, now, c, signed, lock)
		if err != nil {
			return err
		}

		// accept need not ask again
		tx.OnCommit(func() { s.Screening.Remember(Inquiry(locked, analysis.ForSubmit), outcome) })
		s.recalled.keepSubmitted(tx, locked)

		return done(tx, locked)
	})
}

// submittable refuses what needs no look at the content: the status, the sender, the organisation.
func (s *Service) submittable(ctx context.Context, t Transaction, sender string) error {
	if err := editable(t); err != nil {
		return err
	}

	kind := s.Kinds[t.Type]
	if sender != "" && !kind.Traits().TakesSender {
		var l fault.List
		l.Add("/sender", fault.NotAllowed, "belongs to ONRAMP transactions.")
		return l.Err()
	}

	return s.admit(ctx, kind, t.Organisation)
}

// ChangedMeanwhile returns the refusal of a draft that another write has changed since it was checked.
func ChangedMeanwhile(t Transaction) error {
	if err := editable(t); err != nil {
		return err
	}

	return fault.New(
		fault.Conflict,
		fault.TxChanged,
		"The transaction was changed at the same moment. Look at it again.",
	)
}

// lock stores the content as it was checked, with its hash, and moves the transaction to WAITING_ACCEPTANCE.
func (s *Service) lock(
	ctx context.Context,
	tx *db.Tx,
	t Transaction,
	c checked,
	signed Signed,
	lock Lock,
) (Transaction, error) {
	searched := searchText(t)

	t.Payments = c.Payments
	t.Authors = t.authors(c.request)
	t.Manner = signed.Manner

	if t.OfPayables {
		if err := s.Payables.Lock(ctx, tx, t); err != nil {
			return t, err
		}
	}

	if err := checkAgain(ctx, tx, t); err != nil {
		return t, err
	}

	t, settlement, err := lock(ctx, tx, t)
	if err != nil {
		return t, err
	}

	if signed.Manner != "" {
		if t.Debit.Cmp(signed.Units) != 0 {
			return t, ChangedMeanwhile(t)
		}

		if err := setSigned(tx, t.ID, signed); err != nil {
			return t, err
		}
	}

	t.ContentHash = t.contentHash()
	t.Payments = setSnapshots(tx, t)

	if text := searchText(t); text != searched {
		setSearch(tx, t, text)
	}

	return s.Advance(ctx, tx, t, Step{Status: StatusWaiting, Settlement: settlement, What: "submitted"})
}

// Rests is what a submitted transaction rests on instead of an approval. The zero value: it rests on one.
type Rests struct {
	Permit   *SignedBody // the wallet's signature
	OwnUntil int64       // the wallet pays itself until then, in Unix seconds; 0: it does not
}

// signedDraft verifies what the wallet has signed for a draft as it will be locked. Without anything it returns an
// empty signature.
func (s *Service) signedDraft(ctx context.Context, t Transaction, c checked, rests Rests) (Signed, error) {
	permit := rests.Permit

	switch {
	case rests.OwnUntil != 0:
		t.Debit = c.Debit
		return s.signedOwn(ctx, t, rests.OwnUntil)
	case permit == nil:
		return Signed{}, nil
	}

	if t.Type == TypeOnramp {
		var l fault.List
		l.Add("/permit", fault.NotAllowed, "belongs to transactions that a wallet pays.")

		return Signed{}, l.Err()
	}

	t.Debit = c.Debit

	return s.verify(ctx, t, c.request.Network, c.request.Token, contract.Manner(permit.Manner), *permit)
}
