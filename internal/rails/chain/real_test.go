//go:build !nosandbox

package chain_test

import (
	"math/big"
	"testing"
	"time"

	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/crypto"
	"github.com/ethereum/go-ethereum/ethclient"
	"github.com/stretchr/testify/require"

	"slipway/internal/platform/db"
	"slipway/internal/platform/db/dbtest"
	"slipway/internal/rails/chain"
	"slipway/internal/rails/chain/anvil"
	"slipway/internal/rails/chain/devchain"
)

// Sends take effect once on a node of another make, although its newest block is replaced by one without them. (E-02)
func TestSendsOnARealNode(t *testing.T) {
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		key := keyOf(1)
		w := &world{t: t, d: d, key: key, from: crypto.PubkeyToAddress(key.PublicKey)}
		node := anvil.Start(t, devchain.Config{
			ChainID: 31337,
			Alloc:   map[common.Address]*big.Int{w.from: big.NewInt(1e18)},
		})
		node.Mine(2)

		pending := func() int {
			ready, _ := node.PoolSize()
			return ready
		}

		r := w.rail(chain.Network{
			ID:              network,
			ChainID:         node.ChainID(),
			URLs:            []string{node.URL()},
			Signer:          chain.NewKeySigner(key),
			Finality:        chain.Finality{Depth: 2},
			MaxFeePerGasWei: big.NewInt(100 * gwei),
			Poll:            5 * time.Millisecond,
			StuckAfter:      time.Hour,
			Timeout:         10 * time.Second,
		})

		const n = 5
		for i := range n {
			r.plan(transfer(i))
		}

		w.until("all in the pool", func() bool { return pending() == n })
		node.Mine(1)
		w.until("all seen", func() bool { return w.count("seen") == n })

		_, err := node.Reorg(1, devchain.Drop)
		require.NoError(t, err)
		w.until("all sent again", func() bool { return pending() == n || w.count("final") == n })
		w.until("all final", func() bool {
			if w.count("final") < n {
				node.Mine(1)
			}

			return w.count("final") == n
		})

		client, err := ethclient.Dial(node.URL())
		require.NoError(t, err)
		t.Cleanup(client.Close)

		for i := range n {
			has, err := client.BalanceAt(t.Context(), recipient(i), nil)
			require.NoError(t, err)
			require.EqualValues(t, i+1, has.Int64(), "effect of transfer %d", i)
		}

		require.EqualValues(t, n, node.Nonce(w.from))
		w.consistent()
	})
}
