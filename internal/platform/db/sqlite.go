package db

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"math/bits"
	"net/url"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"time"

	"modernc.org/sqlite"
	sqlite3 "modernc.org/sqlite/lib"
)

// maxRowsPerInsert keeps a multi-row INSERT below SQLite's limit of 32,766 values and its text short.
const maxRowsPerInsert = 32

// statementLimit limits the prepared statements that a connection keeps. Lists with many filter combinations would
// otherwise make it grow.
const statementLimit = 512

// busyLimit is how long a statement waits for the lock of another process, such as a command run beside the service.
const busyLimit = 10 * time.Second

// checkpointPages is how many pages of the write-ahead log are written back to the file at once: about 16 MB. A page
// that a large import changes repeatedly is written back once for several commits. It limits the log, not what may be
// lost: every commit is durable in the log.
const checkpointPages = 4000

// What a connection keeps of the file, in KB. The writer's pages stay as long as it alone writes. A reader drops all of
// its pages after each commit of the writer, so that more of them would mostly be memory that is taken and given back.
const (
	writerCache = 16_000
	readerCache = 2_000
)

func cacheOf(kilobytes int) string { return "&_pragma=cache_size(-" + strconv.Itoa(kilobytes) + ")" }

type sqliteEngine struct {
	dsn   string
	path  string
	write *sqliteWriter
	wdb   *sql.DB
	read  *sql.DB
	mu    sync.RWMutex
	stmts map[string]*sql.Stmt
	lock  *os.File // held until close; nil: not taken
}

// openSQLite opens one writer connection and a pool of readers on a file in WAL mode. busy_timeout comes first, so that
// the other settings wait for a lock instead of failing. synchronous is FULL, so that a commit that was answered
// survives a power cut. Only the file's owner can read it.
func openSQLite(ctx context.Context, path string, readers int) (engine, error) {
	if dir := filepath.Dir(path); dir != "." {
		if err := os.MkdirAll(dir, 0o700); err != nil {
			return nil, err
		}
	}

	if err := keepPrivate(path); err != nil {
		return nil, err
	}

	busy := strconv.FormatInt(busyLimit.Milliseconds(), 10)
	dsn := "file:" + (&url.URL{Path: path}).EscapedPath() + "?_pragma=busy_timeout(" + busy + ")" +
		"&_pragma=journal_mode(WAL)&_pragma=synchronous(FULL)&_pragma=foreign_keys(1)" +
		"&_pragma=temp_store(2)"

	wdb, err := sql.Open(
		"sqlite",
		dsn+"&_txlock=immediate"+cacheOf(writerCache)+"&_pragma=wal_autocheckpoint("+strconv.Itoa(checkpointPages)+")",
	)
	if err != nil {
		return nil, err
	}

	wdb.SetMaxOpenConns(1)

	conn, err := wdb.Conn(ctx)
	if err != nil {
		_ = wdb.Close()
		return nil, fmt.Errorf("%s: %w", path, err)
	}

	read, err := sql.Open("sqlite", dsn+"&_pragma=query_only(1)"+cacheOf(readerCache))
	if err != nil {
		return nil, err
	}

	read.SetMaxOpenConns(readers)
	read.SetMaxIdleConns(readers)

	return &sqliteEngine{
		dsn:   dsn,
		path:  path,
		write: newSQLiteWriter(conn),
		wdb:   wdb,
		read:  read,
		stmts: map[string]*sql.Stmt{},
	}, nil
}

// keepPrivate creates the file with mode 0600 if there is none, whatever the umask. If it exists, it removes all rights
// of others from it and from the files that SQLite keeps beside it, which SQLite creates with the mode of the file
// itself. It refuses a file whose rights cannot be changed because it belongs to another user. A second call changes
// nothing. A database in memory has no file.
//
// It never opens an existing file: closing it again would drop the locks that this process holds on it.
func keepPrivate(path string) error {
	if path == ":memory:" {
		return nil
	}

	made, err := os.OpenFile(path, os.O_CREATE|os.O_EXCL|os.O_RDWR, ownerOnly)
	if err == nil {
		return made.Close()
	}

	if !errors.Is(err, os.ErrExist) {
		return err
	}

	for _, suffix := range []string{"", "-wal", "-shm"} {
		if err := narrow(path + suffix); err != nil && !errors.Is(err, os.ErrNotExist) {
			return fmt.Errorf("take the rights of others from the database's file: %w", err)
		}
	}

	return nil
}

// ownerOnly is the mode of every file that holds what the database holds.
const ownerOnly = 0o600

