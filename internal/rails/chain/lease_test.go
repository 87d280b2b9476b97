package chain

import (
	"context"
	"math/big"
	"testing"
	"time"

	"github.com/ethereum/go-ethereum/crypto"
	"github.com/stretchr/testify/require"

	"slipway/internal/platform/db"
	"slipway/internal/platform/db/dbtest"
)

// P-05: the fence itself: whatever a sender writes after another one has taken over is undone, and it knows.
func TestNothingIsWrittenUnderAnOldFence(t *testing.T) {
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		ctx := context.Background()
		key, err := crypto.GenerateKey()
		require.NoError(t, err)
		another := func() *lane {
			r := New(Config{DB: d, LeaseFor: time.Minute})
			l, err := newLane(r, Network{ID: "n", ChainID: big.NewInt(1), URLs: []string{"http://127.0.0.1:1"}, Signer: NewKeySigner(key), MaxFeePerGasWei: big.NewInt(1)})
			require.NoError(t, err)
			require.NoError(t, r.bindSigner(ctx, "n", l.from, l.net.ChainID))
			return l
		}
		first, second := another(), another()
		held := func(l *lane, want bool) {
			t.Helper()
			got, err := l.hold(ctx)
			require.NoError(t, err)
			require.Equal(t, want, got)
		}
		held(first, true)
		held(second, false)
		d.Clock().Advance(40 * time.Second)
		held(first, true) // renews
		d.Clock().Advance(40 * time.Second)
		held(second, false)
		d.Clock().Advance(40 * time.Second)
		held(second, true)
		note := func(l *lane, text string) error {
			return l.write(ctx, func(tx *db.Tx) error {
				_, err := tx.Exec("UPDATE chain_signers SET note = ?", text)
				return err
			})
		}
		require.ErrorIs(t, note(first, "from the zombie"), errLeaseLost)
		require.Zero(t, first.fence)
		require.NoError(t, note(second, "from the heir"))
		held(first, false)
		require.NoError(t, note(second, "from the heir"), "asking does not take it away")
		second.release(ctx)
		held(first, true)
		got, err := db.Value[string](ctx, d, "SELECT note FROM chain_signers")
		require.NoError(t, err)
		require.Equal(t, "from the heir", got)
	})
}
