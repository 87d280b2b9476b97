//go:build !nosandbox

package chain_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"slipway/internal/platform/db"
	"slipway/internal/platform/db/dbtest"
	"slipway/internal/rails/chain"
	"slipway/internal/rails/chain/faultrpc"
)

// B-14: transactions of the signer that the database does not know show that it is old. A signer that is new there
// shows nothing, and nodes that do not answer are an error.
func TestTheChainShowsThatTheDatabaseIsOld(t *testing.T) {
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		w := newWorld(t, d)
		p := w.proxy()

		waiting := chain.New(chain.Config{DB: d, Observer: books{}})
		require.NoError(t, waiting.AddNetwork(t.Context(), w.network(p.URL())))

		signs, err := waiting.Ahead(t.Context())
		require.NoError(t, err)
		require.Empty(t, signs)

		r := w.rail(w.network())
		r.plan(transfer(0), transfer(1), transfer(2))
		w.mineUntil("final", func() bool { return r.status(2).State == chain.StateFinal })
		r.stop()

		signs, err = waiting.Ahead(t.Context())
		require.NoError(t, err)
		require.Empty(t, signs)

		w.submit(w.outside(3, 50))
		w.ch.Mine(1)

		signs, err = waiting.Ahead(t.Context())
		require.NoError(t, err)
		require.Len(t, signs, 1)
		require.Contains(t, signs[0], "from nonce 3 on")

		p.Add(faultrpc.Fault{Kind: faultrpc.Refuse, Method: "eth_getTransactionCount", Code: -32603, Text: "away"})
		_, err = waiting.Ahead(t.Context())
		require.Error(t, err)

		require.NoError(t, waiting.Pause(t.Context(), network, true))
		signs, err = waiting.Ahead(t.Context())
		require.NoError(t, err, "nobody waits for the nodes of a network that people have paused")
		require.Empty(t, signs)
	})
}