// narrow removes the rights of everybody but the owner from a file.
func narrow(path string) error {
	info, err := os.Stat(path)
	if err != nil {
		return err
	}

	if info.Mode().Perm()&^ownerOnly == 0 {
		return nil
	}

	return os.Chmod(path, ownerOnly)
}

func (e *sqliteEngine) dialect() Dialect  { return SQLite }
func (e *sqliteEngine) writers() []writer { return []writer{e.write} }

func (e *sqliteEngine) close() error {
	e.write.forget()

	err := errors.Join(e.write.conn.Close(), e.wdb.Close(), e.read.Close())
	if e.lock != nil {
		err = errors.Join(err, e.lock.Close())
	}

	return err
}

func (e *sqliteEngine) clock(context.Context) (time.Time, error) { return time.Time{}, nil }

// takeAlone locks a file beside the database. The lock belongs to the open file, so the kernel releases it when the
// process ends in any way. The database file itself cannot carry the lock: closing any descriptor of it would drop
// SQLite's locks.
func (e *sqliteEngine) takeAlone() (alone bool, err error) {
	if e.lock != nil {
		return true, nil
	}

	f, err := lockFile(e.path+".lock", syscall.LOCK_NB)
	if errors.Is(err, syscall.EWOULDBLOCK) {
		return false, fmt.Errorf("%w: %s", ErrInUse, e.path)
	}

	if err != nil {
		return false, err
	}

	e.lock = f

	return true, nil
}

// lockSchema uses another lock than that of the process that works on the file: a command migrates beside it.
func (e *sqliteEngine) lockSchema() (release func(), err error) {
	f, err := lockFile(e.path+".migrating", 0)
	if err != nil {
		return nil, err
	}

	return func() { _ = f.Close() }, nil
}

// lockFile creates a file of its own for a lock, which ends with Close or with the process.
func lockFile(path string, how int) (*os.File, error) {
	f, err := os.OpenFile(path, os.O_CREATE|os.O_RDWR, 0o600)
	if err != nil {
		return nil, err
	}

	if err := syscall.Flock(int(f.Fd()), syscall.LOCK_EX|how); err != nil {
		_ = f.Close()
		return nil, fmt.Errorf("lock %s: %w", path, err)
	}

	return f, nil
}

// query ignores the caller's cancellation: the driver would start a goroutine for every statement, and statements are
// short.
func (e *sqliteEngine) query(_ context.Context, query string, args []any) (Rows, error) {
	st, err := e.prepared(query)
	if err != nil {
		return nil, err
	}

	rows, err := st.Query(args...)

	return wrapRows(rows, err)
}

// known returns a statement that was prepared, or nil.
func (e *sqliteEngine) known(query string) *sql.Stmt {
	e.mu.RLock()
	defer e.mu.RUnlock()

	return e.stmts[query]
}

func (e *sqliteEngine) prepared(query string) (*sql.Stmt, error) {
	if st := e.known(query); st != nil {
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

	q := &sqlQuerier{tx: tx, e: e}
	if err := q.run(body); err != nil {
		return err
	}

	for _, query := range q.unknown { // not before: a snapshot that waits for another connection could wait for ever
		_, _ = e.prepared(query) // what was read is read; the next snapshot tries again
	}

	return nil
}

type sqlQuerier struct {
	tx      *sql.Tx
	e       *sqliteEngine
	unknown []string // queries that nobody has prepared yet
}

func (q *sqlQuerier) run(body func(q Querier) error) error {
	defer func() { _ = q.tx.Rollback() }()

	return body(q)
}

// Query reads in the snapshot.
func (q *sqlQuerier) Query(ctx context.Context, query string, args ...any) (Rows, error) {
	st := q.e.known(query)
	if st == nil {
		q.unknown = append(q.unknown, query)

		rows, err := q.tx.Query(query, args...)

		return wrapRows(rows, err)
	}

	rows, err := q.tx.StmtContext(ctx, st).Query(args...)

	return wrapRows(rows, err)
}

func (e *sqliteEngine) checkDurability(ctx context.Context) error {
	for _, c := range []struct{ pragma, want string }{{"journal_mode", "wal"}, {"synchronous", "2"}} {
		var got string
		if err := e.write.conn.QueryRowContext(ctx, "PRAGMA "+c.pragma).Scan(&got); err != nil {
			return err
		}

		if got != c.want {
			return fmt.Errorf("SQLite runs with %s=%s, which can lose a committed payment; it must be %s", c.pragma,
				got, c.want)
		}
	}

	return nil
}

// sqlRows adapts *sql.Rows to the Close that both engines share.
type sqlRows struct{ *sql.Rows }

// Close ends the reading.
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
