package app

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"
)

// What lies in the folder of the compiled library is run: nobody else may put anything there.
func TestAFolderOfOthersIsNoCache(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "pdfium")
	require.NoError(t, ownFolder(""))
	require.NoError(t, ownFolder(dir), "made by whoever needs it")
	require.NoError(t, os.Mkdir(dir, 0o700))
	require.NoError(t, ownFolder(dir))

	for _, mode := range []os.FileMode{0o770, 0o702} {
		require.NoError(t, os.Chmod(dir, mode))
		require.ErrorContains(t, ownFolder(dir), "others may write")
	}
}
