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
	require.NoError(t, err)
	second()
	other()
	var none *limit.Places
	leave, err := none.Take("a")
	require.NoError(t, err)
	leave()
}
