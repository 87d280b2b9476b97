// Package db is the only place that knows which database Slipway runs on: an SQLite file or PostgreSQL, with one SQL
// text for both.
//
// What it promises:
//
// Write runs a body in one transaction and returns after a durable commit. A transaction that reads is serialisable.
// One that only inserts, and changes rows under guards, is checked against others that change the same rows. Its
// conditions on other tables see what was committed when it began; no serialisable transaction could see more. Two
// changes must not each depend, by such a condition, on what the other one writes. Read in the body if that is
// possible.
//
// Bodies that wait at the same moment are committed together (group commit), each with its own result. A writer runs
// them one after the other. A body runs again if the engine asks for it, so it must call nothing outside the database.
// Tx.Now is the only clock it reads, except for leases: see ServerNow.
//
// Rows given to Tx.Insert and changes given to Tx.Change are written in few statements for the whole group, before the
// next read of any body and before the commit. So a read always sees them.
//
// Read in this order:
//
//   - What callers use: db.go, tx.go (one run of a write body), notify.go (who is woken after a commit), watch.go
//     (tests look at statements).
//   - How bodies run: group.go (how they wait and commit), transaction.go (how they share one), unavailable.go (errors
//     of the database itself), confirm.go (whether commits are confirmed).
//   - The engines: engine.go (what one must do), sqlite.go, sqlite_writer.go, filesystem.go with filesystem_linux.go
//     and filesystem_darwin.go (where its file may lie), postgres.go, session.go (what a connection sets), line.go (a
//     writer's connection), servertime.go (the clock of leases), script.go (statements sent in one piece).
//   - Many rows at once: changes.go (guarded changes in one statement), statement.go (inserts, placeholders, WHERE),
//     columns.go (inserts from arrays on PostgreSQL), copy.go (large ones by COPY).
//   - Records: view.go, table.go and fields.go (their columns), page.go (lists), lookup.go (reads that many callers
//     share), sealed.go, reseal.go and keys.go (encrypted columns).
//   - The whole database: online.go (a copy of SQLite's file), dump.go (the rows of PostgreSQL's tables).
//   - The schema: migrate.go, upgrade.go (what it would do), collation.go.
package db

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"slipway/internal/platform/clock"
	"slipway/internal/platform/secret"
)

// Dialect is the engine, for the few places where a measured factor justifies a second SQL text.
type Dialect int

// The two engines.
const (
	SQLite Dialect = iota + 1
	Postgres
)

// String returns the word used in configuration and logs.
func (d Dialect) String() string {
	if d == Postgres {
		return "postgres"
	}

	return "sqlite"
}

// Config is which database to open, and how.
type Config struct {
	URL      string       // sqlite:PATH or postgres://…
	Clock    *clock.Clock // nil: the wall clock
	Readers  int          // read connections; 0: 8
	Writers  int          // PostgreSQL only: writer connections of this process; 0: 2. SQLite always has one
	MaxGroup int          // bodies committed together at most; 0: 256
	// Sign returns a proof that this service has written a text, for rows that nobody else may be able to write; nil:
	// nothing is signed.
	Sign func(text string) string
	// Keys encrypts columns that were declared as Sealed; nil: this process reads and writes no such column.
	Keys *secret.Keyring
	// Alone locks the SQLite file, by whatever name it is opened, against other processes that do the same, until Close
	// or until this process ends in any way. On PostgreSQL, which several processes may share, it does nothing.
	Alone bool
	// AnswerLimit is how long a writer waits for PostgreSQL's next bytes before it considers the server gone; 0: 20 s.
	AnswerLimit time.Duration
	// run every write body twice, the first time rolled back: proves that bodies have no outside effect
	RunTwice bool
}

// queueLimit limits the bodies that wait for the writer. Beyond it Write returns ErrBusy instead of filling the memory.
const queueLimit = 4096

// Errors that callers compare with errors.Is.
var (
	ErrNone   = errors.New("no such row")                             // One found nothing
	ErrStale  = errors.New("the row is not as it was read")           // a Change touched no row: another was first
	ErrBusy   = errors.New("too many writes wait")                    // the write queue is full; nothing was done
	ErrClosed = errors.New("the database is closed")                  // after Close
	ErrInUse  = errors.New("another process works on this database")  // see Config.Alone
	ErrRetry  = errors.New("the transaction could not be serialised") // bounded retries are used up; nothing was done

	// ErrUnknown is the only error of Write after which everything may have been written: the connection was lost
	// during the commit. Write never runs the body again then. A caller that retries needs a key that makes it
	// harmless.
	ErrUnknown = errors.New("the connection was lost during the commit: it is not known whether it was done")
)

