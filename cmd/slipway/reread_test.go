//go:build !nosandbox

package main

import (
	"context"
	"testing"

	"github.com/stretchr/testify/require"

	"slipway/internal/platform/db"
	"slipway/internal/platform/epoch"
	"slipway/internal/platform/witness"
)

// B-06: people see why nothing leaves, and how two of them let it leave again. A command itself compares nothing.
func TestRereadShowsWhyNothingLeaves(t *testing.T) {
	deskOf(t)
	out, err := slip(t, "reread", "show")
	require.NoError(t, err)
	require.Contains(t, out, "follows the instance's own last state")

	lostWitness(t, databaseURL())
	out, err = slip(t, "reread", "show")
	require.NoError(t, err)
	require.Contains(t, out, "what was kept outside of the database is gone")
	require.Contains(t, out, "slipway reread confirm")

	require.NotContains(t, out, "--by")
}

// lostWitness has the service find that what was kept outside of its database is gone.
func lostWitness(t *testing.T, url string) {
	t.Helper()
	ctx := context.Background()
	d, err := db.Open(ctx, db.Config{URL: url})
	require.NoError(t, err)

	for range 2 {
		place, err := witness.OpenFolder(t.TempDir())
		require.NoError(t, err)
		i := epoch.New(epoch.Config{DB: d, Witness: place})
		require.NoError(t, i.Start(ctx))
		require.NoError(t, i.Reread(ctx))
		require.NoError(t, place.Close())
	}

	require.NoError(t, d.Close())
}
