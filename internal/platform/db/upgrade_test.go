package db_test

import (
	"context"
	"testing"
	"testing/fstest"

	"github.com/stretchr/testify/require"

	"slipway/internal/platform/db"
	"slipway/internal/platform/db/dbtest"
	"slipway/internal/schema"
)

// What an upgrade would run is named with what it does to rows that are there; looking runs nothing.
func TestUpgradeIsForeseenAndNotDone(t *testing.T) {
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		ctx := context.Background()

		u, err := d.Upgrade(ctx, schema.Files())
		require.NoError(t, err)
		require.Equal(t, u.Wanted, u.At)
		require.Empty(t, u.Missing)
		require.Empty(t, u.Late)
		require.Empty(t, u.Unknown)

		require.NoError(t, d.Write(ctx, insert("one")))

		next := nextVersion(t).(fstest.MapFS)
		next["9002_work.sql"] = &fstest.MapFile{Data: []byte("-- +goose Up\n" +
			"CREATE TABLE made (id TEXT NOT NULL); -- UPDATE users: a comment is no statement\n" +
			"CREATE INDEX made_id ON made (id);\n" +
			"CREATE UNIQUE INDEX audit_log_again ON audit_log (id);\n" +
			"UPDATE audit_log SET reason = '' WHERE reason = 'x';\n" +
			"-- +goose Down\nDELETE FROM users;\n")}

		for range 2 {
			u, err = d.Upgrade(ctx, next)
			require.NoError(t, err)
			require.EqualValues(t, 9002, u.Wanted)
			require.Less(t, u.At, int64(9001))
			require.Equal(t, []db.Migration{
				{Name: "9001_next.sql"},
				{Name: "9002_work.sql", Work: []db.Work{
					{What: "CREATE INDEX", Table: "audit_log", Rows: 1},
					{What: "UPDATE", Table: "audit_log", Rows: 1},
				}},
			}, u.Missing)
		}

		n, err := d.Migrate(ctx, next)
		require.NoError(t, err)
		require.Equal(t, 2, n, "nothing had run before")

		u, err = d.Upgrade(ctx, schema.Files())
		require.NoError(t, err)
		require.Equal(t, []int64{9001, 9002}, u.Unknown, "the database is newer than the program")

		next["8999_late.sql"] = &fstest.MapFile{Data: []byte("-- +goose Up\nSELECT 1;\n")}
		u, err = d.Upgrade(ctx, next)
		require.NoError(t, err)
		require.Equal(t, []string{"8999_late.sql"}, u.Late)
		require.Empty(t, u.Missing)
	})
}
