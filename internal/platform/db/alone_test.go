package db_test

import (
	"context"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"slipway/internal/platform/db"
	"slipway/internal/platform/db/dbtest"
)

// openAlone opens a file as a service does.
func openAlone(path string) (*db.DB, error) {
	return db.Open(context.Background(), db.Config{URL: "sqlite:" + path, Alone: true})
}

// P-12: of two processes on one SQLite file only one works. The second is refused by whatever name it reaches the file,
// before it has made anything; the file is free again when the first has closed it.
func TestOneProcessWorksOnASQLiteFile(t *testing.T) {
	path := dbtest.SQLiteFile(t)
	first, err := openAlone(path)
	require.NoError(t, err)
	require.True(t, first.Alone())

	command := openAt(t, "sqlite:"+path, 1)
	require.False(t, command.Alone())
	require.Zero(t, count(t, command, "1 = 1"), "a command may look while the service runs")

	names := filepath.Join(t.TempDir(), "names")
	require.NoError(t, os.Mkdir(names, 0o700))
	require.NoError(t, os.Symlink(path, filepath.Join(names, "symbolic.db")))
	require.NoError(t, os.Symlink("symbolic.db", filepath.Join(names, "twice.db")))
	require.NoError(t, os.Link(path, filepath.Join(names, "hard.db")))

	for _, name := range []string{
		path,
		filepath.Join(names, "symbolic.db"),
		filepath.Join(names, "twice.db"),
		filepath.Join(names, "hard.db"),
	} {
		_, err := openAlone(name)
		require.ErrorIs(t, err, db.ErrInUse, name)
	}

	made, err := os.ReadDir(names)
	require.NoError(t, err)
	require.Len(t, made, 3, "nothing lies beside the links")

	require.NoError(t, first.Close())

	second, err := openAlone(filepath.Join(names, "twice.db"))
	require.NoError(t, err)
	require.True(t, second.Alone())
	require.NoError(t, second.Close())
}

// A database that a symbolic link names is created where the link leads to, readable by its owner alone.
func TestALinkToAMissingDatabaseCreatesItThere(t *testing.T) {
	dir := t.TempDir()
	link := filepath.Join(dir, "link.db")
	require.NoError(t, os.Symlink("slipway.db", link))

	d, err := openAlone(link)
	require.NoError(t, err)
	require.NoError(t, d.Close())

	info, err := os.Stat(filepath.Join(dir, "slipway.db"))
	require.NoError(t, err)
	require.Equal(t, os.FileMode(0o600), info.Mode().Perm())
}

// Several processes share PostgreSQL: none is alone on it.
func TestNobodyIsAloneOnPostgres(t *testing.T) {
	d, err := db.Open(context.Background(), db.Config{URL: dbtest.PostgresURL(t), Alone: true})
	require.NoError(t, err)
	require.False(t, d.Alone())
	require.NoError(t, d.Close())
}
