package approval

import (
	"context"
	"errors"
	"fmt"
	"time"

	"slipway/internal/core/caller"
	"slipway/internal/core/fault"
	"slipway/internal/core/id"
	"slipway/internal/platform/db"
)

const columns = "id, organisation, kind, object, summary, data, authors, requested_by, status, decided_by, " +
	"comment, decided_at, not_before, not_after, outcome, outcome_info, version, created_at"

var insertApproval = db.InsertInto("approvals", columns)

func insert(tx *db.Tx, a Approval) {
	tx.Insert(
		insertApproval,
		a.ID,
		a.Organisation,
		string(a.Kind),
		a.Object,
		a.Summary,
		a.Data,
		string(a.Authors),
		a.RequestedBy,
		string(a.Status),
		a.DecidedBy,
		a.Comment,
		db.Micros(a.DecidedAt),
		db.Micros(a.NotBefore),
		db.Micros(a.NotAfter),
		string(a.Outcome),
		a.OutcomeInfo,
		a.Version,
		db.Micros(a.CreatedAt),
	)
}

// decide writes a decision, or returns db.ErrStale if the row is not PENDING any more. It runs at once and is not
// deferred to the commit: a newer request may follow under the same unique index.
func decide(tx *db.Tx, a Approval) error {
	n, err := tx.Exec(`UPDATE approvals
			SET status = ?, decided_by = ?, comment = ?, decided_at = ?, outcome = ?, version = ?
			WHERE id = ? AND status = 'PENDING'`,
		string(a.Status), a.DecidedBy, a.Comment, db.Micros(a.DecidedAt), string(a.Outcome), a.Version, a.ID)
	if err == nil && n != 1 {
		err = db.ErrStale
	}

	return err
}

// end writes an outcome, or returns db.ErrStale if the row is not WAITING any more.
func end(tx *db.Tx, a Approval) error {
	n, err := tx.Exec(
		"UPDATE approvals SET outcome = ?, outcome_info = ?, version = ? WHERE id = ? AND outcome = 'WAITING'",
		string(a.Outcome), a.OutcomeInfo, a.Version, a.ID)
	if err == nil && n != 1 {
		err = db.ErrStale
	}

	return err
}

type row struct {
	a                               Approval
	decided, before, after, created int64
}

func (r *row) dest() []any {
	a := &r.a

	return []any{
		&a.ID,
		&a.Organisation,
		(*string)(&a.Kind),
		&a.Object,
		&a.Summary,
		&a.Data,
		(*string)(&a.Authors),
		&a.RequestedBy,
		(*string)(&a.Status),
		&a.DecidedBy,
		&a.Comment,
		&r.decided,
		&r.before,
		&r.after,
		(*string)(&a.Outcome),
		&a.OutcomeInfo,
		&a.Version,
		&r.created,
	}
}

func (r *row) approval() Approval {
	a := r.a
	a.DecidedAt = db.Time(r.decided)
	a.NotBefore = db.Time(r.before)
	a.NotAfter = db.Time(r.after)
	a.CreatedAt = db.Time(r.created)

	return a
}

// ByID returns an approval of the organisation. Unknown approvals and those of other organisations are refused with the
// same NOT_FOUND.
func ByID(ctx context.Context, q db.Querier, organisation, approvalID string) (Approval, error) {
	return one(ctx, q, approvalID, " AND organisation = ?", organisation)
}

// byIDAnywhere returns an approval of any organisation, or of the platform.
func byIDAnywhere(ctx context.Context, q db.Querier, approvalID string) (Approval, error) {
	return one(ctx, q, approvalID, "")
}

// one returns an approval that also matches a further condition.
func one(ctx context.Context, q db.Querier, approvalID, condition string, args ...any) (Approval, error) {
	if !id.Valid(prefix, approvalID) {
		return Approval{}, fault.Missing("approval")
	}

	r, err := db.One(ctx, q, (*row).dest,
		"SELECT "+columns+" FROM approvals WHERE id = ?"+condition, append([]any{approvalID}, args...)...)
	if errors.Is(err, db.ErrNone) {
		err = fault.Missing("approval")
	}

	return r.approval(), err
}

