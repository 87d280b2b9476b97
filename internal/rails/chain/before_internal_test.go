package chain

import (
	"testing"

	"github.com/stretchr/testify/require"
)

func TestLastBlockBeforeAMoment(t *testing.T) {
	times := []uint64{10, 10, 12, 15, 15, 20}
	last := func(moment uint64) (uint64, error) {
		return lastBefore(uint64(len(times)-1), func(n uint64) (bool, error) { return times[n] < moment, nil })
	}

	for moment, want := range map[uint64]uint64{11: 1, 12: 1, 13: 2, 15: 2, 16: 4, 20: 4} {
		got, err := last(moment)
		require.NoError(t, err)
		require.Equal(t, want, got, "before %d", moment)
	}

	_, err := last(10)
	require.ErrorIs(t, err, ErrNoReceipt)
}
