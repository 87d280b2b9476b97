package jobs_test

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"slipway/internal/platform/db"
	"slipway/internal/platform/db/dbtest"
	"slipway/internal/platform/jobs"
	"slipway/internal/platform/replica"
)

var quiet = slog.New(slog.NewTextHandler(io.Discard, nil))

func enqueue(t *testing.T, d *db.DB, r *jobs.Runner, kind, key string) {
	t.Helper()
	require.NoError(t, d.Write(context.Background(), func(tx *db.Tx) error {
		r.Enqueue(tx, kind, key, "p")
		return nil
	}))
}

func TestJobOfARefusedTransactionDoesNotExist(t *testing.T) {
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		r := jobs.New(d, quiet, jobs.Config{})

		_ = d.Write(context.Background(), func(tx *db.Tx) error {
			r.Enqueue(tx, "k", "k/1", "")
			return errors.New("no")
		})

		n, err := r.RunDue(context.Background(), 5)
		require.NoError(t, err)
		require.Zero(t, n)
	})
}

func TestOneLiveJobForAKey(t *testing.T) {
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		r := jobs.New(d, quiet, jobs.Config{})
		ran := 0
		r.Handle("k", func(context.Context, jobs.Job) (jobs.Result, error) { ran++; return jobs.Done(), nil })
		enqueue(t, d, r, "k", "k/1")
		enqueue(t, d, r, "k", "k/1")
		_, err := r.RunDue(context.Background(), 5)
		require.NoError(t, err)
		require.Equal(t, 1, ran)
	})
}

// A claim takes as many jobs as it asks for, whatever the database believes of its table: one more that it takes is
// held by nobody who runs it. PostgreSQL's statistics are of when there was one job.
func TestAClaimTakesNoMoreThanItAsksFor(t *testing.T) {
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		r := jobs.New(d, quiet, jobs.Config{})
		ran := map[string]int{}
		r.Handle("k", func(_ context.Context, j jobs.Job) (jobs.Result, error) {
			ran[j.Key]++
			return jobs.Done(), nil
		})

		for i := range 4 {
			enqueue(t, d, r, "k", fmt.Sprint("k/", i))

			if i == 0 {
				require.NoError(t, d.Write(t.Context(), func(tx *db.Tx) error {
					_, err := tx.Exec("ANALYZE jobs")
					return err
				}))
			}
		}

		_, err := r.RunDue(context.Background(), 50)
		require.NoError(t, err)
		require.Len(t, ran, 4)
	})
}

func TestFailedJobRunsAgainAfterAPause(t *testing.T) {
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		r := jobs.New(d, quiet, jobs.Config{})
		ran := 0
		r.Handle("k", func(context.Context, jobs.Job) (jobs.Result, error) {
			if ran++; ran < 3 {
				return jobs.Result{}, errors.New("not yet")
			}

			return jobs.Done(), nil
		})
		enqueue(t, d, r, "k", "k/1")

		for range 6 {
			_, err := r.RunDue(context.Background(), 5)
			require.NoError(t, err)
			d.Clock().Advance(10 * time.Second)
		}

		require.Equal(t, 3, ran)
	})
}

// A wake-up that comes while the job runs makes it run once more, though the run says Done.
func TestWakeDuringTheRunIsNotLost(t *testing.T) {
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		r := jobs.New(d, quiet, jobs.Config{})
		ran := 0

		r.Handle("k", func(ctx context.Context, j jobs.Job) (jobs.Result, error) {
			if ran++; ran == 1 {
				return jobs.Done(), d.Write(ctx, func(tx *db.Tx) error { return r.Wake(tx, j.Key) })
			}

			return jobs.Done(), nil
		})

		enqueue(t, d, r, "k", "k/1")
		_, err := r.RunDue(context.Background(), 5)
		require.NoError(t, err)
		require.Equal(t, 2, ran)
	})
}