// all returns the approvals that match. tail orders and limits them.
func all(ctx context.Context, q db.Querier, w db.Where, tail string, args ...any) ([]Approval, error) {
	rows, err := db.Select(ctx, q, (*row).dest,
		"SELECT "+columns+" FROM approvals"+w.SQL()+tail, append(w.Args, args...)...)
	if err != nil {
		return nil, fmt.Errorf("read approvals: %w", err)
	}

	out := make([]Approval, len(rows))
	for i := range rows {
		out[i] = rows[i].approval()
	}

	return out, nil
}

// openOf returns the open request about a record: none or one.
func openOf(ctx context.Context, q db.Querier, organisation string, k Kind, object string) ([]Approval, error) {
	var w db.Where
	w.And("organisation = ?", organisation)
	w.And("kind = ?", string(k))
	w.And("object = ?", object)
	w.And("status = 'PENDING'")

	return all(ctx, q, w, "")
}

// overdueAt returns requests that nobody has decided in time, oldest first.
func overdueAt(ctx context.Context, q db.Querier, now time.Time, limit int) ([]Approval, error) {
	var w db.Where
	w.And("status = 'PENDING'")
	w.And("not_after > 0")
	w.And("not_after <= ?", db.Micros(now))

	return all(ctx, q, w, " ORDER BY id LIMIT ?", int64(limit))
}

// waiting returns the open requests of an organisation, oldest first.
func waiting(ctx context.Context, q db.Querier, organisation string, limit int) ([]Approval, error) {
	var w db.Where
	w.And("organisation = ?", organisation)
	w.And("status = 'PENDING'")

	return all(ctx, q, w, " ORDER BY id LIMIT ?", int64(limit))
}

// OpenOf returns the open requests about some records, by record.
func OpenOf(
	ctx context.Context, q db.Querier, organisation string, k Kind, objects ...string,
) (map[string]Approval, error) {
	out := map[string]Approval{}
	if len(objects) == 0 {
		return out, nil
	}

	var w db.Where
	w.And("organisation = ?", organisation)
	w.And("kind = ?", string(k))
	w.And("status = 'PENDING'")
	db.In(&w, "object", objects)

	list, err := all(ctx, q, w, "")
	for _, a := range list {
		out[a.Object] = a
	}

	return out, err
}

// HasOpen returns an SQL condition: there is an open request of the platform about the record that a column names.
func HasOpen(k Kind, column string) (condition string, arg any) {
	return "EXISTS (SELECT 1 FROM approvals p WHERE p.organisation = '' AND p.kind = ? AND p.object = " + column +
		" AND p.status = 'PENDING')", string(k)
}

// OpenAbout returns the identifier of the open request about a record, or "".
func OpenAbout(ctx context.Context, q db.Querier, organisation string, k Kind, object string) (string, error) {
	open, err := openOf(ctx, q, organisation, k, object)
	if err != nil || len(open) == 0 {
		return "", err
	}

	return open[0].ID, nil
}

// list returns a page of the approvals that match, newest first unless ascending, and how many match.
func list(
	ctx context.Context, q db.Querier, w db.Where, page caller.Window, ascending bool,
) ([]Approval, int64, error) {
	rows, total, err := db.ReadPage(ctx, q, db.Page{
		Columns: columns,
		Table:   "approvals",
		Where:   w,
		Window:  page,
		Order:   caller.Order{Ascending: ascending},
	}, (*row).dest)

	out := make([]Approval, len(rows))
	for i := range rows {
		out[i] = rows[i].approval()
	}

	return out, total, err
}

// PendingOf returns the approvals of a kind that records of organisations wait for, by record.
func PendingOf(
	ctx context.Context,
	q db.Querier,
	kind Kind,
	organisations, objects []string,
) (map[string]string, error) {
	out := map[string]string{}
	if len(objects) == 0 {
		return out, nil
	}

	var w db.Where
	db.In(&w, "organisation", organisations)
	w.And("kind = ?", string(kind))
	w.And("status = 'PENDING'")
	db.In(&w, "object", objects)

	type open struct{ object, id string }

	rows, err := db.Select(ctx, q, func(x *open) []any { return []any{&x.object, &x.id} },
		"SELECT object, id FROM approvals"+w.SQL(), w.Args...)
	for _, x := range rows {
		out[x.object] = x.id
	}

	return out, err
}
