package db

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"sync"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"
	"github.com/jackc/pgx/v5/pgxpool"
)

// A transaction that reads is serialisable. One that only inserts, and changes rows under guards, decides nothing by
// what it has read: each of its rows is checked against others that change the same row, which snapshot isolation does.
// Two serialisable transactions that touch the same page of an index are a conflict for PostgreSQL, which would undo
// one of them most of the time.
const (
	beginSerializable = "BEGIN ISOLATION LEVEL SERIALIZABLE"
	beginSnapshot     = "BEGIN ISOLATION LEVEL REPEATABLE READ"
)

// pausedLimit is how long the server waits for a process inside a transaction. No body waits for anything outside. So a
// process that is silent for so long was paused, or its machine is gone, and others wait for the rows that it has
// locked.
const pausedLimit = 4 * time.Second

type pgEngine struct {
	pool *pgxpool.Pool // reads
	w    []writer
	wp   *pgxpool.Pool
}

// openPostgres opens a pool of readers and one connection for each writer. Both use pgx's own protocol and not
// database/sql: a group of inserts is sent as one pipeline, which database/sql cannot express (measured: half the
// create throughput without it).
func openPostgres(ctx context.Context, c Config) (engine, error) {
	rc, err := pgxpool.ParseConfig(c.URL)
	if err != nil {
		return nil, err
	}

	if err := hostsRefused(c.URL, &rc.ConnConfig.Config); err != nil {
		return nil, err
	}

	rc.MaxConns = int32(c.Readers)
	rc.ConnConfig.StatementCacheCapacity = statementLimit
	// A standby answers reads with what it has, and refuses writes: it is not what we work on.
	rc.ConnConfig.ValidateConnect = pgconn.ValidateConnectTargetSessionAttrsReadWrite
	rc.ConnConfig.OnPgError = closesAfter
	rc.AfterConnect = apply(everySetting)

	if rc.ConnConfig.ConnectTimeout == 0 {
		rc.ConnConfig.ConnectTimeout = connectLimit
	}

	pool, err := pgxpool.NewWithConfig(ctx, rc)
	if err != nil {
		return nil, err
	}

	wp, err := pgxpool.NewWithConfig(ctx, writerConfig(rc, c))
	if err != nil {
		pool.Close()
		return nil, err
	}

	e := &pgEngine{pool: pool, wp: wp}
	if err := e.checkSessions(ctx); err != nil {
		return nil, errors.Join(err, e.close()) //nolint:contextcheck // what is being closed has no caller
	}

	known := &columns{config: rc.ConnConfig}
	for range c.Writers {
		e.w = append(e.w, &pgWriter{pool: wp, columns: known, limit: c.AnswerLimit})
	}

	return e, nil
}

// writerConfig returns the configuration of the writers' connections.
func writerConfig(readers *pgxpool.Config, c Config) *pgxpool.Config {
	wc := readers.Copy()
	wc.MaxConns = int32(c.Writers)
	wc.BeforeConnect = func(_ context.Context, config *pgx.ConnConfig) error {
		(&line{limit: c.AnswerLimit}).prepare(config)
		return nil
	}

	set := apply(append(writerSettings(), everySetting...))

	// Stored answers are long and compressed by the server: lz4 takes half the time. A server built without it, or
	// older than PostgreSQL 14, refuses the setting and goes on as before.
	wc.AfterConnect = func(ctx context.Context, c *pgx.Conn) error {
		if err := set(ctx, c); err != nil {
			return err
		}

		_, err := c.Exec(ctx, "SET default_toast_compression = 'lz4'")
		if c.IsClosed() {
			return err
		}

		return nil
	}

	return wc
}

func (e *pgEngine) dialect() Dialect  { return Postgres }
func (e *pgEngine) writers() []writer { return e.w }

func (e *pgEngine) lockSchema() (release func(), err error) { return func() {}, nil }

func (e *pgEngine) clock(ctx context.Context) (time.Time, error) {
	var now time.Time
	err := e.pool.QueryRow(ctx, "SELECT clock_timestamp()").Scan(&now)
	return now, err
}

