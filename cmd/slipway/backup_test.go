//go:build !nosandbox

package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// A person takes a back-up, tries it, looks at the list, and puts it back where the database is gone.
func TestBackupsByHand(t *testing.T) {
	deskOf(t)

	_, err := slip(t, "backup", "take")
	require.ErrorContains(t, err, "set backup.folder, or name one by --place")
	_, err = slip(t, "backup", "list")
	require.ErrorContains(t, err, "--place FOLDER")

	place := t.TempDir()
	t.Setenv("SLIPWAY_BACKUP__FOLDER", place)

	out, err := slip(t, "backup", "list")
	require.NoError(t, err)
	require.Contains(t, out, "There is no back-up in "+place)

	out, err = slip(t, "backup", "take")
	require.NoError(t, err)
	require.Contains(t, out, "copying the database")
	require.Contains(t, out, "Keep security.keyring elsewhere")

	out, err = slip(t, "backup", "drill")
	require.NoError(t, err, out)
	require.Contains(t, out, "the back-up is sound")
	require.Contains(t, out, "0 transactions made since")

	out, err = slip(t, "backup", "list")
	require.NoError(t, err)
	require.Contains(t, out, "sqlite")
	require.Contains(t, out, "Drill of ")

	_, err = slip(t, "backup", "restore")
	require.ErrorContains(t, err, "is there already")

	aside := filepath.Join(t.TempDir(), "aside")
	out, err = slip(t, "backup", "restore", "--to", aside)
	require.NoError(t, err)
	require.Contains(t, out, filepath.Join(aside, "slipway.db"))
	require.FileExists(t, filepath.Join(aside, "slipway.db"))

	file := strings.TrimPrefix(databaseURL(), "sqlite:")
	for _, suffix := range []string{"", "-wal", "-shm"} {
		require.NoError(t, os.RemoveAll(file+suffix))
	}

	_, err = slip(t, "backup", "restore", "20200101T000000Z")
	require.ErrorContains(t, err, "there is no such back-up")

	out, err = slip(t, "backup", "restore")
	require.NoError(t, err)
	require.Contains(t, out, file)
	require.Contains(t, out, "Leave the witness as it is")

	out, err = slip(t, "ledger", "verify")
	require.NoError(t, err)
	require.Contains(t, out, "the books are sound")
}

// A back-up that is not sound ends the command with an error, and its faults are printed.
func TestADrillThatFindsAFaultFails(t *testing.T) {
	deskOf(t)
	place := t.TempDir()
	_, err := slip(t, "backup", "take", "--place", place)
	require.NoError(t, err)

	files, err := filepath.Glob(filepath.Join(place, "2*", "database.zst"))
	require.NoError(t, err)
	require.Len(t, files, 1)
	require.NoError(t, os.Truncate(files[0], 10))

	out, err := slip(t, "backup", "drill", "--place", place)
	require.ErrorContains(t, err, "the back-up is not sound: 1 faults")
	require.Contains(t, out, "FAULT: ")
	require.Contains(t, out, "database.zst has other bytes than were taken")
}
