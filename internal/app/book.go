package app

import (
	"log/slog"
	"time"

	"slipway/internal/payments/ledger"
	"slipway/internal/platform/config"
	"slipway/internal/platform/db"
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
	return ledger.Witness{DB: a.DB, Keys: a.Keys, Store: a.witness, Log: a.Log}
}

// Book opens what a command needs to prove the book of a deployment: its keyring, and the store outside of the
// database.
func Book(c *config.Config, d *db.DB, log *slog.Logger) (ledger.Witness, error) {
	keys, err := c.SealingKeys()
	if err != nil {
		return ledger.Witness{}, err
	}

	store, err := witnessStore(c)

	return ledger.Witness{DB: d, Keys: keys, Store: store, Log: log}, err
}