func (e *pgEngine) close() error {
	for _, w := range e.w {
		w.(*pgWriter).abandon()
	}

	e.wp.Close()
	e.pool.Close()

	return nil
}

func (e *pgEngine) query(ctx context.Context, query string, args []any) (Rows, error) {
	return e.pool.Query(ctx, rebind(query), args...)
}

func (e *pgEngine) snapshot(ctx context.Context, body func(q Querier) error) error {
	tx, err := e.pool.BeginTx(ctx, pgx.TxOptions{IsoLevel: pgx.RepeatableRead, AccessMode: pgx.ReadOnly})
	if err != nil {
		return err
	}

	defer func() { _ = tx.Rollback(context.WithoutCancel(ctx)) }()

	return body(pgQuerier{tx})
}

type pgQuerier struct{ tx pgx.Tx }

// Query reads in the snapshot.
func (q pgQuerier) Query(ctx context.Context, query string, args ...any) (Rows, error) {
	return q.tx.Query(ctx, rebind(query), args...)
}

func (e *pgEngine) checkDurability(ctx context.Context) error {
	read := func(setting string) (got string, err error) {
		return got, e.wp.QueryRow(ctx, "SELECT current_setting($1)", setting).Scan(&got)
	}

	standbys, err := read("synchronous_standby_names")
	if err != nil {
		return err
	}

	for _, c := range []struct {
		setting, never string
		applies        bool
	}{
		{"synchronous_commit", "local", standbys != ""}, // a failover would lose what was acknowledged
		{"fsync", "off", true},
		{"full_page_writes", "off", true},
		{"synchronous_commit", "off", true},
	} {
		got, err := read(c.setting)
		if err != nil {
			return err
		}

		if c.applies && got == c.never {
			return fmt.Errorf("PostgreSQL runs with %s=%s, which can lose a committed payment; switch it on", c.setting,
				got)
		}
	}

	return nil
}

// pgWriter holds one connection. A lost one is replaced between transactions, never inside one: what follows would run
// outside of it.
type pgWriter struct {
	pool     *pgxpool.Pool
	conn     *pgxpool.Conn
	columns  *columns // shared by all writers
	last     *script  // the newest one, for its memory
	limit    time.Duration
	late     *lateCommit   // nil: every COMMIT was answered
	patience time.Duration // how long the next late one may hold the connection
}

// lateCommit is a COMMIT that was not answered in time. Its connection still waits for the answer.
type lateCommit struct {
	ended chan error // receives when it was answered, or the connection is lost
	until time.Time  // then the connection is closed
}

func (w *pgWriter) begun(c *pgxpool.Conn) (*script, error) {
	s, err := newScript(c.Conn().PgConn(), w.last)
	if err == nil {
		w.last = s
	}

	return s, err
}

// connect returns the connection for a new transaction.
func (w *pgWriter) connect() (*pgxpool.Conn, error) {
	if err := w.endLate(); err != nil {
		return nil, err
	}

	if w.conn != nil && w.conn.Conn().IsClosed() {
		w.release()
	}

	if w.conn == nil {
		c, err := w.pool.Acquire(context.Background())
		if err != nil {
			return nil, err
		}

		w.conn = c
	}

	return w.conn, nil
}

var errLost = errors.New("the connection was lost inside the transaction")

// inside returns the connection of the transaction that was begun.
func (w *pgWriter) inside() (*pgxpool.Conn, error) {
	if w.conn == nil || w.conn.Conn().IsClosed() {
		return nil, errLost
	}

	return w.conn, nil
}

const (
	// latePause is how long a writer looks for the answer of a late COMMIT before it refuses the next transaction.
	latePause = 200 * time.Millisecond
	// mostPatience limits how long one late COMMIT holds its connection.
	mostPatience = 10 * time.Minute
)

// errUnconfirmed is about a server whose last COMMIT has no answer yet: it waits for its standby or its disk, and would
// answer no other one either.
var errUnconfirmed = fmt.Errorf("%w: the last commit of this connection is not confirmed yet", ErrUnavailable)

