package db_test

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"net/url"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"slipway/internal/platform/db"
	"slipway/internal/platform/db/dbtest"
)

// proxy stands between a service and its database and cuts the line where a test says.
type proxy struct {
	to     string
	l      net.Listener
	cut    atomic.Int32 // one of the constants below
	away   atomic.Bool  // whoever connects is sent away
	silent atomic.Bool  // what is said is heard by nobody

	mu    sync.Mutex
	lines []net.Conn
}

// cutAll ends every connection that there is.
func (p *proxy) cutAll() {
	p.mu.Lock()
	defer p.mu.Unlock()

	for _, c := range p.lines {
		_ = c.Close()
	}

	p.lines = nil
}

const (
	pass         int32 = iota
	beforeServer       // what the client says next never arrives
	beforeClient       // it arrives and is carried out; the answer is lost
)

// throughProxy gives the address of a fresh database behind a proxy.
func throughProxy(t *testing.T) (address string, p *proxy) {
	t.Helper()
	u, err := url.Parse(dbtest.PostgresURL(t))
	require.NoError(t, err)
	l, err := net.Listen("tcp", "127.0.0.1:0")
	require.NoError(t, err)

	p = &proxy{to: u.Host, l: l}
	go p.accept()
	t.Cleanup(func() { _ = l.Close() })
	u.Host = l.Addr().String()

	return u.String(), p
}

func (p *proxy) accept() {
	for {
		client, err := p.l.Accept()
		if err != nil {
			return
		}

		if p.away.Load() {
			_ = client.Close()
			continue
		}

		server, err := net.Dial("tcp", p.to)
		if err != nil {
			_ = client.Close()
			continue
		}

		p.mu.Lock()
		p.lines = append(p.lines, client, server)

		p.mu.Unlock()
		go p.copy(server, client, beforeServer)
		go p.copy(client, server, beforeClient)
	}
}

// copy passes bytes on until the line is to be cut at its end.
func (p *proxy) copy(to, from net.Conn, end int32) {
	defer to.Close()
	defer from.Close()

	buffer := make([]byte, 64<<10)
	for {
		n, err := from.Read(buffer)
		if p.cut.CompareAndSwap(end, pass) || err != nil {
			return
		}

		if p.silent.Load() {
			continue
		}

		if _, err := to.Write(buffer[:n]); errors.Is(err, io.ErrClosedPipe) || err != nil {
			return
		}
	}
}

func openAt(t *testing.T, address string, writers int) *db.DB {
	t.Helper()
	d, err := db.Open(context.Background(), db.Config{URL: address, Writers: writers})
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, d.Close()) })

	return d
}

// onEach runs the test on databases with one writer.
func onEach(t *testing.T, test func(t *testing.T, d *db.DB)) {
	t.Helper()
	t.Run("sqlite", func(t *testing.T) { test(t, openAt(t, "sqlite:"+dbtest.SQLiteFile(t), 1)) })
	t.Run("postgres", func(t *testing.T) { test(t, openAt(t, dbtest.PostgresURL(t), 1)) })
}

// A commit whose answer is lost may have happened: it is reported as that, and never done a second time (B-01).
func TestLostCommitIsUnknownAndNeverRepeated(t *testing.T) {
	for _, c := range []struct {
		name  string
		cut   int32
		reads bool
		rows  int64
	}{
		{"blind, before the server", beforeServer, false, 0},
		{"blind, before the client", beforeClient, false, 1},
		{"reading, before the server", beforeServer, true, 0},
		{"reading, before the client", beforeClient, true, 1},
	} {
		t.Run(c.name, func(t *testing.T) {
			address, p := throughProxy(t)
			d := openAt(t, address, 1)

			var begun, runs atomic.Int64
			write := func(arm bool) error {
				return d.Write(context.Background(), func(tx *db.Tx) error {
					tx.Insert(insertAudit, row(fmt.Sprint("row-", begun.Add(1)))...)

					if c.reads {
						count(t, tx, "id = ?", "nobody")
					}

					runs.Add(1)

					if arm {
						p.cut.Store(c.cut)
					}

					return nil
				})
			}
			require.NoError(t, write(false)) // statements are prepared on the connection
			require.ErrorIs(t, write(true), db.ErrUnknown)
			require.EqualValues(t, 2, runs.Load(), "the body ran once for each Write")
			require.EqualValues(t, 1+c.rows, count(t, d, "1 = 1"))
			require.NoError(t, write(false), "the writer has a new connection")
		})
	}
}

