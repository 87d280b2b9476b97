package db_test

import (
	"context"
	"errors"
	"testing"

	"github.com/stretchr/testify/require"

	"slipway/internal/platform/db"
	"slipway/internal/platform/db/dbtest"
)

// While a large write is under way, others read and write. SQLite has one writer, for which all wait.
func TestALargeWriteHoldsUpNobody(t *testing.T) {
	d := openAt(t, dbtest.PostgresURL(t), 2)
	ctx := context.Background()

	rows := func(q db.Querier, table string) int64 {
		n, err := db.Value[int64](ctx, q, "SELECT count(*) FROM "+table)
		require.NoError(t, err)

		return n
	}

	err := d.WriteLarge(ctx, func(tx *db.Tx) error {
		require.Zero(t, rows(tx, "receivers"))
		tx.Insert(insertAudit, row("large")...)

		return d.Write(ctx, func(other *db.Tx) error { // on another connection: a body must not do this elsewhere
			require.Zero(t, rows(other, "wallets"))
			other.Insert(insertAudit, row("small")...)

			return nil
		})
	})
	require.NoError(t, err)
	require.EqualValues(t, 2, count(t, d, "id IN ('large', 'small')"))
}

// A large write that decided on what another one has changed meanwhile is undone and runs again. It sees the change
// then.
func TestALargeWriteIsSerial(t *testing.T) {
	d := openAt(t, dbtest.PostgresURL(t), 2)
	ctx := context.Background()

	var seen []int64

	err := d.WriteLarge(ctx, func(tx *db.Tx) error {
		n := count(t, tx, "actor = ?", "usr")
		seen = append(seen, n)

		if len(seen) == 1 { // decides the same, and neither would know of the other
			require.NoError(t, d.Write(ctx, func(other *db.Tx) error {
				require.Zero(t, count(t, other, "actor = ?", "usr"))
				other.Insert(insertAudit, row("first")...)

				return nil
			}))
		}

		if n == 0 {
			tx.Insert(insertAudit, row("also first")...)
		}

		return nil
	})
	require.NoError(t, err)
	require.Equal(t, []int64{0, 1}, seen)
	require.EqualValues(t, 1, count(t, d, "actor = ?", "usr"))
}

// What is true of a write is true of a large one, on either database.
func TestALargeWriteIsAWrite(t *testing.T) {
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		ctx, cancel := context.WithCancel(context.Background())
		no := errors.New("no")

		require.ErrorIs(t, d.WriteLarge(ctx, func(tx *db.Tx) error {
			tx.Insert(insertAudit, row("x")...)
			return no
		}), no)
		require.NoError(t, d.WriteLarge(ctx, func(tx *db.Tx) error {
			tx.Insert(insertAudit, row("y")...)
			return nil
		}))
		require.EqualValues(t, 1, count(t, d, "actor = ?", "usr"))

		cancel()
		require.ErrorIs(t, d.WriteLarge(ctx, func(*db.Tx) error { return nil }), context.Canceled)
		require.NoError(t, d.Close())
		require.ErrorIs(t, d.WriteLarge(context.Background(), func(*db.Tx) error { return nil }), db.ErrClosed)
	})
}