// endLate returns errUnconfirmed while a late COMMIT may still be answered. Each transaction that is given up leaves a
// process of the server behind, so the next one waits for the first instead of leaving another.
func (w *pgWriter) endLate() error {
	if w.late == nil {
		return nil
	}

	pause := time.NewTimer(latePause)
	defer pause.Stop()

	select {
	case <-w.late.ended: //nolint:errcheck // whatever became of it, it has ended
	case <-pause.C:
		if time.Now().Before(w.late.until) {
			return errUnconfirmed
		}

		lineOf(w.conn).cut()
		<-w.late.ended //nolint:errcheck // whatever became of it, it has ended
	}

	w.forget()

	return nil
}

// forget closes a connection whose late COMMIT has ended.
func (w *pgWriter) forget() {
	w.late = nil

	lineOf(w.conn).cut()
	_ = w.conn.Conn().Close(context.Background())
	w.release()
}

// abandon releases the connection, whatever it waits for.
func (w *pgWriter) abandon() {
	if w.late == nil {
		w.release()
		return
	}

	lineOf(w.conn).cut()
	<-w.late.ended //nolint:errcheck // whatever became of it, it has ended
	w.forget()
}

func (w *pgWriter) release() {
	if w.conn != nil {
		w.conn.Release()
		w.conn = nil
	}
}

func (w *pgWriter) begin() error {
	c, err := w.connect()
	if err != nil {
		return err
	}

	_, err = c.Exec(context.Background(), beginSerializable)
	if err == nil || !c.Conn().IsClosed() {
		return err
	}

	// The connection was lost since the last transaction: nothing of this one was sent on it.
	c, err = w.connect()
	if err != nil {
		return err
	}

	_, err = c.Exec(context.Background(), beginSerializable)

	return err
}

func (w *pgWriter) query(ctx context.Context, query string, args []any) (Rows, error) {
	c, err := w.inside()
	if err != nil {
		return nil, err
	}

	// A cancelled query would close the connection under the rest of the group.
	return c.Query(context.WithoutCancel(ctx), rebind(query), args...)
}

func (w *pgWriter) exec(query string, args []any) (int64, error) {
	c, err := w.inside()
	if err != nil {
		return 0, err
	}

	tag, err := c.Exec(context.Background(), rebind(query), args...)

	return tag.RowsAffected(), pgError(err)
}

func (w *pgWriter) flush(inserts []*pendingInsert, changes []pendingChange) error {
	c, err := w.inside()
	if err != nil {
		return err
	}

	inserts, err = w.copyLarge(c.Conn().PgConn(), inserts)
	if err != nil {
		return err
	}

	t, err := w.begun(c)
	if err != nil {
		return err
	}

	if err := w.queue(t, inserts, changes); err != nil {
		return err
	}

	return t.run()
}

// flushAndCommit sends the whole transaction at once. The server skips everything after a statement that failed,
// including COMMIT.
func (w *pgWriter) flushAndCommit(inserts []*pendingInsert, changes []pendingChange) error {
	c, err := w.connect()
	if err != nil {
		return err
	}

	t, err := w.begun(c)
	if err != nil {
		return err
	}

	if err := t.add(beginSnapshot); err != nil {
		return err
	}

	if err := w.queue(t, inserts, changes); err != nil {
		return err
	}

	if err := t.add("COMMIT"); err != nil {
		return err
	}

	return w.confirm(c, t.run)
}

