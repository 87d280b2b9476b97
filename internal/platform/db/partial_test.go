package db_test

import (
	"context"
	"testing"

	"github.com/stretchr/testify/require"

	"slipway/internal/platform/db"
	"slipway/internal/platform/db/dbtest"
)

// TestBodyThatGoesOnAfterAFailedInsertWritesNothing has one row of a statement of several refused, and a body that
// reads on as if nothing had been: neither the rows in front of the refused one are kept, nor those that come later.
func TestBodyThatGoesOnAfterAFailedInsertWritesNothing(t *testing.T) {
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		ctx := context.Background()
		require.NoError(t, d.Write(ctx, func(tx *db.Tx) error { tx.Insert(insertAudit, row("taken")...); return nil }))

		err := d.Write(ctx, func(tx *db.Tx) error {
			for _, id := range []string{"first", "second", "taken", "third"} {
				tx.Insert(insertAudit, row(id)...)
			}

			_, _ = db.Value[int64](ctx, tx, "SELECT count(*) FROM audit_log") // sends them

			tx.Insert(insertAudit, row("later")...)

			return nil
		})
		require.True(t, db.IsUnique(err, "audit_log"), "%v", err)
		require.EqualValues(t, 1, count(t, d, "id IN ('first', 'second', 'taken', 'third', 'later')"))
	})
}