// P-05 for jobs: a worker whose lease has run out neither deletes nor reschedules the job that another one holds now.
func TestWorkerThatLostItsLeaseChangesNothing(t *testing.T) {
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		slow := jobs.New(d, quiet, jobs.Config{})
		quick := jobs.New(d, quiet, jobs.Config{})
		ran := 0

		quick.Handle("k", func(context.Context, jobs.Job) (jobs.Result, error) {
			ran++
			return jobs.Again(time.Hour), nil
		})

		slow.Handle("k", func(ctx context.Context, _ jobs.Job) (jobs.Result, error) {
			d.Clock().Advance(3 * time.Minute) // past the lease
			_, err := quick.RunDue(ctx, 5)
			return jobs.Done(), err
		})

		enqueue(t, d, slow, "k", "k/1")
		_, err := slow.RunDue(context.Background(), 5)
		require.NoError(t, err)

		d.Clock().Advance(2 * time.Hour)
		_, err = quick.RunDue(context.Background(), 5)
		require.NoError(t, err)
		require.Equal(t, 2, ran, "the job that the second worker rescheduled is still there")
	})
}

func TestManyRunnersShareTheWork(t *testing.T) {
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		const all = 200

		var (
			seen sync.Map
			ran  atomic.Int64
		)

		ctx, cancel := context.WithCancel(context.Background())
		defer cancel()

		var (
			wg      sync.WaitGroup
			runners []*jobs.Runner
		)
		for range 3 {
			r := jobs.New(d, quiet, jobs.Config{Poll: time.Millisecond})

			r.Handle("k", func(_ context.Context, j jobs.Job) (jobs.Result, error) {
				if _, twice := seen.LoadOrStore(j.Key, true); twice {
					t.Errorf("%s ran twice", j.Key)
				}

				if ran.Add(1) == all {
					cancel()
				}

				return jobs.Done(), nil
			})

			runners = append(runners, r)
		}

		for i := range all {
			enqueue(t, d, runners[0], "k", fmt.Sprint("k/", i))
		}

		for _, r := range runners {
			wg.Go(func() { _ = r.Run(ctx) })
		}

		wg.Wait()
		require.EqualValues(t, all, ran.Load())
	})
}

// P-11: the schedule is one job, however many processes start it.
func TestPeriodicWorkRunsOncePerInterval(t *testing.T) {
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		ran := 0

		var last *jobs.Runner
		for range 3 {
			r := jobs.New(d, quiet, jobs.Config{})
			r.Every("tick", time.Hour, func(context.Context) error { ran++; return nil })
			require.NoError(t, r.Schedule(context.Background()))
			last = r
		}

		d.Clock().Advance(61 * time.Minute)
		_, err := last.RunDue(context.Background(), 5)
		require.NoError(t, err)
		require.Equal(t, 1, ran)
	})
}

// reopened opens the database of d once more, as a process that starts when the clock has been set back: d's is ahead
// of it.
func reopened(t *testing.T, address string) *db.DB {
	t.Helper()
	d, err := db.Open(context.Background(), db.Config{URL: address})
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, d.Close()) })

	return d
}

// eachAddress runs the test once with the address of a fresh SQLite file and once with that of a fresh PostgreSQL
// database.
func eachAddress(t *testing.T, test func(t *testing.T, address string)) {
	t.Run("sqlite", func(t *testing.T) { test(t, "sqlite:"+dbtest.SQLiteFile(t)) })
	t.Run("postgres", func(t *testing.T) { test(t, dbtest.PostgresURL(t)) })
}

