package outbound

import (
	"math/big"
	"testing"

	"github.com/stretchr/testify/require"

	"slipway/internal/core/money"
	"slipway/internal/payments/effect"
	"slipway/internal/platform/db"
	"slipway/internal/platform/db/dbtest"
)

// wanted stores a refund that is wanted, and returns it as it is read.
func wanted(t *testing.T, s *Service) Effect {
	t.Helper()

	asset := money.Asset{Code: "USDC", Decimals: 6}
	key := effect.RefundOf("txn_1", 0)

	require.NoError(t, s.DB.Write(t.Context(), func(tx *db.Tx) error {
		s.want(tx, Effect{Key: key, Amount: money.FromUnits(asset, big.NewInt(7)), Send: Send{To: "0x1", Attempt: 1}})
		return nil
	}))

	x, err := ByKey(t.Context(), s.DB, key)
	require.NoError(t, err)

	return x
}

// A state follows only from those that the table names, and a write that would break it changes nothing.
func TestAnEffectMovesAlongItsTable(t *testing.T) {
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		s := New(Deps{DB: d})
		x := wanted(t, s)

		for _, to := range []State{Kept, Refused} {
			err := s.unlessOvertaken(t.Context(), x, func(tx *db.Tx, x Effect) error { return s.become(tx, &x, to) })
			require.ErrorContains(t, err, "cannot become "+string(to)+" from WANTED")
		}

		again, err := ByKey(t.Context(), d, x.Key)
		require.NoError(t, err)
		require.Equal(t, x, again)
	})
}

// Of two runs that have read the same, the first writes and the second writes nothing.
func TestASecondRunThatReadTheSameWritesNothing(t *testing.T) {
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		s := New(Deps{DB: d})
		x := wanted(t, s)

		for number := range int64(2) {
			require.NoError(t, s.unlessOvertaken(t.Context(), x, func(tx *db.Tx, x Effect) error {
				x.Number = number + 1
				return s.become(tx, &x, Planned)
			}))
		}

		again, err := ByKey(t.Context(), d, x.Key)
		require.NoError(t, err)
		require.Equal(t, Planned, again.State)
		require.EqualValues(t, 1, again.Number)
		require.EqualValues(t, 2, again.Version)
	})
}
