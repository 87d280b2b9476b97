package app

import (
	"context"
	"log/slog"
	"time"

	"slipway/internal/platform/observe"
)

const (
	// commitsEvery is how often it is looked whether the database confirms commits.
	commitsEvery = 5 * time.Second
	// commitsLate is how long a commit may wait before people are told.
	commitsLate = 15 * time.Second
)

// databaseServes returns why the database cannot be worked on, or nil. One that answers reads may still confirm no
// commit: it waits for its standby or its disk.
func (a *App) databaseServes(ctx context.Context) error {
	if err := a.DB.Ping(ctx); err != nil {
		return err
	}

	return a.DB.Writes(ctx)
}

// watchCommits logs when the database stops to confirm commits, and when it goes on, until ctx ends.
func (a *App) watchCommits(ctx context.Context) error {
	tick := time.NewTicker(commitsEvery)
	defer tick.Stop()

	w := commitWatch{log: a.Log}

	for {
		select {
		case <-ctx.Done():
			return nil
		case <-tick.C:
			w.look(a.DB.Unconfirmed())
		}
	}
}

// commitWatch tells of a change once.
type commitWatch struct {
	log  *slog.Logger
	late bool
}

// look compares for how long nothing was confirmed with what was told last.
func (w *commitWatch) look(unconfirmed time.Duration) {
	late := unconfirmed > commitsLate

	switch {
	case late && !w.late:
		w.log.Error("commits are not confirmed: the database waits for its standby or its disk, and requests that "+
			"write are answered 503", "for", unconfirmed.Round(time.Second).String(), "look",
			"docs/how-to/monitor.md#when-commits-are-not-confirmed")
	case !late && w.late:
		w.log.Warn("commits are confirmed again")
	}

	w.late = late
}

// tellCollation logs that PostgreSQL sorts text by other rules than when the database was made. No key depends on them.
func (a *App) tellCollation(ctx context.Context) error {
	c, err := a.DB.Collation(ctx)
	if err == nil && c.Changed() {
		a.Log.Warn("PostgreSQL sorts text by other rules than when this database was made: build its indexes anew "+
			"(REINDEX DATABASE), then ALTER DATABASE … REFRESH COLLATION VERSION", "was", c.Built, "is", c.Now)
	}

	return err
}

// collationGauges are about the rules by which the database sorts.
func (a *App) collationGauges() []observe.Gauge {
	return []observe.Gauge{{
		Name: "db_collation_changed",
		Help: "1 when PostgreSQL sorts text by other rules than when the database was made.",
		Read: observe.Query(func(ctx context.Context) (float64, error) {
			c, err := a.DB.Collation(ctx)
			return oneIf(c.Changed()), err
		}),
	}}
}
