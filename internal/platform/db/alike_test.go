package db_test

import (
	"context"
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"

	"slipway/internal/platform/db"
	"slipway/internal/platform/db/dbtest"
)

var insertAlike = db.InsertInto("alike_of_tests", "id, a, b, c, d, e")

// What many rows of one write have in common may travel once; each row is stored as it was given all the same,
// whichever columns are alike, and however often that changes from write to write.
func TestRowsThatAreAlikeArriveAsTheyAre(t *testing.T) {
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		ctx := context.Background()
		require.NoError(t, d.Write(ctx, func(tx *db.Tx) error {
			_, err := tx.Exec(
				"CREATE TABLE alike_of_tests (id BIGINT PRIMARY KEY, a TEXT, b TEXT, c BIGINT, d BOOLEAN, e TEXT)",
			)

			return err
		}))

		const rows, columns = 70, 5

		want := map[int64]string{}
		for _, sets := range [][]int{{31, 0, 7, 30}, {1, 2, 4, 8, 16, 31, 15, 21, 10, 0}} {
			for _, same := range sets {
				require.NoError(t, d.Write(ctx, func(tx *db.Tx) error {
					for i := range rows {
						id := int64(same*rows + i + len(sets)*10_000)
						at := func(column int) int { // of a column that is alike, the same in every row
							if same>>column&1 == 1 {
								return 1
							}

							return i
						}

						values := []any{
							fmt.Sprint("a", at(0)),
							any(nil),
							int64(at(2)),
							at(3)%2 == 1,
							fmt.Sprint("e", at(4)),
						}
						if at(1)%2 == 1 {
							values[1] = ""
						}

						require.Len(t, values, columns)
						want[id] = fmt.Sprint(values...)
						tx.Insert(insertAlike, append([]any{id}, values...)...)
					}

					return nil
				}))
			}
		}

		type row struct {
			id   int64
			a, e string
			b    *string
			c    int64
			d    bool
		}
		found, err := db.Select(ctx, d, func(r *row) []any {
			return []any{&r.id, &r.a, &r.b, &r.c, &r.d, &r.e}
		}, "SELECT id, a, b, c, d, e FROM alike_of_tests")
		require.NoError(t, err)
		require.Len(t, found, len(want))

		for _, r := range found {
			var b any
			if r.b != nil {
				b = *r.b
			}

			require.Equal(t, want[r.id], fmt.Sprint(r.a, b, r.c, r.d, r.e), "row %d", r.id)
		}
	})
}
