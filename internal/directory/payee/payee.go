// Package payee shows receivers with their wallets and bank accounts, and has the operations of receivers. What a
// receiver, a wallet and a bank account are and may be, their own packages decide.
package payee

import (
	"context"
	"time"

	"slipway/internal/directory/bankaccount"
	"slipway/internal/directory/receiver"
	"slipway/internal/directory/wallet"
	"slipway/internal/platform/db"
)

// Service has the operations of receivers.
type Service struct {
	DB        *db.DB
	Receivers *receiver.Service
}

// View is a Receiver of the interface with what belongs to it.
type View struct {
	receiver.View
	BankAccounts []bankaccount.ShortView `json:"bankAccounts" nullable:"false"`
	Wallets      []wallet.ShortView      `json:"wallets" nullable:"false"`
}

func alone(r receiver.Receiver) View {
	return View{
		View:         receiver.ViewOf(r),
		BankAccounts: []bankaccount.ShortView{},
		Wallets:      []wallet.ShortView{},
	}
}

// Views returns the interface's form of receivers of an organisation, in three queries whatever their number.
func Views(
	ctx context.Context,
	q db.Querier,
	organisation string,
	receivers []receiver.Receiver,
	now time.Time,
) ([]View, error) {
	ids := make([]string, len(receivers))
	for i, r := range receivers {
		ids[i] = r.ID
	}

	out := make([]View, len(receivers))
	if len(ids) == 0 {
		return out, nil
	}

	wallets, err := wallet.OfReceivers(ctx, q, organisation, ids, now)
	if err != nil {
		return nil, err
	}

	accounts, err := bankaccount.OfReceivers(ctx, q, organisation, ids, now)
	if err != nil {
		return nil, err
	}

	for i, r := range receivers {
		out[i] = alone(r)
		out[i].Wallets = append(out[i].Wallets, wallets[r.ID]...)
		out[i].BankAccounts = append(out[i].BankAccounts, accounts[r.ID]...)
	}

	return out, nil
}