// held occupies the only writer, so that the bodies given to it afterwards form one group.
func held(t *testing.T, d *db.DB, bodies ...func(tx *db.Tx) error) []error {
	t.Helper()
	return heldUntil(t, d, func() {}, bodies...)
}

// heldUntil calls free between the end of what occupied the writer and the group.
func heldUntil(t *testing.T, d *db.DB, free func(), bodies ...func(tx *db.Tx) error) []error {
	t.Helper()
	hold := make(chan struct{})
	entered := make(chan struct{})

	var wg sync.WaitGroup
	wg.Go(func() {
		_ = d.Write(context.Background(), func(tx *db.Tx) error {
			count(t, tx, "1 = 1") // it reads: a writer runs it, and no other body meanwhile
			tx.OnCommit(free)
			close(entered)
			<-hold

			return nil
		})
	})
	<-entered

	errs := make([]error, len(bodies))
	for i, body := range bodies {
		wg.Go(func() { errs[i] = d.Write(context.Background(), body) })
		require.Eventually(t, func() bool { return d.Waiting() == i+1 }, 10*time.Second, time.Millisecond)
	}

	close(hold)
	wg.Wait()

	return errs
}

func TestLostCommitOfAGroupIsNotRunAgainOneByOne(t *testing.T) {
	address, p := throughProxy(t)
	d := openAt(t, address, 1)
	require.NoError(t, d.Write(context.Background(), func(tx *db.Tx) error {
		tx.Insert(insertAudit, row("first")...)
		return nil
	}))

	var runs atomic.Int64

	body := func(tx *db.Tx) error {
		tx.Insert(insertAudit, row(fmt.Sprint("row-", runs.Add(1)))...)
		return nil
	}
	for _, err := range heldUntil(t, d, func() { p.cut.Store(beforeClient) }, body, body, body) {
		require.ErrorIs(t, err, db.ErrUnknown)
	}

	require.EqualValues(t, 3, runs.Load())
	require.EqualValues(t, 4, count(t, d, "1 = 1"), "all three were written, once")
}

// PostgreSQL's driver tells of a failed query only while its rows are read, and COMMIT of a failed transaction
// succeeds as a ROLLBACK: neither may make a body believe that it was written.
func TestReadThatFailsLateTakesNobodysWrites(t *testing.T) {
	d := openAt(t, dbtest.PostgresURL(t), 1)

	fails := func(tx *db.Tx) error {
		_, err := db.Value[int64](context.Background(), tx, "SELECT 1 / count(*) FROM audit_log WHERE id = ?", "nobody")
		require.Error(t, err)
		return nil // a body that does not care
	}

	writes := func(id string) func(tx *db.Tx) error {
		return func(tx *db.Tx) error {
			tx.Insert(insertAudit, row(id)...)
			_, err := db.Value[int64](context.Background(), tx, "SELECT count(*) FROM audit_log WHERE id = ?", id)
			return err
		}
	}

	errs := held(t, d, writes("a"), fails, writes("b"))
	require.NoError(t, errs[0])
	require.Error(t, errs[1])
	require.NoError(t, errs[2])
	require.EqualValues(t, 2, count(t, d, "id IN ('a', 'b')"))
}

func TestConnectionLostInsideATransactionWritesNothing(t *testing.T) {
	d := openAt(t, dbtest.PostgresURL(t), 1)

	err := d.Write(context.Background(), func(tx *db.Tx) error {
		tx.Insert(insertAudit, row("a")...)
		_, _ = db.Value[bool](context.Background(), tx, "SELECT pg_terminate_backend(pg_backend_pid())")
		tx.Insert(insertAudit, row("b")...)
		_, err := tx.Exec("UPDATE audit_log SET detail = 'x' WHERE id = 'nobody'")
		require.Error(t, err, "nothing runs outside of the transaction that was begun")

		return nil
	})

	require.Error(t, err)
	require.Zero(t, count(t, d, "1 = 1"))

	require.NoError(t, d.Write(context.Background(), func(tx *db.Tx) error {
		tx.Insert(insertAudit, row("c")...)
		return nil
	}))
}

