//go:build !nosandbox

package apptest

import (
	"context"
	"net/url"
	"os"
	"path/filepath"
	"strings"

	"github.com/jackc/pgx/v5"
	"github.com/stretchr/testify/require"
)

// Snapshot copies the database as a backup does, and gives the function that puts the copy back in its place. The
// first app is stopped and started around both; other apps must not run.
func (h *Harness) Snapshot() (restore func()) {
	h.T.Helper()
	h.Stop(h.App)

	var put func()
	if file := h.SQLiteFile(); file != "" {
		put = h.copySQLite(file)
	} else {
		put = h.copyPostgres()
	}

	h.App = h.Start()

	return func() {
		h.T.Helper()
		h.Stop(h.App)
		put()
		h.App = h.Start()
	}
}

// copySQLite copies the file with its log: the database is closed.
func (h *Harness) copySQLite(file string) func() {
	h.T.Helper()
	backup := filepath.Join(h.T.TempDir(), "backup.db")
	copyAll := func(from, to string) {
		for _, suffix := range []string{"", "-wal", "-shm"} {
			data, err := os.ReadFile(from + suffix)
			if os.IsNotExist(err) {
				_ = os.Remove(to + suffix)
				continue
			}

			require.NoError(h.T, err)
			require.NoError(h.T, os.WriteFile(to+suffix, data, 0o600))
		}
	}
	copyAll(file, backup)

	return func() { copyAll(backup, file) }
}

// copyPostgres keeps the copy as another database of the same server.
func (h *Harness) copyPostgres() func() {
	h.T.Helper()
	u, err := url.Parse(h.URL)
	require.NoError(h.T, err)
	name := strings.TrimPrefix(u.Path, "/")
	u.Path = "/postgres"
	exec := func(statements ...string) {
		conn, err := pgx.Connect(context.Background(), u.String())
		require.NoError(h.T, err)

		for _, s := range statements {
			_, err = conn.Exec(context.Background(), s)
			require.NoError(h.T, err, s)
		}

		require.NoError(h.T, conn.Close(context.Background()))
	}
	exec("CREATE DATABASE " + name + "_backup TEMPLATE " + name)
	h.T.Cleanup(func() { exec("DROP DATABASE IF EXISTS " + name + "_backup WITH (FORCE)") })

	return func() {
		exec("DROP DATABASE "+name+" WITH (FORCE)", "CREATE DATABASE "+name+" TEMPLATE "+name+"_backup")
	}
}