// Unique is the error of a row that violates a unique index. Table is the table that it was meant for.
type Unique struct {
	Table string
	cause error
}

// Error returns the table and the engine's own sentence.
func (u *Unique) Error() string { return fmt.Sprintf("unique index of %s: %v", u.Table, u.cause) }

// Unwrap returns the engine's error.
func (u *Unique) Unwrap() error { return u.cause }

// IsUnique reports whether err is a violated unique index of the table.
func IsUnique(err error, table string) bool {
	var u *Unique
	return errors.As(err, &u) && u.Table == table
}

// Overtaken reports whether a write failed because another one was first: a row changed since it was read, or one of
// these tables already has the row. Rows are written before conditions are tested, so the second of two concurrent
// writes often fails with the key of a row that the first has written. Run the body again, and it sees what the first
// has written.
func Overtaken(err error, tables ...string) bool {
	return errors.Is(err, ErrStale) || slices.ContainsFunc(tables, func(t string) bool { return IsUnique(err, t) })
}

// Rows is a result being read. Select and One close it; other callers must call Close.
type Rows interface {
	Next() bool
	Scan(dest ...any) error
	Err() error
	Close()
}

// Querier is what a read needs: a DB (each statement by itself), a Snapshot, or a Tx (which sees the group's writes so
// far).
type Querier interface {
	Query(ctx context.Context, query string, args ...any) (Rows, error)
}

// snapshot is the engine's snapshot. It notifies the watcher and decrypts sealed columns.
type snapshot struct {
	q Querier
	d *DB
}

// Query reads in the snapshot.
func (s snapshot) Query(ctx context.Context, query string, args ...any) (Rows, error) {
	s.d.watched(query, args)

	rows, err := s.q.Query(ctx, query, args...)
	if err != nil {
		return nil, err
	}

	return openedRows{rows, s.d}, nil
}

// openedRows are rows whose Scan decrypts sealed columns.
type openedRows struct {
	Rows
	d *DB
}

// Scan reads a row.
func (r openedRows) Scan(dest ...any) error { return r.d.scan(r.Rows, dest) }

// DB is an open database. It is safe for concurrent use.
type DB struct {
	engine   engine
	clock    *clock.Clock
	sign     func(text string) string
	keys     *secret.Keyring
	maxGroup int
	runTwice bool
	alone    bool
	queue    chan *request
	large    chan *request // of WriteLarge
	stop     chan struct{}
	stopOnce sync.Once
	writers  sync.WaitGroup
	turn     sync.Mutex   // held by the one transaction of this process that reads and is not large
	pending  atomic.Int64 // bodies that wait or are in a transaction
	groups   groupStats
	commits  commits

	listeners  listeners
	recentPeak atomic.Int64                                   // the highest pending, decaying slowly; see gather
	lastAnswer atomic.Int64                                   // by the clock's Elapsed; see gather
	server     atomic.Pointer[serverTime]                     // nil: the database has no clock of its own
	watcher    atomic.Pointer[func(query string, args []any)] // of tests
}

// Open connects and starts the writers. It does not migrate; see Migrate. It returns ErrInUse, and has changed nothing,
// if another process works alone on the SQLite file and this one wants to.
func Open(ctx context.Context, c Config) (*DB, error) {
	if c.Clock == nil {
		c.Clock = clock.New()
	}

	c.Readers = or(c.Readers, 8)
	c.Writers = or(c.Writers, 2)
	c.MaxGroup = or(c.MaxGroup, 256)
	c.AnswerLimit = or(c.AnswerLimit, answerLimit)

	d := &DB{
		clock:    c.Clock,
		sign:     c.Sign,
		keys:     c.Keys,
		maxGroup: c.MaxGroup,
		runTwice: c.RunTwice,
		queue:    make(chan *request, queueLimit),
		large:    make(chan *request, queueLimit),
		stop:     make(chan struct{}),
	}

	var err error

	switch {
	case strings.HasPrefix(c.URL, "sqlite:"):
		d.alone = c.Alone
		d.engine, err = openSQLite(ctx, c, fileSystemOf)
	case strings.HasPrefix(c.URL, "postgres://"), strings.HasPrefix(c.URL, "postgresql://"):
		d.engine, err = openPostgres(ctx, c)
	default:
		err = errors.New(`a database address starts with "sqlite:" or "postgres://"`)
	}

	if err == nil {
		err = d.SyncClock(ctx)
		if err != nil {
			_ = d.engine.close()
		}
	}

	if err != nil {
		return nil, fmt.Errorf("open database: %w", asUnavailable(err))
	}

	for _, w := range d.engine.writers() {
		d.writers.Go(func() { d.serve(w) })
	}

	return d, nil
}

