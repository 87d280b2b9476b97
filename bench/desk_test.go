//go:build !nosandbox

package main

import (
	"testing"

	"github.com/stretchr/testify/require"

	"slipway/internal/platform/db/dbtest"
)

// TestDeskHasAllThatAnImportNeeds opens what the import is measured with: a service that needs one thing more than it
// is given here would otherwise be noticed in the middle of a run.
func TestDeskHasAllThatAnImportNeeds(t *testing.T) {
	_, err := openDesk(dbtest.SQLite(t), t.TempDir())
	require.NoError(t, err)
}
