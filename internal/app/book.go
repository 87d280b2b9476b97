package app

import (
	"context"
	"log/slog"
	"time"

	"slipway/internal/payments/ledger"
	"slipway/internal/platform/config"
	"slipway/internal/platform/db"
	"slipway/internal/platform/observe"
)

// headEvery is how long the newest link of the book may stand in the database alone.
const headEvery = time.Minute

// keepHead has the head of the book kept outside of the database. A book that does not contain the head that was kept
// makes the job fail until people have accepted it (slipway ledger accept-head).
func (a *App) keepHead() {
	book := ledger.Witness{DB: a.DB, Keys: a.Keys, Store: a.witness, Log: a.Log}
	a.Jobs.Every("ledger-head", headEvery, book.Keep)
}

// headGauge is the number of the newest link: whoever records figures keeps a trace of it outside of the database.
func (a *App) headGauge() observe.Gauge {
	return observe.Gauge{
		Name: "ledger_head",
		Help: "Number of the newest link in the book's chain of hashes.",
		Read: observe.Query(func(ctx context.Context) (int64, error) {
			seq, _, err := ledger.Head(ctx, a.DB)
			return seq, err
		}),
	}
}

// Book opens what a command needs to prove the book of a deployment: its keyring, and what was kept outside of the
// database.
func Book(c *config.Config, d *db.DB, log *slog.Logger) (ledger.Witness, error) {
	keys, err := Keyring(c)
	if err != nil {
		return ledger.Witness{}, err
	}

	store, err := witnessStore(c)

	return ledger.Witness{DB: d, Keys: keys, Store: store, Log: log}, err
}
