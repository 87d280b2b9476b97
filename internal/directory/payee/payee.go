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
type View = receiver.FullView

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
		out[i] = receiver.FullViewOf(ctx, r, accounts[r.ID], wallets[r.ID])
	}

	return out, nil
}
