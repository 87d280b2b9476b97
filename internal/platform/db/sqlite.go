package db

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"net/url"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"time"
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

// inMemory is the path of a database without a file.
const inMemory = ":memory:"

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
// survives a power cut. Only the file's owner can read it. A folder on another machine is refused, and so is a file on
// which another process works alone.
func openSQLite(
	ctx context.Context,
	c Config,
	systemOf func(dir string) (fileSystem, error),
) (_ engine, err error) {
	path := followLinks(strings.TrimPrefix(c.URL, "sqlite:"))
	if err := makePlace(path, systemOf); err != nil {
		return nil, err
	}

	var lock *os.File
	if c.Alone && path != inMemory {
		if lock, err = lockAlone(path); err != nil {
			return nil, err
		}

		defer func() {
			if err != nil {
				_ = lock.Close()
			}
		}()
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

	read.SetMaxOpenConns(c.Readers)
	read.SetMaxIdleConns(c.Readers)

	return &sqliteEngine{
		dsn:   dsn,
		path:  path,
		write: newSQLiteWriter(conn),
		wdb:   wdb,
		read:  read,
		stmts: map[string]*sql.Stmt{},
		lock:  lock,
	}, nil
}

// makePlace makes the file and its folder private to their owner where they are missing. It refuses a folder on another
// machine.
func makePlace(path string, systemOf func(dir string) (fileSystem, error)) error {
	if path != inMemory {
		if err := checkFolder(filepath.Dir(path), systemOf); err != nil {
			return err
		}
	}

	if dir := filepath.Dir(path); dir != "." {
		if err := os.MkdirAll(dir, 0o700); err != nil {
			return err
		}
	}

	return keepPrivate(path)
}

// mostLinks limits the symbolic links that lead to a file, as the system does (path_resolution(7)).
const mostLinks = 40

// followLinks returns the path of the file that a symbolic link leads to, which may be missing; any other path as it
// is. SQLite keeps its other files beside that file, and not beside the link.
func followLinks(path string) string {
	for range mostLinks {
		target, err := os.Readlink(path)
		if err != nil {
			break
		}

		if !filepath.IsAbs(target) {
			target = filepath.Join(filepath.Dir(path), target)
		}

		path = target
	}

	return path
}

// keepPrivate creates the file with mode 0600 if there is none, whatever the umask. If it exists, it removes all rights
// of others from it and from the files that SQLite keeps beside it, which SQLite creates with the mode of the file
// itself. It refuses a file whose rights cannot be changed because it belongs to another user. A second call changes
// nothing. A database in memory has no file.
//
// It never opens an existing file: closing it again would drop the locks that this process holds on it.
func keepPrivate(path string) error {
	if path == inMemory {
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

// lockedByte is the byte of the file that lockAlone locks: far behind the largest database (281 TB), and so behind the
// bytes that SQLite locks (sqlite.org/fileformat2.html, "the lock-byte page").
const lockedByte = 1 << 60

// lockAlone locks the file itself, so that a process that reaches it by another name (a link, another mount) finds the
// lock, too. It returns ErrInUse if another process has it. The lock belongs to this opening of the file, and the
// kernel releases it when the process ends in any way.
//
// Call it before SQLite opens the file, and close the lock after SQLite: closing any descriptor of the file drops the
// locks that SQLite holds for this process (fcntl(2)).
func lockAlone(path string) (*os.File, error) {
	f, err := os.OpenFile(path, os.O_RDWR, ownerOnly)
	if err != nil {
		return nil, err
	}

	err = syscall.FcntlFlock(f.Fd(), lockOfOpening, &syscall.Flock_t{
		Type:  syscall.F_WRLCK,
		Start: lockedByte,
		Len:   1,
	})
	if err == nil {
		return f, nil
	}

	_ = f.Close()

	if errors.Is(err, syscall.EAGAIN) || errors.Is(err, syscall.EACCES) {
		return nil, fmt.Errorf("%w: %s", ErrInUse, path)
	}

	return nil, fmt.Errorf("lock %s: %w", path, err)
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

// lockSchema uses another lock than that of the process that works on the file: a command migrates beside it.
func (e *sqliteEngine) lockSchema() (release func(), err error) {
	f, err := os.OpenFile(e.path+".migrating", os.O_CREATE|os.O_RDWR, ownerOnly)
	if err != nil {
		return nil, err
	}

	if err := syscall.Flock(int(f.Fd()), syscall.LOCK_EX); err != nil {
		_ = f.Close()
		return nil, fmt.Errorf("lock %s: %w", f.Name(), err)
	}

	return func() { _ = f.Close() }, nil
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
