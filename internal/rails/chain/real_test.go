//go:build !nosandbox

package chain_test

import (
	"math/big"
	"strconv"
	"testing"
	"time"

	"github.com/ethereum/go-ethereum/crypto"
	"github.com/ethereum/go-ethereum/ethclient"
	"github.com/ethereum/go-ethereum/rpc"
	"github.com/stretchr/testify/require"

	"slipway/internal/platform/db"
	"slipway/internal/platform/db/dbtest"
	"slipway/internal/platform/platformtest/parts"
	"slipway/internal/rails/chain"
)

// anvilNode is Foundry's node, which mines when it is told.
type anvilNode struct {
	t   *testing.T
	url string
	rpc *rpc.Client
}

const anvilChain = 31337

func startAnvil(t *testing.T) anvilNode {
	t.Helper()
	program := parts.Need(t, "anvil")[0]
	port := parts.Port(t)
	parts.Start(t, port, program, "--port", strconv.Itoa(port), "--chain-id", strconv.Itoa(anvilChain), "--no-mining",
		"--silent")

	n := anvilNode{t: t, url: "http://" + parts.Address(port)}
	client, err := rpc.Dial(n.url)
	require.NoError(t, err)
	t.Cleanup(client.Close)
	n.rpc = client

	return n
}

func (n anvilNode) call(method string, args ...any) {
	n.t.Helper()
	require.NoError(n.t, n.rpc.CallContext(n.t.Context(), nil, method, args...))
}

// pending returns how many transactions wait for a block.
func (n anvilNode) pending() int64 {
	n.t.Helper()

	var status struct{ Pending string }
	require.NoError(n.t, n.rpc.CallContext(n.t.Context(), &status, "txpool_status"))
	count, ok := new(big.Int).SetString(status.Pending, 0)
	require.True(n.t, ok, status.Pending)

	return count.Int64()
}

// Sends take effect once on a node of another make, although its newest block is replaced by one without them. (E-02)
func TestSendsOnARealNode(t *testing.T) {
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		node := startAnvil(t)
		key := keyOf(1)
		w := &world{t: t, d: d, key: key, from: crypto.PubkeyToAddress(key.PublicKey)}
		node.call("anvil_setBalance", w.from, "0x3635c9adc5dea00000") // 1,000 ether
		node.call("evm_mine")
		node.call("evm_mine")

		r := w.rail(chain.Network{
			ID:              network,
			ChainID:         big.NewInt(anvilChain),
			URLs:            []string{node.url},
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

		w.until("all in the pool", func() bool { return node.pending() == n })
		node.call("evm_mine")
		w.until("all seen", func() bool { return w.count("seen") == n })

		node.call("anvil_reorg", 1, []any{})
		w.until("all sent again", func() bool { return node.pending() == n || w.count("final") == n })
		w.until("all final", func() bool {
			if w.count("final") < n {
				node.call("evm_mine")
			}

			return w.count("final") == n
		})

		client := ethclient.NewClient(node.rpc)
		for i := range n {
			has, err := client.BalanceAt(t.Context(), recipient(i), nil)
			require.NoError(t, err)
			require.EqualValues(t, i+1, has.Int64(), "effect of transfer %d", i)
		}

		used, err := client.NonceAt(t.Context(), w.from, nil)
		require.NoError(t, err)
		require.EqualValues(t, n, used)
		w.consistent()
	})
}
