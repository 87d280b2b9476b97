package backups

import (
	"context"
	"errors"
	"fmt"
	"time"

	"slipway/internal/payments/ledger"
	"slipway/internal/payments/transaction"
	"slipway/internal/platform/backup"
	"slipway/internal/platform/db"
)

// Drill is the report of a drill: a back-up was put back aside, brought up to date and verified.
type Drill struct {
	Name  string    `json:"name"` // of the back-up
	Taken time.Time `json:"taken"`
	Begun time.Time `json:"begun"`

	// How long each part took, in seconds: what a restore takes before the service starts.
	Unpacked float64 `json:"unpackedSeconds"`
	Migrated float64 `json:"migratedSeconds"`
	Verified float64 `json:"verifiedSeconds"`
	Compared float64 `json:"filesSeconds"` // reading every document and bank file

	Migrations int `json:"migrations"` // that ran on it
	Journals   int `json:"journals"`
	Postings   int `json:"postings"`
	Files      int `json:"files"`

	// Faults is empty if the back-up is sound.
	Faults []string `json:"faults"`

	// Sound is when a drill found no fault last: this one, or an earlier one.
	Sound time.Time `json:"sound"`

	// Lost is what the live database has that this back-up does not: what would be gone.
	Lost Lost `json:"lost"`
}

// Lost is what was written after a back-up.
type Lost struct {
	Transactions int64 `json:"transactions"` // that were made since
	Changed      int64 `json:"changed"`      // transactions that were made before, and have changed since
	Links        int64 `json:"links"`        // of the book's chain: each is a journal
}

// maxFaults limits the list of a report.
const maxFaults = 50

func (d *Drill) fault(format string, args ...any) {
	if len(d.Faults) < maxFaults {
		d.Faults = append(d.Faults, fmt.Sprintf(format, args...))
	}
}

// Drill puts a back-up back aside, migrates it, opens what is sealed in it, verifies its book against the heads kept
// outside, reads every file, and compares it with the live database. It changes nothing of either. name is empty for
// the newest back-up. What it finds is in the report; an error, such as ErrNoPlace, means that the drill could not be
// carried out.
func (s *Service) Drill(ctx context.Context, name string) (d Drill, err error) {
	release, err := s.place.Lock()
	if err != nil {
		return d, err
	}

	defer release()

	return s.drill(ctx, name)
}

func (s *Service) drill(ctx context.Context, name string) (d Drill, err error) {
	m, err := s.place.Find(name)
	if err != nil {
		return d, err
	}

	last, err := s.LastDrill()
	if err != nil {
		return d, err
	}

	d = Drill{Name: m.Name, Taken: m.Begun, Begun: s.DB.Now().UTC(), Sound: last.Sound}

	for _, part := range []func(ctx context.Context, m backup.Manifest, d *Drill) error{s.tryFiles, s.tryDatabase} {
		err := part(ctx, m, &d)
		if ctx.Err() != nil {
			return d, ctx.Err()
		}

		if errors.Is(err, ErrNoPlace) { // nothing is known of the back-up by that
			return d, err
		}

		if err != nil { // a back-up that cannot be put back is what a drill is to find
			d.fault("%s", err)
		}
	}

	if len(d.Faults) == 0 {
		d.Sound = d.Begun
	}

	if err := s.place.Report(d); err != nil || len(d.Faults) > 0 {
		return d, err
	}

	_, err = s.place.Clear(ctx)

	return d, err
}

// LastDrill returns the report of the last drill; Begun is zero if there was none.
func (s *Service) LastDrill() (d Drill, err error) {
	err = s.place.Reported(&d)
	return d, err
}

// tryFiles reads every file of a back-up.
func (s *Service) tryFiles(ctx context.Context, m backup.Manifest, d *Drill) error {
	if err := m.Genuine(s.Keys); err != nil {
		return err
	}

	s.Watch("reading documents and bank files")

	defer s.measure(&d.Compared)()

	d.Files = m.Count

	return s.place.CheckFiles(ctx, m)
}

