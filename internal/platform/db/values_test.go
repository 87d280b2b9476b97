package db_test

import (
	"context"
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"

	"slipway/internal/platform/db"
	"slipway/internal/platform/db/dbtest"
)

var insertAnswer = db.InsertInto("values_of_tests", "id, words, number, truth, body")

// A value is the same one whichever way it travels: with few rows or many, in an insert or a change, joined or alone.
// Only nil is NULL: an empty text is none, and neither are bytes of which there are none.
func TestValuesArriveAsTheyAre(t *testing.T) {
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		ctx := context.Background()
		require.NoError(t, d.Write(ctx, func(tx *db.Tx) error {
			bytes := "BYTEA"
			if d.Dialect() == db.SQLite {
				bytes = "BLOB"
			}

			_, err := tx.Exec(
				`CREATE TABLE values_of_tests (id BIGINT PRIMARY KEY, words TEXT, number BIGINT, truth BOOLEAN,
					body ` + bytes + ")",
			)

			return err
		}))
		kinds := [][]any{
			{nil, nil, nil, nil},
			{"", int64(0), false, []byte{}},
			{"", int64(-1), true, []byte(nil)},
			{"ä\t'\"\\{},NULL", int64(-1 << 63), true, []byte{0, 255, 0}},
			{"NULL", 1<<63 - 1, false, []byte("{}")},
		}
		is := []string{
			"words IS NULL AND number IS NULL AND truth IS NULL AND body IS NULL",
			"words = '' AND number = 0 AND NOT truth AND length(body) = 0",
			"words = '' AND number = -1 AND truth AND length(body) = 0",
			"words LIKE 'ä%NULL' AND number < -9223372036854775807 AND truth AND length(body) = 3",
			"words = 'NULL' AND number = 9223372036854775807 AND NOT truth AND length(body) = 2",
		}
		check := func(what string, each int64) {
			for i, where := range is {
				n, err := db.Value[int64](ctx, d, "SELECT count(*) FROM values_of_tests WHERE "+where)
				require.NoError(t, err)
				require.EqualValues(t, each, n, "%s: values %d", what, i)
			}
		}
		next := 0
		insert := func(rows int, read bool) {
			require.NoError(t, d.Write(ctx, func(tx *db.Tx) error {
				for i := range rows {
					tx.Insert(insertAnswer, append([]any{next + i}, kinds[i%len(kinds)]...)...)
				}

				if read { // what is written before a reading goes another way
					_, err := db.Value[int64](ctx, tx, "SELECT count(*) FROM values_of_tests")
					return err
				}

				return nil
			}))

			next += rows
		}
		insert(len(kinds), false)
		check("inserted at once", 1)
		insert(len(kinds), true)
		check("inserted before a reading", 2)
		insert(200*len(kinds), true)
		check("copied", 202)

		for _, parts := range []bool{false, true} {
			require.NoError(t, d.Write(ctx, func(tx *db.Tx) error {
				for id := range next {
					if parts {
						tx.Apart()
					}

					v := kinds[(id+1)%len(kinds)]
					tx.Change(
						"UPDATE values_of_tests SET words = ?, number = ?, truth = ?, body = ? WHERE id = ?",
						append(append([]any{}, v...), id)...)
				}

				return nil
			}))

			check(fmt.Sprint("changed, in parts: ", parts), 202)
		}
	})
}
