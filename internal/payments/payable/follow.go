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

// PayeeChanged is told of every payee that was changed or taken out of use, in the same write: what was approved is
// no longer what would be paid. Approved payables are DRAFT again, and leave a transaction that is a draft. Of a
// submitted one the destination is locked: it is paid as it was approved, and should it die, the payable is DRAFT
// again. Give it to approval.Payees.
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

// Hooks is what transactions ask of payables.
func Hooks() transaction.Payables {
	return transaction.Payables{Lock: lock, Ended: ended, Of: reservedBy}
}

// lock is submit's question. It holds every payment against its payable, and the payable against what was approved,
// as all of them are in this write; and it writes every payable, so that a payee who changes at the same moment comes
// before it or after it.
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
		p, there := at[payment.Position]
		if there && p.Status == Approved && !p.locked && p.Fingerprint == fingerprintOf(p, payees[p.ID]) &&
			pays(t, payment, p, payees[p.ID]) {
			next := p

			next.locked = true
			if _, err := write(tx, p, next, Approved); err != nil {
				return err
			}

			continue
		}

		l.Add(
			"/payments/"+strconv.Itoa(payment.Position),
			fault.TxPayableGone,
			"The payable of this payment is no longer what was approved. Delete the draft, have the payable "+
				"approved, and make another one.",
		)
	}

	return l.Err()
}

// pays says whether a payment is exactly that of a payable: how much, of what, to whom, and where to.
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

// payeesOf reads whom several payables pay, in at most three statements. One that is not there any more is empty.
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

// ended settles what a transaction's end means for its payables. One whose payment was completed is PAID. One whose
// payment cannot be paid any more is free again. One whose payment is neither, sent back by a bank and perhaps to be
// sent again, stays where it is until it is one or the other.
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

// fate says what a payment has come to: Paid, Draft for one that has not been paid and never will be, or Approved
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

// free gives a payable back: approved as before, or as a draft when its payee was changed meanwhile.
func free(ctx context.Context, tx *db.Tx, p Payable) error {
	if p.PayeeChanged {
		_, err := reopen(
			ctx,
			tx,
			p,
			"The payee was changed while the payable belonged to transaction "+p.Transaction+".",
		)

		return err
	}

	next, err := release(tx, p, Approved)
	if err != nil {
		return err
	}

	return record(ctx, tx, next, "released", p.Transaction)
}
