package epoch

import (
	"context"
	"errors"
	"strings"

	"slipway/internal/core/id"
	"slipway/internal/platform/db"
)

var (
	insertEpoch        = db.InsertInto("epochs", "number, token, instance, created_at")
	insertRereadingRow = db.InsertInto("rereadings", rereadingColumns)
	insertSignRow      = db.InsertInto("rereading_signs", "sign, rereading, created_at")
)

func insertMark(tx *db.Tx, m mark) {
	tx.Insert(insertEpoch, m.number, m.token, m.instance, db.Micros(tx.Now))
}

// newestOwn returns the database's newest epoch, or the zero mark.
func newestOwn(ctx context.Context, q db.Querier) (mark, error) {
	m, err := db.One(ctx, q, func(m *mark) []any { return []any{&m.number, &m.token, &m.instance} },
		"SELECT number, token, instance FROM epochs ORDER BY number DESC LIMIT 1")
	if errors.Is(err, db.ErrNone) {
		return mark{}, nil
	}

	return m, err
}

func hasMark(ctx context.Context, q db.Querier, m mark) (bool, error) {
	const query = "SELECT EXISTS(SELECT 1 FROM epochs WHERE number = ? AND token = ?)"
	return db.Value[bool](ctx, q, query, m.number, m.token)
}

// forgetMarks deletes epochs up to a number.
func forgetMarks(tx *db.Tx, last int64) error {
	_, err := tx.Exec("DELETE FROM epochs WHERE number <= ?", last)
	return err
}

// forgetMarksFrom deletes epochs from a number on.
func forgetMarksFrom(tx *db.Tx, first int64) error {
	_, err := tx.Exec("DELETE FROM epochs WHERE number >= ?", first)
	return err
}

// rereading is a row of rereadings.
type rereading struct {
	ID, Cause, Outside, State, Found, LastError, AskedBy, ApprovedBy, Note string
	CreatedAt, EndedAt                                                     int64
	Sign                                                                   string
}

const rereadingColumns = "id, cause, outside, state, found, last_error, asked_by, approved_by, note, created_at, " +
	"ended_at, sign"

func (r *rereading) dest() []any {
	return []any{
		&r.ID,
		&r.Cause,
		&r.Outside,
		&r.State,
		&r.Found,
		&r.LastError,
		&r.AskedBy,
		&r.ApprovedBy,
		&r.Note,
		&r.CreatedAt,
		&r.EndedAt,
		&r.Sign,
	}
}

func (r rereading) public() Rereading {
	out := Rereading{
		ID:          r.ID,
		Cause:       Cause(r.Cause),
		Explanation: Cause(r.Cause).explanation(),
		Sign:        r.Sign,
		State:       r.State,
		LastError:   r.LastError,
		AskedBy:     r.AskedBy,
		ApprovedBy:  r.ApprovedBy,
		Note:        r.Note,
		At:          db.Time(r.CreatedAt),
		EndedAt:     db.Time(r.EndedAt),
	}
	if r.Found != "" {
		out.Found = strings.Split(r.Found, "\n")
	}

	return out
}

// insertRereading records that the database does not follow. If another one is open, this violates the unique index.
func insertRereading(tx *db.Tx, cause Cause, outside mark) {
	text := ""
	if outside.number > 0 {
		text = outside.text()
	}

	tx.Insert(insertRereadingRow, id.New("rrd", tx.Now), string(cause), text, StateOpen, "", "", "", "", "",
		db.Micros(tx.Now), int64(0), "")
}

// insertSignedRereading records that something outside shows that the database is old.
func insertSignedRereading(tx *db.Tx, sign string) (rereadingID string) {
	rereadingID = id.New("rrd", tx.Now)
	tx.Insert(insertRereadingRow, rereadingID, string(Behind), "", StateOpen, "", "", "", "", "",
		db.Micros(tx.Now), int64(0), sign)

	return rereadingID
}

// insertSign records a sign that a re-reading deals with.
func insertSign(tx *db.Tx, sign, rereadingID string) {
	tx.Insert(insertSignRow, sign, rereadingID, db.Micros(tx.Now))
}

func signKnown(ctx context.Context, q db.Querier, sign string) (bool, error) {
	return db.Value[bool](ctx, q, "SELECT EXISTS(SELECT 1 FROM rereading_signs WHERE sign = ?)", sign)
}

// noteRereading stores the result of a re-reading that has not ended.
func noteRereading(tx *db.Tx, r rereading) {
	tx.Change(
		`UPDATE rereadings
			SET state = ?, found = ?, last_error = ?, asked_by = ?, approved_by = ?, note = ?, ended_at = ?
			WHERE id = ? AND ended_at = 0`,
		r.State,
		r.Found,
		r.LastError,
		r.AskedBy,
		r.ApprovedBy,
		r.Note,
		r.EndedAt,
		r.ID,
	)
}

func anyOpen(ctx context.Context, q db.Querier) (bool, error) {
	return db.Value[bool](ctx, q, "SELECT EXISTS(SELECT 1 FROM rereadings WHERE ended_at = 0)")
}

func openRereading(ctx context.Context, q db.Querier) (rereading, error) {
	return db.One(ctx, q, (*rereading).dest, "SELECT "+rereadingColumns+" FROM rereadings WHERE ended_at = 0")
}

func pastRereadings(ctx context.Context, q db.Querier, limit int) ([]rereading, error) {
	const query = "SELECT " + rereadingColumns + " FROM rereadings ORDER BY id DESC LIMIT ?"
	return db.Select(ctx, q, (*rereading).dest, query, int64(limit))
}
