package observe

import (
	"testing"

	"github.com/stretchr/testify/require"
)

func TestGrowthBringsASmallHeapToItsRoomAndLeavesALargeOne(t *testing.T) {
	require.Equal(t, 150, growthAt(16<<20))
	require.Equal(t, mostGrowth, growthAt(1<<20), "a tiny heap grows at most elevenfold")
	require.Equal(t, mostGrowth, growthAt(0))
	require.Equal(t, usualGrowth, growthAt(20<<20), "from half of the room on nothing is gained")
	require.Equal(t, usualGrowth, growthAt(1<<30))
}
