package db_test

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"go.uber.org/goleak"

	"slipway/internal/platform/db"
	"slipway/internal/platform/db/dbtest"
)

func insert(id string) func(tx *db.Tx) error {
	return func(tx *db.Tx) error {
		tx.Insert(insertAudit, row(id)...)
		return nil
	}
}

// inserting reads as well, so that the transaction is begun before it commits.
func inserting(id string) func(tx *db.Tx) error {
	return func(tx *db.Tx) error {
		if _, err := db.Value[int64](context.Background(), tx, "SELECT count(*) FROM audit_log"); err != nil {
			return err
		}

		tx.Insert(insertAudit, row(id)...)

		return nil
	}
}

// B-10: while the server cannot be reached, reads and writes say so and do nothing; when it is back they go on.
func TestAServerThatIsAwayIsSaidToBeAway(t *testing.T) {
	address, p := throughProxy(t)
	d := openAt(t, address, 1)
	ctx := context.Background()
	require.NoError(t, d.Write(ctx, insert("before")))

	p.away.Store(true)
	p.cutAll()
	require.ErrorIs(t, d.Write(ctx, inserting("reading")), db.ErrUnavailable)
	require.ErrorIs(t, d.Write(ctx, insert("blind")), db.ErrUnavailable)
	_, err := db.Value[int64](ctx, d, "SELECT count(*) FROM audit_log")
	require.ErrorIs(t, err, db.ErrUnavailable)
	require.ErrorIs(t, d.Snapshot(ctx, func(db.Querier) error { return nil }), db.ErrUnavailable)
	require.ErrorIs(t, d.SyncClock(ctx), db.ErrUnavailable)

	p.away.Store(false)
	require.NoError(t, d.Write(ctx, inserting("after")))
	require.EqualValues(t, 2, count(t, d, "1 = 1"))
}

// B-10: a connection that was lost between two transactions is replaced before anything is sent on the new one.
func TestALostConnectionIsReplacedBeforeATransaction(t *testing.T) {
	address, p := throughProxy(t)
	d := openAt(t, address, 1)
	require.NoError(t, d.Write(context.Background(), inserting("before")))
	p.cutAll()
	require.NoError(t, d.Write(context.Background(), inserting("after")))
	require.EqualValues(t, 2, count(t, openAt(t, address, 1), "1 = 1"))
}

// B-03: a server that is there and says nothing holds nobody for ever: what may have been committed is unknown,
// everything else was not done. No goroutine stays behind.
func TestASilentServerHoldsNobodyForEver(t *testing.T) {
	address, p := throughProxy(t)
	before := goleak.IgnoreCurrent()
	d, err := db.Open(context.Background(), db.Config{URL: address, Writers: 1, AnswerLimit: 2 * time.Second})
	require.NoError(t, err)
	ctx := context.Background()
	require.NoError(t, d.Write(ctx, insert("before")))

	p.silent.Store(true)
	require.ErrorIs(t, d.Write(ctx, insert("blind")), db.ErrUnknown)
	require.ErrorIs(t, d.Write(ctx, inserting("reading")), db.ErrUnavailable)

	short, cancel := context.WithTimeout(ctx, 100*time.Millisecond)
	defer cancel()
	_, err = db.Value[int64](short, d, "SELECT count(*) FROM audit_log")
	require.ErrorIs(t, err, context.DeadlineExceeded)

	p.silent.Store(false)
	p.cutAll()
	require.NoError(t, d.Write(ctx, inserting("after")))
	require.EqualValues(t, 2, count(t, d, "1 = 1"))
	require.NoError(t, d.Close())
	p.cutAll()
	goleak.VerifyNone(t, before)
}

// B-03: when all connections for reading are taken, a caller waits as long as its own time lasts, and leaves nothing
// behind.
func TestAnExhaustedPoolEndsWithTheCallersTime(t *testing.T) {
	for _, open := range []func() string{func() string {
		return "sqlite:" + dbtest.SQLiteFile(t)
	}, func() string { return dbtest.PostgresURL(t) }} {
		address := open()
		before := goleak.IgnoreCurrent()
		d, err := db.Open(context.Background(), db.Config{URL: address, Readers: 2})
		require.NoError(t, err)

		var taken, free sync.WaitGroup

		hold := make(chan struct{})
		for range 2 {
			taken.Add(1)

			free.Go(func() {
				require.NoError(t, d.Snapshot(context.Background(), func(db.Querier) error {
					taken.Done()
					<-hold
					return nil
				}))
			})
		}

		taken.Wait()
		short, cancel := context.WithTimeout(context.Background(), 50*time.Millisecond)
		err = d.Snapshot(short, func(db.Querier) error { return errors.New("there was room") })
		require.ErrorIs(t, err, context.DeadlineExceeded)
		cancel()
		require.NoError(t, d.Write(context.Background(), insert("x")), "writers have connections of their own")

		close(hold)
		free.Wait()
		require.EqualValues(t, 1, count(t, d, "1 = 1"))
		require.NoError(t, d.Close())
		goleak.VerifyNone(t, before, goleak.IgnoreTopFunction("database/sql.(*DB).connectionOpener"))
	}
}