// P-05, P-12: a process is paused in the middle of a transaction. Others wait for the rows that it has locked for
// some seconds only, and it finds that nothing of its own was written.
func TestAPausedTransactionDoesNotKeepOthersOut(t *testing.T) {
	address := dbtest.PostgresURL(t)
	paused := openAt(t, address, 1)
	other := openAt(t, address, 1)
	ctx := context.Background()
	require.NoError(t, other.Write(ctx, func(tx *db.Tx) error { tx.Insert(insertAudit, row("x")...); return nil }))

	const change = "UPDATE audit_log SET detail = ? WHERE id = 'x'"

	err := paused.Write(ctx, func(tx *db.Tx) error {
		_, err := tx.Exec(change, "by the paused one")
		require.NoError(t, err)
		return other.Write(ctx, func(tx *db.Tx) error { tx.Change(change, "by the other"); return nil })
	})
	require.ErrorIs(t, err, db.ErrUnavailable)
	require.EqualValues(t, 1, count(t, other, "detail = 'by the other'"))
}

// Two processes on one database: what the engine cannot serialise is run again, without the caller noticing.
func TestProcessesThatMeetAreSerialised(t *testing.T) {
	address := dbtest.PostgresURL(t)
	both := []*db.DB{openAt(t, address, 2), openAt(t, address, 2)}

	var wg sync.WaitGroup
	for i := range 60 {
		wg.Go(func() {
			require.NoError(t, both[i%2].Write(context.Background(), func(tx *db.Tx) error {
				n, err := db.Value[int64](context.Background(), tx,
					"SELECT count(*) FROM audit_log WHERE action = 'test'")
				if err != nil || n >= 10 {
					return err
				}

				tx.Insert(insertAudit, row(fmt.Sprint(i))...)

				return nil
			}))
		})
	}

	wg.Wait()
	require.EqualValues(t, 10, count(t, both[0], "1 = 1"))
}

// A change that touches no row, or more than one, undoes its whole body and no other.
func TestChangeTouchesExactlyOneRow(t *testing.T) {
	onEach(t, func(t *testing.T, d *db.DB) {
		ctx := context.Background()
		require.NoError(t, d.Write(ctx, func(tx *db.Tx) error {
			tx.Insert(insertAudit, row("x")...)
			tx.Insert(insertAudit, row("y")...)
			return nil
		}))

		change := func(where string, read bool) func(tx *db.Tx) error {
			return func(tx *db.Tx) error {
				if read {
					count(t, tx, "1 = 1")
				}

				tx.Insert(insertAudit, row("with "+where)...)
				tx.Change("UPDATE audit_log SET detail = 'changed' WHERE "+where+" AND detail <> ?", "?")

				return nil
			}
		}
		for _, read := range []bool{false, true} {
			require.ErrorIs(t, d.Write(ctx, change("id = 'nobody'", read)), db.ErrStale)
			require.ErrorIs(t, d.Write(ctx, change("id IN ('x', 'y')", read)), db.ErrStale)
		}

		require.EqualValues(t, 2, count(t, d, "1 = 1"))
		require.Zero(t, count(t, d, "detail <> ''"))
		errs := held(t, d, change("id = 'x'", false), change("id = 'nobody'", false), change("id = 'y'", false))
		require.NoError(t, errs[0])
		require.ErrorIs(t, errs[1], db.ErrStale)
		require.NoError(t, errs[2])
		require.EqualValues(t, 2, count(t, d, "detail = 'changed'"))
	})
}

