package db_test

import (
	"context"
	"io/fs"
	"os"
	"path/filepath"
	"syscall"
	"testing"

	"github.com/stretchr/testify/require"

	"slipway/internal/platform/db"
)

// C-02: the file and what SQLite keeps beside it can be read by their owner alone, under a umask that takes no right
// away, and so can the folder that was made for them.
func TestDatabaseFileIsItsOwnersAlone(t *testing.T) {
	defer syscall.Umask(syscall.Umask(0))
	path := filepath.Join(t.TempDir(), "data", "slipway.db")

	writeOne(t, path, func() {
		for _, suffix := range []string{"", "-wal", "-shm"} {
			require.Equal(t, fs.FileMode(0o600), modeOf(t, path+suffix), suffix)
		}
	})
	require.Equal(t, fs.FileMode(0o700), modeOf(t, filepath.Dir(path)))
}

// C-02: a file that others could read, with its write-ahead log, is theirs no more once it has been opened.
func TestDatabaseFileIsNarrowedWhenItIsOpened(t *testing.T) {
	path := filepath.Join(t.TempDir(), "slipway.db")

	writeOne(t, path, func() {
		for _, suffix := range []string{"", "-wal", "-shm"} {
			require.NoError(t, os.Chmod(path+suffix, 0o644))
		}

		writeOne(t, path, func() { // beside the first, as a command works beside the service
			for _, suffix := range []string{"", "-wal", "-shm"} {
				require.Equal(t, fs.FileMode(0o600), modeOf(t, path+suffix), suffix)
			}
		})
	})
}

// writeOne opens a database, makes it write, and closes it after while.
func writeOne(t *testing.T, path string, while func()) {
	t.Helper()
	ctx := context.Background()
	d, err := db.Open(ctx, db.Config{URL: "sqlite:" + path})
	require.NoError(t, err)

	defer d.Close()

	require.NoError(t, d.Write(ctx, func(tx *db.Tx) error {
		_, err := tx.Exec("CREATE TABLE IF NOT EXISTS kept (id TEXT)")
		return err
	}))
	while()
}

func modeOf(t *testing.T, path string) fs.FileMode {
	t.Helper()
	info, err := os.Stat(path)
	require.NoError(t, err)

	return info.Mode().Perm()
}
