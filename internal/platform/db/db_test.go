package db_test

import (
	"context"
	"errors"
	"fmt"
	"os"
	"runtime"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"

	"slipway/internal/platform/db"
	"slipway/internal/platform/db/dbtest"
)

var insertAudit = db.InsertInto("audit_log", "id, organisation, actor, action, object, request_id, source, created_at")

func row(id string) []any { return []any{id, "org", "usr", "test", "obj", "req", "", int64(1)} }

func count(t *testing.T, q db.Querier, where string, args ...any) int64 {
	t.Helper()
	n, err := db.Value[int64](context.Background(), q, "SELECT count(*) FROM audit_log WHERE "+where, args...)
	require.NoError(t, err)

	return n
}

func TestWriteIsSeenAfterItReturns(t *testing.T) {
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		ctx := context.Background()
		require.NoError(t, d.Write(ctx, func(tx *db.Tx) error {
			tx.Insert(insertAudit, row("a")...)
			require.EqualValues(t, 1, count(t, tx, "id = ?", "a"), "a read in the body sees the body's own writes")
			return nil
		}))
		require.EqualValues(t, 1, count(t, d, "id = ?", "a"))
	})
}

func TestFailedBodyWritesNothing(t *testing.T) {
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		ctx := context.Background()

		no := errors.New("no")
		for i, write := range []func(tx *db.Tx) error{
			func(tx *db.Tx) error { tx.Insert(insertAudit, row("x")...); return no },
			func(tx *db.Tx) error {
				tx.Insert(insertAudit, row("x")...)
				count(t, tx, "id = ?", "x") // sends the insert
				return no
			},
			func(tx *db.Tx) error {
				_, err := tx.Exec(`INSERT INTO audit_log (id, organisation, actor, action, object, request_id, source, created_at)
					VALUES ('x','','','','','','',1)`)
				require.NoError(t, err)

				return no
			},
			func(tx *db.Tx) error { tx.Insert(insertAudit, row("x")...); panic(no) },
		} {
			require.Error(t, d.Write(ctx, write), "case %d", i)
			require.Zero(t, count(t, d, "id = ?", "x"), "case %d", i)
		}
	})
}

// Bodies that wait together: each gets its own answer, and those that fail leave the others alone.
func TestGroupGivesEachBodyItsOwnResult(t *testing.T) {
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		ctx := context.Background()
		no := errors.New("no")
		require.NoError(t, d.Write(ctx, func(tx *db.Tx) error { tx.Insert(insertAudit, row("taken")...); return nil }))

		var wg sync.WaitGroup
		for i := range 300 {
			wg.Go(func() {
				id := fmt.Sprintf("row-%03d", i)

				err := d.Write(ctx, func(tx *db.Tx) error {
					switch i % 5 {
					case 1:
						tx.Insert(insertAudit, row("taken")...)
					case 2:
						tx.Insert(insertAudit, row(id)...)
						return no
					case 3:
						tx.Change("UPDATE audit_log SET detail = 'x' WHERE id = ?", "nobody")

					case 4:
						tx.Insert(insertAudit, row(id)...)
						_, err := db.Value[int64](ctx, tx, "SELECT count(*) FROM audit_log WHERE id = ?", id)
						return err

					default:
						tx.Insert(insertAudit, row(id)...)
					}

					return nil
				})
				switch i % 5 {
				case 1:
					require.True(t, db.IsUnique(err, "audit_log"), "%v", err)
				case 2:
					require.ErrorIs(t, err, no)
				case 3:
					require.ErrorIs(t, err, db.ErrStale)
				default:
					require.NoError(t, err)
				}
			})
		}

		wg.Wait()
		require.EqualValues(t, 120, count(t, d, "id LIKE 'row-%'"))
	})
}