// P-09, P-12: the database's clock was set back by 27 hours. A job that was held or waiting then is not held or
// waiting for 27 hours more: it runs after what it was to wait, once, and a periodic one does not run an extra time.
func TestNothingStandsStillWhenTheClockIsSetBack(t *testing.T) {
	eachAddress(t, func(t *testing.T, address string) {
		ctx := context.Background()
		ran := map[string]int{}

		runner := func(d *db.DB) *jobs.Runner {
			r := jobs.New(d, quiet, jobs.Config{})
			r.Handle("follow", func(context.Context, jobs.Job) (jobs.Result, error) {
				ran["follow"]++
				return jobs.Again(5 * time.Second), nil
			})
			r.Every("hourly", time.Hour, func(context.Context) error { ran["hourly"]++; return nil })

			return r
		}

		before := reopened(t, address)
		before.Clock().Advance(27 * time.Hour)
		first := runner(before)

		first.Handle("held", func(ctx context.Context, _ jobs.Job) (jobs.Result, error) {
			ran["held"]++
			if ran["held"] > 1 {
				return jobs.Done(), nil
			}

			// The process hangs here, the clock is set back, and another process starts.
			after := reopened(t, address)
			second := runner(after)
			second.Handle("held", func(context.Context, jobs.Job) (jobs.Result, error) {
				ran["held"]++
				return jobs.Done(), nil
			})
			_, err := second.RunDue(ctx, 10)
			require.NoError(t, err)
			require.Equal(t, map[string]int{
				"follow": 1,
				"held":   2,
			}, ran, "a lease that lies further ahead than its length is no lease")

			after.Clock().Advance(6 * time.Second)
			_, err = second.RunDue(ctx, 10)
			require.NoError(t, err)
			require.Equal(t, 2, ran["follow"])

			after.Clock().Advance(50 * time.Minute)
			_, err = second.RunDue(ctx, 10)
			require.NoError(t, err)
			require.Zero(t, ran["hourly"], "its interval is not over")
			after.Clock().Advance(11 * time.Minute)
			_, err = second.RunDue(ctx, 10)
			require.NoError(t, err)
			require.Equal(t, 1, ran["hourly"])

			return jobs.Done(), nil
		})

		require.NoError(t, first.Schedule(ctx))

		enqueue(t, before, first, "follow", "f")
		_, err := first.RunDue(ctx, 10)
		require.NoError(t, err)

		enqueue(t, before, first, "held", "h")
		_, err = first.RunDue(ctx, 10)
		require.NoError(t, err)
	})
}

// P-09: the clock of a process is set while it runs, forward and back by an hour and a day. What it asks for is due
// as it was meant, and periodic work runs once for each interval that really passes.
func TestSettingAProcesssClockSchedulesNothingTwice(t *testing.T) {
	for _, jump := range []time.Duration{time.Hour, -time.Hour, 24 * time.Hour, -24 * time.Hour} {
		t.Run(jump.String(), func(t *testing.T) {
			dbtest.Each(t, func(t *testing.T, d *db.DB) {
				ctx := context.Background()
				r := jobs.New(d, quiet, jobs.Config{})
				ran := 0
				r.Every("quarterly", 15*time.Minute, func(context.Context) error { ran++; return nil })
				require.NoError(t, r.Schedule(ctx))
				due := func() {
					_, err := r.RunDue(ctx, 10)
					require.NoError(t, err)
				}
				due()
				d.Clock().Jump(jump)
				due()

				after := ran
				if jump < 0 || d.Dialect() == db.Postgres {
					require.Zero(t, after, "no interval has passed")
				}

				for range 4 {
					d.Clock().Advance(15*time.Minute + time.Second)
					due()
				}

				require.Equal(t, 4, ran-after)
			})
		})
	}
}

// P-12: with replicas, the job of one that died is another's as soon as its heartbeat ends; the lease itself has two
// minutes to go. P-05: what the first one still says about it counts for nothing.
// A job runs once at a time in a process, however the clock is set meanwhile: its lease has expired, or is void, while
// its handler runs. Its outcome counts.
func TestSettingTheClockStartsNoRunningJobAgain(t *testing.T) {
	for _, jump := range []time.Duration{72 * time.Hour, -72 * time.Hour} {
		t.Run(jump.String(), func(t *testing.T) {
			dbtest.Each(t, func(t *testing.T, d *db.DB) {
				r := jobs.New(d, quiet, jobs.Config{})
				ran := 0

				r.Handle("k", func(ctx context.Context, _ jobs.Job) (jobs.Result, error) {
					if ran++; ran > 1 {
						return jobs.Done(), nil
					}

					if jump > 0 {
						d.Clock().Advance(jump)
					} else {
						d.Clock().Jump(jump)
					}

					_, err := r.RunDue(ctx, 5)

					return jobs.Done(), err
				})

				enqueue(t, d, r, "k", "k/1")
				_, err := r.RunDue(t.Context(), 5)
				require.NoError(t, err)
				require.Equal(t, 1, ran)

				n, _, err := jobs.Waiting(t.Context(), d, "k")
				require.NoError(t, err)
				require.Zero(t, n, "its outcome was written")
			})
		})
	}
}

