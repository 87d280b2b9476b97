package app

import (
	"context"
	"log/slog"
	"time"

	"slipway/internal/app/backups"
	"slipway/internal/payments/ledger"
	"slipway/internal/platform/config"
	"slipway/internal/platform/db"
	"slipway/internal/platform/observe"
	"slipway/internal/schema"
)

// backupEvery is how often it is looked whether a back-up or a drill is due.
const backupEvery = time.Minute

// buildBackups opens the place of the back-ups, if there is one.
func (a *App) buildBackups() (err error) {
	if a.Config.Backup.Folder == "" || a.outside.Tool {
		return nil
	}

	if a.Config.BackupBeside() && a.Config.Mode != config.Sandbox {
		a.Log.Warn("the back-ups lie with the database: both are lost together. Give them a disk of another machine",
			"folder", a.Config.Backup.Folder, "set", "backup.folder")
	}

	a.Backups, err = Backups(a.Config, a.DB, a.Log, "")

	return err
}

// Backups opens the place of a deployment's back-ups: backup.folder, or folder if it is not empty.
func Backups(c *config.Config, d *db.DB, log *slog.Logger, folder string) (*backups.Service, error) {
	book, err := Book(c, d, log)
	if err != nil {
		return nil, err
	}

	return backups.New(backups.Deps{
		Config:  c,
		Keys:    book.Keys,
		DB:      d,
		Schema:  schema.Files(),
		Program: Version,
		Log:     log,
		Book: func(d *db.DB) ledger.Witness {
			return witnessOf(c, d, book.Keys, book.Store, log)
		},
	}, folder)
}

// keepBackups takes and tries back-ups when they are due, until ctx ends. It is no job: it may take long, and the place
// itself sees to it that one process does it.
func (a *App) keepBackups(ctx context.Context) error {
	tick := time.NewTicker(backupEvery)
	defer tick.Stop()

	for {
		if err := a.Backups.Due(ctx); err != nil && ctx.Err() == nil {
			a.Log.Error("a back-up or its drill did not work, and is tried again", "error", err.Error(), "look",
				"docs/how-to/back-up.md#when-a-back-up-fails")
		}

		select {
		case <-ctx.Done():
			return nil
		case <-tick.C:
		}
	}
}

// backupGauges are about back-ups. There are none where the service takes none.
func (a *App) backupGauges() []observe.Gauge {
	if a.Backups == nil {
		return nil
	}

	of := func(age func() (time.Duration, error)) figures {
		return func(context.Context) (map[string]float64, error) {
			v, err := age()
			return map[string]float64{"": v.Seconds()}, err
		}
	}

	return []observe.Gauge{
		{
			Name: "backup_age_seconds",
			Help: "Time since the newest back-up was begun.",
			Read: of(a.Backups.Age),
		},
		{
			Name: "backup_drill_age_seconds",
			Help: "Time since a back-up was last put back aside and found sound.",
			Read: of(a.Backups.DrillAge),
		},
	}
}
