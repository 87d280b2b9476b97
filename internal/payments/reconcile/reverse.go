package reconcile

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"

	"slipway/internal/core/text"
	"slipway/internal/payments/chart"
	"slipway/internal/payments/ledger"
	"slipway/internal/payments/receivable"
	"slipway/internal/payments/transaction"
	"slipway/internal/platform/db"
	"slipway/internal/platform/trail"
)

// Debited records booked debits that are not payouts of ours, in the write that records the bank's evidence. A reversal
// takes back the deposit that it names (reversedDeposit). A charge is the house's. A reversal that names no deposit, or
// several, is booked and reported, and people decide.
func (s *Service) Debited(ctx context.Context, tx *db.Tx, debits []Debit) error {
	for _, x := range debits {
		if err := s.recordDebit(ctx, tx, x); err != nil {
			return fmt.Errorf("debit %s: %w", x.Entry, err)
		}
	}

	return nil
}

func (s *Service) recordDebit(ctx context.Context, tx *db.Tx, x Debit) error {
	if !x.Reversal {
		insertDebit(tx, x, "")

		return chart.PostOn(tx, x.days(), chart.DebitBooked{Deposit: x.event()})
	}

	like, err := depositsLike(ctx, tx, x.House, x.Amount)
	if err != nil {
		return err
	}

	d, ok := reversedDeposit(x, like)
	if !ok {
		insertDebit(tx, x, "")
		s.alarm(tx, "reversal names no deposit, or several",
			"entry", x.Entry, "amount", x.Amount.String(), "currency", x.Amount.Asset().Code)

		return chart.PostOn(tx, x.days(), chart.DebitBooked{Deposit: x.event(), Reversal: true})
	}

	insertDebit(tx, x, d.Entry)

	return s.reverse(ctx, tx, x, d)
}

func (x Debit) event() chart.Deposit {
	return chart.Deposit{Entry: x.Entry, House: x.House, Amount: x.Amount}
}

func (x Debit) days() ledger.Days { return ledger.OfBank(x.BookedAt, x.ValueAt) }

// reversedDeposit returns the one deposit that a reversal takes back, of those with its account and amount that were
// booked by then. It compares the bank's reference first, then a reference of ours that both carry, then a reference of
// the sender's that both carry if the sender is certainly the same. Free text identifies nothing, because two tenants
// may write the same. It is pure, and returns false if none or several fit; then people decide.
func reversedDeposit(x Debit, like []Deposit) (Deposit, bool) {
	ours := References(x.Texts)
	for _, fits := range []func(d Deposit) bool{
		func(d Deposit) bool { return x.BankRef != "" && d.BankRef == x.BankRef },
		func(d Deposit) bool {
			return slices.ContainsFunc(d.references(), func(r string) bool { return slices.Contains(ours, r) })
		},
		func(d Deposit) bool {
			account := foldAccount(x.SenderAccount)
			return account != "" && account == foldAccount(d.SenderAccount) &&
				slices.ContainsFunc(x.References, func(r string) bool { return slices.Contains(d.Texts, r) })
		},
	} {
		var found []Deposit
		for _, d := range like {
			if fits(d) && !d.BookedAt.After(x.BookedAt) && sameSender(x, d) {
				found = append(found, d)
			}
		}

		if len(found) > 0 {
			return found[0], len(found) == 1
		}
	}

	return Deposit{}, false
}

// sameSender reports whether nothing in the bank's data contradicts that the debit takes back the deposit.
func sameSender(x Debit, d Deposit) bool {
	if account := foldAccount(d.SenderAccount); account != "" && foldAccount(x.SenderAccount) != "" {
		return account == foldAccount(x.SenderAccount)
	}

	name := text.Fold(d.SenderName)

	return name == "" || text.Fold(x.SenderName) == "" || name == text.Fold(x.SenderName)
}

// reverse books that a deposit was taken back (D-08). Before tokens went out, its transaction stops and nothing is
// lost. Afterwards, the organisation owes the amount, and nothing more is paid out for it until that is settled.
func (s *Service) reverse(ctx context.Context, tx *db.Tx, x Debit, d Deposit) error {
	from, gone, err := s.takeFrom(ctx, tx, d)
	if err != nil {
		return err
	}

	if err := chart.PostOn(tx, x.days(), reversal(x, d, from, gone)); err != nil {
		return err
	}

	if gone {
		if err := s.beginOwing(ctx, tx, x, d); err != nil {
			return err
		}

		s.alarm(tx, "deposit taken back after its value had gone out",
			"deposit", d.Entry, "organisation", owner(d), "transaction", d.Transaction)
	}

	trail.Audit(ctx, tx, d.Organisation, "deposit.reversed", d.Entry, x.Entry)

	if table.Allows(d.State, StateReversed) {
		moveDeposit(tx, d, StateReversed)
	}

	return s.lapse(ctx, tx, d)
}

