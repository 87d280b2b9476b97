package setup

import (
	"context"
	"io/fs"
	"os"
	"path/filepath"
	"testing"
	"testing/fstest"
	"time"

	"github.com/stretchr/testify/require"

	"slipway/internal/platform/config"
	"slipway/internal/platform/db"
	"slipway/internal/platform/db/dbtest"
	"slipway/internal/schema"
)

// with returns the present migrations and further ones.
func with(t *testing.T, further map[string]string) fs.FS {
	t.Helper()

	files := fstest.MapFS{}
	for name, text := range further {
		files[name] = &fstest.MapFile{Data: []byte(text)}
	}

	names, err := fs.Glob(schema.Files(), "*.sql")
	require.NoError(t, err)

	for _, name := range names {
		text, err := fs.ReadFile(schema.Files(), name)
		require.NoError(t, err)

		files[name] = &fstest.MapFile{Data: text}
	}

	return files
}

// What an upgrade would do is said, on both databases, and nothing of it is done.
func TestUpgradeCheckSaysWhatWouldRun(t *testing.T) {
	t.Run("sqlite", func(t *testing.T) { upgradeCheck(t, "sqlite:"+dbtest.SQLiteFile(t)) })
	t.Run("postgres", func(t *testing.T) { upgradeCheck(t, dbtest.PostgresURL(t)) })
}

func upgradeCheck(t *testing.T, url string) {
	c, err := config.Load(config.Source{Environ: []string{"SLIPWAY_DATABASE__URL=" + url}})
	require.NoError(t, err)

	look := func(files fs.FS, backup string) map[string]Finding {
		out := map[string]Finding{}
		for _, f := range ExamineUpgrade(t.Context(), c, files, backup) {
			out[f.Part] = f
		}

		return out
	}

	found := look(schema.Files(), "")
	require.Equal(t, Fine, found["schema"].State)
	require.Contains(t, found["schema"].Found, "0 migrations would run")
	require.Equal(t, Watch, found["back-up"].State, "nobody has said where it is")

	next := with(t, map[string]string{
		"9001_quick.sql": "-- +goose Up\nALTER TABLE users ADD COLUMN nickname TEXT NOT NULL DEFAULT '';\n",
		"9002_long.sql":  "-- +goose Up\nCREATE INDEX users_again ON users (id);\n",
	})

	for range 2 {
		found = look(next, "")
		require.Contains(t, found["schema"].Found, "2 migrations would run")
		require.Equal(t, "no table is held for long", found["migration 9001_quick.sql"].Found)
		require.Equal(t, "CREATE INDEX on users, 0 rows", found["migration 9002_long.sql"].Found)
	}

	copied := filepath.Join(t.TempDir(), "copy.db")
	require.Equal(t, Wrong, look(next, copied)["back-up"].State)
	require.NoError(t, os.WriteFile(copied, nil, 0o600))
	require.Equal(t, Fine, look(next, copied)["back-up"].State)

	old := time.Now().Add(-3 * 24 * time.Hour)
	require.NoError(t, os.Chtimes(copied, old, old))
	require.Equal(t, Watch, look(next, copied)["back-up"].State)
	require.Contains(t, look(next, copied)["back-up"].Found, "72h")

	d, err := db.Open(context.Background(), db.Config{URL: url})
	require.NoError(t, err)
	n, err := d.Migrate(context.Background(), next)
	require.NoError(t, err)
	require.Equal(t, 2, n, "looking has run nothing")
	require.NoError(t, d.Close())

	found = look(schema.Files(), "")
	require.Equal(t, Wrong, found["schema"].State)
	require.Contains(t, found["schema"].Found, "is at 9002, newer than this program")
}

// A setting that this program does not have any more is named by itself.
func TestUpgradeCheckNamesSettingsThatAreGone(t *testing.T) {
	_, err := config.Load(config.Source{Environ: []string{"SLIPWAY_HTTP__COLOUR=red", "SLIPWAY_BANK__SMELL=none"}})
	require.Error(t, err)

	found := Unreadable(err)
	require.Len(t, found, 2)

	for _, f := range found {
		require.Equal(t, Wrong, f.State)
		require.Contains(t, f.Do, "changelog")
	}
}
