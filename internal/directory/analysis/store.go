package analysis

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/go-json-experiment/json"

	"slipway/internal/core/fault"
	"slipway/internal/core/id"
	"slipway/internal/platform/db"
	"slipway/internal/rails/screening"
)

var (
	recordRows = db.NewTable("screenings", (*Record).columns)
	caseRows   = db.NewTable("screening_cases", (*Case).columns).OrIgnore("(organisation, subject, hit)")
	saidRows   = caseRows.Only("status", "proposal", "proposed_by", "decided_by", "reason", "version", "updated_at")

	insertEdition = db.InsertInto("screening_editions", "edition, sources, used_from, swept_at").OrIgnore("(edition)")
)

func (r *Record) columns(c *db.Columns) {
	c.Text("id", &r.ID)
	c.Text("organisation", &r.Organisation)
	c.Text("kind", (*string)(&r.Kind))
	c.Text("subject", &r.Subject)
	c.Text("network", &r.Network)
	c.Text("object", &r.Object)
	c.Text("purpose", (*string)(&r.Purpose))
	c.Text("status", (*string)(&r.Status))
	c.Text("message", &r.Message)
	c.Text("reference", &r.Reference)
	c.JSON("hits", &r.Hits)
	c.Time("asked_at", &r.AskedAt)
	c.Time("created_at", &r.At)
}

func (c *Case) columns(to *db.Columns) {
	to.Text("id", &c.ID)
	to.Text("organisation", &c.Organisation)
	to.Text("subject", &c.Subject)
	to.Text("name", &c.Name)
	to.Written("hit", func() string { return c.Hit.Key })
	to.JSON("listed", &c.Hit)
	to.Text("object", &c.Object)
	to.Text("status", (*string)(&c.Status))
	to.Text("proposal", (*string)(&c.Said.Verdict))
	to.Text("proposed_by", &c.Said.ProposedBy)
	to.Text("decided_by", &c.Said.DecidedBy)
	to.Text("reason", &c.Said.Reason)
	to.Int64("version", &c.Version)
	to.Time("created_at", &c.CreatedAt)
	to.Time("updated_at", &c.UpdatedAt)
}

// Insert puts a record down, in the write in which its answer takes effect.
func Insert(tx *db.Tx, r Record) {
	r.At = tx.Now
	recordRows.Insert(tx, &r)
}

// approvedByPeople reports whether what people have said last of an address, since a time, is that it may be dealt
// with.
func approvedByPeople(ctx context.Context, q db.Querier, r Record, since time.Time) (bool, error) {
	status, err := db.Value[string](
		ctx,
		q,
		`SELECT status FROM screenings
			WHERE subject = ? AND organisation = ? AND network = ? AND reference = ? AND created_at > ?
			ORDER BY id DESC LIMIT 1`,
		r.Subject,
		r.Organisation,
		r.Network,
		ByPeople,
		db.Micros(since),
	)
	if errors.Is(err, db.ErrNone) {
		return false, nil
	}

	return screening.Status(status) == screening.Approved, err
}

// insertNewCase opens a case; when another request has opened it at the same moment, that one stands.
func insertNewCase(tx *db.Tx, c Case) {
	c.CreatedAt = tx.Now
	c.UpdatedAt = tx.Now
	caseRows.Insert(tx, &c)
}

// updateCase writes what a person's word changes in a case that was read at its version, and returns it with its next
// one.
func updateCase(tx *db.Tx, c Case) Case {
	was := c.Version
	c.Version = was + 1
	c.UpdatedAt = tx.Now
	saidRows.Change(tx, &c, "id = ? AND version = ?", c.ID, was)

	return c
}

// OrganisationOfCase returns the organisation whose name a case is about, or db.ErrNone.
func OrganisationOfCase(ctx context.Context, q db.Querier, caseID string) (string, error) {
	return db.Value[string](ctx, q, "SELECT organisation FROM screening_cases WHERE id = ?", caseID)
}

func caseByID(ctx context.Context, q db.Querier, caseID string) (Case, error) {
	if !id.Valid(CasePrefix, caseID) {
		return Case{}, fault.Missing("screening case")
	}

	c, err := caseRows.One(ctx, q, "WHERE id = ?", caseID)
	if errors.Is(err, db.ErrNone) {
		return Case{}, fault.Missing("screening case")
	}

	if err != nil {
		return Case{}, fmt.Errorf("read screening case %s: %w", caseID, err)
	}

	return c, nil
}

// casesOf returns an organisation's cases of a name, by the key of the listed name.
func casesOf(ctx context.Context, q db.Querier, organisation, folded string) (map[string]Case, error) {
	rows, err := caseRows.Select(ctx, q, "WHERE organisation = ? AND subject = ?", organisation, folded)

	return db.Keyed(rows, func(c Case) string { return c.Hit.Key }), err
}

// Waiting counts the cases that wait for people, by status.
func Waiting(ctx context.Context, q db.Querier) (map[CaseStatus]int64, error) {
	type row struct {
		status CaseStatus
		n      int64
	}
	rows, err := db.Select(ctx, q, func(r *row) []any { return []any{(*string)(&r.status), &r.n} },
		"SELECT status, count(*) FROM screening_cases WHERE status IN ('OPEN', 'PROPOSED') GROUP BY status")

	out := map[CaseStatus]int64{CaseOpen: 0, CaseProposed: 0}
	for _, r := range rows {
		out[r.status] = r.n
	}

	return out, err
}

// used notes which lists are in use. A second call with the same edition changes nothing. It says whether everything
// stored was held against this edition.
func used(ctx context.Context, d *db.DB, edition string, sources []screening.Source) (swept bool, err error) {
	at, err := db.Value[int64](ctx, d, "SELECT swept_at FROM screening_editions WHERE edition = ?", edition)
	if err == nil {
		return at != 0, nil
	}

	if !errors.Is(err, db.ErrNone) {
		return false, fmt.Errorf("read which lists were used: %w", err)
	}

	text, err := json.Marshal(sources)
	if err != nil {
		return false, fmt.Errorf("write down which lists are used: %w", err)
	}

	return false, d.Write(ctx, func(tx *db.Tx) error {
		tx.Insert(insertEdition, edition, string(text), db.Micros(tx.Now), int64(0))
		return nil
	})
}

// setSwept notes that everything stored was held against an edition, and that it was not against all others: when an
// older one comes back, everything is looked at again.
func setSwept(ctx context.Context, d *db.DB, edition string) error {
	return d.Write(ctx, func(tx *db.Tx) error {
		if _, err := tx.Exec(
			"UPDATE screening_editions SET swept_at = 0 WHERE edition <> ? AND swept_at <> 0",
			edition,
		); err != nil {
			return err
		}

		_, err := tx.Exec("UPDATE screening_editions SET swept_at = ? WHERE edition = ?", db.Micros(tx.Now), edition)

		return err
	})
}
