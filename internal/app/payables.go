package app

import (
	"context"

	"slipway/internal/core/fault"
	"slipway/internal/directory/receiver"
	"slipway/internal/directory/refdata"
	"slipway/internal/directory/wallet"
	"slipway/internal/identity/organisation"
	"slipway/internal/payments/payable"
	"slipway/internal/platform/db"
)

// payables builds the noun. What transactions ask of it (payable.Hooks) and what follows from payees
// (payable.PayeeChanged) was handed to both when they were built.
func (a *App) payables() {
	a.Payables = payable.New(payable.Deps{DB: a.DB, Transactions: a.Transactions})
}

// paysFrom notes why an organisation's payables cannot be paid by default from its wallet or with its token.
func paysFrom(ctx context.Context, q db.Querier, o *organisation.Organisation, l *fault.List) error {
	if t, ok := refdata.All().Token(o.DefaultToken); ok && !t.Native {
		o.DefaultToken = t.Code
	} else if o.DefaultToken != "" {
		l.Add("/defaultToken", fault.TokenUnknown, "is not a token that payments are made with.")
	}

	if o.DefaultWallet == "" {
		return nil
	}

	self, err := receiver.Self(ctx, q, o.ID)
	if err != nil {
		return err
	}

	w, err := wallet.ByID(ctx, q, o.ID, o.DefaultWallet)
	if fault.Is(err, fault.NotFoundCode) || err == nil && w.Receiver != self.ID {
		l.Add("/defaultWallet", fault.PayerWallet, "must be a stored wallet of your organisation's own receiver.")
		return nil
	}

	return err
}

// paying shows what an organisation's payables are paid from by default. A wallet that was deleted is none.
func (a *App) paying(ctx context.Context, q db.Querier, o organisation.Organisation) (from, with any, err error) {
	if t, ok := refdata.All().Token(o.DefaultToken); ok {
		with = t.View(nil)
	}

	found, err := wallet.ByIDs(ctx, q, o.ID, []string{o.DefaultWallet})
	if w, ok := found[o.DefaultWallet]; ok && err == nil {
		var views []wallet.View
		if views, err = wallet.Views(ctx, q, o.ID, []wallet.Wallet{w}, a.DB.Now()); err == nil {
			from = views[0]
		}
	}

	return from, with, err
}
