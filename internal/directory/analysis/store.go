package analysis

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/go-json-experiment/json"

	"slipway/internal/core/caller"
	"slipway/internal/core/fault"
	"slipway/internal/core/id"
	"slipway/internal/platform/db"
	"slipway/internal/rails/screening"
)

const (
	recordColumns = "id, organisation, kind, subject, network, object, purpose, status, message, reference, hits, " +
		"asked_at, created_at"
	caseColumns = "id, organisation, subject, name, hit, listed, object, status, proposal, proposed_by, " +
		"decided_by, reason, version, created_at, updated_at"
)

var (
	insertRecord  = db.InsertInto("screenings", recordColumns)
	insertCase    = db.InsertInto("screening_cases", caseColumns).OrIgnore("(organisation, subject, hit)")
	insertEdition = db.InsertInto("screening_editions", "edition, sources, used_from, swept_at").OrIgnore("(edition)")
)

// Insert puts a record down, in the write in which its answer takes effect.
func Insert(tx *db.Tx, r Record) error {
	hits, err := json.Marshal(r.Hits)
	if err != nil {
		return fmt.Errorf("write down the hits of %s: %w", r.ID, err)
	}

	tx.Insert(
		insertRecord,
		r.ID,
		r.Organisation,
		string(r.Kind),
		r.Subject,
		r.Network,
		r.Object,
		string(r.Purpose),
		string(r.Status),
		r.Message,
		r.Reference,
		string(hits),
		db.Micros(r.AskedAt),
		db.Micros(tx.Now),
	)

	return nil
}

type recordRow struct {
	r           Record
	hits        string
	asked, made int64
}

func (v *recordRow) dest() []any {
	r := &v.r

	return []any{
		&r.ID,
		&r.Organisation,
		(*string)(&r.Kind),
		&r.Subject,
		&r.Network,
		&r.Object,
		(*string)(&r.Purpose),
		(*string)(&r.Status),
		&r.Message,
		&r.Reference,
		&v.hits,
		&v.asked,
		&v.made,
	}
}

func (v *recordRow) value() (Record, error) {
	r := v.r
	r.AskedAt = db.Time(v.asked)
	r.At = db.Time(v.made)

	return r, json.Unmarshal([]byte(v.hits), &r.Hits)
}

// page returns a page of rows that match, the newest first, and how many match.
func page[R, V any](
	ctx context.Context,
	q db.Querier,
	table, columns string,
	w db.Where,
	p caller.Window,
	dest func(*R) []any,
	value func(*R) (V, error),
) ([]V, int64, error) {
	rows, total, err := db.ReadPage(ctx, q, db.Page{
		Columns: columns,
		Table:   table,
		Where:   w,
		Window:  p,
	}, dest)
	if err != nil {
		return nil, 0, err
	}

	out := make([]V, len(rows))
	for i := range rows {
		if out[i], err = value(&rows[i]); err != nil {
			return nil, 0, fmt.Errorf("read %s: %w", table, err)
		}
	}

	return out, total, nil
}

// Records returns what is on record about an object, the newest first, at most limit.
func Records(ctx context.Context, q db.Querier, object string, limit int) ([]Record, error) {
	var w db.Where
	w.And("object = ?", object)
	out, _, err := page(
		ctx,
		q,
		"screenings",
		recordColumns,
		w,
		caller.Window{Limit: limit},
		(*recordRow).dest,
		(*recordRow).value,
	)

	return out[:min(len(out), limit)], err
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

type caseRow struct {
	c              Case
	hit, listed    string
	created, since int64
}

func (v *caseRow) dest() []any {
	c := &v.c

	return []any{
		&c.ID,
		&c.Organisation,
		&c.Subject,
		&c.Name,
		&v.hit,
		&v.listed,
		&c.Object,
		(*string)(&c.Status),
		(*string)(&c.Said.Verdict),
		&c.Said.ProposedBy,
		&c.Said.DecidedBy,
		&c.Said.Reason,
		&c.Version,
		&v.created,
		&v.since,
	}
}

func (v *caseRow) value() (Case, error) {
	c := v.c
	c.CreatedAt = db.Time(v.created)
	c.UpdatedAt = db.Time(v.since)

	return c, json.Unmarshal([]byte(v.listed), &c.Hit)
}

// insertNewCase opens a case; when another request has opened it at the same moment, that one stands.
func insertNewCase(tx *db.Tx, c Case) error {
	listed, err := json.Marshal(c.Hit)
	if err != nil {
		return fmt.Errorf("write down the hit of %s: %w", c.ID, err)
	}

	tx.Insert(
		insertCase,
		c.ID,
		c.Organisation,
		c.Subject,
		c.Name,
		c.Hit.Key,
		string(listed),
		c.Object,
		string(c.Status),
		string(c.Said.Verdict),
		c.Said.ProposedBy,
		c.Said.DecidedBy,
		c.Said.Reason,
		c.Version,
		db.Micros(tx.Now),
		db.Micros(tx.Now),
	)

	return nil
}

// updateCase writes what a person's word changes in a case that was read at its version, and returns it with its next
// one.
func updateCase(tx *db.Tx, c Case) Case {
	was := c.Version
	c.Version = was + 1
	c.UpdatedAt = tx.Now
	tx.Change(
		`UPDATE screening_cases
			SET status = ?, proposal = ?, proposed_by = ?, decided_by = ?, reason = ?, version = ?, updated_at = ?
			WHERE id = ? AND version = ?`,
		string(c.Status),
		string(c.Said.Verdict),
		c.Said.ProposedBy,
		c.Said.DecidedBy,
		c.Said.Reason,
		c.Version,
		db.Micros(c.UpdatedAt),
		c.ID,
		was,
	)

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

	v, err := db.One(ctx, q, (*caseRow).dest, "SELECT "+caseColumns+" FROM screening_cases WHERE id = ?", caseID)
	if errors.Is(err, db.ErrNone) {
		return Case{}, fault.Missing("screening case")
	}

	if err != nil {
		return Case{}, fmt.Errorf("read screening case %s: %w", caseID, err)
	}

	return v.value()
}

// casesOf returns an organisation's cases of a name, by the key of the listed name.
func casesOf(ctx context.Context, q db.Querier, organisation, folded string) (map[string]Case, error) {
	rows, err := db.Select(
		ctx,
		q,
		(*caseRow).dest,
		"SELECT "+caseColumns+" FROM screening_cases WHERE organisation = ? AND subject = ?",
		organisation,
		folded,
	)
	if err != nil {
		return nil, fmt.Errorf("read the screening cases of a name: %w", err)
	}

	out := make(map[string]Case, len(rows))
	for i := range rows {
		c, err := rows[i].value()
		if err != nil {
			return nil, err
		}

		out[rows[i].hit] = c
	}

	return out, nil
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
