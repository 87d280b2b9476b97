package db

import (
	"context"
	"errors"
	"strings"
	"time"
)

// Tx is one run of a write body. It is good only inside the body.
type Tx struct {
	Now  time.Time // the one time of this transaction
	s    *session
	r    *request
	over bool
}

var errOver = errors.New("a Tx was used after its body had returned")

// Query reads inside the transaction. Everything the group has asked to write is sent first, so the read sees it.
func (t *Tx) Query(ctx context.Context, query string, args ...any) (Rows, error) {
	if err := t.ready(); err != nil {
		return nil, err
	}
	t.s.d.watched(query, args)
	if !strings.HasPrefix(query, "SELECT") { // an UPDATE … RETURNING writes
		t.r.sent = true
	}
	rows, err := t.s.w.query(ctx, query, args)
	if err != nil {
		t.s.fail(err)
		return nil, err
	}
	return txRows{rows, t.s}, nil
}

// txRows notes an error that comes while rows are read: PostgreSQL's driver tells most errors of a query only there, and after one
// nothing of the transaction can be committed.
type txRows struct {
	Rows
	s *session
}

// Err gives the error that ended the rows.
func (r txRows) Err() error {
	err := r.Rows.Err()
	r.s.fail(err)
	return err
}

// Close ends the reading; rows that were left may hold an error.
func (r txRows) Close() {
	r.Rows.Close()
	r.s.fail(r.Rows.Err())
}

// Exec runs a statement now and gives the number of rows it touched. Prefer Insert and Change, which travel together.
func (t *Tx) Exec(query string, args ...any) (int64, error) {
	if err := t.ready(); err != nil {
		return 0, err
	}
	t.s.d.watched(query, args)
	t.r.sent = true
	n, err := t.s.w.exec(query, args)
	t.s.fail(err)
	return n, err
}

func (t *Tx) ready() error {
	if t.over {
		return errOver
	}
	if err := t.s.flush(); err != nil {
		return err
	}
	return t.s.begin()
}

// Insert asks for one row. It is written with the rows of others in one statement; a broken unique index comes out of Write as
// Unique. Rows of one body are written before its changes.
func (t *Tx) Insert(into *Insert, args ...any) {
	if t.over || len(args) != len(into.columns) {
		panic("insert into " + into.table + ": wrong number of values, or the body is over")
	}
	t.r.inserts = append(t.r.inserts, insertRow{into: into, args: args})
}

// Change asks for an UPDATE or DELETE that must touch exactly one row: its WHERE carries the version or status that was read. If it
// touches none, the transaction is undone and Write answers ErrStale; the caller reads again and says why.
func (t *Tx) Change(query string, args ...any) {
	if t.over {
		panic(errOver)
	}
	t.s.d.watched(query, args)
	t.r.changes = append(t.r.changes, pendingChange{query: query, args: args})
}

// OnCommit runs f after the commit, once, and not at all if there is none. f must not block: it wakes a worker or drops a cache entry.
func (t *Tx) OnCommit(f func()) { t.r.onCommit = append(t.r.onCommit, f) }