// B-10, P-08: a disk that is full takes nothing, says so, and takes the same again when there is room.
func TestAFullSQLiteFileIsAway(t *testing.T) {
	d := dbtest.SQLite(t)
	ctx := context.Background()

	pages := func(limit int64) {
		require.NoError(t, d.Write(ctx, func(tx *db.Tx) error {
			_, err := tx.Exec(fmt.Sprintf("PRAGMA max_page_count = %d", limit))
			return err
		}))
	}

	large := func(tx *db.Tx) error {
		values := row("large")
		values[3] = strings.Repeat("x", 1<<20)
		tx.Insert(insertAudit, values...)

		return nil
	}

	pages(1) // as many as there are
	require.ErrorIs(t, d.Write(ctx, large), db.ErrUnavailable)
	require.Zero(t, count(t, d, "1 = 1"))

	pages(1 << 20)
	require.NoError(t, d.Write(ctx, large))
}

// B-10: a file that another process has locked is away once, and not for as long as all tries together.
func TestALockedSQLiteFileIsAway(t *testing.T) {
	path := dbtest.SQLiteFile(t)
	d := openAt(t, "sqlite:"+path, 1)
	ctx := context.Background()
	require.NoError(t, d.Write(ctx, func(tx *db.Tx) error {
		_, err := tx.Exec("PRAGMA busy_timeout = 20")
		return err
	}))

	other, err := sql.Open("sqlite", path)
	require.NoError(t, err)

	defer other.Close()
	other.SetMaxOpenConns(1)
	_, err = other.Exec("BEGIN IMMEDIATE")
	require.NoError(t, err)
	require.ErrorIs(t, d.Write(ctx, insert("x")), db.ErrUnavailable)
	_, err = other.Exec("ROLLBACK")
	require.NoError(t, err)
	require.NoError(t, d.Write(ctx, insert("x")))
}

// B-02: what PostgreSQL could not serialise (40001) or undid as a deadlock (40P01) is run again as a whole, and only
// so often.
func TestTheWholeBodyIsRunAgainAndNotForEver(t *testing.T) {
	for _, code := range []string{"40001", "40P01"} {
		for _, kind := range []string{"blind", "reading"} {
			t.Run(code+" "+kind, func(t *testing.T) {
				d := openAt(t, dbtest.PostgresURL(t), 1)
				ctx := context.Background()
				exec := func(text string) {
					require.NoError(t, d.Write(ctx, func(tx *db.Tx) error { _, err := tx.Exec(text); return err }))
				}
				exec("CREATE SEQUENCE tries") // a sequence is not rolled back
				fails := func(times int) {
					exec("DROP TRIGGER IF EXISTS fails ON audit_log")
					exec("SELECT setval('tries', 1, false)")

					exec(
						fmt.Sprintf(`CREATE
							OR REPLACE FUNCTION fails() RETURNS trigger LANGUAGE plpgsql AS $f$ BEGIN IF
							nextval('tries') <= %d THEN RAISE EXCEPTION 'again' USING ERRCODE = '%s'; END IF;
							RETURN NEW; END $f$`, times, code),
					)

					exec("CREATE TRIGGER fails BEFORE INSERT ON audit_log FOR EACH ROW EXECUTE FUNCTION fails()")
				}

				body := insert
				if kind == "reading" {
					body = inserting
				}

				fails(3)
				require.NoError(t, d.Write(ctx, body("x")))
				require.EqualValues(t, 1, count(t, d, "id = 'x'"))

				fails(1_000)
				require.ErrorIs(t, d.Write(ctx, body("y")), db.ErrRetry)
				require.Zero(t, count(t, d, "id = 'y'"))
				tried, err := db.Value[int64](ctx, d, "SELECT last_value FROM tries")
				require.NoError(t, err)
				require.EqualValues(t, 12, tried)
			})
		}
	}
}

// P-10: a database that may lose what it has acknowledged is refused.
func TestADatabaseThatForgetsIsRefused(t *testing.T) {
	ctx := context.Background()
	address := dbtest.PostgresURL(t)
	forgetful := openAt(t, address+"&options=-c%20synchronous_commit%3Doff", 1)
	require.ErrorContains(t, forgetful.CheckDurability(ctx), "=off, which can lose a committed payment")

	d := openAt(t, address, 1)
	server, err := db.Value[string](ctx, d, "SELECT current_setting('fsync') || current_setting('full_page_writes')")
	require.NoError(t, err)

	if server == "onon" {
		require.NoError(t, d.CheckDurability(ctx))
	} else {
		require.ErrorContains(t, d.CheckDurability(ctx), "=off, which can lose a committed payment",
			"this server is for tests")
	}

	require.NoError(t, dbtest.SQLite(t).CheckDurability(ctx))
	memory := openAt(t, "sqlite::memory:", 1)
	require.ErrorContains(t, memory.CheckDurability(ctx), "journal_mode=memory, which can lose a committed payment")
}
