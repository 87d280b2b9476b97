package transaction

import (
	"testing"

	"github.com/stretchr/testify/require"
)

// What was changed is not given out as it was, even if it is deleted before it is read again.
func TestOldContentIsDropped(t *testing.T) {
	kept := map[string]Transaction{"same": {Version: 2}, "changed": {Version: 1}, "deleted": {Version: 3}}
	require.Equal(
		t,
		[]string{"changed"},
		dropOld(kept, map[string]standing{"same": {version: 2}, "changed": {version: 2}}),
	)
	require.Equal(t, map[string]Transaction{"same": {Version: 2}}, kept)
}
