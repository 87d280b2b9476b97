//go:build !nosandbox

package main

import (
	"context"
	"os"
	"testing"

	"github.com/stretchr/testify/require"

	"slipway/internal/platform/db"
	"slipway/internal/platform/epoch"
	"slipway/internal/platform/witness"
)

// B-06: people see why nothing leaves, and two different ones of the platform let it leave again. A command itself
// compares nothing.
func TestTwoPeopleConfirmThatThingsLeaveAgain(t *testing.T) {
	deskOf(t)
	out, err := slip(t, "reread", "show")
	require.NoError(t, err)
	require.Contains(t, out, "follows the instance's own last state")

	lostWitness(t, os.Getenv("SLIPWAY_DATABASE__URL"))
	out, err = slip(t, "reread", "show")
	require.NoError(t, err)
	require.Contains(t, out, "what was kept outside of the database is gone")
	require.Contains(t, out, "slipway reread confirm")

	_, err = slip(t, "reread", "confirm", "--by", "ann@example.org", "--with", "ann@example.org")
	require.ErrorIs(t, err, epoch.ErrTwoPersons)
	_, err = slip(t, "reread", "confirm", "--by", "ann@example.org", "--with", "guest@example.org")
	require.ErrorContains(t, err, "not one of the platform's people")
	_, err = slip(
		t,
		"reread",
		"confirm",
		"--by",
		"ann@example.org",
		"--with",
		"ben@example.org",
		"--note",
		"the bank has nothing of ours",
	)
	require.NoError(t, err)
	_, err = slip(t, "reread", "confirm", "--by", "ann@example.org", "--with", "ben@example.org")
	require.ErrorIs(t, err, epoch.ErrNotWaiting)
	out, err = slip(t, "reread", "show")
	require.NoError(t, err)
	require.Contains(t, out, "follows the instance's own last state")
	require.Contains(t, out, "the bank has nothing of ours")
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
