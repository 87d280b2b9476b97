package db_test

import (
	"context"
	"io/fs"
	"sync"
	"sync/atomic"
	"testing"
	"testing/fstest"
	"time"

	"github.com/stretchr/testify/require"

	"slipway/internal/platform/db"
	"slipway/internal/platform/db/dbtest"
	"slipway/internal/schema"
)

// nextVersion is the present schema and one file more.
func nextVersion(t *testing.T) fs.FS {
	t.Helper()
	files := fstest.MapFS{
		"9001_next.sql": {
			Data: []byte("-- +goose Up\nALTER TABLE audit_log ADD COLUMN reason TEXT NOT NULL DEFAULT '';\n" +
				"-- +goose Down\nALTER TABLE audit_log DROP COLUMN reason;\n"),
		},
	}
	require.NoError(t, fs.WalkDir(schema.Files(), ".", func(path string, e fs.DirEntry, err error) error {
		if err != nil || e.IsDir() {
			return err
		}

		text, err := fs.ReadFile(schema.Files(), path)
		files[path] = &fstest.MapFile{Data: text}

		return err
	}))

	return files
}

// B-07: a table is changed while a process of the version before reads for long and writes. Its writes do not wait
// for the reading to end, as they would behind a migration that waits for its lock; it goes on after the change,
// which comes when the reading is over.
func TestMigratingKeepsNobodyWaiting(t *testing.T) {
	address := dbtest.PostgresURL(t)
	before := openAt(t, address, 1)
	next := openAt(t, address, 1)
	ctx := context.Background()

	var ended sync.WaitGroup
	require.NoError(t, before.Snapshot(ctx, func(q db.Querier) error {
		count(t, q, "1 = 1") // its lock on the table stays until the end of the snapshot
		ended.Go(func() {
			n, err := next.Migrate(ctx, nextVersion(t))
			require.NoError(t, err)
			require.Equal(t, 1, n)
		})
		require.Eventually(t, func() bool {
			waits, err := db.Value[int64](ctx, next,
				"SELECT count(*) FROM pg_locks WHERE NOT granted AND relation = 'audit_log'::regclass")

			return err == nil && waits == 1
		}, 20*time.Second, time.Millisecond, "the migration waits for the reading")

		return before.Write(ctx, insert("while it waits"))
	}))

	ended.Wait()
	require.NoError(t, before.Write(ctx, insert("by the version before")))
	require.EqualValues(t, 2, count(t, next, "reason = ''"))
}

// B-07: processes of one version that start together apply each file once; who comes second waits.
func TestProcessesThatStartTogetherMigrateOnce(t *testing.T) {
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		files := nextVersion(t)

		var (
			applied atomic.Int64
			ended   sync.WaitGroup
		)
		for range 3 {
			ended.Go(func() {
				n, err := d.Migrate(context.Background(), files)
				require.NoError(t, err)
				applied.Add(int64(n))
			})
		}

		ended.Wait()
		require.EqualValues(t, 1, applied.Load())
	})
}
