//go:build !nosandbox

package main

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"
)

// placeDatabase makes the database of a deployment in a folder.
func placeDatabase(t *testing.T, dir string) {
	t.Helper()
	require.NoError(t, os.MkdirAll(dir, 0o700))
	t.Setenv("SLIPWAY_DATA_DIR", dir)
	_, err := slip(t, "migrate")
	require.NoError(t, err)
	require.NoError(t, os.Unsetenv("SLIPWAY_DATA_DIR"))
}

// A tool works on the deployment whose database is there, and on no other: an empty one that it had just made would say
// that nothing is there.
func TestToolsFindTheDeploymentOrSayWhatToSet(t *testing.T) {
	t.Chdir(t.TempDir())

	_, err := slip(t, "ledger", "verify")
	require.ErrorContains(t, err, "SLIPWAY_DATA_DIR")
	require.NoDirExists(t, "data", "nothing was made")

	t.Setenv("SLIPWAY_DATA_DIR", "elsewhere")
	_, err = slip(t, "bank", "files")
	require.ErrorContains(t, err, "there is no database in elsewhere")
	require.NoError(t, os.Unsetenv("SLIPWAY_DATA_DIR"))

	placeDatabase(t, filepath.FromSlash(sandboxFolder))

	for _, args := range [][]string{{"ledger", "verify"}, {"bank", "files"}, {"bank", "held"}} {
		_, err = slip(t, args...)
		require.NoError(t, err, args)
	}

	_, err = slip(t, "user", "grant", "nobody@example.org", "operator")
	require.ErrorContains(t, err, "user")

	placeDatabase(t, "data")
	_, err = slip(t, "ledger", "verify")
	require.ErrorContains(t, err, "data and data/dev")

	t.Setenv("SLIPWAY_DATA_DIR", "data")
	_, err = slip(t, "ledger", "verify")
	require.NoError(t, err)
}
