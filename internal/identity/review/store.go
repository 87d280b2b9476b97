package review

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/go-json-experiment/json"

	"slipway/internal/core/id"
	"slipway/internal/platform/db"
)

// All SQL of cases.

var (
	caseTable     = db.NewTable("review_cases", (*caseRow).columns)
	documentTable = db.NewTable("review_documents", (*Document).columns)
	commentTable  = db.NewTable("review_comments", (*Comment).columns)

	sealedCases    = db.SealColumn("review_cases", "personal", "id")
	sealedComments = db.SealColumn("review_comments", "sealed", "id")

	insertVisitRow = db.InsertInto("review_visits", "hash, case_id, kind, expires_at")
)

// Sealed returns the sealed columns.
func Sealed() []*db.Sealed { return []*db.Sealed{sealedCases, sealedComments} }

// The kinds of visits.
const (
	kindToken = "TOKEN"
	kindVisit = "VISIT"
)

type caseRow struct {
	Case

	form, registered string
}

// columns lists every column once. A new field needs one line here.
func (r *caseRow) columns(c *db.Columns) {
	c.Text("id", &r.ID)
	c.Text("kind", (*string)(&r.Kind))
	c.Text("subject", &r.Subject)
	c.Text("level_name", &r.Level)
	c.Text("status", (*string)(&r.Status))
	c.Bool("retry", &r.Retry)
	c.Sealed(sealedCases, db.Key{&r.ID}, &r.form, &r.registered, &r.Comment, &r.ProposedWords)
	c.JSON("checklist", &r.Checklist)
	c.Text("screening", (*string)(&r.Screening))
	c.Int64("basis", &r.Basis)
	c.Text("proposal", (*string)(&r.Proposal))
	c.Text("proposed_by", &r.ProposedBy)
	c.Int64("proposed_basis", &r.ProposedBasis)
	c.Text("decided_by", &r.DecidedBy)
	c.Time("submitted_at", &r.SubmittedAt)
	c.Time("decided_at", &r.DecidedAt)
	c.Int64("version", &r.Version)
	c.Time("created_at", &r.CreatedAt)
	c.Time("updated_at", &r.UpdatedAt)
}

func rowOf(c Case) *caseRow {
	return &caseRow{Case: c, form: encoded(c.Form), registered: encoded(c.Registered)}
}

func encoded(answers map[string]string) string {
	text, err := json.Marshal(answers, json.Deterministic(true))
	if err != nil {
		panic(fmt.Sprintf("a map of texts is not encoded: %v", err)) // it always is
	}

	return string(text)
}

func (r *caseRow) value() (Case, error) {
	c := r.Case
	c.Form = map[string]string{}
	c.Registered = map[string]string{}

	err := errors.Join(
		json.Unmarshal([]byte(r.form), &c.Form),
		json.Unmarshal([]byte(r.registered), &c.Registered),
	)
	if err != nil {
		return c, fmt.Errorf("form of case %s: %w", c.ID, err)
	}

	if c.Checklist == nil {
		c.Checklist = map[string]Tick{}
	}

	return c, nil
}

func insert(tx *db.Tx, c Case) { caseTable.Insert(tx, rowOf(c)) }

// update writes a case in place of the version that was read. If it was changed since, the write fails with
// db.ErrStale.
func update(tx *db.Tx, c Case) {
	before := c.Version
	c.Version++
	c.UpdatedAt = tx.Now
	caseTable.Update(tx, rowOf(c), before)
}

func byID(ctx context.Context, q db.Querier, caseID string) (Case, error) {
	return one(ctx, q, "WHERE id = ?", caseID)
}

func bySubject(ctx context.Context, q db.Querier, subject string) (Case, error) {
	return one(ctx, q, "WHERE subject = ?", subject)
}

func one(ctx context.Context, q db.Querier, where string, args ...any) (Case, error) {
	r, err := caseTable.One(ctx, q, where, args...)
	if err != nil {
		return Case{}, err
	}

	return r.value()
}

// columns lists every column once.
func (d *Document) columns(c *db.Columns) {
	c.Text("document", &d.Key)
	c.Text("case_id", &d.Case)
	c.Text("kind", &d.Kind)
	c.Time("created_at", &d.CreatedAt)
}

func insertDocument(tx *db.Tx, d Document) { documentTable.Insert(tx, &d) }

func documentsOf(ctx context.Context, q db.Querier, caseID string) ([]Document, error) {
	return documentTable.Select(
		ctx,
		q,
		"WHERE case_id = ? ORDER BY created_at, document LIMIT ?",
		caseID,
		int64(maxDocuments),
	)
}

// columns lists every column once.
func (m *Comment) columns(c *db.Columns) {
	c.Text("id", &m.ID)
	c.Text("case_id", &m.Case)
	c.Text("author", &m.Author)
	c.Sealed(sealedComments, db.Key{&m.ID}, &m.Text)
	c.Time("created_at", &m.CreatedAt)
}

// maxComments is how many comments of a case are shown, the newest of them.
const maxComments = 200

func insertComment(tx *db.Tx, caseID, author, text string) {
	commentTable.Insert(tx, &Comment{
		ID:        id.New("rvc", tx.Now),
		Case:      caseID,
		Author:    author,
		Text:      text,
		CreatedAt: tx.Now,
	})
}

func commentsOf(ctx context.Context, q db.Querier, caseID string) ([]Comment, error) {
	return commentTable.Select(
		ctx,
		q,
		"WHERE case_id = ? ORDER BY created_at DESC, id DESC LIMIT ?",
		caseID,
		int64(maxComments),
	)
}

func insertVisit(tx *db.Tx, hash, caseID, kind string, expires time.Time) {
	tx.Insert(insertVisitRow, hash, caseID, kind, db.Micros(expires))
}

// visited returns the case that a secret opens, or db.ErrNone.
func visited(ctx context.Context, q db.Querier, hash, kind string, now time.Time) (string, error) {
	return db.Value[string](
		ctx,
		q,
		"SELECT case_id FROM review_visits WHERE hash = ? AND kind = ? AND expires_at > ?",
		hash,
		kind,
		db.Micros(now),
	)
}

func endVisit(tx *db.Tx, hash string) error {
	n, err := tx.Exec("DELETE FROM review_visits WHERE hash = ?", hash)
	if err == nil && n != 1 {
		err = db.ErrStale
	}

	return err
}

// Forget deletes visits that have expired, and returns how many. The housekeeping job calls it.
func (s *Service) Forget(ctx context.Context) (n int64, err error) {
	err = s.DB.Write(ctx, func(tx *db.Tx) error {
		n, err = tx.Exec("DELETE FROM review_visits WHERE expires_at <= ?", db.Micros(tx.Now))
		return err
	})

	return n, err
}
