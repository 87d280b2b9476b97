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
func (h *Harness) Snapshot() (restore func()) { return h.SnapshotWith() }

// SnapshotWith is Snapshot that keeps and puts back folders, too, such as that of the witness.
func (h *Harness) SnapshotWith(folders ...string) (restore func()) {
	h.T.Helper()
	h.Stop(h.App)

	var put func()
	if file := h.SQLiteFile(); file != "" {
		put = h.copySQLite(file)
	} else {
		put = h.copyPostgres()
	}

	kept := map[string]string{}
	for _, folder := range folders {
		kept[folder] = filepath.Join(h.T.TempDir(), "kept")
		require.NoError(h.T, os.MkdirAll(folder, 0o700)) // perhaps nothing is in it yet
		require.NoError(h.T, os.CopyFS(kept[folder], os.DirFS(folder)))
	}

	h.App = h.Start()

	return func() {
		h.T.Helper()
		h.Stop(h.App)
		put()

		for folder, copied := range kept {
			require.NoError(h.T, os.RemoveAll(folder))
			require.NoError(h.T, os.CopyFS(folder, os.DirFS(copied)))
		}

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
	name, exec := h.server()
	exec("CREATE DATABASE " + name + "_backup TEMPLATE " + name)
	h.T.Cleanup(func() { exec("DROP DATABASE IF EXISTS " + name + "_backup WITH (FORCE)") })

	return func() {
		exec("DROP DATABASE "+name+" WITH (FORCE)", "CREATE DATABASE "+name+" TEMPLATE "+name+"_backup")
	}
}

// server returns the name of the database, and what runs statements beside it.
func (h *Harness) server() (name string, exec func(statements ...string)) {
	h.T.Helper()
	u, err := url.Parse(h.URL)
	require.NoError(h.T, err)
	name = strings.TrimPrefix(u.Path, "/")
	u.Path = "/postgres"

	return name, func(statements ...string) {
		conn, err := pgx.Connect(context.Background(), u.String())
		require.NoError(h.T, err)

		for _, s := range statements {
			_, err = conn.Exec(context.Background(), s)
			require.NoError(h.T, err, s)
		}

		require.NoError(h.T, conn.Close(context.Background()))
	}
}

// Database runs a statement on PostgreSQL's server, beside the database.
func (h *Harness) Database(statement string) {
	h.T.Helper()
	_, exec := h.server()
	exec(statement)
}

// Lose removes the database, as a disk does that dies. On PostgreSQL an empty one has its name then. No app may run.
func (h *Harness) Lose() {
	h.T.Helper()

	if file := h.SQLiteFile(); file != "" {
		for _, suffix := range []string{"", "-wal", "-shm"} {
			require.NoError(h.T, os.RemoveAll(file+suffix))
		}

		return
	}

	name, exec := h.server()
	exec("DROP DATABASE "+name+" WITH (FORCE)", "CREATE DATABASE "+name)
}

// BankKeeps puts the payment files that the bank has executed into the folder done beside those to it, as banks do that
// keep what they got.
func (h *Harness) BankKeeps() {
	h.T.Helper()
	inbox, _ := h.World.BankFolders()
	done := filepath.Join(inbox, "done")
	require.NoError(h.T, os.MkdirAll(done, 0o700))

	all, err := filepath.Glob(filepath.Join(h.World.BankFolder, "archive", "*pain001-*"))
	require.NoError(h.T, err)
	require.NotEmpty(h.T, all)

	for _, path := range all {
		content, err := os.ReadFile(path)
		require.NoError(h.T, err)

		name := filepath.Base(path)
		name = name[strings.Index(name, "pain001-"):]
		require.NoError(h.T, os.WriteFile(filepath.Join(done, name), content, 0o600))
	}
}
