package db

import (
	"context"
	"errors"
	"fmt"
	"runtime/debug"
	"slices"
	"strings"
	"time"
)

// Tx is one run of a write body. It is valid only inside the body.
type Tx struct {
	Now  time.Time // the time of the group that commits together
	d    *DB
	s    *session
	r    *request
	over bool
}

// Sign returns the proof that this service has written a text, or "" if the database was opened without a Sign
// function.
func (t *Tx) Sign(text string) string {
	if t.d.sign == nil {
		return ""
	}

	return t.d.sign(text)
}

var errOver = errors.New("a Tx was used after its body had returned")

// Query reads inside the transaction. Everything that the group has asked to write is sent first, so the read sees it.
func (t *Tx) Query(ctx context.Context, query string, args ...any) (Rows, error) {
	if err := t.ready(); err != nil {
		return nil, err
	}

	t.d.watched(query, args)

	if !strings.HasPrefix(query, "SELECT") { // an UPDATE … RETURNING writes
		t.r.sent = true
	}

	rows, err := t.s.w.query(ctx, query, args)
	if err != nil {
		t.s.fail(err)
		return nil, err
	}

	return txRows{rows, t.s, t.d}, nil
}

// txRows records errors that come while rows are read. PostgreSQL's driver returns most errors of a query only there,
// and after one the transaction cannot be committed.
type txRows struct {
	Rows
	s *session
	d *DB
}

// Scan reads a row.
func (r txRows) Scan(dest ...any) error { return r.d.scan(r.Rows, dest) }

// Err returns the error that ended the rows.
func (r txRows) Err() error {
	err := r.Rows.Err()
	r.s.fail(err)
	return err
}

// Close ends the reading. Rows that were not read may still return an error.
func (r txRows) Close() {
	r.Rows.Close()
	r.s.fail(r.Rows.Err())
}

// Exec runs a statement now and returns the number of rows it touched. Prefer Insert and Change, which are sent
// together.
func (t *Tx) Exec(query string, args ...any) (int64, error) {
	if err := t.ready(); err != nil {
		return 0, err
	}

	t.d.Seal(args)
	t.d.watched(query, args)
	t.r.sent = true
	n, err := t.s.w.exec(query, args)
	t.s.fail(err)
	t.s.wrote = t.s.wrote || n > 0

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

// run calls a body. A panic in it becomes an error, so that it cannot end a writer.
func (t *Tx) run(body func(tx *Tx) error) (err error) {
	defer func() {
		t.over = true

		if p := recover(); p != nil {
			err = fmt.Errorf("panic in a write body: %v\n%s", p, debug.Stack())
		}
	}()

	return body(t)
}

// Insert asks for one row. It is written in one statement with the rows of others. Write returns a violated unique
// index as Unique. Rows of one body are written before its changes.
func (t *Tx) Insert(into *Insert, args ...any) {
	if t.over || len(args) != len(into.columns) {
		panic("insert into " + into.table + ": wrong number of values, or the body is over")
	}

	t.d.Seal(args)
	t.r.inserts = append(t.r.inserts, insertRow{into: into, args: args})
}

// insertAll asks for n rows, whose values follow each other.
func (t *Tx) insertAll(into *Insert, n int, values []any) {
	t.r.inserts = slices.Grow(t.r.inserts, n)

	for range n {
		row := values[:len(into.columns):len(into.columns)]
		values = values[len(row):]
		t.Insert(into, row...)
	}
}

// Change asks for an UPDATE or DELETE that must touch exactly one row: its WHERE contains the version or status that
// was read. If it touches none, the transaction is rolled back and Write returns ErrStale. The caller then reads again
// and finds the reason.
func (t *Tx) Change(query string, args ...any) {
	if t.over {
		panic(errOver)
	}

	t.d.Seal(args)
	t.d.watched(query, args)
	t.r.changes = append(t.r.changes, pendingChange{query: query, args: args, part: t.r.part})
}

// Apart begins a part of the body. The caller promises that no part changes a row which another part changes, or which
// a condition of another part depends on. So changes of different parts have no order, and those with the same text may
// be sent as one statement. Within a part the order stays. A body that decides about many records of one kind calls it
// before each.
func (t *Tx) Apart() { t.r.part++ }

// OnCommit runs f once after the commit, and never if there is no commit. f must not block: it should only wake a
// worker or drop a cache entry.
func (t *Tx) OnCommit(f func()) { t.r.onCommit = append(t.r.onCommit, f) }