func or[T int | time.Duration](n, otherwise T) T {
	if n > 0 {
		return n
	}

	return otherwise
}

// Close waits for the bodies that were accepted, then closes every connection. A second call does nothing.
func (d *DB) Close() error {
	var err error
	d.stopOnce.Do(func() {
		close(d.stop)
		d.writers.Wait()
		err = d.engine.close()
	})

	return err
}

// Dialect returns the engine.
func (d *DB) Dialect() Dialect { return d.engine.dialect() }

// Clock returns the clock that Tx.Now follows.
func (d *DB) Clock() *clock.Clock { return d.clock }

// Now returns the current time of this database's clock.
func (d *DB) Now() time.Time { return d.clock.Now() }

// Alone reports whether no other process works on this database: it is an SQLite file that was opened alone.
func (d *DB) Alone() bool { return d.alone }

// Query reads outside any transaction: one statement, committed data.
func (d *DB) Query(ctx context.Context, query string, args ...any) (Rows, error) {
	d.watched(query, args)

	rows, err := d.engine.query(ctx, query, args)
	if err != nil {
		return nil, asUnavailable(err)
	}

	return errRows{rows, d}, nil
}

// Snapshot runs reads that must agree with each other: all see the database at one moment. The body must not write.
func (d *DB) Snapshot(ctx context.Context, body func(q Querier) error) error {
	return asUnavailable(d.engine.snapshot(ctx, func(q Querier) error { return body(snapshot{q, d}) }))
}

// Ping reports whether the database answers.
func (d *DB) Ping(ctx context.Context) error {
	rows, err := d.Query(ctx, "SELECT 1")
	if err != nil {
		return err
	}

	rows.Close()

	return nil
}

// CheckDurability returns an error for settings under which a power cut could lose a committed payment.
func (d *DB) CheckDurability(ctx context.Context) error { return d.engine.checkDurability(ctx) }

// Select reads every row of a query. dest returns, for a value, pointers to its columns in the query's order.
func Select[T any](ctx context.Context, q Querier, dest func(*T) []any, query string, args ...any) ([]T, error) {
	rows, err := q.Query(ctx, query, args...)
	if err != nil {
		return nil, err
	}
	defer rows.Close()

	var out []T

	for rows.Next() {
		var v T
		if err := scanNamed(rows, dest(&v)); err != nil {
			return nil, err
		}

		out = append(out, v)
	}

	return out, rows.Err()
}

// One reads the first row of a query, or ErrNone.
func One[T any](ctx context.Context, q Querier, dest func(*T) []any, query string, args ...any) (T, error) {
	var v T

	rows, err := q.Query(ctx, query, args...)
	if err != nil {
		return v, err
	}
	defer rows.Close()

	if !rows.Next() {
		if err := rows.Err(); err != nil {
			return v, err
		}

		return v, ErrNone
	}

	return v, scanNamed(rows, dest(&v))
}

// scanNamed reads a row. If that fails, the error names the row by its first column.
func scanNamed(rows Rows, dest []any) error {
	err := rows.Scan(dest...)
	if key, ok := dest[0].(*string); ok && err != nil {
		return fmt.Errorf("row %s: %w", *key, err)
	}

	return err
}

// Value reads the single column of the first row of a query, or ErrNone.
func Value[T any](ctx context.Context, q Querier, query string, args ...any) (T, error) {
	return One(ctx, q, func(v *T) []any { return []any{v} }, query, args...)
}

// Backlog reads how many wait and the time of the oldest, zero if none waits. Those are the two columns of the query,
// the second in microseconds or 0.
func Backlog(ctx context.Context, q Querier, query string, args ...any) (count int64, oldest time.Time, err error) {
	type row struct{ count, oldest int64 }

	r, err := One(ctx, q, func(r *row) []any { return []any{&r.count, &r.oldest} }, query, args...)

	return r.count, Time(r.oldest), err
}

// Micros returns a time as it is stored, in microseconds. The zero time is 0.
func Micros(t time.Time) int64 {
	if t.IsZero() {
		return 0
	}

	return t.UnixMicro()
}

// Time returns the time of stored microseconds. 0 is the zero time.
func Time(micros int64) time.Time {
	if micros == 0 {
		return time.Time{}
	}

	return time.UnixMicro(micros).UTC()
}
