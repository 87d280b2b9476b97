package outbound

import (
	"math/big"
	"testing"

	"github.com/stretchr/testify/require"

	"slipway/internal/core/money"
	"slipway/internal/payments/effect"
	"slipway/internal/platform/db"
	"slipway/internal/platform/db/dbtest"
	"slipway/internal/rails/chain"
)

// What the treasury has sent may be back if the block of a final sending was replaced; what is on its way may have
// left. The rest is known, and no exposure.
func TestASendingThatWasUndoneMayBeBack(t *testing.T) {
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		s := New(Deps{DB: d})
		usdc := money.Asset{Code: "USDC", Decimals: 6}
		sends := map[string]struct {
			state State
			units int64
		}{
			"transaction/txn_1/tokens":   {Final, 1},
			"transaction/txn_2/tokens":   {Final, 2},
			"transaction/txn_3/tokens":   {Planned, 4},
			"transaction/txn_4/refund/0": {Final, 8},
			"transaction/txn_5/tokens":   {Kept, 16},
		}

		require.NoError(t, d.Write(t.Context(), func(tx *db.Tx) error {
			for text, x := range sends {
				key, ok := effect.Parse(text)
				require.True(t, ok)
				s.want(tx, Effect{Key: key, Network: "net_1", Amount: money.FromUnits(usdc, big.NewInt(x.units))})
			}

			return nil
		}))

		for key, x := range sends {
			require.NoError(t, d.Write(t.Context(), func(tx *db.Tx) error {
				_, err := tx.Exec("UPDATE effects SET state = ? WHERE key = ?", string(x.state), key)
				return err
			}))
		}

		out := exposures{}
		require.NoError(t, out.sendings(t.Context(), d, "net_1", []chain.SendRef{
			{Key: "transaction/txn_1/tokens", Again: true},
			{Key: "transaction/txn_2/tokens"},
			{Key: "transaction/txn_3/tokens", Again: true},
			{Key: "transaction/txn_4/refund/0", Again: true},
			{Key: "transaction/txn_5/tokens", Again: true},
			{Key: "transaction/txn_6/batch", Again: true},
		}))

		require.Len(t, out, 1)
		require.Equal(t, "9", out.of("USDC").In.String(), "of the first and the fourth")
		require.Equal(t, "4", out.of("USDC").Out.String(), "of the third")
		require.Zero(t, out.of("USDC").Later.Sign())

		kept, total, err := KeptSends(t.Context(), d, 0)
		require.NoError(t, err)
		require.Empty(t, kept)
		require.Equal(t, 1, total, "those of no page count, too")
	})
}
