package transaction

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"slipway/internal/platform/db"
	"slipway/internal/platform/db/dbtest"
)

// Each accept asks what is reserved of its wallet. It reads that wallet's reservations by an index, not those that all
// transactions have ever had.
func TestReservationsOfAWalletAreFoundByAnIndex(t *testing.T) {
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		explain := "EXPLAIN QUERY PLAN "
		dest := func(s *string) []any { return []any{new(int64), new(int64), new(int64), s} }

		if d.Dialect() == db.Postgres {
			explain = "EXPLAIN "
			dest = func(s *string) []any { return []any{s} }
		}

		lines, err := db.Select(t.Context(), d, dest, explain+reservedSQL,
			"local", "0xab", "USDC", "txn_1", "local", "0xab", "USDC", "txn_1", int64(1))
		require.NoError(t, err)

		plan := strings.Join(lines, "\n")
		require.Equal(t, 2, strings.Count(plan, "reservations_wallet"), plan)
		require.Contains(t, plan, "released_at", "the index's last column narrows it too")
	})
}