// measure returns what adds the time since now to a figure.
func (s *Service) measure(seconds *float64) func() {
	begun := s.DB.Clock().Elapsed()

	return func() { *seconds += (s.DB.Clock().Elapsed() - begun).Seconds() }
}

// tryDatabase puts the database back aside and looks at it.
func (s *Service) tryDatabase(ctx context.Context, m backup.Manifest, d *Drill) error {
	if err := m.Genuine(s.Keys); err != nil {
		return nil // tryFiles has said it
	}

	s.Watch("putting the database back aside")

	done := s.measure(&d.Unpacked)
	address, remove, err := s.aside(ctx, m)
	done()

	if err != nil {
		return fmt.Errorf("put the database back aside: %w", err)
	}

	return errors.Join(s.tryAt(ctx, m, address, d), remove())
}

// tryAt opens the database that was put back, and looks at it.
func (s *Service) tryAt(ctx context.Context, m backup.Manifest, address string, d *Drill) (err error) {
	restored, err := db.Open(ctx, db.Config{
		URL:   address,
		Clock: s.DB.Clock(),
		Sign:  ledger.Signer(s.Keys),
		Keys:  s.Keys,
	})
	if err != nil {
		return fmt.Errorf("open what was put back: %w", err)
	}

	defer func() { err = errors.Join(err, restored.Close()) }()

	if err := restored.CheckKeys(ctx); err != nil {
		return fmt.Errorf("open what is sealed in it: %w", err)
	}

	s.Watch("migrating it")

	done := s.measure(&d.Migrated)
	d.Migrations, err = restored.Migrate(ctx, s.Schema)
	done()

	if err != nil {
		return fmt.Errorf("bring what was put back up to date: %w", err)
	}

	s.Watch("verifying its book")

	defer s.measure(&d.Verified)()

	if err := s.tryBook(ctx, restored, m, d); err != nil {
		return fmt.Errorf("verify the book: %w", err)
	}

	return s.compare(ctx, restored, m, d)
}

// tryBook verifies the book that was put back against the newest head kept outside that it has to contain.
func (s *Service) tryBook(ctx context.Context, restored *db.DB, m backup.Manifest, d *Drill) error {
	seq, _, err := ledger.Head(ctx, restored)
	if err != nil {
		return err
	}

	book := s.Book(restored)

	kept, err := book.KeptUpTo(ctx, seq)
	if err != nil {
		return err
	}

	r, err := ledger.Verify(ctx, restored, ledger.Proof{Keys: s.Keys, Head: kept})
	if err != nil {
		return err
	}

	derived, err := book.Derived(ctx)
	if err != nil {
		return err
	}

	d.Journals = r.Journals
	d.Postings = r.Postings

	for _, f := range append(r.Faults, derived...) {
		d.fault("the book: %s", f)
	}

	err = ledger.Contains(ctx, restored, ledger.SignedHead{Seq: m.HeadSeq, Hash: m.HeadHash})
	if errors.Is(err, ledger.ErrHeadGone) {
		d.fault("the copy does not have the link %d that the book had when it was taken", m.HeadSeq)
		return nil
	}

	return err
}

// compare says what the live database has more, and whether its book is the same one.
func (s *Service) compare(ctx context.Context, restored *db.DB, m backup.Manifest, d *Drill) error {
	seq, hash, err := ledger.Head(ctx, restored)
	if err != nil {
		return err
	}

	err = ledger.Contains(ctx, s.DB, ledger.SignedHead{Seq: seq, Hash: hash})
	if errors.Is(err, ledger.ErrHeadGone) {
		d.fault("the live book does not contain this back-up's last link, %d: one of them is of another database, or "+
			"was changed", seq)

		return nil
	}

	if err != nil {
		return err
	}

	live, _, err := ledger.Head(ctx, s.DB)
	if err != nil {
		return err
	}

	d.Lost.Links = live - seq

	d.Lost.Transactions, d.Lost.Changed, err = transaction.WrittenSince(ctx, s.DB, m.Begun)

	return err
}