// confirm sends a COMMIT, calls commit for that, and returns when it is confirmed: durable, and at the standby if the
// server is told to wait for one. After an error that is ErrUnknown it may be confirmed later.
//
// It does not wait for longer than the writer's limit. Then the connection goes on waiting by itself, and nothing asks
// the server to cancel: see line.
func (w *pgWriter) confirm(c *pgxpool.Conn, commit func() error) error {
	l := lineOf(c)
	l.committing.Store(true)

	ended := make(chan error, 1)
	go func() { ended <- commit() }()

	limit := time.NewTimer(w.limit)
	defer limit.Stop()

	select {
	case err := <-ended:
		if err != nil {
			return w.commitFailed(c, err)
		}

	case <-limit.C:
		w.patience = min(max(2*w.patience, w.limit), mostPatience)
		w.late = &lateCommit{ended: ended, until: time.Now().Add(w.patience)}

		return fmt.Errorf("%w: no answer within %s", ErrUnknown, w.limit)
	}

	if l.local.Load() {
		w.forget()
		return fmt.Errorf("%w: the server has given up the wait for its standby", ErrUnknown)
	}

	l.committing.Store(false)
	w.patience = 0

	return nil
}

// commitFailed distinguishes a commit that the server refused from one whose answer was lost.
func (w *pgWriter) commitFailed(c *pgxpool.Conn, err error) error {
	if c.Conn().IsClosed() {
		lineOf(c).cut()
		w.release()

		var server *pgconn.PgError
		if errors.As(err, &server) && (server.Code == codeSilent || server.Code == codeReadOnly) {
			return err // the session had ended before, or the server has refused a statement
		}

		return fmt.Errorf("%w: %w", ErrUnknown, err)
	}

	lineOf(c).committing.Store(false)
	w.rollback()

	return err
}

// queue adds the inserts, then the changes. A change that touches another number of rows than one divides by zero on
// the server, so no result has to be checked before the commit is sent.
func (w *pgWriter) queue(t *script, inserts []*pendingInsert, changes []pendingChange) error {
	for _, p := range inserts {
		a, err := w.columns.arrays(p.into)
		if err != nil {
			return err
		}

		if err := t.addRows(p.into, a, p.rows); err != nil {
			return err
		}
	}

	for _, j := range joinChanges(changes) {
		if err := t.addJoined(j); err != nil {
			return err
		}
	}

	return nil
}

// guardedTexts caches the guarded form of each change; texts are few, since they are written in code.
var guardedTexts sync.Map

func guarded(query string) string {
	if s, ok := guardedTexts.Load(query); ok {
		return s.(string)
	}

	s := "WITH touched AS (" + rebind(query) +
		" RETURNING 1) SELECT 1 / (CASE WHEN count(*) = 1 THEN 1 ELSE 0 END) FROM touched"
	guardedTexts.Store(strings.Clone(query), s)

	return s
}

// errAborted is a failure that PostgreSQL reports only in the tag of its answer: COMMIT of a transaction in which a
// statement failed is a ROLLBACK.
var errAborted = errors.New("the transaction was rolled back instead of committed: one of its statements had failed")

func (w *pgWriter) commit() error {
	c, err := w.inside()
	if err != nil {
		return err
	}

	return w.confirm(c, func() error {
		tag, err := c.Exec(context.Background(), "COMMIT")
		if err == nil && tag.String() != "COMMIT" {
			err = errAborted
		}

		return pgError(err)
	})
}

// rollback ends the transaction. If even that fails, it closes the connection, which ends the transaction too.
func (w *pgWriter) rollback() {
	if w.conn == nil || w.late != nil {
		return
	}

	if _, err := w.conn.Exec(context.Background(), "ROLLBACK"); err != nil {
		_ = w.conn.Conn().Close(context.Background())
		w.release()
	}
}

// retryable reports whether err is a serialisation failure or a deadlock. A connection lost during COMMIT is not among
// them, since it may have committed.
func (w *pgWriter) retryable(err error) bool {
	var e *pgconn.PgError
	return errors.As(err, &e) && (e.Code == "40001" || e.Code == "40P01")
}

// pgError converts errors that callers compare with: a violated unique index, and the division by zero of a guarded
// change. No statement of ours divides anything else.
func pgError(err error) error {
	var e *pgconn.PgError
	if !errors.As(err, &e) {
		return err
	}

	switch e.Code {
	case "23505":
		return &Unique{Table: e.TableName, cause: err}
	case "22012":
		return ErrStale
	}

	return err
}
