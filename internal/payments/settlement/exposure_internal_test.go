package settlement

import (
	"math/big"
	"testing"

	"github.com/stretchr/testify/require"

	"slipway/internal/payments/effect"
	"slipway/internal/platform/db"
	"slipway/internal/platform/db/dbtest"
	"slipway/internal/rails/chain"
)

// What the treasury has sent may be back if the block of a final sending was replaced; what is on its way may have
// left. The rest is known, and no exposure.
func TestASendingThatWasUndoneMayBeBack(t *testing.T) {
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		sends := map[string]struct {
			state SendState
			units int64
		}{
			"transaction/txn_1/tokens":   {SendFinal, 1},
			"transaction/txn_2/tokens":   {SendFinal, 2},
			"transaction/txn_3/tokens":   {SendPlanned, 4},
			"transaction/txn_4/refund/0": {SendFinal, 8},
			"transaction/txn_5/tokens":   {SendFailed, 16},
		}

		require.NoError(t, d.Write(t.Context(), func(tx *db.Tx) error {
			for text, x := range sends {
				key, ok := effect.Parse(text)
				require.True(t, ok)
				insertSend(tx, TreasurySend{Key: key, Network: "net_1", Token: "USDC", Units: big.NewInt(x.units)})
			}

			return nil
		}))

		for key, x := range sends {
			require.NoError(t, d.Write(t.Context(), func(tx *db.Tx) error {
				_, err := tx.Exec("UPDATE treasury_sends SET state = ? WHERE key = ?", string(x.state), key)
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
	})
}