func TestJobsOfADeadReplicaAreTakenOver(t *testing.T) {
	d := dbtest.Postgres(t)
	ctx := context.Background()
	runner := func() (*replica.Replica, *jobs.Runner) {
		rep := replica.New(d, quiet)
		r := jobs.New(d, quiet, jobs.Config{Replica: rep})
		require.NoError(t, rep.Join(ctx))

		return rep, r
	}
	_, dying := runner()
	heir, taking := runner()
	ran := 0
	taking.Handle("k", func(context.Context, jobs.Job) (jobs.Result, error) {
		ran++
		return jobs.Again(time.Hour), nil
	})
	dying.Handle("k", func(ctx context.Context, _ jobs.Job) (jobs.Result, error) {
		_, err := taking.RunDue(ctx, 5)
		require.NoError(t, err)
		require.Zero(t, ran, "it is held")

		d.Clock().Advance(4 * time.Second)
		require.NoError(t, heir.Beat(ctx))
		_, err = taking.RunDue(ctx, 5)
		require.NoError(t, err)
		require.Equal(t, 1, ran)

		return jobs.Done(), nil
	})
	enqueue(t, d, dying, "k", "k/1")
	_, err := dying.RunDue(ctx, 5)
	require.NoError(t, err)

	d.Clock().Advance(2 * time.Hour)
	require.NoError(t, heir.Beat(ctx))
	_, err = taking.RunDue(ctx, 5)
	require.NoError(t, err)
	require.Equal(t, 2, ran, "the dead one has not deleted what its heir planned")
}

// B-10: a job's handler has ended when its outcome could not be written. The runner, which lives and still holds it,
// gives it back and runs it again; the job beside it, which runs, stays its own.
func TestAJobWhoseOutcomeWasNotWrittenIsGivenBack(t *testing.T) {
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		ctx := context.Background()
		exec := func(text string) {
			require.NoError(t, d.Write(ctx, func(tx *db.Tx) error { _, err := tx.Exec(text); return err }))
		}
		r := jobs.New(d, quiet, jobs.Config{})
		ran := map[string]int{}

		r.Handle("k", func(context.Context, jobs.Job) (jobs.Result, error) {
			if ran["k"]++; ran["k"] == 1 {
				exec("ALTER TABLE jobs RENAME COLUMN wakes TO away") // nothing of its outcome can be written
			}

			return jobs.Done(), nil
		})

		r.Handle("outer", func(ctx context.Context, _ jobs.Job) (jobs.Result, error) {
			ran["outer"]++
			enqueue(t, d, r, "k", "k")
			_, err := r.RunDue(ctx, 5)
			require.Error(t, err)
			exec("ALTER TABLE jobs RENAME COLUMN away TO wakes")
			_, err = r.RunDue(ctx, 5)

			return jobs.Done(), err
		})

		enqueue(t, d, r, "outer", "o")
		_, err := r.RunDue(ctx, 5)
		require.NoError(t, err)
		require.Equal(t, map[string]int{"k": 2, "outer": 1}, ran)
	})
}

// B-06: while something is held only exempt jobs run; the others wait and run afterwards. Not to know counts as held.
func TestHeldJobsWait(t *testing.T) {
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		r := jobs.New(d, quiet, jobs.Config{})
		held := true
		unknown := error(nil)

		var ran []string
		for _, kind := range []string{"send", "read"} {
			r.Handle(kind, func(_ context.Context, j jobs.Job) (jobs.Result, error) {
				ran = append(ran, j.Kind)
				return jobs.Done(), nil
			})
		}

		r.HoldWhile(func(context.Context) (bool, error) { return held, unknown }, "read")
		run := func() {
			d.Clock().Advance(time.Minute)
			_, err := r.RunDue(context.Background(), 5)
			require.NoError(t, err)
		}

		enqueue(t, d, r, "send", "send/1")
		enqueue(t, d, r, "read", "read/1")
		run()
		run()
		require.Equal(t, []string{"read"}, ran)
		held = false
		unknown = errors.New("no database")
		run()
		require.Equal(t, []string{"read"}, ran)
		unknown = nil
		run()
		require.Equal(t, []string{"read", "send"}, ran)
	})
}
