package payable

import (
	"context"
	"strconv"

	"slipway/internal/core/fault"
	"slipway/internal/directory/bankaccount"
	"slipway/internal/directory/receiver"
	"slipway/internal/directory/wallet"
	"slipway/internal/identity/approval"
	"slipway/internal/payments/transaction"
	"slipway/internal/platform/db"
)

// PayeeChanged handles a payee that was changed or taken out of use, in the same write. Approved payables of this payee
// are DRAFT again, and leave a transaction that is a draft, because what was approved is no longer what would be paid.
// In a submitted transaction the destination is locked, so the payable is paid as approved; if that transaction ends
// without paying it, it is DRAFT again. Pass it to approval.Payees.
func PayeeChanged(ctx context.Context, tx *db.Tx, c approval.Change) error {
	column := "receiver"

	noun := "receiver"
	switch c.Kind {
	case approval.BankAccount:
		column = "bank_account"
		noun = "bank account"
	case approval.Wallet:
		column = "wallet"
		noun = "wallet"
	default: // a receiver; approval.Payees calls with no other kind
	}

	all, err := approvedOf(ctx, tx, c.Organisation, column, c.Object)
	if err != nil {
		return err
	}

	for _, p := range all {
		switch {
		case !p.locked:
			_, err = reopen(ctx, tx, p, "The "+noun+" was changed or deleted.")
		case !p.PayeeChanged:
			next := p
			next.PayeeChanged = true
			_, err = write(tx, p, next, Approved)
		}

		if err != nil {
			return err
		}
	}

	return nil
}

// Hooks returns the functions that transactions call about payables.
func Hooks() transaction.Payables {
	return transaction.Payables{Lock: lock, Ended: ended, Of: reservedBy, Likes: likes}
}

// lock is called by submit. It compares every payment with its payable, and every payable with what was approved, all
// as they are in this write. It also writes every payable, so that a concurrent change of a payee comes either before
// or after it.
func lock(ctx context.Context, tx *db.Tx, t transaction.Transaction) error {
	all, err := ofTransaction(ctx, tx, t.ID)
	if err != nil {
		return err
	}

	payees, err := payeesOf(ctx, tx, t.Organisation, all)
	if err != nil {
		return err
	}

	at := make(map[int]Payable, len(all))
	for _, p := range all {
		at[p.Position] = p
	}

	var l fault.List
	for _, payment := range t.Payments {
		p, found := at[payment.Position]
		if !found || !p.lockable(payees[p.ID]) || !pays(t, payment, p, payees[p.ID]) {
			l.Add(
				"/payments/"+strconv.Itoa(payment.Position),
				fault.TxPayableGone,
				"The payable of this payment is no longer what was approved. Delete the draft, have the payable "+
					"approved, and make another one.",
			)

			continue
		}

		next := p
		next.locked = true

		if _, err := write(tx, p, next, Approved); err != nil {
			return err
		}
	}

	return l.Err()
}

// lockable reports whether a payable, with its payee, is still what was approved, and in no submitted transaction.
func (p Payable) lockable(to payee) bool {
	return p.Status == Approved && !p.locked && p.Fingerprint == fingerprintOf(p, to)
}

// pays reports whether a payment is exactly that of a payable: amount, asset, receiver and destination.
func pays(t transaction.Transaction, x transaction.Payment, p Payable, to payee) bool {
	if x.Receiver != p.Receiver || string(t.Type) != string(p.Type) {
		return false
	}

	if p.Type == Crypto {
		return t.Asset() == p.Amount.Asset() && x.Units.Cmp(p.Amount.Units()) == 0 && x.Wallet == p.Wallet &&
			x.Address == to.wallet.Address &&
			x.Network == to.wallet.Network
	}

	account, err := x.Account()

	return err == nil && x.Fiat().Asset() == p.Amount.Asset() && x.Fiat().Cmp(p.Amount) == 0 &&
		x.Reference == p.Reference &&
		x.BankAccount == p.BankAccount &&
		account.Destination() == to.account.Destination()
}

// payeesOf reads the payees of several payables, in at most three statements. A deleted payee is empty.
func payeesOf(ctx context.Context, q db.Querier, organisation string, all []Payable) (map[string]payee, error) {
	var receivers, accounts, wallets []string
	for _, p := range all {
		receivers = append(receivers, p.Receiver)
		if p.Type == Crypto {
			wallets = append(wallets, p.Wallet)
		} else {
			accounts = append(accounts, p.BankAccount)
		}
	}

	r, err := receiver.ByIDs(ctx, q, organisation, receivers)
	if err != nil {
		return nil, err
	}

	a, err := bankaccount.ByIDs(ctx, q, organisation, accounts)
	if err != nil {
		return nil, err
	}

	w, err := wallet.ByIDs(ctx, q, organisation, wallets)

	out := make(map[string]payee, len(all))
	for _, p := range all {
		out[p.ID] = payee{r[p.Receiver], a[p.BankAccount], w[p.Wallet]}
	}

	return out, err
}

// ended updates the payables of a transaction that has ended. If the payment was completed, its payable is PAID. If the
// payment can no longer be made, its payable is free again. Otherwise (returned by a bank and perhaps sent again) the
// payable stays until one of these is certain.
func ended(ctx context.Context, tx *db.Tx, t transaction.Transaction) error {
	all, err := ofTransaction(ctx, tx, t.ID)
	if err != nil {
		return err
	}

	for _, p := range all {
		if p.Status != Approved {
			continue
		}

		switch fate(t, p.Position) {
		case Paid:
			next := p
			next.PaidAt = tx.Now

			next.locked = false
			if next, err = write(tx, p, next, Paid); err != nil {
				return err
			}

			err = record(ctx, tx, next, "paid", t.ID)

		case Draft:
			err = free(ctx, tx, p)
		case Approved, Rejected: // still open
		}

		if err != nil {
			return err
		}
	}

	return nil
}

// fate returns what a payment means for its payable: Paid, Draft if it was not made and never will be, or Approved
// while that is open.
func fate(t transaction.Transaction, position int) Status {
	if t.Deleted || t.Status == transaction.StatusRejected {
		return Draft // nothing was sent
	}

	for _, x := range t.Payments {
		if x.Position != position {
			continue
		}

		switch x.Outcome {
		case transaction.PaymentCompleted:
			return Paid
		case transaction.PaymentFailed, transaction.PaymentRefunded, transaction.PaymentCancelled:
			return Draft

		case "":
			if t.Status == transaction.StatusFailed {
				return Draft
			}

		case transaction.PaymentReturned: // it was paid, and is held until people decide
		case transaction.PaymentDraft, transaction.PaymentLocked, transaction.PaymentProcess,
			transaction.PaymentSent, transaction.PaymentUnknown: // open
		}
	}

	return Approved
}

// free ends the reservation of a payable: approved as before, or as a draft if its payee was changed in the meantime.
func free(ctx context.Context, tx *db.Tx, p Payable) error {
	if p.PayeeChanged {
		why := "The payee was changed while the payable belonged to transaction " + p.Transaction + "."
		_, err := reopen(ctx, tx, p, why)

		return err
	}

	next, err := release(tx, p, Approved)
	if err != nil {
		return err
	}

	return record(ctx, tx, next, "released", p.Transaction)
}
