// Package backups takes the back-ups of a deployment, puts them back, and proves that they can be put back.
//
// What a back-up is, and what is promised of it, is in package backup. Here is what belongs to one: the database,
// documents and bank files; not the keyring, which opens it, and not the witness, which has to know more than it.
//
// Read in this order: backups.go (taking, and when), restore.go, drill.go.
package backups

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"log/slog"
	"os"
	"path/filepath"
	"strings"
	"time"

	"slipway/internal/payments/ledger"
	"slipway/internal/platform/backup"
	"slipway/internal/platform/config"
	"slipway/internal/platform/db"
	"slipway/internal/platform/secret"
)

// Deps is what the use cases need from elsewhere.
type Deps struct {
	Config  *config.Config
	Keys    *secret.Keyring
	DB      *db.DB // the live database
	Schema  fs.FS  // of this program
	Program string // its version
	Log     *slog.Logger

	// Book returns what proves the book of a database of this deployment: the live one, or one that was put back aside.
	Book func(d *db.DB) ledger.Witness

	Watch func(text string) // is told what is being done; nil: nobody watches
}

// Service holds the use cases of back-ups. It is safe for concurrent use, also by several processes.
type Service struct {
	Deps
	place *backup.Place

	begun  time.Time // when this process did
	failed time.Time // when it did not work last; zero: it has worked since
}

// New opens the place of the back-ups, which is backup.folder or, if it is not empty, folder.
func New(d Deps, folder string) (*Service, error) {
	if folder == "" {
		folder = d.Config.Backup.Folder
	}

	if folder == "" {
		return nil, errors.New("there is no place for back-ups: set backup.folder, or name one by --place")
	}

	if d.Watch == nil {
		d.Watch = func(string) {}
	}

	place, err := backup.Open(folder)

	return &Service{Deps: d, place: place, begun: d.DB.Now()}, err
}

// Place returns where the back-ups are.
func (s *Service) Place() *backup.Place { return s.place }

// Take makes a back-up, and removes those that need not be kept any more. It returns backup.ErrBusy if another process
// takes or tries one.
func (s *Service) Take(ctx context.Context) (m backup.Manifest, err error) {
	release, err := s.place.Lock()
	if err != nil {
		return m, err
	}

	defer release()

	return s.take(ctx)
}

func (s *Service) take(ctx context.Context) (m backup.Manifest, err error) {
	m, err = s.place.Take(ctx, backup.Source{
		Engine:  s.DB.Dialect().String(),
		Program: s.Program,
		Now:     s.DB.Now,
		State:   s.state,
		Copy:    s.copyDatabase,
		Trees:   s.Config.Backed(),
		Watch:   s.Watch,
		Keyring: s.Keys,
	})
	if err != nil {
		return m, err
	}

	removed, err := s.place.Thin(s.DB.Now(), s.Config.Backup.Keep)
	if err != nil {
		return m, err
	}

	s.Log.Info("a back-up was taken", "name", m.Name, "bytes", m.Bytes(), "files", m.Count, "removed", len(removed))

	return m, nil
}

// state returns what the manifest says of the database.
func (s *Service) state(ctx context.Context) (out backup.State, err error) {
	u, err := s.DB.Upgrade(ctx, s.Schema)
	if err != nil {
		return out, err
	}

	out.Schema = u.At
	out.HeadSeq, out.HeadHash, err = ledger.Head(ctx, s.DB)

	return out, err
}

// copyDatabase copies the live database to a file.
func (s *Service) copyDatabase(ctx context.Context, folder string) (string, error) {
	if s.DB.Dialect() == db.Postgres {
		path := filepath.Join(folder, "dump")
		return path, s.dump(ctx, path)
	}

	path, err := s.beside("backup") // not in the place: SQLite works on no file of another machine
	if err != nil {
		return "", err
	}

	return path, s.DB.CopyTo(ctx, path)
}

func (s *Service) dump(ctx context.Context, path string) error {
	f, err := os.OpenFile(path, os.O_CREATE|os.O_EXCL|os.O_WRONLY, 0o600)
	if err != nil {
		return err
	}

	return errors.Join(s.DB.Dump(ctx, f), f.Close())
}

// failurePause is how long nothing is tried after a failure: a place that is full, or away, is so for a while.
const failurePause = 10 * time.Minute

// Due takes a back-up if the newest one is older than backup.every, and tries the newest one if the last drill is older
// than backup.drill_every. Another process that does it already is no error. Call it every minute.
func (s *Service) Due(ctx context.Context) error {
	now := s.DB.Now()
	if now.Sub(s.failed) < failurePause {
		return nil
	}

	err := s.due(ctx, now)
	if errors.Is(err, backup.ErrBusy) {
		return nil
	}

	s.failed = time.Time{}
	if err != nil {
		s.failed = now
	}

	return err
}

func (s *Service) due(ctx context.Context, now time.Time) error {
	release, err := s.place.Lock()
	if err != nil {
		return err
	}

	defer release()

	newest, err := s.place.Newest(now)
	if err != nil {
		return err
	}

	if now.Sub(newest) >= s.Config.Backup.Every {
		if _, err := s.take(ctx); err != nil {
			return err
		}
	}

	last, err := s.LastDrill()
	if err != nil {
		return err
	}

	if every := s.Config.Backup.DrillEvery; every == 0 || now.Sub(last.Begun) < every {
		return nil
	}

	d, err := s.drill(ctx, "")
	if err == nil && len(d.Faults) > 0 {
		const found = "the back-up %s was put back aside, and is not sound: %s"

		err = fmt.Errorf(found, d.Name, strings.Join(d.Faults, "; "))
	}

	return err
}

// Age returns for how long there was no newer back-up. Where there is none at all, it is the age of this process.
func (s *Service) Age() (time.Duration, error) {
	newest, err := s.place.Newest(s.DB.Now())
	return s.since(newest), err
}

// DrillAge returns for how long no drill has found a back-up sound. Where none ever has, it is the age of the oldest
// back-up.
func (s *Service) DrillAge() (time.Duration, error) {
	d, err := s.LastDrill()
	if err != nil || !d.Sound.IsZero() {
		return s.since(d.Sound), err
	}

	oldest, err := s.place.Oldest()

	return s.since(oldest), err
}

func (s *Service) since(at time.Time) time.Duration {
	if at.IsZero() {
		at = s.begun
	}

	return s.DB.Now().Sub(at)
}