// Thousands of rows of one body go another way to PostgreSQL than few; what is promised of them is the same.
func TestThousandsOfRowsOfOneBody(t *testing.T) {
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		ctx := context.Background()

		write := func(n int, last string) error {
			return d.Write(ctx, func(tx *db.Tx) error {
				if _, err := db.Value[int64](ctx, tx, "SELECT count(*) FROM audit_log"); err != nil {
					return err
				}

				for i := range n {
					tx.Insert(insertAudit, row(fmt.Sprintf("%s-%04d", last, i))...)
				}

				tx.Insert(insertAudit, row(last)...)

				found, err := db.Value[int64](ctx, tx, "SELECT count(*) FROM audit_log WHERE id = ?", last+"-0000")
				if err == nil && found != 1 {
					err = errors.New("a read does not see the rows before it")
				}

				return err
			})
		}

		require.NoError(t, write(3000, "a"))
		require.EqualValues(t, 3001, count(t, d, "id LIKE 'a%'"))
		require.NoError(t, d.Write(ctx, func(tx *db.Tx) error { tx.Insert(insertAudit, row("b")...); return nil }))

		err := write(3000, "b")
		require.True(t, db.IsUnique(err, "audit_log"), "%v", err)
		require.EqualValues(t, 1, count(t, d, "id LIKE 'b%'"), "all of them or none")
	})
}

func TestManyBodiesShareACommit(t *testing.T) {
	if os.Getenv("SLIPWAY_TEST_RUN_TWICE") != "" {
		t.Skip("with every body run twice, each runs alone: nothing shares a commit")
	}

	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		hold := make(chan struct{})
		entered := make(chan struct{}, 1)

		var wg sync.WaitGroup
		for range 1 {
			wg.Go(func() {
				_ = d.Write(context.Background(), func(tx *db.Tx) error {
					count(t, tx, "1 = 1") // it reads, so it has a writer for itself

					entered <- struct{}{}
					<-hold

					return nil
				})
			})
		}

		<-entered

		for i := range 100 {
			wg.Go(func() {
				require.NoError(t, d.Write(context.Background(), func(tx *db.Tx) error {
					tx.Insert(insertAudit, row(fmt.Sprint(i))...)
					return nil
				}))
			})
		}

		for d.Dialect() == db.SQLite && d.Waiting() < 100 {
			runtime.Gosched() // PostgreSQL has a second writer, which takes what waits at once
		}

		close(hold)
		wg.Wait()
		transactions, bodies, _ := d.Groups()
		require.EqualValues(t, 100, count(t, d, "1 = 1"))

		if bodies > 1 && transactions > bodies/2 {
			t.Fatalf("%d bodies took %d transactions", bodies, transactions)
		}
	})
}

// A lost update is refused: of two bodies that read the same state and act on it, one sees the other's write.
func TestReadThenWriteIsSerial(t *testing.T) {
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		var wg sync.WaitGroup
		for i := range 60 {
			wg.Go(func() {
				err := d.Write(context.Background(), func(tx *db.Tx) error {
					n, err := db.Value[int64](context.Background(), tx,
						"SELECT count(*) FROM audit_log WHERE action = 'test'")
					if err != nil || n >= 10 {
						return err
					}

					tx.Insert(insertAudit, row(fmt.Sprint(i))...)

					return nil
				})

				require.NoError(t, err)
			})
		}

		wg.Wait()
		require.EqualValues(t, 10, count(t, d, "1 = 1"))
	})
}

func TestOnCommitRunsOnceAndOnlyAfterACommit(t *testing.T) {
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		var ran []string

		_ = d.Write(context.Background(), func(tx *db.Tx) error {
			tx.OnCommit(func() { ran = append(ran, "never") })
			return errors.New("no")
		})

		require.NoError(t, d.Write(context.Background(), func(tx *db.Tx) error {
			tx.OnCommit(func() { ran = append(ran, "once") })
			return nil
		}))

		require.Equal(t, []string{"once"}, ran)
	})
}

// A requirement that fails inside a body ends the writer's goroutine; the next write must not wait for ever.
func TestWriterOutlivesABodyThatEndsItsGoroutine(t *testing.T) {
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		require.Error(t, d.Write(context.Background(), func(tx *db.Tx) error {
			runtime.Goexit()
			return nil
		}))

		require.NoError(t, d.Write(context.Background(), func(tx *db.Tx) error {
			tx.Insert(insertAudit, row("a")...)
			return nil
		}))

		require.EqualValues(t, 1, count(t, d, "1 = 1"))
	})
}

