package idv

import (
	"context"
	"strings"
	"time"

	"slipway/internal/core/id"
	"slipway/internal/identity/organisation"
	"slipway/internal/platform/db"
	provider "slipway/internal/rails/idv"
)

// This file holds all SQL of applicants and of the provider's events. Nobody joins on these tables.

var (
	// insertApplicant changes nothing if the subject has an applicant.
	insertApplicant = db.InsertInto(
		"idv_applicants",
		"id, kind, subject, level_name, status, version, created_at, updated_at",
	).OrIgnore("(subject)")
	// insertEvent changes nothing if the event was delivered before.
	insertEvent = db.InsertInto(
		"idv_events",
		"id, identity, type, applicant_id, external_user_id, provider_at, raw, state, outcome, received_at, ended_at",
	).OrIgnore("(identity)")
)

// rawEvents holds the bytes of the provider's events.
var rawEvents = db.SealBytes("idv_events", "raw", "id")

// Sealed returns the sealed columns.
func Sealed() []*db.Sealed { return []*db.Sealed{rawEvents} }

const selectApplicant = `SELECT id, kind, subject, applicant_id, level_name, status, review_status, review_answer,
	reject_type, reject_labels, moderation_comment, reviewed_at, event_at, check_at, watch_until, version,
	created_at, updated_at FROM idv_applicants WHERE `

type applicantRow struct {
	Applicant
	kind, status, labels                                   string
	reviewed, event, check, watchUntil, created, updatedAt int64
}

func (r *applicantRow) dest() []any {
	return []any{
		&r.ID,
		&r.kind,
		&r.Subject,
		&r.ApplicantID,
		&r.Level,
		&r.status,
		&r.review.status,
		&r.review.answer,
		&r.review.rejectType,
		&r.labels,
		&r.review.comment,
		&r.reviewed,
		&r.event,
		&r.check,
		&r.watchUntil,
		&r.Version,
		&r.created,
		&r.updatedAt,
	}
}

func (r *applicantRow) applicant() Applicant {
	a := r.Applicant
	a.Kind = provider.Kind(r.kind)
	a.Status = organisation.Status(r.status)
	a.review.labels = db.Words(r.labels)
	a.review.at = db.Time(r.reviewed)
	a.eventAt = db.Time(r.event)
	a.checkAt = db.Time(r.check)
	a.watchUntil = db.Time(r.watchUntil)
	a.CreatedAt = db.Time(r.created)
	a.UpdatedAt = db.Time(r.updatedAt)

	return a
}

// bySubject returns the applicant of a user or an organisation, or db.ErrNone.
func bySubject(ctx context.Context, q db.Querier, subject string) (Applicant, error) {
	r, err := db.One(ctx, q, (*applicantRow).dest, selectApplicant+"subject = ?", subject)
	return r.applicant(), err
}

// bySubjects returns the applicants of those subjects that have one.
func bySubjects(ctx context.Context, q db.Querier, subjects []string) ([]Applicant, error) {
	if len(subjects) == 0 {
		return nil, nil
	}

	var w db.Where
	db.In(&w, "subject", subjects)

	rows, err := db.Select(ctx, q, (*applicantRow).dest,
		strings.TrimSuffix(selectApplicant, " WHERE ")+w.SQL(), w.Args...)

	out := make([]Applicant, len(rows))
	for i := range rows {
		out[i] = rows[i].applicant()
	}

	return out, err
}

// byApplicant returns the applicant that the provider has under this identifier, or db.ErrNone.
func byApplicant(ctx context.Context, q db.Querier, applicantID string) (Applicant, error) {
	r, err := db.One(ctx, q, (*applicantRow).dest,
		selectApplicant+"applicant_id = ? AND applicant_id <> ''", applicantID)

	return r.applicant(), err
}

// update writes an applicant and returns it with the new version. If the row was changed since it was read, the write
// fails with db.ErrStale.
func update(tx *db.Tx, a Applicant) Applicant {
	version := a.Version
	a.Version++
	a.UpdatedAt = tx.Now
	a.checkAt = a.nextCheck(tx.Now)
	tx.Change(
		`UPDATE idv_applicants
			SET applicant_id = ?, level_name = ?, status = ?, review_status = ?, review_answer = ?,
			reject_type = ?, reject_labels = ?, moderation_comment = ?, reviewed_at = ?, event_at = ?,
			check_at = ?, watch_until = ?, version = ?, updated_at = ?
			WHERE id = ? AND version = ?`,
		a.ApplicantID,
		a.Level,
		string(a.Status),
		a.review.status,
		a.review.answer,
		a.review.rejectType,
		strings.Join(a.review.labels, ","),
		a.review.comment,
		db.Micros(a.review.at),
		db.Micros(a.eventAt),
		db.Micros(a.checkAt),
		db.Micros(a.watchUntil),
		a.Version,
		db.Micros(a.UpdatedAt),
		a.ID,
		version,
	)

	return a
}

