// Package db is the only place that knows which database Slipway runs on: an SQLite file or PostgreSQL, with one SQL
// text for both.
//
// What it promises: Write runs a body in one transaction and returns after a durable commit. A transaction that reads
// is serialisable; one that only inserts and changes rows under guards is held against others that change the same
// rows, and its conditions on other tables see what was committed when it began: no serialisable transaction could
// see more. Do not let two changes each rest, by such a condition, on what the other one writes; read in the body
// where that could be. Bodies that wait at the same moment are committed together (group commit), each with its own
// result. A body runs ahead in its caller's goroutine, and again in a writer's when it reads or when the engine asks
// for it: it may run more than once, so it calls nothing outside the database; Tx.Now is the only clock it reads, but
// for leases: see ServerNow. Rows given to Tx.Insert and changes given to Tx.Change are written in few statements for
// the whole group, before the next read of any body and before the commit, so a read always sees them.
//
// Read in this order: db.go (what callers use), group.go (how bodies are run), away.go (errors that are the
// database's), engine.go (what an engine must do), sqlite.go, postgres.go, servertime.go (whose clock leases go by),
// script.go (what travels to it in one piece), changes.go (many guarded changes in one statement), statement.go
// (inserts, placeholders, WHERE), page.go (lists), lookup.go (reads that many callers share), migrate.go.
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

// Dialect names the engine, for the few places where a measured factor justifies a second text.
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

// Config says which database to open and how.
type Config struct {
	URL      string       // sqlite:PATH or postgres://…
	Clock    *clock.Clock // nil: the wall clock
	Readers  int          // read connections; 0: 8
	Writers  int          // PostgreSQL only: writer connections of this process; 0: 2. SQLite always has one
	MaxGroup int          // bodies committed together at most; 0: 256
	// Sign proves of a text that this service has written it, for rows that somebody else must not be able to write;
	// nil: nothing is proven.
	Sign func(text string) string
	// Keys seals columns that were declared as Sealed; nil: there are none that this process reads or writes.
	Keys *secret.Keyring
	// AnswerLimit is how long a writer waits for PostgreSQL's next words before it takes the server for gone; 0: 20 s.
	AnswerLimit time.Duration
	// run every write body twice, the first time rolled back: proves that bodies have no outside effect
	RunTwice bool
}

// queueLimit bounds the bodies that wait for the writer; beyond it Write answers ErrBusy instead of piling up memory.
const queueLimit = 4096

// Errors that callers compare with errors.Is.
var (
	ErrNone   = errors.New("no such row")                             // One found nothing
	ErrStale  = errors.New("the row is not as it was read")           // a Change touched no row: someone else was first
	ErrBusy   = errors.New("too many writes wait")                    // the write queue is full; nothing was done
	ErrClosed = errors.New("the database is closed")                  // after Close
	ErrInUse  = errors.New("another process works on this database")  // see TakeAlone
	ErrRetry  = errors.New("the transaction could not be serialised") // bounded retries are used up; nothing was done

	// ErrUnknown is the one error of Write after which everything may have been written: the connection was lost
	// while it committed. It is never run again here; who asks again carries a key that makes it harmless.
	ErrUnknown = errors.New("the connection was lost during the commit: it is not known whether it was done")
)

// Unique is the error of a row that breaks a unique index. Table is the table it would have gone into.
type Unique struct {
	Table string
	cause error
}

// Error names the table and the engine's own sentence.
func (u *Unique) Error() string { return fmt.Sprintf("unique index of %s: %v", u.Table, u.cause) }

// Unwrap returns the engine's error.
func (u *Unique) Unwrap() error { return u.cause }

// IsUnique reports whether err is a broken unique index of the table.
func IsUnique(err error, table string) bool {
	var u *Unique
	return errors.As(err, &u) && u.Table == table
}

// Overtaken reports whether a write failed because another one was first: a row is not as it was read, or one of these
// tables has it already. Rows are written before conditions are tried, so the second of two at the same moment is often
// told by the key of a row that the first has written. Run again, the body finds what that has left.
func Overtaken(err error, tables ...string) bool {
	return errors.Is(err, ErrStale) || slices.ContainsFunc(tables, func(t string) bool { return IsUnique(err, t) })
}

// Rows is a result being read. Close is called by Select and One; others must call it.
type Rows interface {
	Next() bool
	Scan(dest ...any) error
	Err() error
	Close()
}

