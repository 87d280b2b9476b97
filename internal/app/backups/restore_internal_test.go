package backups

import (
	"testing"

	"github.com/stretchr/testify/require"
)

// A copy that would fill the live database's disk is not begun.
func TestACopyLeavesRoom(t *testing.T) {
	require.NoError(t, roomFor(5<<30, 6<<30))
	require.ErrorContains(t, roomFor(5<<30, 6<<30-1), "1024 MB have to be left")
}
