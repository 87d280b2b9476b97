package main

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"slipway/internal/app"
	"slipway/internal/app/backups"
	"slipway/internal/app/cli"
	"slipway/internal/platform/backup"
	"slipway/internal/platform/config"
	"slipway/internal/schema"
)

type backupCommand struct {
	Take    backupTakeCommand    `cmd:"" help:"Take a back-up now. The service may run: others read and write meanwhile."`
	List    backupListCommand    `cmd:"" help:"List the back-ups of a place, and say what the last drill found."`
	Drill   backupDrillCommand   `cmd:"" help:"Put a back-up back aside, verify its book and its files, and say what would be lost and how long it takes. Changes nothing."`
	Restore backupRestoreCommand `cmd:"" help:"Put a back-up back to where the configuration says. No process may run, and no database may be there."`
}

// placeFlag says where the back-ups are.
type placeFlag struct {
	Place string `help:"Folder of the back-ups; backup.folder if it is not given." type:"path"`
}

// service opens the place for a deployment whose database is there, and calls do.
func (f placeFlag) service(ctx context.Context, g *globals, do func(s *backups.Service) error) (err error) {
	c, err := g.deployment()
	if err != nil {
		return err
	}

	d, err := openDatabase(ctx, c)
	if err != nil {
		return err
	}

	defer func() { err = errors.Join(err, d.Close()) }()

	s, err := app.Backups(c, d, slog.New(slog.DiscardHandler), f.Place)
	if err != nil {
		return err
	}

	s.Watch = func(text string) { fmt.Fprintln(g.out, text+" …") }

	return do(s)
}

// open opens the place alone: the database may be gone.
func (f placeFlag) open(c *config.Config) (*backup.Place, error) {
	folder := f.Place
	if folder == "" {
		folder = c.Backup.Folder
	}

	if folder == "" {
		return nil, errors.New("say where the back-ups are: --place FOLDER, or backup.folder in the settings")
	}

	return backup.Open(folder)
}

type backupTakeCommand struct{ placeFlag }

// Run takes a back-up.
func (c backupTakeCommand) Run(ctx context.Context, g *globals) error {
	return c.service(ctx, g, func(s *backups.Service) error {
		m, err := s.Take(ctx)
		if err != nil {
			return err
		}

		fmt.Fprintf(g.out, "%s: %s of database, %d files of %s, book up to link %d, in %s\n",
			filepath.Join(s.Place().Folder(), m.Name), size(m.Database.Bytes), m.Count, size(m.FileBytes), m.HeadSeq,
			m.Ended.Sub(m.Begun).Round(time.Millisecond))
		fmt.Fprintf(g.out, "Keep security.keyring elsewhere: without the key %q nobody can use it.\n", m.Key)
		fmt.Fprintln(g.out, "See that it can be put back: slipway backup drill")

		return nil
	})
}

type backupListCommand struct{ placeFlag }

// Run lists the back-ups, the newest first.
func (c backupListCommand) Run(_ context.Context, g *globals) error {
	settings, err := g.load()
	if err != nil {
		return err
	}

	place, err := c.open(settings)
	if err != nil {
		return err
	}

	all, err := place.List()
	if len(all) == 0 && err == nil {
		fmt.Fprintln(g.out, "There is no back-up in "+place.Folder()+".")
		return nil
	}

	for _, m := range slices.Backward(all) {
		fmt.Fprintf(g.out, "%s  %s  %s of database, %d files of %s\n",
			m.Name, m.Engine, size(m.Database.Bytes), m.Count, size(m.FileBytes))
	}

	var d backups.Drill
	err = errors.Join(err, place.Reported(&d))

	if !d.Begun.IsZero() {
		fmt.Fprintln(g.out)
		showDrill(g, d)
	}

	return err
}

type backupDrillCommand struct {
	placeFlag
	Name string `arg:"" optional:"" help:"Which back-up; the newest if it is not given."`
}

// Run tries a back-up, and returns an error if it is not sound.
func (c backupDrillCommand) Run(ctx context.Context, g *globals) error {
	return c.service(ctx, g, func(s *backups.Service) error {
		d, err := s.Drill(ctx, c.Name)
		if err != nil {
			return err
		}

		showDrill(g, d)

		if len(d.Faults) > 0 {
			return fmt.Errorf("the back-up is not sound: %d faults", len(d.Faults))
		}

		return nil
	})
}

// showDrill prints what a drill found.
func showDrill(g *globals, d backups.Drill) {
	fmt.Fprintf(g.out, "Drill of %s at %s\n", d.Name, d.Begun.Format(clockLayout))

	for _, f := range d.Faults {
		fmt.Fprintln(g.out, "  FAULT: "+cli.Plain(f))
	}

	fmt.Fprintf(g.out, "  %d journals and %d postings verified, %d migrations ran, %d files read\n",
		d.Journals, d.Postings, d.Migrations, d.Files)
	fmt.Fprintf(g.out, "  put back in %s, migrated in %s, verified in %s; files read in %s\n",
		seconds(d.Unpacked), seconds(d.Migrated), seconds(d.Verified), seconds(d.Compared))
	fmt.Fprintf(
		g.out,
		"  gone if it were put back now: %d transactions made since, changes of %d others, %d journals\n",
		d.Lost.Transactions,
		d.Lost.Changed,
		d.Lost.Links,
	)

	if len(d.Faults) == 0 {
		fmt.Fprintln(g.out, "  the back-up is sound")
	}
}

func seconds(s float64) string {
	return time.Duration(s * float64(time.Second)).Round(time.Millisecond).String()
}

// size returns bytes in kilobytes or megabytes, with one decimal.
func size(bytes int64) string {
	unit, name := int64(1_000), "kB"
	if bytes >= 1_000_000 {
		unit, name = 1_000_000, "MB"
	}

	tenths := (bytes*10 + unit/2) / unit

	return fmt.Sprintf("%d.%d %s", tenths/10, tenths%10, name)
}

type backupRestoreCommand struct {
	placeFlag
	To   string `help:"Folder to put it into, as a data_dir, instead of where the configuration says. A database of PostgreSQL goes into database.url all the same." type:"path"`
	Name string `arg:"" optional:"" help:"Which back-up; the newest if it is not given."`
}

// Run puts a back-up back.
func (c backupRestoreCommand) Run(ctx context.Context, g *globals) error {
	settings, err := g.load()
	if err != nil {
		return err
	}

	place, err := c.open(settings)
	if err != nil {
		return err
	}

	keys, err := settings.SealingKeys()
	if err != nil {
		return err
	}

	if c.To != "" {
		elsewhere(settings, c.To)
	}

	r, err := backups.Restore(ctx, settings, keys, schema.Files(), place, c.Name)
	if err != nil {
		return err
	}

	fmt.Fprintf(g.out, "The back-up %s of %s is put back: the database %s, and %d files.\n",
		r.Manifest.Name, r.Manifest.Begun.Format(clockLayout), r.Database, r.Files)
	fmt.Fprintln(g.out, "What was made after it is gone, and what left after it has left. Leave the witness as it is, "+
		"and start one process: it re-reads the world before anything leaves.\nWhat to look at then: "+
		"docs/how-to/restore-a-back-up.md")

	return nil
}

// elsewhere has everything that lies in files lie in a folder.
func elsewhere(c *config.Config, folder string) {
	c.DataDir = folder
	c.Documents.Folder = ""
	c.Bank.Archive = ""

	if strings.HasPrefix(c.DatabaseURL(), "sqlite:") {
		c.Database.URL = ""
	}
}