// Querier is what a read needs: a DB (each statement by itself), a Snapshot, or a Tx (sees the group's writes so far).
type Querier interface {
	Query(ctx context.Context, query string, args ...any) (Rows, error)
}

// snapshot is the engine's, watched and with what is sealed opened.
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

// openedRows are rows of which Scan opens what is sealed.
type openedRows struct {
	Rows
	d *DB
}

// Scan reads a row.
func (r openedRows) Scan(dest ...any) error { return r.d.scan(r.Rows, dest) }

// DB is an open database. Safe for concurrent use.
type DB struct {
	engine   engine
	clock    *clock.Clock
	sign     func(text string) string
	keys     *secret.Keyring
	maxGroup int
	runTwice bool
	queue    chan *request
	stop     chan struct{}
	stopOnce sync.Once
	writers  sync.WaitGroup
	turn     sync.Mutex   // held by the one transaction of this process that reads
	under    atomic.Int64 // bodies that wait or are in a transaction
	lately   atomic.Int64 // the most there were, forgotten slowly; see gather
	groups   groupStats
	server   atomic.Pointer[serverTime]                     // nil: the database has no clock of its own
	watcher  atomic.Pointer[func(query string, args []any)] // of tests
}

// Open connects and starts the writers. It does not migrate; see Migrate.
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
		stop:     make(chan struct{}),
	}

	var err error

	switch {
	case strings.HasPrefix(c.URL, "sqlite:"):
		d.engine, err = openSQLite(ctx, strings.TrimPrefix(c.URL, "sqlite:"), c.Readers)
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
		return nil, fmt.Errorf("open database: %w", err)
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

// Close finishes the bodies that were accepted, then closes every connection. A second call does nothing.
func (d *DB) Close() error {
	var err error
	d.stopOnce.Do(func() {
		close(d.stop)
		d.writers.Wait()
		err = d.engine.close()
	})

	return err
}

// Dialect says which engine this is.
func (d *DB) Dialect() Dialect { return d.engine.dialect() }

// Clock is the clock that Tx.Now follows.
func (d *DB) Clock() *clock.Clock { return d.clock }

// Now is the current time of this database's clock.
func (d *DB) Now() time.Time { return d.clock.Now() }

// TakeAlone keeps every other process from taking the same SQLite file, until Close or the end of this process,
// however that comes; then alone is true. ErrInUse when another process has it. On PostgreSQL, which several
// processes may share, it does nothing and alone is false. A second call changes nothing.
func (d *DB) TakeAlone() (alone bool, err error) { return d.engine.takeAlone() }

// Query reads outside any transaction: one statement, committed data.
func (d *DB) Query(ctx context.Context, query string, args ...any) (Rows, error) {
	d.watched(query, args)

	rows, err := d.engine.query(ctx, query, args)
	if err != nil {
		return nil, away(err)
	}

	return awayRows{rows, d}, nil
}

// Snapshot runs reads that must agree with each other: all see the database at one moment. The body writes nothing.
func (d *DB) Snapshot(ctx context.Context, body func(q Querier) error) error {
	return away(d.engine.snapshot(ctx, func(q Querier) error { return body(snapshot{q, d}) }))
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

// CheckDurability refuses settings under which a committed payment could be lost by a power cut.
func (d *DB) CheckDurability(ctx context.Context) error { return d.engine.checkDurability(ctx) }

// Select reads every row of a query. dest gives, for a value, the places of its columns in the query's order.
func Select[T any](ctx context.Context, q Querier, dest func(*T) []any, query string, args ...any) ([]T, error) {
	rows, err := q.Query(ctx, query, args...)
	if err != nil {
		return nil, err
	}
	defer rows.Close()

	var out []T

	for rows.Next() {
		var v T
		if err := rows.Scan(dest(&v)...); err != nil {
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

	return v, rows.Scan(dest(&v)...)
}

// Value reads the single column of the first row of a query, or ErrNone.
func Value[T any](ctx context.Context, q Querier, query string, args ...any) (T, error) {
	return One(ctx, q, func(v *T) []any { return []any{v} }, query, args...)
}

// Micros is a time as it is stored; the zero time is 0.
func Micros(t time.Time) int64 {
	if t.IsZero() {
		return 0
	}

	return t.UnixMicro()
}

// Time is a stored time; 0 is the zero time.
func Time(micros int64) time.Time {
	if micros == 0 {
		return time.Time{}
	}

	return time.UnixMicro(micros).UTC()
}
