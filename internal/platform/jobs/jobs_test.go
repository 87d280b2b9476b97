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
)

var quiet = slog.New(slog.NewTextHandler(io.Discard, nil))

func enqueue(t *testing.T, d *db.DB, r *jobs.Runner, kind, key string) {
	t.Helper()
	require.NoError(t, d.Write(context.Background(), func(tx *db.Tx) error { r.Enqueue(tx, kind, key, "p"); return nil }))
}

func TestJobOfARefusedTransactionDoesNotExist(t *testing.T) {
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		r := jobs.New(d, quiet, jobs.Config{})
		_ = d.Write(context.Background(), func(tx *db.Tx) error { r.Enqueue(tx, "k", "k/1", ""); return errors.New("no") })
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
		slow, quick := jobs.New(d, quiet, jobs.Config{}), jobs.New(d, quiet, jobs.Config{})
		ran := 0
		quick.Handle("k", func(context.Context, jobs.Job) (jobs.Result, error) { ran++; return jobs.Again(time.Hour), nil })
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
		var seen sync.Map
		var ran atomic.Int64
		ctx, cancel := context.WithCancel(context.Background())
		defer cancel()
		var wg sync.WaitGroup
		var runners []*jobs.Runner
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
			ctx, cancel := context.WithCancel(context.Background())
			cancel()
			require.Error(t, r.Run(ctx)) // schedules nothing: the context is over
			last = r
		}
		ctx, cancel := context.WithCancel(context.Background())
		done := make(chan struct{})
		go func() { _ = last.Run(ctx); close(done) }()
		for {
			if b, err := jobs.Look(context.Background(), d); err == nil && !b.OldestDue.IsZero() {
				break
			}
		}
		cancel()
		<-done
		d.Clock().Advance(61 * time.Minute)
		_, err := last.RunDue(context.Background(), 5)
		require.NoError(t, err)
		require.Equal(t, 1, ran)
	})
}