// writeUncreated writes the row of an applicant that the provider is asked to create. An existing row stays as it is.
func writeUncreated(tx *db.Tx, sub subject) {
	tx.Insert(
		insertApplicant,
		id.New(applicantPrefix, tx.Now),
		string(sub.kind),
		sub.id,
		sub.level,
		string(organisation.Pending),
		int64(1),
		db.Micros(tx.Now),
		db.Micros(tx.Now),
	)
}

// makeAllDue makes every applicant due, and returns how many there are.
func makeAllDue(tx *db.Tx) (int64, error) {
	return tx.Exec("UPDATE idv_applicants SET check_at = ? WHERE applicant_id <> ''", db.Micros(tx.Now))
}

// makeDue makes the applicant of a subject due.
func makeDue(tx *db.Tx, subject string) error {
	_, err := tx.Exec(
		"UPDATE idv_applicants SET check_at = ? WHERE subject = ? AND applicant_id <> ''",
		db.Micros(tx.Now),
		subject,
	)

	return err
}

// deleteUncreated deletes the row of an applicant that the provider has refused to create.
func deleteUncreated(tx *db.Tx, subject string) error {
	_, err := tx.Exec("DELETE FROM idv_applicants WHERE subject = ? AND applicant_id = ''", subject)
	return err
}

// due returns the subjects about which the provider is to be asked, those that have waited longest first.
func due(ctx context.Context, q db.Querier, now time.Time, limit int) ([]string, error) {
	return db.Select(ctx, q, func(s *string) []any { return []any{s} },
		"SELECT subject FROM idv_applicants WHERE check_at > 0 AND check_at <= ? ORDER BY check_at, id LIMIT ?",
		db.Micros(now), int64(limit))
}

// The states of an event.
const (
	received = "RECEIVED" // the job acts next
	applied  = "APPLIED"
	ignored  = "IGNORED"
)

// inboxRow is an event that waits.
type inboxRow struct {
	id, applicantID string
	at, received    time.Time // by the provider's clock and by ours
	raw             []byte
	tries           int64
}

// maxOpen bounds how many events of one applicant are processed together; the others come next.
const maxOpen = 200

// writeEvent writes an event into the inbox. One with an outcome has ended.
func writeEvent(tx *db.Tx, e provider.Event, raw []byte, identity, outcome string) {
	state := received
	ended := int64(0)

	if outcome != "" {
		state = ignored
		ended = db.Micros(tx.Now)
	}

	eventID := id.New(eventPrefix, tx.Now)

	tx.Insert(
		insertEvent,
		eventID,
		identity,
		e.Type,
		e.ApplicantID,
		e.ExternalUserID,
		db.Micros(e.CreatedAt),
		rawEvents.OfBytes(db.Key{eventID}, raw),
		state,
		outcome,
		db.Micros(tx.Now),
		ended,
	)
}

// openEvents returns the waiting events of a subject, the oldest by the provider's time first.
func openEvents(ctx context.Context, q db.Querier, subject string) ([]inboxRow, error) {
	type row struct {
		inboxRow
		at, received int64
	}

	dest := func(r *row) []any {
		raw := rawEvents.IntoBytes(db.Key{&r.id}, &r.raw)

		return []any{
			&r.id,
			&r.applicantID,
			&r.at,
			&r.received,
			raw,
			&r.tries,
		}
	}

	rows, err := db.Select(ctx, q, dest, `SELECT id, applicant_id, provider_at, received_at, raw, tries
		FROM idv_events WHERE external_user_id = ? AND state = 'RECEIVED'
		ORDER BY provider_at, id LIMIT ?`,
		subject, int64(maxOpen))

	out := make([]inboxRow, len(rows))
	for i, r := range rows {
		out[i] = r.inboxRow
		out[i].at = db.Time(r.at)
		out[i].received = db.Time(r.received)
	}

	return out, err
}

// end writes the outcome of an event. If another process has ended it, the write fails with db.ErrStale.
func end(tx *db.Tx, e inboxRow, state, outcome string) {
	tx.Change("UPDATE idv_events SET state = ?, outcome = ?, ended_at = ? WHERE id = ? AND state = 'RECEIVED'",
		state, outcome, db.Micros(tx.Now), e.id)
}

// countTry counts that the provider's review contradicted the event, which stays RECEIVED.
func countTry(tx *db.Tx, e inboxRow) {
	tx.Change("UPDATE idv_events SET tries = tries + 1 WHERE id = ? AND state = 'RECEIVED' AND tries = ?",
		e.id, e.tries)
}

// delivered reports whether an event was delivered before.
func delivered(ctx context.Context, q db.Querier, identity string) (bool, error) {
	n, err := db.Value[int64](ctx, q, "SELECT count(*) FROM idv_events WHERE identity = ?", identity)
	return n > 0, err
}

// Forget deletes events that ended before a time, at most limit, and returns how many. The housekeeping job calls it.
func (s *Service) Forget(ctx context.Context, before time.Time, limit int) (n int64, err error) {
	err = s.db.Write(ctx, func(tx *db.Tx) error {
		n, err = tx.Exec(`DELETE FROM idv_events WHERE id IN (SELECT id FROM idv_events
				WHERE ended_at > 0 AND ended_at < ? ORDER BY ended_at LIMIT ?)`,
			db.Micros(before), int64(limit))

		return err
	})

	return n, err
}
