package pdfium

import (
	"testing"

	"github.com/stretchr/testify/require"
)

// Memory grows up to what it may have, in place, and says once that more was wanted.
func TestMemoryGrowsUpToItsLimit(t *testing.T) {
	m, err := newMemory(4 * pageMemory)
	require.NoError(t, err)

	first := m.Reallocate(pageMemory)
	require.Len(t, first, pageMemory)
	first[7] = 42

	all := m.Reallocate(4 * pageMemory)
	require.Len(t, all, 4*pageMemory)
	require.Same(t, &first[0], &all[0], "nothing is copied")
	require.Equal(t, byte(42), all[7])
	require.Zero(t, all[len(all)-1])
	require.False(t, m.tooSmall())

	require.Nil(t, m.Reallocate(4*pageMemory+1))
	require.True(t, m.tooSmall())
	require.False(t, m.tooSmall(), "the next call is another")
	require.Len(t, m.Reallocate(4*pageMemory), 4*pageMemory)

	m.Free()
	require.Nil(t, m.region)
	require.False(t, m.hold())
	require.Nil(t, m.Reallocate(pageMemory))
	m.Free()
}

// A renderer may be closed while a page is being drawn: the memory stays until that call has ended.
func TestMemoryStaysWhileACallWorksOnIt(t *testing.T) {
	m, err := newMemory(pageMemory)
	require.NoError(t, err)

	all := m.Reallocate(pageMemory)
	require.True(t, m.hold())
	m.Free()
	m.Free()

	all[0] = 1
	require.NotNil(t, m.region)

	m.release()
	require.Nil(t, m.region)
}
