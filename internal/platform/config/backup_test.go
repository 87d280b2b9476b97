package config

import (
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"
)

// A place of back-ups that holds what is backed up, or the witness, is refused before anything starts; with real money
// also one that the system empties.
func TestThePlaceOfBackupsIsApart(t *testing.T) {
	dir := t.TempDir()

	for name, c := range map[string]struct {
		environ []string
		say     string
	}{
		"the documents are in it": {
			[]string{"SLIPWAY_BACKUP__FOLDER=" + dir, "SLIPWAY_DOCUMENTS__FOLDER=" + filepath.Join(dir, "documents")},
			"the folder of the documents hold each other",
		},
		"it is among bank files": {
			[]string{"SLIPWAY_BACKUP__FOLDER=" + filepath.Join(dir, "archive", "x"), "SLIPWAY_BANK__ARCHIVE=" +
				filepath.Join(dir, "archive")},
			"the folder of the bank archive hold each other",
		},
		"the witness is in it": {
			[]string{"SLIPWAY_BACKUP__FOLDER=" + dir, "SLIPWAY_WITNESS__FOLDER=" + filepath.Join(dir, "witness")},
			"the witness must not be put back with the database",
		},
	} {
		_, err := Load(Source{Environ: append(c.environ, "SLIPWAY_DATA_DIR="+t.TempDir())})
		require.ErrorContains(t, err, c.say, name)
	}

	c, err := Load(Source{Environ: []string{"SLIPWAY_BACKUP__FOLDER=/tmp/slipway", "SLIPWAY_DATA_DIR=" + dir}})
	require.NoError(t, err)
	require.False(t, c.BackupBeside())
	require.Contains(t, CheckLive(c), "backup.folder /tmp/slipway is emptied by the system at times")
}
