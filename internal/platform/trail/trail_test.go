package trail_test

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"slipway/internal/core/caller"
	"slipway/internal/platform/db"
	"slipway/internal/platform/db/dbtest"
	"slipway/internal/platform/trail"
)

func TestTrailIsWrittenWithTheChangeOrNotAtAll(t *testing.T) {
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		ctx := context.Background()

		no := errors.New("no")
		for _, end := range []error{no, nil} {
			err := d.Write(ctx, func(tx *db.Tx) error {
				trail.Audit(ctx, tx, "org_1", "transaction.accept", "txn_1", "by hand")

				if err := trail.Event(tx, "transaction.accepted", "org_1", "txn_1", 3,
					map[string]string{"a": "b"}); err != nil {
					return err
				}

				return end
			})

			require.ErrorIs(t, err, end)
		}

		for _, table := range []string{"events", "audit_log"} {
			n, err := db.Value[int64](ctx, d, "SELECT count(*) FROM "+table)
			require.NoError(t, err)
			require.EqualValues(t, 1, n, table)
		}

		data, err := db.Value[string](
			ctx,
			d,
			`SELECT data FROM events
				WHERE type = 'transaction.accepted' AND organisation = 'org_1' AND object = 'txn_1' AND sequence = 3`,
		)
		require.NoError(t, err)
		require.JSONEq(t, `{"a":"b"}`, data)
	})
}

func TestAuditNamesThePersonOrTheSystem(t *testing.T) {
	d := dbtest.SQLite(t)

	person := caller.With(context.Background(), caller.Principal{User: "usr_1"})
	for _, ctx := range []context.Context{context.Background(), person} {
		require.NoError(t, d.Write(ctx, func(tx *db.Tx) error {
			trail.Audit(ctx, tx, "org_1", "a", "b", "c")
			return nil
		}))
	}

	for _, actor := range []string{trail.System, "usr_1"} {
		n, err := db.Value[int64](context.Background(), d, "SELECT count(*) FROM audit_log WHERE actor = ?", actor)
		require.NoError(t, err)
		require.EqualValues(t, 1, n, actor)
	}
}

func TestEventThatCannotBeWrittenAsJSONIsAnError(t *testing.T) {
	d := dbtest.SQLite(t)
	require.Error(t, d.Write(context.Background(), func(tx *db.Tx) error {
		return trail.Event(tx, "x", "o", "b", 1, make(chan int))
	}))
}

// The audit log is only ever added to: no statement of the program changes or deletes its lines.
func TestNothingChangesTheAuditLog(t *testing.T) {
	forbidden := regexp.MustCompile(`(?i)(update|delete\s+from|truncate)\s+(audit_log|events)\b`)
	looked := 0

	require.NoError(t, filepath.WalkDir("../../..", func(path string, e fs.DirEntry, err error) error {
		if err != nil || e.IsDir() && (e.Name() == "node_modules" || strings.HasPrefix(e.Name(), ".g")) {
			return fs.SkipDir
		}

		if e.IsDir() || !strings.HasSuffix(path, ".go") || strings.HasSuffix(path, "_test.go") {
			return nil
		}

		text, err := os.ReadFile(path)
		looked++
		require.NotRegexp(t, forbidden, string(text), path)

		return err
	}))

	require.Greater(t, looked, 200)
}
