package app

import (
	"context"
	"errors"
	"fmt"
	"time"

	"slipway/internal/platform/config"
	"slipway/internal/platform/db"
	"slipway/internal/platform/epoch"
	"slipway/internal/platform/jobs"
	"slipway/internal/platform/witness"
)

const (
	jobReread  = "reread"
	epochEvery = time.Minute // a backup that is older than this is noticed, whatever left since
)

// buildWitness opens the store outside of the database. Jobs are held back while the database does not follow it.
func (a *App) buildWitness() error {
	store, err := witnessStore(a.Config)
	if err != nil {
		return err
	}

	a.witness = store

	a.Instance = epoch.New(epoch.Config{
		DB:      a.DB,
		Witness: a.witness,
		Log:     a.Log,
		Others:  a.Replica.Others,
		Ask:     func(tx *db.Tx) { a.Jobs.Demand(tx, jobReread, jobReread, "") },
	})
	a.Jobs.HoldWhile(a.Instance.Held, jobReread)
	a.Jobs.Handle(jobReread, func(ctx context.Context, _ jobs.Job) (jobs.Result, error) {
		return jobs.Done(), a.Instance.Reread(ctx)
	})
	a.Jobs.Every("epoch", epochEvery, a.Instance.Advance)
	a.keepHead()

	return nil
}

// witnessStore opens the configured folder or bucket.
func witnessStore(all *config.Config) (witness.Store, error) {
	c := all.Witness
	if c.Store == "s3" {
		return witness.OpenBucket(BucketOf(c.S3))
	}

	return witness.OpenFolder(all.WitnessFolder())
}

// compareWithWitness finds out whether this database is older than the world. If it is, nothing leaves until each of
// the readers has read. A command line tool only registers the readers.
func (a *App) compareWithWitness(ctx context.Context) error {
	if a.Config.WitnessBeside() && a.Config.Mode != config.Sandbox {
		a.Log.Warn("the witness lies with the database: both are lost and put back together. Give it a second place",
			"folder", a.Config.WitnessFolder(), "set", "witness.folder or witness.store")
	}

	if a.Bank != nil {
		a.Instance.Looker("the banks", a.Bank.Signs)
		a.Instance.Reader("the banks", func(ctx context.Context, _ time.Time) ([]string, error) {
			return a.Bank.Reread(ctx)
		})
	}

	a.Instance.Reader("mails", func(ctx context.Context, since time.Time) ([]string, error) {
		if err := a.Mornings.SkipMissed(ctx, since); err != nil {
			return nil, err
		}

		n, err := a.Mail.DoubtOlder(ctx, since)

		return sentence(n, "%d mails waited in the back-up: they may have been sent, and are not sent again"), err
	})
	a.Instance.Reader("chats", func(ctx context.Context, since time.Time) ([]string, error) {
		n, err := a.doubtChats(ctx, since)

		return sentence(
			n,
			"%d messages to chats waited in the back-up: they may have been sent, and are not sent again",
		), err
	})
	a.Instance.Reader("the identity provider", func(ctx context.Context, _ time.Time) ([]string, error) {
		n, err := a.Verification.AskAnew(ctx)
		return sentence(n, "%d applicants are asked about anew at the identity provider"), err
	})

	a.Instance.Looker("the chains", a.Rail.Ahead)

	if a.outside.Tool {
		return nil
	}

	if err := a.Instance.Start(ctx); err != nil {
		return fmt.Errorf("compare the database with what is kept outside of it: %w", err)
	}

	return a.logAlerts(ctx)
}

// lookForSigns asks the world whether this database is old, before anything leaves. A part that does not answer keeps
// files from leaving for banks until it does.
func (a *App) lookForSigns(ctx context.Context) {
	if a.outside.Tool {
		return
	}

	ctx, cancel := context.WithTimeout(ctx, startTimeout)
	defer cancel()

	if err := a.Instance.Look(ctx); err != nil {
		a.Log.Warn("it is not known yet whether this database is old: no file leaves for a bank before that",
			"error", err.Error())
	}
}

// sentence returns one sentence about n, or none if n is 0.
func sentence(n int64, format string) []string {
	if n == 0 {
		return nil
	}

	return []string{fmt.Sprintf(format, n)}
}

// logAlerts logs what waits for people at banks, with every start.
func (a *App) logAlerts(ctx context.Context) error {
	if a.Bank == nil {
		return nil
	}

	alerts, err := a.Bank.Alerts(ctx, a.DB)
	for kind, n := range alerts {
		a.Log.Warn("waits for people", "what", kind, "count", n, "look", "slipway bank held")
	}

	return err
}

// rereading returns 1 while nothing may leave, else 0.
func (a *App) rereading(ctx context.Context) (int64, error) {
	held, err := a.Instance.Held(ctx)
	if held {
		return 1, err
	}

	return 0, err
}

// endEpoch begins another epoch when the service stops: from then on, a backup from before is noticed, whatever left.
func (a *App) endEpoch() {
	err := a.end("the last epoch", partLimit, a.Instance.Advance)
	if err != nil && !errors.Is(err, epoch.ErrRereading) {
		a.Log.Warn("the last epoch is not kept outside of the database", "error", err.Error())
	}
}

// doubtChats ends messages to chats about what happened before a time. Events that the back-up had not numbered yet are
// numbered first: they have messages, too.
func (a *App) doubtChats(ctx context.Context, since time.Time) (int64, error) {
	for {
		n, err := a.Feed.Seal(ctx)
		if err != nil {
			return 0, err
		}

		if n == 0 {
			return a.Chats.DoubtOlder(ctx, since)
		}
	}
}
