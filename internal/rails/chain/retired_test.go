//go:build !nosandbox

package chain_test

import (
	"context"
	"errors"
	"math/big"
	"testing"

	"github.com/ethereum/go-ethereum/crypto"
	"github.com/stretchr/testify/require"

	"slipway/internal/platform/db"
	"slipway/internal/platform/db/dbtest"
	"slipway/internal/rails/chain"
	"slipway/internal/rails/chain/faultrpc"
)

// K-07: another key signs for a network from a restart on. What the earlier one has sent is observed to its end; what
// it was to send goes to the new one; what it has left in no block is sent anew when a person says so, and not before
// its nonce is used for good: a plain transfer would be executed twice.
func TestAnEarlierSignersSendsComeToAnEnd(t *testing.T) {
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		ctx := context.Background()
		w := newWorld(t, d)
		p := w.proxy()
		old := w.rail(w.network(p.URL()))
		old.plan(transfer(0))
		w.until("in the pool", func() bool { return poolSize(w.ch) == 1 })
		p.Add(faultrpc.Fault{Kind: faultrpc.Swallow, Method: sendRaw})
		old.plan(transfer(1))
		w.until("sent, and lost", old.is(1, chain.StateSent))
		require.ErrorIs(t, old.Release(ctx, transfer(1).Key), chain.ErrNotHeld)
		require.NoError(t, old.Pause(ctx, network, true))
		old.plan(transfer(2))
		old.stop()

		n := w.network(p.URL())
		key := keyOf(2)
		n.Signer = chain.NewKeySigner(key)
		heir := crypto.PubkeyToAddress(key.PublicKey)
		require.NoError(t, w.ch.Fund(heir, new(big.Int).Mul(ether, big.NewInt(10))))
		w.ch.Mine(1)
		r := w.rail(n)
		w.mineUntil("the first is final, the third is sent by the new signer", func() bool {
			return r.is(0, chain.StateFinal)() && r.is(2, chain.StateSent)()
		})
		require.Equal(t, chain.StateSent, r.status(1).State, "its bytes may be mined at any time")
		require.ErrorIs(t, r.GiveUp(ctx, transfer(1).Key), chain.ErrNotHeld)

		w.mineUntil("the chain was asked", func() bool {
			return errors.Is(r.Release(ctx, transfer(1).Key), chain.ErrNonceOpen)
		})
		require.ErrorIs(t, r.Release(ctx, transfer(1).Key), chain.ErrNotDead)
		require.ErrorContains(t, r.Release(ctx, transfer(1).Key), "use the nonce up with the earlier key")

		w.submit(w.outside(1, 5))
		w.mineUntil("its nonce is used for good", r.is(1, chain.StateHold))
		require.NoError(t, r.Release(ctx, transfer(1).Key))
		p.Clear()
		w.patiently("all are final", func() bool { return w.count("final") == 3 })

		for i := range 3 {
			require.EqualValues(t, i+1, w.ch.Balance(recipient(i)).Int64(), "effect of transfer %d", i)
		}

		require.EqualValues(t, 2, w.ch.Nonce(heir))
		w.consistent()
	})
}
