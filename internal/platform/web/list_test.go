package web

import (
	"context"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"slipway/internal/core/caller"
	"slipway/internal/core/fault"
	"slipway/internal/platform/db"
	"slipway/internal/platform/db/dbtest"
)

// page reads a page of seventy rows of which each is as long as a text of size bytes.
func page(t *testing.T, d *db.DB, p Paging, size int) (*List[orderView], error) {
	t.Helper()

	const all = 70

	read := func(_ db.Querier, w caller.Window) (rows []int, _ int64, _ error) {
		first := w.Offset
		if w.After != "" {
			last, err := strconv.Atoi(w.After)
			require.NoError(t, err)

			first = last + 1
		}

		for i := first; i < all && len(rows) <= w.Limit; i++ {
			rows = append(rows, i)
		}

		return rows, all, nil
	}
	show := Each(func(i int) orderView {
		return orderView{ID: strconv.Itoa(i), Token: strings.Repeat("x", size)}
	})

	return ListOf(context.Background(), d, p, read, strconv.Itoa, show)
}

// A page ends when it has MaxPageBytes, whatever the limit is, and its cursor goes on from there. One that has a number
// is refused: the next number would not begin there.
func TestPageIsBoundByBytes(t *testing.T) {
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		const quarter = MaxPageBytes / 4

		small, err := page(t, d, Paging{Limit: MaxLimit}, 10)
		require.NoError(t, err)
		require.Equal(t, 70, small.PageTotal)
		require.Nil(t, small.NextCursor)

		first, err := page(t, d, Paging{Limit: MaxLimit}, quarter)
		require.NoError(t, err)
		require.Equal(t, 3, first.PageTotal)
		require.EqualValues(t, 70, first.Total)
		require.Equal(t, CursorOf("2"), *first.NextCursor)

		next, err := page(t, d, Paging{Limit: MaxLimit, Cursor: *first.NextCursor}, quarter)
		require.NoError(t, err)
		require.Equal(t, "3", next.Results[0].ID)

		one, err := page(t, d, Paging{Limit: MaxLimit}, 2*MaxPageBytes)
		require.NoError(t, err)
		require.Equal(t, 1, one.PageTotal, "one row is shown whatever its length")

		_, err = page(t, d, Paging{Limit: MaxLimit, Page: 1}, quarter)
		require.True(t, fault.Is(err, fault.OutOfRange), err)
		require.ErrorContains(t, err, "query limit")

		numbered, err := page(t, d, Paging{Limit: MaxLimit, Page: 1}, 10)
		require.NoError(t, err)
		require.Equal(t, 70, numbered.PageTotal)
	})
}
