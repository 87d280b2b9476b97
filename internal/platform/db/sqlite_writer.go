package db

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"math/bits"
	"slices"
	"strings"

	"modernc.org/sqlite"
	sqlite3 "modernc.org/sqlite/lib"
)

type sqliteWriter struct {
	conn  *sql.Conn
	stmts map[string]*sql.Stmt
	texts map[insertShape]string  // of the inserts among them
	once  map[*Insert][]columnSet // sets of columns for which there are such texts
	args  []any                   // of one statement, reused
}

func newSQLiteWriter(conn *sql.Conn) *sqliteWriter {
	return &sqliteWriter{
		conn:  conn,
		stmts: map[string]*sql.Stmt{},
		texts: map[insertShape]string{},
		once:  map[*Insert][]columnSet{},
	}
}

func (w *sqliteWriter) forget() {
	for _, st := range w.stmts {
		_ = st.Close()
	}

	clear(w.stmts)
	clear(w.texts)
	clear(w.once)
}

func (w *sqliteWriter) prepared(query string) (*sql.Stmt, error) {
	if st, ok := w.stmts[query]; ok {
		return st, nil
	}

	if len(w.stmts) >= statementLimit {
		w.forget()
	}

	st, err := w.conn.PrepareContext(context.Background(), query)
	if err == nil {
		w.stmts[query] = st
	}

	return st, err
}

func (w *sqliteWriter) begin() error {
	_, err := w.exec("BEGIN IMMEDIATE", nil)
	return err
}

func (w *sqliteWriter) query(_ context.Context, query string, args []any) (Rows, error) {
	st, err := w.prepared(query)
	if err != nil {
		return nil, err
	}

	rows, err := st.Query(args...)

	return wrapRows(rows, err)
}

func (w *sqliteWriter) exec(query string, args []any) (int64, error) {
	st, err := w.prepared(query)
	if err != nil {
		return 0, err
	}

	res, err := st.Exec(args...)
	if err != nil {
		return 0, sqliteError(err)
	}

	return res.RowsAffected()
}

// flush writes rows in chunks of powers of two, so that few texts serve every number of rows.
func (w *sqliteWriter) flush(inserts []*pendingInsert, changes []pendingChange) error {
	for _, p := range inserts {
		for rows := p.rows; len(rows) > 0; {
			n := maxRowsPerInsert
			for n > len(rows) {
				n /= 2
			}

			if err := w.insert(p.into, rows[:n]); err != nil {
				return fmt.Errorf("insert into %s: %w", p.into.table, err)
			}

			rows = rows[n:]
		}
	}

	for _, c := range changes {
		n, err := w.exec(c.query, stored(c.args))
		if err != nil {
			return err
		}

		if n != 1 {
			return ErrStale
		}
	}

	return nil
}

// insert writes some rows by one statement. Binding a value takes the driver as long as storing it, and rows that are
// written together are equal in many columns. So in a full statement, a value that all rows share is bound once.
func (w *sqliteWriter) insert(in *Insert, rows [][]any) error {
	shape := insertShape{in: in, rows: len(rows)}
	if len(rows) == maxRowsPerInsert {
		shape.once = w.boundOnce(in, alike(rows))
	}

	text, ok := w.texts[shape]
	if !ok {
		text = in.values(shape.rows, shape.once)
		w.texts[shape] = text
	}

	args := w.args[:0]
	for i, row := range rows {
		for c, v := range stored(row) {
			if i == 0 || !shape.once.has(c) {
				args = append(args, v)
			}
		}
	}

	_, err := w.exec(text, args)
	clear(args)
	w.args = args

	return err
}

// insertShape is what the text of an INSERT depends on.
type insertShape struct {
	in   *Insert
	rows int
	once columnSet // bound once for all rows
}

// columnSet is some of a table's first 64 columns.
type columnSet uint64

func (s columnSet) has(column int) bool { return s>>column&1 == 1 }
func (s columnSet) size() int           { return bits.OnesCount64(uint64(s)) }

// alike returns the columns in which all rows have the same value.
func alike(rows [][]any) (same columnSet) {
	for c, first := range rows[0][:min(len(rows[0]), 64)] {
		if _, raw := first.([]byte); raw { // cannot be compared
			continue
		}

		if !slices.ContainsFunc(rows[1:], func(row []any) bool { return row[c] != first }) {
			same |= 1 << c
		}
	}

	return same
}

// A table has few texts that bind columns once, because preparing one costs more than it saves. A new one must save
// this many columns more.
const (
	mostOnce = 4
	worth    = 2
)

// boundOnce chooses which of the equal columns are bound once: those of an existing text, or all of them.
func (w *sqliteWriter) boundOnce(in *Insert, same columnSet) (best columnSet) {
	sets := w.once[in]
	for _, s := range sets {
		if s&^same == 0 && s.size() > best.size() {
			best = s
		}
	}

	if same.size() < best.size()+worth || len(sets) == mostOnce {
		return best
	}

	w.once[in] = append(sets, same)

	return same
}

// stored returns values as both engines store them: the driver takes no bytes for NULL.
func stored(values []any) []any {
	for i, v := range values {
		if b, ok := v.([]byte); ok && b == nil {
			values[i] = []byte{}
		}
	}

	return values
}

func (w *sqliteWriter) flushAndCommit(inserts []*pendingInsert, changes []pendingChange) error {
	if err := w.begin(); err != nil {
		return err
	}

	if err := w.flush(inserts, changes); err != nil {
		w.rollback()
		return err
	}

	return w.commit()
}

// commit returns ErrUnknown for a disk that failed while it wrote: how much was stored shows only when the file is
// opened again.
func (w *sqliteWriter) commit() error {
	_, err := w.exec("COMMIT", nil)
	if err == nil {
		return nil
	}

	w.rollback()

	var file *sqlite.Error
	if errors.As(err, &file) && file.Code()&0xff == sqlite3.SQLITE_IOERR {
		return fmt.Errorf("%w: %w", ErrUnknown, err)
	}

	return err
}

func (w *sqliteWriter) rollback() { _, _ = w.exec("ROLLBACK", nil) }

// retryable always returns false. There is one writer in the process, and SQLite itself has waited busyLimit for
// another process's.
func (w *sqliteWriter) retryable(error) bool { return false }

// sqliteError finds the table of a violated unique index. SQLite reports it only in its text, "UNIQUE constraint
// failed: t.a, t.b"; a test checks that text.
func sqliteError(err error) error {
	var e *sqlite.Error
	if !errors.As(err, &e) ||
		(e.Code() != sqlite3.SQLITE_CONSTRAINT_UNIQUE && e.Code() != sqlite3.SQLITE_CONSTRAINT_PRIMARYKEY) {
		return err
	}

	_, after, ok := strings.Cut(e.Error(), "UNIQUE constraint failed: ")
	if !ok {
		return err
	}

	table, _, _ := strings.Cut(after, ".")

	return &Unique{Table: table, cause: err}
}
