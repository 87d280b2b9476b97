package jobs_test

import (
	"context"
	"log/slog"
	"testing"

	"github.com/stretchr/testify/require"

	"slipway/internal/platform/db"
	"slipway/internal/platform/db/dbtest"
	"slipway/internal/platform/jobs"
)

// Two runners share the table; each runs its own kinds and leaves the others alone.
func TestARunnerRunsItsOwnKinds(t *testing.T) {
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		ctx := context.Background()

		var ran []string

		runner := func(name string, c jobs.Config) *jobs.Runner {
			r := jobs.New(d, slog.New(slog.DiscardHandler), c)
			for _, kind := range []string{"slow", "quick"} {
				r.Handle(kind, func(context.Context, jobs.Job) (jobs.Result, error) {
					ran = append(ran, name+" "+kind)
					return jobs.Done(), nil
				})
			}

			return r
		}
		slow := runner("A", jobs.Config{Only: []string{"slow", "slower"}})
		others := runner("B", jobs.Config{Except: []string{"slow", "slower"}})

		require.NoError(t, d.Write(ctx, func(tx *db.Tx) error {
			others.Enqueue(tx, "slow", "1", "")
			others.Enqueue(tx, "quick", "2", "")

			return nil
		}))

		_, err := others.RunDue(ctx, 10)
		require.NoError(t, err)
		require.Equal(t, []string{"B quick"}, ran)

		_, err = slow.RunDue(ctx, 10)
		require.NoError(t, err)
		require.Equal(t, []string{"B quick", "A slow"}, ran)
	})
}