func TestWriteAfterCloseIsRefused(t *testing.T) {
	d := dbtest.SQLite(t)
	require.NoError(t, d.Close())
	require.ErrorIs(t, d.Write(context.Background(), func(*db.Tx) error { return nil }), db.ErrClosed)
}

func TestCancelledReadLeavesThePoolUsable(t *testing.T) {
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		ctx, cancel := context.WithCancel(context.Background())
		cancel()
		_, _ = db.Value[int64](ctx, d, "SELECT count(*) FROM audit_log")
		require.Zero(t, count(t, d, "1 = 1"))
	})
}

func TestWhereAddsOnlyWhatIsGiven(t *testing.T) {
	var w db.Where
	require.Empty(t, w.SQL())
	w.And("organisation = ?", "o")
	db.In(&w, "status", []string(nil))
	db.In(&w, "type", []string{"a", "b", "c"})
	require.Equal(t, " WHERE organisation = ? AND type IN (?,?,?,?)", w.SQL())
	require.Equal(t, []any{"o", "a", "b", "c", "c"}, w.Args)
}

// Bodies of one group that change a row each under a guard travel in one statement on PostgreSQL: each has its own
// effect, and one whose guard fails takes nobody with it.
func TestGuardedChangesOfManyBodiesKeepApart(t *testing.T) {
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		ctx := context.Background()

		const rows = 40
		require.NoError(t, d.Write(ctx, func(tx *db.Tx) error {
			for i := range rows {
				tx.Insert(insertAudit, row(fmt.Sprint("a", i))...)
			}

			return nil
		}))

		var wg sync.WaitGroup

		errs := make([]error, rows)
		for i := range rows {
			wg.Go(func() {
				version := int64(1 + i%4/3) // every fourth has read another version

				errs[i] = d.Write(ctx, func(tx *db.Tx) error {
					tx.Change(
						"UPDATE audit_log SET action = ?, created_at = created_at + 1 WHERE id = ? AND created_at = ?",
						fmt.Sprint("S", i),
						fmt.Sprint("a", i),
						version,
					)

					return nil
				})
			})
		}

		wg.Wait()

		for i := range rows {
			got, err := db.Value[string](ctx, d, "SELECT action FROM audit_log WHERE id = ?", fmt.Sprint("a", i))
			require.NoError(t, err)

			if i%4 == 3 {
				require.ErrorIs(t, errs[i], db.ErrStale)
				require.Equal(t, "test", got)
			} else {
				require.NoError(t, errs[i])
				require.Equal(t, fmt.Sprint("S", i), got)
			}
		}
	})
}

// A caller that has gone away is refused each time, whatever room the queue has.
func TestWriteOfAnEndedContextIsRefused(t *testing.T) {
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		ctx, cancel := context.WithCancel(context.Background())
		cancel()

		for range 20 {
			err := d.Write(ctx, func(tx *db.Tx) error {
				tx.Insert(insertAudit, row("late")...)
				return nil
			})
			require.ErrorIs(t, err, context.Canceled)
		}
	})
}

// A table that a migration makes while the process runs takes rows like those that were there at its start.
func TestInsertsIntoATableMadeLater(t *testing.T) {
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		ctx := context.Background()
		write := func(in *db.Insert, values ...any) error {
			return d.Write(ctx, func(tx *db.Tx) error { tx.Insert(in, values...); return nil })
		}
		require.NoError(t, write(insertAudit, row("before")...))

		require.NoError(t, d.Write(ctx, func(tx *db.Tx) error {
			_, err := tx.Exec("CREATE TABLE later (id TEXT NOT NULL, n BIGINT NOT NULL, is_so BOOLEAN NOT NULL)")
			return err
		}))

		require.ErrorContains(t, write(db.InsertInto("later", "id, m"), "a", int64(1)), "later")
		require.NoError(t, write(db.InsertInto("later", "id, n, is_so"), "a", int64(7), true))

		n, err := db.Value[int64](ctx, d, "SELECT n FROM later WHERE is_so")
		require.NoError(t, err)
		require.EqualValues(t, 7, n)
	})
}
