package db

import (
	"context"
	"errors"
	"fmt"
	"strconv"
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

	rc.MaxConns = int32(c.Readers)
	rc.ConnConfig.StatementCacheCapacity = statementLimit
	// A statement is planned once, not each time for its values: planning the read of a transaction takes three times
	// as long as reading it.
	rc.ConnConfig.RuntimeParams["plan_cache_mode"] = "force_generic_plan"
	// Such a plan may be made while a table is small, or not analysed yet, and is kept while it grows to millions of
	// rows: what an index can answer must not be planned as a scan of the table. A scan that is left counts as costly
	// then, and must not be compiled for that.
	rc.ConnConfig.RuntimeParams["enable_seqscan"] = "off"
	rc.ConnConfig.RuntimeParams["jit"] = "off"

	if rc.ConnConfig.ConnectTimeout == 0 {
		rc.ConnConfig.ConnectTimeout = connectLimit
	}

	pool, err := pgxpool.NewWithConfig(ctx, rc)
	if err != nil {
		return nil, err
	}

	wc := rc.Copy()
	wc.MaxConns = int32(c.Writers)
	wc.ConnConfig.DialFunc = connLimit(c.AnswerLimit).dial
	wc.ConnConfig.RuntimeParams["idle_in_transaction_session_timeout"] = strconv.Itoa(int(pausedLimit.Milliseconds()))
	// Stored answers are long and compressed by the server: lz4 takes half the time. A server built without it, or
	// older than PostgreSQL 14, refuses the setting and goes on as before.
	wc.AfterConnect = func(ctx context.Context, c *pgx.Conn) error {
		_, err := c.Exec(ctx, "SET default_toast_compression = 'lz4'")
		if c.IsClosed() {
			return err
		}

		return nil
	}

	wp, err := pgxpool.NewWithConfig(ctx, wc)
	if err != nil {
		pool.Close()
		return nil, err
	}

	e := &pgEngine{pool: pool, wp: wp}

	known := &columns{config: rc.ConnConfig}
	for range c.Writers {
		e.w = append(e.w, &pgWriter{pool: wp, columns: known})
	}

	return e, nil
}

func (e *pgEngine) dialect() Dialect  { return Postgres }
func (e *pgEngine) writers() []writer { return e.w }

func (e *pgEngine) takeAlone() (alone bool, err error) { return false, nil }

func (e *pgEngine) lockSchema() (release func(), err error) { return func() {}, nil }

func (e *pgEngine) clock(ctx context.Context) (time.Time, error) {
	var now time.Time
	err := e.pool.QueryRow(ctx, "SELECT clock_timestamp()").Scan(&now)
	return now, err
}

func (e *pgEngine) close() error {
	for _, w := range e.w {
		w.(*pgWriter).release()
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
	for _, c := range []struct{ setting, never string }{
		{"fsync", "off"},
		{"full_page_writes", "off"},
		{"synchronous_commit", "off"},
	} {
		var got string
		if err := e.wp.QueryRow(ctx, "SELECT current_setting($1)", c.setting).Scan(&got); err != nil {
			return err
		}

		if got == c.never {
			return fmt.Errorf("PostgreSQL runs with %s=%s, which can lose a committed payment; switch it on", c.setting,
				got)
		}
	}

	return nil
}

// pgWriter holds one connection. A lost one is replaced between transactions, never inside one: what follows would run
// outside of it.
type pgWriter struct {
	pool    *pgxpool.Pool
	conn    *pgxpool.Conn
	columns *columns // shared by all writers
	last    *script  // the newest one, for its memory
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

	if err := t.run(); err != nil {
		return w.commitFailed(c, err)
	}

	return nil
}

// commitFailed distinguishes a commit that the server refused from one whose answer was lost.
func (w *pgWriter) commitFailed(c *pgxpool.Conn, err error) error {
	if c.Conn().IsClosed() {
		w.release()

		var server *pgconn.PgError
		if errors.As(err, &server) && server.Code == codeSilent {
			return err // the session had ended before
		}

		return fmt.Errorf("%w: %w", ErrUnknown, err)
	}

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

	tag, err := c.Exec(context.Background(), "COMMIT")
	if err != nil {
		return w.commitFailed(c, pgError(err))
	}

	if tag.String() != "COMMIT" {
		return errAborted
	}

	return nil
}

// rollback ends the transaction. If even that fails, it closes the connection, which ends the transaction too.
func (w *pgWriter) rollback() {
	if w.conn == nil {
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
