package setup

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"strings"
	"time"

	"slipway/internal/platform/backup"
	"slipway/internal/platform/config"
	"slipway/internal/platform/db"
)

const (
	manyRows  = 100_000 // work on more of them is told: others wait for it
	backupOld = 24 * time.Hour
)

// ExamineUpgrade says what running this program on the deployment's database would do to it, and what stands against
// it. It changes nothing. schema are the program's migrations. backup is the file or folder of the last back-up; empty
// if nobody has said: then it is the newest of backup.folder.
func ExamineUpgrade(ctx context.Context, c *config.Config, schema fs.FS, backup string) []Finding {
	d := newDoctor(c)
	d.settings()

	if open := d.open(ctx); open != nil {
		defer func() { _ = open.Close() }() // nothing was written

		d.upgrade(ctx, open, schema)
		d.backup(ctx, open, backup)
	}

	return d.found
}

// Unreadable says what keeps a configuration from being read by this program: settings that are gone, renamed or
// misspelt, each by itself.
func Unreadable(err error) []Finding {
	problems := []string{err.Error()}

	var invalid *config.Invalid
	if errors.As(err, &invalid) {
		problems = invalid.Problems
	}

	d := &doctor{}
	for _, p := range problems {
		d.say("settings", Wrong, p, "the changelog has what is gone or renamed; slipway config lists what there is")
	}

	return d.found
}

// upgrade says what would run.
func (d *doctor) upgrade(ctx context.Context, open *db.DB, schema fs.FS) {
	u, err := open.Upgrade(ctx, schema)

	switch {
	case err != nil:
		d.say("schema", Wrong, err.Error(), "look at the rights of the database's role")
		return
	case len(u.Unknown) > 0:
		d.newer(u)
		return
	case len(u.Late) > 0:
		d.say("schema", Wrong, strings.Join(u.Late, ", ")+" would come behind later ones that have run",
			"run a program of a release: this database was made by one in between")
		return
	}

	const found = "%s is at %d, and this program wants %d: %d migrations would run"
	d.say("schema", Fine, fmt.Sprintf(found, open.Dialect(), u.At, u.Wanted, len(u.Missing)), "")

	for _, m := range u.Missing {
		state := Fine
		said := []string{"no table is held for long"}

		if len(m.Work) > 0 {
			said = nil
		}

		for _, w := range m.Work {
			said = append(said, fmt.Sprintf("%s on %s, %d rows", w.What, w.Table, w.Rows))

			if w.Rows > manyRows {
				state = Watch
			}
		}

		d.say("migration "+m.Name, state, strings.Join(said, "; "),
			"others wait for it: run slipway migrate in a quiet hour, before the programs are replaced")
	}
}

// newer says that a newer program has worked on the database.
func (d *doctor) newer(u db.Upgrade) {
	d.say("schema", Wrong, fmt.Sprintf("is at %d, newer than this program, which knows %d", u.At, u.Wanted),
		"use a program as new as the database; there is no way back but the back-up from before")
}

// backup says how old the last back-up is: by what was named, or by the server's archive.
func (d *doctor) backup(ctx context.Context, open *db.DB, path string) {
	const take = "take a back-up (slipway backup take), or name it: slipway upgrade --check --backup FILE"

	var at time.Time

	found := path

	switch {
	case path != "":
		info, err := os.Stat(path)
		if err != nil {
			d.say("back-up", Wrong, err.Error(), take)
			return
		}

		at = info.ModTime()

	case d.config.Backup.Folder != "":
		place, err := backup.Open(d.config.Backup.Folder)
		if err == nil {
			at, err = place.Newest(d.clock.Now())
		}

		if err != nil {
			d.say("back-up", Wrong, err.Error(), take)
			return
		}

		found = "the newest in " + d.config.Backup.Folder

	case open.Dialect() == db.Postgres:
		at = archived(ctx, open)
		found = "the server's archive"
	}

	switch age := d.clock.Now().Sub(at); {
	case at.IsZero():
		d.say("back-up", Watch, "none is known of", take)
	case age > backupOld:
		d.say("back-up", Watch, fmt.Sprintf("%s is %s old", found, age.Round(time.Hour)), take)
	default:
		d.say("back-up", Fine, fmt.Sprintf("%s is %s old", found, age.Round(time.Minute)), "")
	}
}