// The queue is bounded: what does not fit is refused at once, and what was taken is done.
func TestFullQueueRefuses(t *testing.T) {
	d := openAt(t, "sqlite:"+dbtest.SQLiteFile(t), 1)
	hold := make(chan struct{})
	entered := make(chan struct{})

	var wg sync.WaitGroup
	wg.Go(func() {
		_ = d.Write(context.Background(), func(tx *db.Tx) error {
			count(t, tx, "1 = 1") // it reads: a writer runs it, and no other body meanwhile
			close(entered)
			<-hold

			return nil
		})
	})
	<-entered

	var done, busy atomic.Int64
	for i := range 5_000 {
		wg.Go(func() {
			switch err := d.Write(context.Background(), func(tx *db.Tx) error {
				tx.Insert(insertAudit, row(fmt.Sprint(i))...)
				return nil
			}); {
			case err == nil:
				done.Add(1)
			case errors.Is(err, db.ErrBusy):
				busy.Add(1)
			}
		})
	}

	require.Eventually(t, func() bool { return busy.Load() == 5_000-4_096 }, 20*time.Second, time.Millisecond)
	close(hold)
	wg.Wait()
	require.EqualValues(t, 4_096, done.Load())
	require.EqualValues(t, 4_096, count(t, d, "1 = 1"))
}

// The changes of parts keep their order within a part, and one that touches no row undoes them all.
func TestPartsOfABody(t *testing.T) {
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		ctx := context.Background()

		parts := func(n int, from string) func(tx *db.Tx) error {
			return func(tx *db.Tx) error {
				for i := range n {
					tx.Apart()
					id := fmt.Sprint("p", i)

					const move = "UPDATE audit_log SET actor = ? WHERE id = ? AND actor = ?"
					tx.Change(move, "first", id, from)
					tx.Change(move, "second", id, "first")
					tx.Change("UPDATE audit_log SET actor = actor, action = ? WHERE id = ? AND actor = ?", "done", id,
						"second")
				}

				return nil
			}
		}

		require.NoError(t, d.Write(ctx, func(tx *db.Tx) error {
			for i := range 40 {
				tx.Insert(insertAudit, row(fmt.Sprint("p", i))...)
			}

			return nil
		}))

		require.ErrorIs(t, d.Write(ctx, parts(41, "usr")), db.ErrStale, "there is no row for the last part")
		require.EqualValues(t, 40, count(t, d, "actor = 'usr'"))
		require.NoError(t, d.Write(ctx, parts(40, "usr")))
		require.EqualValues(t, 40, count(t, d, "actor = 'second' AND action = 'done'"))
	})
}

// Each change touches one row: that one touches two is not made good by another that touches none.
func TestChangesThatTravelTogetherAreCountedOneByOne(t *testing.T) {
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		ctx := context.Background()

		require.NoError(t, d.Write(ctx, func(tx *db.Tx) error {
			tx.Insert(insertAudit, row("a")...)
			tx.Insert(insertAudit, row("b")...)
			return nil
		}))

		require.ErrorIs(t, d.Write(ctx, func(tx *db.Tx) error {
			for _, organisation := range []string{"org", "nobody"} {
				tx.Apart()
				tx.Change("UPDATE audit_log SET actor = ? WHERE organisation = ?", "changed", organisation)
			}

			return nil
		}), db.ErrStale)

		require.Zero(t, count(t, d, "actor = 'changed'"))
	})
}

// A connection keeps a bounded number of statements, and goes on when it has let them go.
func TestManyTextsOnOneConnection(t *testing.T) {
	d := openAt(t, dbtest.PostgresURL(t), 1)
	ctx := context.Background()
	change := func(i int) {
		require.NoError(t, d.Write(ctx, func(tx *db.Tx) error {
			tx.Change(fmt.Sprintf("UPDATE audit_log SET actor = ? WHERE id = ? AND %d = %d", i, i),
				fmt.Sprint("actor ", i), "x")

			return nil
		}))
	}
	require.NoError(t, d.Write(ctx, func(tx *db.Tx) error { tx.Insert(insertAudit, row("x")...); return nil }))

	for i := range 1_200 {
		change(i)
	}

	change(0)
	require.NoError(t, d.Write(ctx, func(tx *db.Tx) error {
		n, err := db.Value[int64](ctx, tx, "SELECT count(*) FROM pg_prepared_statements WHERE name LIKE 'script_%'")
		require.NoError(t, err)
		require.Less(t, n, int64(600))

		return nil
	}))
	require.EqualValues(t, 1, count(t, d, "actor = 'actor 0'"))
}
