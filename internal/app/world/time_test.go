//go:build !nosandbox

package world_test

import (
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"slipway/internal/app/world"
	"slipway/internal/rails/chain/devchain"
)

// A world that is started again on its folder goes on at the time that its clock had, and so does a tool beside it.
func TestClockGoesOnAfterARestart(t *testing.T) {
	dir := t.TempDir()
	file := world.ClockFile(dir)

	start := func() *world.World {
		w, err := world.Start(t.Context(), world.Config{Mode: devchain.Manual, ClockFile: file})
		require.NoError(t, err)

		return w
	}

	w := start()
	require.Zero(t, w.Clock.Advanced())
	require.NoError(t, w.Advance(72*time.Hour))
	require.NoError(t, w.Advance(90*time.Second))
	require.NoError(t, w.Close())

	w = start()
	require.Equal(t, 72*time.Hour+90*time.Second, w.Clock.Advanced())
	require.NoError(t, w.Advance(time.Hour))
	require.NoError(t, w.Close())

	beside, err := world.ClockAt(file)
	require.NoError(t, err)
	require.Equal(t, 73*time.Hour+90*time.Second, beside.Advanced())

	left, err := filepath.Glob(filepath.Join(dir, "*"))
	require.NoError(t, err)
	require.Equal(t, []string{file}, left, "nothing else is left in the folder")
}

// A clock file that cannot be read stops the start: a clock that went back would make what is stored lie in the future.
func TestClockFileIsReadOrStopsTheStart(t *testing.T) {
	file := world.ClockFile(t.TempDir())
	require.NoError(t, os.WriteFile(file, []byte("three days"), 0o600))

	_, err := world.Start(t.Context(), world.Config{Mode: devchain.Manual, ClockFile: file})
	require.ErrorContains(t, err, "holds no duration")
}
