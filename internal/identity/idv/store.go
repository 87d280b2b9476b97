package idv

import (
	"context"
	"time"

	"slipway/internal/core/id"
	"slipway/internal/identity/organisation"
	"slipway/internal/platform/db"
	provider "slipway/internal/rails/idv"
)

// This file holds all SQL of applicants and of the provider's events. Nobody joins on these tables.

var (
	// applicantRows changes nothing if the subject has an applicant.
	applicantRows = db.NewTable("idv_applicants", (*Applicant).columns).OrIgnore("(subject)")
	changeRows    = applicantRows.Only("applicant_id", "level_name", "status", "review_status", "review_answer",
		"reject_type", "reject_labels", "moderation_comment", "reviewed_at", "event_at", "check_at", "watch_until",
		"version", "updated_at")
	// eventRows changes nothing if the event was delivered before.
	eventRows = db.NewTable("idv_events", (*inboxRow).columns).OrIgnore("(identity)")
	endRows   = eventRows.Only("state", "outcome", "ended_at")
)

// rawEvents holds the bytes of the provider's events.
var rawEvents = db.SealBytes("idv_events", "raw", "id")

// Sealed returns the sealed columns.
func Sealed() []*db.Sealed { return []*db.Sealed{rawEvents} }

func (a *Applicant) columns(c *db.Columns) {
	c.Text("id", &a.ID)
	c.Text("kind", (*string)(&a.Kind))
	c.Text("subject", &a.Subject)
	c.Text("applicant_id", &a.ApplicantID)
	c.Text("level_name", &a.Level)
	c.Text("status", (*string)(&a.Status))

	c.Text("review_status", &a.review.status)
	c.Text("review_answer", &a.review.answer)
	c.Text("reject_type", &a.review.rejectType)
	c.Words("reject_labels", &a.review.labels)
	c.Text("moderation_comment", &a.review.comment)
	c.Time("reviewed_at", &a.review.at)

	c.Time("event_at", &a.eventAt)
	c.Time("check_at", &a.checkAt)
	c.Time("watch_until", &a.watchUntil)
	c.Int64("version", &a.Version)
	c.Time("created_at", &a.CreatedAt)
	c.Time("updated_at", &a.UpdatedAt)
}

// bySubject returns the applicant of a user or an organisation, or db.ErrNone.
func bySubject(ctx context.Context, q db.Querier, subject string) (Applicant, error) {
	return applicantRows.One(ctx, q, "WHERE subject = ?", subject)
}

// bySubjects returns the applicants of those subjects that have one.
func bySubjects(ctx context.Context, q db.Querier, subjects []string) ([]Applicant, error) {
	if len(subjects) == 0 {
		return nil, nil
	}

	var w db.Where
	db.In(&w, "subject", subjects)

	return applicantRows.Where(ctx, q, w, "")
}

// byApplicant returns the applicant that the provider has under this identifier, or db.ErrNone.
func byApplicant(ctx context.Context, q db.Querier, applicantID string) (Applicant, error) {
	return applicantRows.One(ctx, q, "WHERE applicant_id = ? AND applicant_id <> ''", applicantID)
}

// update writes an applicant and returns it with the new version. If the row was changed since it was read, the write
// fails with db.ErrStale.
func update(tx *db.Tx, a Applicant) Applicant {
	version := a.Version
	a.Version++
	a.UpdatedAt = tx.Now
	a.checkAt = a.nextCheck(tx.Now)
	changeRows.Change(tx, &a, "id = ? AND version = ?", a.ID, version)

	return a
}

// writeUncreated writes the row of an applicant that the provider is asked to create. An existing row stays as it is.
func writeUncreated(tx *db.Tx, sub subject) {
	applicantRows.Insert(tx, &Applicant{
		ID:        id.New(applicantPrefix, tx.Now),
		Kind:      sub.kind,
		Subject:   sub.id,
		Level:     sub.level,
		Status:    organisation.Pending,
		Version:   1,
		CreatedAt: tx.Now,
		UpdatedAt: tx.Now,
	})
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

// inboxRow is an event.
type inboxRow struct {
	id, identity, what, applicantID, userID string
	at, received, ended                     time.Time // by the provider's clock, and the others by ours
	raw                                     []byte
	state, outcome                          string
	tries                                   int64
}

func (e *inboxRow) columns(c *db.Columns) {
	c.Text("id", &e.id)
	c.Text("identity", &e.identity)
	c.Text("type", &e.what)
	c.Text("applicant_id", &e.applicantID)
	c.Text("external_user_id", &e.userID)
	c.Time("provider_at", &e.at)
	c.SealedBytes(rawEvents, db.Key{&e.id}, &e.raw)
	c.Text("state", &e.state)
	c.Text("outcome", &e.outcome)
	c.Int64("tries", &e.tries)
	c.Time("received_at", &e.received)
	c.Time("ended_at", &e.ended)
}

// maxOpen bounds how many events of one applicant are processed together; the others come next.
const maxOpen = 200

// writeEvent writes an event into the inbox. One with an outcome has ended.
func writeEvent(tx *db.Tx, e provider.Event, raw []byte, identity, outcome string) {
	event := inboxRow{
		id:          id.New(eventPrefix, tx.Now),
		identity:    identity,
		what:        e.Type,
		applicantID: e.ApplicantID,
		userID:      e.ExternalUserID,
		at:          e.CreatedAt,
		raw:         raw,
		state:       received,
		outcome:     outcome,
		received:    tx.Now,
	}

	if outcome != "" {
		event.state = ignored
		event.ended = tx.Now
	}

	eventRows.Insert(tx, &event)
}

// openEvents returns the waiting events of a subject, the oldest by the provider's time first.
func openEvents(ctx context.Context, q db.Querier, subject string) ([]inboxRow, error) {
	return eventRows.Select(
		ctx,
		q,
		"WHERE external_user_id = ? AND state = 'RECEIVED' ORDER BY provider_at, id LIMIT ?",
		subject,
		int64(maxOpen),
	)
}

// end writes the outcome of an event. If another process has ended it, the write fails with db.ErrStale.
func end(tx *db.Tx, e inboxRow, state, outcome string) {
	e.state = state
	e.outcome = outcome
	e.ended = tx.Now
	endRows.Change(tx, &e, "id = ? AND state = 'RECEIVED'", e.id)
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