// takeFrom returns the account from which a reversed deposit's money is missing, and stops the transaction that it
// pays. gone reports whether its value had left before.
func (s *Service) takeFrom(ctx context.Context, tx *db.Tx, d Deposit) (from ledger.Account, gone bool, err error) {
	switch d.State {
	case StateNew:
		err = postSuspended(tx, []Deposit{d})

	// it went back twice: from us (or to the organisation as a return), and by its bank
	case StateRefunding, StateRefunded, StateReturn:
		return ledger.ReceivableAccount(owner(d)), true, nil

	case StateSettled: // what it has settled is owed again
		t, err := transaction.ByID(ctx, tx, d.Transaction)
		if err == nil && t.Type == transaction.TypeOnramp && t.Settlement == transaction.SettlementSettled {
			return s.Reversed(ctx, tx, t, d)
		}

		if errors.Is(err, db.ErrNone) {
			err = nil
		}

		return ledger.ReceivableAccount(owner(d)), true, err

	case StateMatched:
		t, err := transaction.ByID(ctx, tx, d.Transaction)
		if err != nil {
			return "", false, fmt.Errorf("transaction %s of deposit %s: %w", d.Transaction, d.Entry, err)
		}

		return s.Reversed(ctx, tx, t, d)

	case StateSuspense, StateAssigned, StateHeld: // in suspense already
	case StateReversed, StateWithdrawn: // it was reversed before; the caller checks that
	}

	return d.Account(), false, err
}

// reversal returns the event of a deposit that was taken back. It stands in the book in which the deposit stands, or in
// that of who owes it.
func reversal(x Debit, d Deposit, from ledger.Account, gone bool) chart.DepositReversed {
	e := chart.DepositReversed{Of: d.of(), Deposit: x.event(), Original: d.ForBook(), From: from}

	if d.State == StateMatched {
		e.Of = d.paying()
	}

	if gone {
		e.Receivable = x.Entry
		e.Organisation = owner(d)
	}

	return e
}

// beginOwing records that an organisation owes a deposit. It pays under the reference of the transaction that the
// deposit has paid, or of what it has settled; a person pays again as before. That reference waits for no deposit any
// more. A transaction that a deposit of somebody else has only named is not concerned.
func (s *Service) beginOwing(ctx context.Context, tx *db.Tx, x Debit, d Deposit) error {
	r := receivable.Receivable{
		ID:           x.Entry,
		Organisation: owner(d),
		House:        x.House,
		Amount:       d.Amount,
	}
	if d.Owner == d.Organisation {
		r.Transaction = d.Transaction
	}

	switch d.State {
	case StateMatched:
		t, err := transaction.ByID(ctx, tx, d.Transaction)
		if err != nil {
			return fmt.Errorf("transaction %s of deposit %s: %w", d.Transaction, d.Entry, err)
		}

		r.Reference = t.Reference

	case StateSettled:
		var err error
		if r.Reference, err = receivable.ReferenceOf(ctx, tx, receivable.ByDeposit, d.Entry); err != nil {
			return fmt.Errorf("reference of deposit %s: %w", d.Entry, err)
		}

	default: // one of its own
	}

	return s.Receivables.Begin(ctx, tx, r)
}

// unknownOwner is the debtor, and the book, of what a deposit owes that is nobody's.
const unknownOwner = "unknown"

// owner returns who owes a deposit: whose it is, and not whom its texts name.
func owner(d Deposit) string { return cmp.Or(d.Owner, unknownOwner) }

// alarm logs an error for operators once the write is committed.
func (s *Service) alarm(tx *db.Tx, what string, args ...any) {
	tx.OnCommit(func() { s.Log.Error(what, args...) })
}

// SentBack records that the bank has booked the payout that returns a deposit.
func (s *Service) SentBack(ctx context.Context, tx *db.Tx, entry string) (Deposit, error) {
	d, err := depositByEntry(ctx, tx, entry)
	if err != nil {
		return d, fmt.Errorf("deposit %s: %w", entry, err)
	}

	moveDeposit(tx, d, StateRefunded)
	trail.Audit(ctx, tx, d.Organisation, "deposit.refunded", d.Entry, "")

	return d, nil
}

// NotBack records that the bank has refused for good to return a deposit. It is in suspense again; people decide. It
// returns the deposit as it was.
func (s *Service) NotBack(ctx context.Context, tx *db.Tx, entry, why string) (Deposit, error) {
	d, err := depositByEntry(ctx, tx, entry)
	if err != nil {
		return d, fmt.Errorf("deposit %s: %w", entry, err)
	}

	next := d
	next.Reason = ReasonNotBack
	next.Note = why
	next.Settler = ""
	next.SettledAs = ""
	moveDeposit(tx, next, StateSuspense)
	s.alarm(tx, "bank refused to send a deposit back", "deposit", d.Entry, "reason", why)

	return d, nil
}
