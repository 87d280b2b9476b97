package db_test

import (
	"context"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"slipway/internal/platform/db"
	"slipway/internal/platform/db/dbtest"
)

// P-12: how a process's own clock is set changes nothing for leases on PostgreSQL; on SQLite there is no other clock.
// Time that passes by Advance passes for both.
func TestServerNowIsTheDatabasesClock(t *testing.T) {
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		before := d.ServerNow()
		d.Clock().Jump(-27 * time.Hour)
		require.NoError(t, d.SyncClock(context.Background()))

		if d.Dialect() == db.SQLite {
			require.Less(t, d.ServerNow(), before.Add(-26*time.Hour))
			return
		}

		require.Greater(t, d.ServerNow(), before.Add(-time.Minute))
		require.Less(t, d.ServerNow(), before.Add(time.Hour))
		d.Clock().Advance(2 * time.Hour)
		require.Greater(t, d.ServerNow(), before.Add(time.Hour))

		shown, err := db.Value[time.Time](context.Background(), d, "SELECT clock_timestamp()")
		require.NoError(t, err)
		require.WithinDuration(t, shown, d.ServerNow().Add(-2*time.Hour), time.Minute)
	})
}
