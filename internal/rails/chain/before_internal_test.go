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

	moments := []uint64{11, 12, 13, 15, 16, 20}
	wanted := []uint64{1, 1, 2, 2, 4, 4}

	for i, moment := range moments {
		got, err := last(moment)
		require.NoError(t, err)
		require.Equal(t, wanted[i], got, "before %d", moment)
	}

	_, err := last(10)
	require.ErrorIs(t, err, ErrNoReceipt)
}
