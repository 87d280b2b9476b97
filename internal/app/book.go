package app

import (
	"context"
	"log/slog"
	"time"

	"slipway/internal/payments/bookkeeping"
	"slipway/internal/payments/ledger"
	"slipway/internal/platform/config"
	"slipway/internal/platform/db"
	"slipway/internal/platform/secret"
	"slipway/internal/platform/witness"
)

// headEvery limits how long the newest link of the book is in the database alone.
const headEvery = time.Minute

// keepHead registers the job that copies the head of the book out of the database. The job fails while the book does
// not contain the head that was copied last, until people accept that (slipway ledger accept-head).
func (a *App) keepHead() {
	a.Jobs.Every("ledger-head", headEvery, a.book().Keep)
}

// book returns what proves the book of this process.
func (a *App) book() ledger.Witness {
	return witnessOf(a.Config, a.DB, a.Keys, a.witness, a.Log)
}

// Book opens what a command needs to prove the book of a deployment: its keyring, and the store outside of the
// database.
func Book(c *config.Config, d *db.DB, log *slog.Logger) (ledger.Witness, error) {
	keys, err := c.SealingKeys()
	if err != nil {
		return ledger.Witness{}, err
	}

	store, err := witnessStore(c)

	return witnessOf(c, d, keys, store, log), err
}

func witnessOf(c *config.Config, d *db.DB, k *secret.Keyring, s witness.Store, log *slog.Logger) ledger.Witness {
	return ledger.Witness{
		DB:    d,
		Keys:  k,
		Store: s,
		Log:   log,
		Derived: func(ctx context.Context) ([]string, error) {
			return bookkeeping.VerifySums(ctx, d, c.Operator.Currency)
		},
	}
}
