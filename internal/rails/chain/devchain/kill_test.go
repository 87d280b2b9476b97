//go:build !nosandbox

package devchain_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"slipway/internal/rails/chain/devchain"
)

// A copy of the folder while the chain runs is what a killed process leaves behind.
func TestChainOutlivesAKilledProcess(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "chain")
	left := filepath.Join(t.TempDir(), "left")
	c, err := devchain.Start(devchain.Config{Dir: dir, Mode: devchain.Manual})
	require.NoError(t, err)
	c.Mine(5)
	require.NoError(t, exec.Command("cp", "-r", dir, left).Run())
	require.NoError(t, c.Close())
	require.NoError(t, os.RemoveAll(filepath.Join(left, "LOCK")))
	again, err := devchain.Start(devchain.Config{Dir: left, Mode: devchain.Manual})
	require.NoError(t, err)

	defer again.Close()
	require.EqualValues(t, 5, again.Head().Number.Uint64())
}
