package limit_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"slipway/internal/platform/limit"
)

func TestPlacesAreSharedAndComeBack(t *testing.T) {
	p := limit.NewPlaces(3, 2)
	first, err := p.Take("a")
	require.NoError(t, err)
	second, err := p.Take("a")
	require.NoError(t, err)
	_, err = p.Take("a")
	require.ErrorIs(t, err, limit.ErrShare)
	other, err := p.Take("b")
	require.NoError(t, err)
	_, err = p.Take("c")
	require.ErrorIs(t, err, limit.ErrFull)
	other()
	other, err = p.Take("c")
	require.NoError(t, err)
	first()
	_, err = p.Take("a")
	require.ErrorIs(t, err, limit.ErrShare, "the last is not for who has one already")
	other()
	first, err = p.Take("a")
	require.NoError(t, err)
	first()
	second()

	var none *limit.Places
	leave, err := none.Take("a")
	require.NoError(t, err)
	leave()
}

// L-05: four keys that take all they can get, and give nothing back, leave places for a fifth, and for one after it.
func TestPlacesOfFewKeysLeaveRoomForAnother(t *testing.T) {
	p := limit.NewPlaces(256, 64)
	takeAll := func(key string) (n int) {
		for {
			_, err := p.Take(key)
			if err != nil {
				require.ErrorIs(t, err, limit.ErrShare)
				return n
			}

			n++
		}
	}

	for _, key := range []string{"a", "b", "c", "d"} {
		require.GreaterOrEqual(t, takeAll(key), 32, key)
	}

	require.Positive(t, takeAll("e"))
	require.Positive(t, takeAll("f"))
}
