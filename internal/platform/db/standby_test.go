package db_test

import (
	"context"
	"errors"
	"fmt"
	"net/url"
	"strings"
	"testing"
	"testing/fstest"
	"time"

	"github.com/stretchr/testify/require"

	"slipway/internal/platform/db"
	"slipway/internal/platform/db/dbtest"
)

// ownDatabase makes the tables that these tests need on a server of their own: all of the schema would take longer than
// the tests.
func ownDatabase(t *testing.T) *dbtest.Server {
	t.Helper()
	s := dbtest.OwnServer(t)
	s.Do(
		`CREATE TABLE audit_log (id TEXT PRIMARY KEY, organisation TEXT NOT NULL, actor TEXT NOT NULL,
			action TEXT NOT NULL, object TEXT NOT NULL, request_id TEXT NOT NULL, source TEXT NOT NULL,
			detail TEXT NOT NULL DEFAULT '', created_at BIGINT NOT NULL)`,
		"CREATE TABLE confirmations (id TEXT NOT NULL PRIMARY KEY)",
	)

	return s
}

// impatient opens a database whose commits are awaited for a moment.
func impatient(t *testing.T, address string) *db.DB {
	t.Helper()
	d, err := db.Open(t.Context(), db.Config{URL: address, Writers: 2, AnswerLimit: time.Second})
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, d.Close()) })

	return d
}

// waiting counts the processes of the server that wait for the standby.
func waiting(t *testing.T, d *db.DB) int64 {
	t.Helper()
	n, err := db.Value[int64](t.Context(), d, "SELECT count(*) FROM pg_stat_activity WHERE wait_event = 'SyncRep'")
	require.NoError(t, err)

	return n
}

// soon waits for what another process of the machine does.
func soon(t *testing.T, what string, ok func() bool) {
	t.Helper()
	require.Eventually(t, ok, time.Minute, 20*time.Millisecond, what)
}

// B-11: a commit that waits for the server's standby is given up and never cancelled, since a server that is asked to
// cancel counts it without its standby. While it waits, others are refused at once and leave nothing behind; nothing
// tells that the database writes; when the standby is back, everything goes on.
func TestACommitThatWaitsForTheStandbyIsNeverCancelled(t *testing.T) {
	s := ownDatabase(t)
	d := impatient(t, s.Address)
	ctx := t.Context()
	require.NoError(t, d.Write(ctx, insert("before")))
	require.NoError(t, d.Writes(ctx))
	require.Zero(t, d.Unconfirmed())

	s.LoseStandby()

	var given, refused int64
	for _, body := range []func(*db.Tx) error{insert("blind"), inserting("reading")} {
		require.ErrorIs(t, d.Write(ctx, body), db.ErrUnknown)
		given++
	}

	for i := range 10 {
		switch err := d.Write(ctx, insert(fmt.Sprint("more ", i))); {
		case errors.Is(err, db.ErrUnknown):
			given++
		default:
			require.ErrorIs(t, err, db.ErrUnavailable)
			refused++
		}
	}

	require.Positive(t, refused, "a writer whose commit waits takes nothing else")
	require.Equal(t, given, waiting(t, d), "nothing but commits waits at the server, and none was ended")
	require.EqualValues(t, 1, count(t, d, "1 = 1"), "none counts before the standby has it")
	require.Greater(t, d.Unconfirmed(), time.Second)
	d.Clock().Advance(time.Minute)
	require.Error(t, d.Writes(ctx))
	require.Error(t, d.Confirm(ctx))

	s.FindStandby()
	soon(t, "the database writes again", func() bool { return d.Write(ctx, insert("after")) == nil })
	require.EqualValues(t, 2+given, count(t, d, "1 = 1"), "what was given up is there after all, the refused is not")
	require.Zero(t, d.Unconfirmed())
	require.NoError(t, d.Confirm(ctx))
}

// B-11: a commit that the server has counted without its standby, because somebody else ended the wait, is not
// confirmed.
func TestACommitWithoutItsStandbyIsNotConfirmed(t *testing.T) {
	s := ownDatabase(t)
	d := impatient(t, s.Address)
	slow, err := db.Open(t.Context(), db.Config{URL: s.Address, Writers: 1})
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, slow.Close()) })
	require.NoError(t, slow.Write(t.Context(), insert("before")))

	s.LoseStandby()

	outcome := make(chan error, 1)
	go func() { outcome <- slow.Write(context.Background(), insert("cancelled")) }()

	soon(t, "it waits", func() bool { return waiting(t, d) == 1 })
	s.Do("SELECT pg_cancel_backend(pid) FROM pg_stat_activity WHERE wait_event = 'SyncRep'")
	require.ErrorIs(t, <-outcome, db.ErrUnknown)
	require.EqualValues(t, 1, count(t, d, "id = 'cancelled'"), "the server counts it")
	s.FindStandby()
}

// B-11: acknowledging what only this server has is refused where there is a standby to wait for.
func TestALocalCommitBesideAStandbyIsRefused(t *testing.T) {
	s := ownDatabase(t)
	d := impatient(t, strings.Replace(s.Address, "?", "?options=-c%20synchronous_commit%3Dlocal%20&", 1))
	s.LoseStandby()
	require.ErrorContains(t, d.CheckDurability(t.Context()), "synchronous_commit=local")
	s.FindStandby()
}

