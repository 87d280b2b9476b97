package trail_test

import (
	"context"
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"

	"slipway/internal/platform/db"
	"slipway/internal/platform/db/dbtest"
	"slipway/internal/platform/trail"
)

// A reader that goes on from the position of its last reading sees every change, however many one write has made.
func TestChangesMissNothing(t *testing.T) {
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		ctx := context.Background()

		write := func(from, to int) {
			require.NoError(t, d.Write(ctx, func(tx *db.Tx) error {
				for i := from; i < to; i++ {
					object := fmt.Sprintf("txn_%d", i)
					if err := trail.Event(tx, "transaction.created", "org_1", object, int64(i+1), nil); err != nil {
						return err
					}
				}

				return nil
			}))
		}

		position, err := trail.Position(ctx, d, d.Dialect())
		require.NoError(t, err)

		seen := map[string]int64{}
		made := 0

		for _, more := range []int{0, 1, 2, 0, 1_999, 2_000, 5_000} {
			write(made, made+more)
			made += more

			var all []trail.Change

			all, position, err = trail.Changes(ctx, d, d.Dialect(), position)
			require.NoError(t, err)

			for _, c := range all {
				require.Equal(t, "org_1", c.Organisation)
				seen[c.Object] = c.Sequence
			}

			require.Len(t, seen, made)
		}

		again, _, err := trail.Changes(ctx, d, d.Dialect(), position)
		require.NoError(t, err)
		require.Empty(t, again, "nothing is under way")
	})
}

// On PostgreSQL writers commit side by side. What one writes that began before a reading and commits after it is in the
// next reading, although others have committed in between.
func TestAChangeThatCommitsLateIsNotMissed(t *testing.T) {
	ctx := context.Background()
	address := dbtest.PostgresURL(t)

	open := func() *db.DB {
		d, err := db.Open(ctx, db.Config{URL: address, Writers: 1})
		require.NoError(t, err)
		t.Cleanup(func() { require.NoError(t, d.Close()) })

		return d
	}
	reader := open()
	slow := open()
	fast := open()

	position, err := trail.Position(ctx, reader, reader.Dialect())
	require.NoError(t, err)

	event := func(tx *db.Tx, object string) error {
		return trail.Event(tx, "transaction.created", "org_1", object, 1, nil)
	}

	read := func() (objects []string) {
		var all []trail.Change

		all, position, err = trail.Changes(ctx, reader, reader.Dialect(), position)
		require.NoError(t, err)

		for _, c := range all {
			objects = append(objects, c.Object)
		}

		return objects
	}

	began := make(chan struct{})
	goOn := make(chan struct{})
	ended := make(chan error)

	go func() {
		ended <- slow.Write(ctx, func(tx *db.Tx) error {
			if err := event(tx, "late"); err != nil {
				return err
			}

			// a read sends what was asked for before
			_, err := db.Value[int64](ctx, tx, "SELECT count(*) FROM audit_log")

			close(began)
			<-goOn

			return err
		})
	}()

	<-began
	require.NoError(t, fast.Write(ctx, func(tx *db.Tx) error { return event(tx, "early") }))
	require.Equal(t, []string{"early"}, read())

	close(goOn)
	require.NoError(t, <-ended)
	require.Contains(t, read(), "late")
}
