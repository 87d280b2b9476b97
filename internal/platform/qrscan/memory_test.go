package qrscan_test

import (
	"context"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"slipway/internal/platform/qrscan"
)

// rectangles is a page that draws a code and n rectangles beside the paper: a file of little size, and much memory.
func rectangles(t *testing.T, n int) []byte {
	t.Helper()

	content := vector(modules(t, payload), 67, 42) + strings.Repeat("-9 -9 2 2 re f\n", n)

	return pdf(t, page{content: content, packed: true})
}

// L-02: what a document may take is limited before it takes it. One that needs more than it is given is not read in
// part: it is read with more, or refused.
func TestADocumentIsReadInTheMemoryThatItIsGiven(t *testing.T) {
	ctx := context.Background()

	heavy := rectangles(t, 260_000)
	_, err := reader().Read(ctx, heavy, qrscan.LightMemory)
	require.ErrorIs(t, err, qrscan.ErrMemory)
	require.Equal(t, one, read(t, heavy))
	require.Equal(t, qrscan.MostMemory, qrscan.Cost(heavy))

	hostile := rectangles(t, 1_200_000)
	_, err = reader().Read(ctx, hostile, qrscan.LightMemory)
	require.ErrorIs(t, err, qrscan.ErrMemory)
	_, _, err = reader().Page(ctx, hostile, 1, qrscan.LightMemory)
	require.ErrorIs(t, err, qrscan.ErrMemory)

	light, err := reader().Read(ctx, rectangles(t, 1), qrscan.LightMemory)
	require.NoError(t, err)
	require.Equal(t, one, light)
}

// What a picture takes is known by its header, before a pixel is decoded.
func TestAPicturesCostIsKnownByItsHeader(t *testing.T) {
	const beside = 32 << 20

	for name, c := range map[string]struct {
		document []byte
		cost     int
	}{
		"colours":      {pngHeader(6200, 6200, 8, 2, 0), 6200*6200*5 + beside},
		"grey":         {pngHeader(6200, 6200, 1, 0, 0), 6200*6200*2 + beside},
		"interlaced":   {pngHeader(4000, 4000, 8, 6, 1), 4000*4000*9 + beside},
		"64 bits":      {pngHeader(5700, 5700, 16, 6, 0), 5700*5700*9 + beside},
		"JPEG":         {jpegHeader(6200, 6200, 0xc0), 6200*6200*4 + beside},
		"too large":    {pngHeader(6400, 6400, 8, 2, 0), 0},
		"no document":  {[]byte("GIF89a"), 0},
		"empty header": {[]byte("\x89PNG\r\n\x1a\n"), 0},
	} {
		t.Run(name, func(t *testing.T) {
			require.Equal(t, c.cost, qrscan.Cost(c.document))
			require.LessOrEqual(t, c.cost, qrscan.MostMemory)

			if c.cost == 0 {
				return
			}

			_, err := reader().Read(context.Background(), c.document, c.cost-1)
			require.ErrorIs(t, err, qrscan.ErrMemory)
			_, err = reader().Read(context.Background(), c.document, c.cost)
			require.ErrorIs(t, err, qrscan.ErrNotReadable, "its pixels are missing")
		})
	}
}

// Memory is shared out so that all that are read at once fit into it. Two places are worth more than the largest
// documents, and these more than a third.
func TestMemoryIsSharedOutToDocuments(t *testing.T) {
	const mb = 1 << 20

	for memory, want := range map[int64]struct{ places, most, sandboxes int }{
		0:         {8, 320, 8*64 + 7*192},
		64 * mb:   {1, 128, 64},
		128 * mb:  {1, 128, 64},
		255 * mb:  {1, 255, 64 + 127},
		256 * mb:  {2, 128, 2 * 64},
		447 * mb:  {2, 319, 2*64 + 191},
		448 * mb:  {2, 320, 2*64 + 192},
		512 * mb:  {2, 320, 2*64 + 192},
		576 * mb:  {3, 320, 3*64 + 192},
		2048 * mb: {8, 320, 8*64 + 1024},
	} {
		room := qrscan.RoomFor(8, memory)
		require.Equal(t, want.places, room.AtOnce, "%d MB", memory/mb)
		require.Equal(t, want.most*mb, room.Most(), "%d MB", memory/mb)
		require.EqualValues(t, want.sandboxes*mb, room.Sandboxes(), "%d MB", memory/mb)

		if memory >= qrscan.LightMemory {
			require.LessOrEqual(t, int64(room.AtOnce)*qrscan.LightMemory+room.Extra, memory)
		}
	}

	require.Equal(t, 1, qrscan.RoomFor(1, 512*mb).AtOnce)
}