// B-12: a caller is answered when his time is over, with the truth: what a writer has taken may be done, what it has
// not taken is not, and never will be.
func TestACallerIsAnsweredWhenHisTimeIsOver(t *testing.T) {
	address, p := throughProxy(t)
	d := openAt(t, address, 1)
	ctx := t.Context()
	require.NoError(t, d.Write(ctx, insert("before")))

	p.silent.Store(true)

	taken := make(chan error, 1)
	go func() {
		short, cancel := context.WithTimeout(context.Background(), time.Second)
		defer cancel()

		taken <- d.Write(short, insert("taken"))
	}()

	soon(t, "the writer has it", func() bool { return d.Unconfirmed() > 0 })

	short, cancel := context.WithTimeout(ctx, 100*time.Millisecond)
	defer cancel()

	ran := false
	err := d.Write(short, func(*db.Tx) error { ran = true; return nil })
	require.ErrorIs(t, err, db.ErrUnavailable)
	require.NotErrorIs(t, err, db.ErrUnknown)
	require.ErrorIs(t, <-taken, db.ErrUnknown)

	p.silent.Store(false)
	p.cutAll()
	soon(t, "it goes on", func() bool { return d.Write(ctx, insert("after")) == nil })
	require.False(t, ran, "nobody waits for it")
	require.EqualValues(t, 2, count(t, d, "1 = 1"))
}

// B-12: a commit of nothing proves nothing.
func TestAReadIsNoConfirmedWrite(t *testing.T) {
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		require.NoError(t, d.Write(t.Context(), func(tx *db.Tx) error { count(t, tx, "1 = 1"); return nil }))

		before, _, _ := d.Groups()
		require.NoError(t, d.Writes(t.Context()))
		after, _, _ := d.Groups()
		require.Equal(t, before+1, after, "it wrote for itself")

		require.NoError(t, d.Writes(t.Context()))
		again, _, _ := d.Groups()
		require.Equal(t, after, again, "it has just been confirmed")

		n, err := db.Value[int64](t.Context(), d, "SELECT count(*) FROM confirmations")
		require.NoError(t, err)
		require.Zero(t, n)
	})
}

// B-13: a connection on which the server takes no writes is thrown away; the caller may repeat.
func TestAConnectionThatTakesNoWritesIsThrownAway(t *testing.T) {
	d := openAt(t, dbtest.PostgresURL(t), 1)
	ctx := t.Context()

	readOnly := func() {
		require.NoError(t, d.Write(ctx, func(tx *db.Tx) error {
			_, err := tx.Exec("SET default_transaction_read_only = on")
			return err
		}))
	}

	for _, body := range []func(string) func(*db.Tx) error{insert, inserting} {
		readOnly()
		require.ErrorIs(t, d.Write(ctx, body("refused")), db.ErrUnavailable)
		require.NoError(t, d.Write(ctx, body("x"+t.Name()+time.Now().String())))
	}

	require.Zero(t, count(t, d, "id = 'refused'"))
}

// B-13: of several hosts the one that takes writes is found, whichever comes first, after a failover as well. A
// deployment that does not ask for it does not start.
func TestOfSeveralHostsTheOneThatTakesWritesIsUsed(t *testing.T) {
	primary := ownDatabase(t)
	standby := primary.Standby()

	hostOf := func(s *dbtest.Server) string {
		u, err := url.Parse(s.Address)
		require.NoError(t, err)

		return u.Host
	}
	both := "postgres://postgres@" + hostOf(standby) + "," + hostOf(primary) + "/postgres?sslmode=disable"

	for _, refused := range []string{both, both + "&target_session_attrs=any", both + "&target_session_attrs=standby"} {
		_, err := db.Open(t.Context(), db.Config{URL: refused})
		require.ErrorContains(t, err, "target_session_attrs", refused)
		require.ErrorContains(t, err, "read-write")
	}

	_, err := db.Open(t.Context(), db.Config{URL: standby.Address})
	require.ErrorIs(t, err, db.ErrUnavailable, "a standby alone")

	d := openAt(t, both+"&target_session_attrs=read-write", 1)
	require.NoError(t, d.Write(t.Context(), insert("before")))

	primary.Kill()
	standby.Do("SELECT pg_promote()")
	soon(t, "the new primary is used", func() bool { return d.Write(t.Context(), insert("after")) == nil })
	soon(t, "it is read as well", func() bool {
		n, err := db.Value[int64](t.Context(), d, "SELECT count(*) FROM audit_log")
		return err == nil && n == 1 // of the two, the copy knows the second alone
	})
}

// B-13: a pooler that gives servers to transactions is refused by name. Behind one that gives them to sessions, every
// setting takes effect, and the schema can be made.
func TestAPoolerKeepsSessionsOrIsRefused(t *testing.T) {
	s := ownDatabase(t)

	for _, mode := range []string{"transaction", "statement"} {
		_, err := db.Open(t.Context(), db.Config{URL: dbtest.Pooler(t, s, mode)})
		require.ErrorContains(t, err, "transaction mode (pgbouncer", mode)
		require.ErrorContains(t, err, "pool_mode = session", mode)
	}

	d := openAt(t, dbtest.Pooler(t, s, "session"), 2)
	require.NoError(t, d.Write(t.Context(), inserting("a")))
	require.NoError(t, d.Write(t.Context(), insert("b")))
	require.EqualValues(t, 2, count(t, d, "1 = 1"))

	n, err := d.Migrate(
		t.Context(),
		fstest.MapFS{"0001_x.sql": {Data: []byte("-- +goose Up\nCREATE TABLE x (y TEXT);\n")}},
	)
	require.NoError(t, err)
	require.Equal(t, 1, n)

	require.NoError(t, d.Write(t.Context(), func(tx *db.Tx) error {
		const query = `SELECT current_setting('plan_cache_mode') || ' ' || current_setting('enable_seqscan') || ' ' ||
			current_setting('jit') || ' ' || current_setting('idle_in_transaction_session_timeout')`

		is, err := db.Value[string](t.Context(), tx, query)
		require.NoError(t, err)
		require.Equal(t, "force_generic_plan off off 4s", is)

		return nil
	}))
}
