package db

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"sync"

	"modernc.org/sqlite"
	sqlite3 "modernc.org/sqlite/lib"
)

// maxRowsPerInsert keeps a multi-row INSERT below SQLite's limit of 32,766 values and its text short.
const maxRowsPerInsert = 32

// statementLimit bounds the prepared statements a connection keeps. Lists with many filter combinations would grow it otherwise.
const statementLimit = 512

type sqliteEngine struct {
	dsn   string
	write *sqliteWriter
	wdb   *sql.DB
	read  *sql.DB
	mu    sync.RWMutex
	stmts map[string]*sql.Stmt
}

// openSQLite opens one writer connection and a pool of readers on a file in WAL mode. busy_timeout comes first, so that the other
// settings wait for a lock instead of failing; synchronous is FULL, so that a commit that was answered survives a power cut.
func openSQLite(ctx context.Context, path string, readers int) (engine, error) {
	if dir := filepath.Dir(path); dir != "." {
		if err := os.MkdirAll(dir, 0o700); err != nil {
			return nil, err
		}
	}
	dsn := "file:" + (&url.URL{Path: path}).EscapedPath() + "?_pragma=busy_timeout(10000)&_pragma=journal_mode(WAL)&_pragma=synchronous(FULL)" +
		"&_pragma=foreign_keys(1)&_pragma=cache_size(-16000)&_pragma=temp_store(2)"
	wdb, err := sql.Open("sqlite", dsn+"&_txlock=immediate")
	if err != nil {
		return nil, err
	}
	wdb.SetMaxOpenConns(1)
	conn, err := wdb.Conn(ctx)
	if err != nil {
		_ = wdb.Close()
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	read, err := sql.Open("sqlite", dsn+"&_pragma=query_only(1)")
	if err != nil {
		return nil, err
	}
	read.SetMaxOpenConns(readers)
	read.SetMaxIdleConns(readers)
	return &sqliteEngine{dsn: dsn, write: &sqliteWriter{conn: conn, stmts: map[string]*sql.Stmt{}}, wdb: wdb, read: read, stmts: map[string]*sql.Stmt{}}, nil
}

func (e *sqliteEngine) dialect() Dialect  { return SQLite }
func (e *sqliteEngine) writers() []writer { return []writer{e.write} }

func (e *sqliteEngine) close() error {
	e.write.forget()
	return errors.Join(e.write.conn.Close(), e.wdb.Close(), e.read.Close())
}

// query runs without the caller's cancellation: the driver would start a goroutine for every statement, and statements are short.
func (e *sqliteEngine) query(_ context.Context, query string, args []any) (Rows, error) {
	st, err := e.prepared(query)
	if err != nil {
		return nil, err
	}
	rows, err := st.Query(args...)
	return wrapRows(rows, err)
}

func (e *sqliteEngine) prepared(query string) (*sql.Stmt, error) {
	e.mu.RLock()
	st, ok := e.stmts[query]
	e.mu.RUnlock()
	if ok {
		return st, nil
	}
	e.mu.Lock()
	defer e.mu.Unlock()
	if st, ok := e.stmts[query]; ok {
		return st, nil
	}
	st, err := e.read.Prepare(query)
	if err != nil {
		return nil, err
	}
	if len(e.stmts) >= statementLimit {
		for _, old := range e.stmts {
			defer old.Close() // a statement in use finishes first; database/sql counts
		}
		e.stmts = map[string]*sql.Stmt{}
	}
	e.stmts[query] = st
	return st, nil
}

func (e *sqliteEngine) snapshot(ctx context.Context, body func(q Querier) error) error {
	tx, err := e.read.BeginTx(ctx, &sql.TxOptions{ReadOnly: true})
	if err != nil {
		return err
	}
	defer func() { _ = tx.Rollback() }()
	return body(sqlQuerier{tx})
}

type sqlQuerier struct{ tx *sql.Tx }

func (q sqlQuerier) Query(_ context.Context, query string, args ...any) (Rows, error) {
	rows, err := q.tx.Query(query, args...)
	return wrapRows(rows, err)
}

func (e *sqliteEngine) checkDurability(ctx context.Context) error {
	for _, c := range []struct{ pragma, want string }{{"journal_mode", "wal"}, {"synchronous", "2"}} {
		var got string
		if err := e.write.conn.QueryRowContext(ctx, "PRAGMA "+c.pragma).Scan(&got); err != nil {
			return err
		}
		if got != c.want {
			return fmt.Errorf("SQLite runs with %s=%s, which can lose a committed payment; it must be %s", c.pragma, got, c.want)
		}
	}
	return nil
}

// sqlRows gives *sql.Rows the Close that both engines share.
type sqlRows struct{ *sql.Rows }

func (r sqlRows) Close() { _ = r.Rows.Close() }

func wrapRows(rows *sql.Rows, err error) (Rows, error) {
	if err != nil {
		return nil, err
	}
	return sqlRows{rows}, nil
}

type sqliteWriter struct {
	conn  *sql.Conn
	stmts map[string]*sql.Stmt
}

func (w *sqliteWriter) forget() {
	for _, st := range w.stmts {
		_ = st.Close()
	}
	w.stmts = map[string]*sql.Stmt{}
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
			args := make([]any, 0, n*len(p.into.columns))
			for _, row := range rows[:n] {
				args = append(args, stored(row)...)
			}
			if _, err := w.exec(p.into.values(n), args); err != nil {
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

// stored gives values as both engines store them: the driver takes no bytes for NULL.
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

func (w *sqliteWriter) commit() error {
	_, err := w.exec("COMMIT", nil)
	if err != nil {
		w.rollback()
	}
	return err
}

func (w *sqliteWriter) rollback() { _, _ = w.exec("ROLLBACK", nil) }

func (w *sqliteWriter) retryable(err error) bool {
	var e *sqlite.Error
	if !errors.As(err, &e) {
		return false
	}
	code := e.Code() & 0xff
	return code == sqlite3.SQLITE_BUSY || code == sqlite3.SQLITE_LOCKED
}

// sqliteError names the table of a broken unique index. SQLite says it only in its text, "UNIQUE constraint failed: t.a, t.b"; the
// test beside this keeps the text honest.
func sqliteError(err error) error {
	var e *sqlite.Error
	if !errors.As(err, &e) || (e.Code() != sqlite3.SQLITE_CONSTRAINT_UNIQUE && e.Code() != sqlite3.SQLITE_CONSTRAINT_PRIMARYKEY) {
		return err
	}
	_, after, ok := strings.Cut(e.Error(), "UNIQUE constraint failed: ")
	if !ok {
		return err
	}
	table, _, _ := strings.Cut(after, ".")
	return &Unique{Table: table, cause: err}
}
