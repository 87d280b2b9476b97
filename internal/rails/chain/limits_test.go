//go:build !nosandbox

package chain_test

import (
	"math/big"
	"net/http"
	"testing"
	"time"

	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/core/types"
	"github.com/stretchr/testify/require"

	"slipway/internal/platform/db"
	"slipway/internal/platform/db/dbtest"
	"slipway/internal/rails/chain"
	"slipway/internal/rails/chain/faultrpc"
)

// What a provider refuses as a batch is sent in smaller ones, down to single calls, in whatever way it refuses.
func TestSendsGoOutThroughNodesThatLimitBatches(t *testing.T) {
	for name, limit := range map[string]faultrpc.Batches{
		"at most 3, by an error for the batch (dRPC)": {
			Most: 3,
			Body: `{"jsonrpc":"2.0","id":null,"error":{"code":31,"message":"Batch of more than 3 requests are not allowed ` +
				`on free tier, to use this feature register paid account at drpc.org"}}`,
		},
		"none at all": {
			Most: 1,
			Body: `{"jsonrpc":"2.0","id":null,"error":{"code":-32600,"message":"batch requests are not supported"}}`,
		},
		"at most 5, by status 429": {Most: 5, Status: http.StatusTooManyRequests, Body: "Too Many Requests"},
		"at most 4, by status 413 (proxyd)": {
			Most:   4,
			Status: http.StatusRequestEntityTooLarge,
			Body:   `{"jsonrpc":"2.0","id":null,"error":{"code":-32014,"message":"too many RPC calls in batch request"}}`,
		},
		"at most 2, by an answer to the first call alone (geth)": {Most: 2},
		"at most 2, by the same answer to every call": {
			Most: 2,
			Body: `[{"jsonrpc":"2.0","id":0,"error":{"code":-32005,"message":"batch size too large"}},` +
				`{"jsonrpc":"2.0","id":1,"error":{"code":-32005,"message":"batch size too large"}},` +
				`{"jsonrpc":"2.0","id":2,"error":{"code":-32005,"message":"batch size too large"}}]`,
		},
	} {
		t.Run(name, func(t *testing.T) {
			dbtest.Each(t, func(t *testing.T, d *db.DB) {
				w := newWorld(t, d)
				p := w.proxy()
				p.LimitBatches(limit)

				r := w.rail(w.network(p.URL()))

				list := make([]chain.Send, 8)
				for i := range list {
					list[i] = transfer(i)
				}

				r.plan(list...)
				r.allFinal(len(list))
				w.exactlyOnce(len(list))

				bears := w.bears(r)
				require.NoError(t, bears.Err)
				require.Positive(t, bears.Calls)
				require.LessOrEqual(t, bears.Calls, uint64(limit.Most))
			})
		})
	}
}

// bears is what the only node of the world's network answers.
func (w *world) bears(r *rail) chain.NodeLimits {
	w.t.Helper()
	c, err := r.Client(network)
	require.NoError(w.t, err)

	return c.Bears(w.t.Context())[0]
}

// logged puts a contract on the chain that logs one topic, calls it, and returns the query for that log.
func (w *world) logged() chain.LogQuery {
	w.t.Helper()

	at := w.deploy("600160006000a100") // LOG1 of no data, with the topic 1
	q := chain.LogQuery{Contract: at, Topics: []common.Hash{common.BigToHash(big.NewInt(1))}, From: 1}

	faucet := w.ch.FaucetKey()
	nonce := w.ch.Nonce(chain.NewKeySigner(faucet).Address())
	tx, err := types.SignNewTx(faucet, types.LatestSignerForChainID(w.ch.ChainID()), &types.DynamicFeeTx{
		ChainID:   w.ch.ChainID(),
		Nonce:     nonce,
		To:        &at,
		Gas:       100_000,
		GasTipCap: big.NewInt(gwei),
		GasFeeCap: big.NewInt(20 * gwei),
	})
	require.NoError(w.t, err)
	w.submit(tx)
	w.ch.Mine(1)

	return q
}

// refuseLogs makes a node refuse eth_getLogs over more than some blocks.
func refuseLogs(p *faultrpc.Proxy, blocks int64, code int, text string) {
	p.Add(faultrpc.Fault{
		Kind:   faultrpc.Refuse,
		Method: "eth_getLogs",
		Code:   code,
		Text:   text,
		Match:  faultrpc.LongerThan(blocks),
	})
}

// A log is found behind nodes that search few blocks at once, each in its own words, and that none is there is found,
// too. What a node bears is asked for once an hour.
func TestALogIsFoundBehindNodesThatSearchFewBlocks(t *testing.T) {
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		w := newWorld(t, d)
		alchemy := w.proxy()
		infura := w.proxy()
		r := w.rail(w.network(alchemy.URL(), infura.URL()))
		q := w.logged()
		w.ch.Mine(60)

		refuseLogs(alchemy, 10, -32600, "Under the Free tier plan, you can make eth_getLogs requests with up to a 10 "+
			"block range. Based on your parameters, this block range should work: [0x1, 0xa]")
		refuseLogs(infura, 7, -32602, "range 60 exceeds limit of 7")

		receipt, at, err := r.FinalLog(t.Context(), network, q)
		require.NoError(t, err)
		require.Equal(t, q.Contract, receipt.Logs[0].Address)
		require.Equal(t, w.ch.Block(receipt.BlockNumber.Uint64()).Time(), at)

		asked := alchemy.Calls("eth_getLogs")
		none := q
		none.Contract = recipient(1)
		_, final, err := r.FinalLog(t.Context(), network, none)
		require.ErrorIs(t, err, chain.ErrNoReceipt)
		require.NotZero(t, final)
		require.LessOrEqual(t, alchemy.Calls("eth_getLogs")-asked, 64/3, "it is not tried out again")

		later := q
		later.From = w.ch.Head().Number.Uint64() + 10
		_, _, err = r.FinalLog(t.Context(), network, later)
		require.ErrorIs(t, err, chain.ErrNoReceipt, "no final block is that late")

		alchemy.Clear()
		infura.Clear()
		d.Clock().Advance(2 * time.Hour)

		asked = alchemy.Calls("eth_getLogs")
		_, _, err = r.FinalLog(t.Context(), network, none)
		require.ErrorIs(t, err, chain.ErrNoReceipt)
		require.Equal(t, 1, alchemy.Calls("eth_getLogs")-asked, "limits are forgotten")
	})
}

// A search that asks too often goes on where it was, and finds what is new first.
func TestASearchForALogGoesOn(t *testing.T) {
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		w := newWorld(t, d)
		p := w.proxy()
		r := w.rail(w.network(p.URL()))
		q := w.logged()
		w.ch.Mine(200)
		refuseLogs(p, 1, -32005, "query exceeds max block range 1")

		_, _, err := r.FinalLog(t.Context(), network, q)
		require.ErrorIs(t, err, chain.ErrSearching)
		require.ErrorContains(t, err, "128 of")

		w.ch.Mine(3)
		receipt, _, err := r.FinalLog(t.Context(), network, q)
		require.NoError(t, err)
		require.Equal(t, q.Contract, receipt.Logs[0].Address)
		require.Less(t, p.Calls("eth_getLogs"), 2*128, "nothing is searched twice")
	})
}

// An error says what the nodes said, and not that they disagree. One that refuses everything is not asked in ever
// smaller pieces each time.
func TestTheErrorSaysWhatTheNodesSaid(t *testing.T) {
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		w := newWorld(t, d)
		good := w.proxy()
		poor := w.proxy()
		r := w.rail(w.network(good.URL(), poor.URL()))
		q := w.logged()
		w.ch.Mine(60)
		refuseLogs(poor, 0, -32005, "daily request count exceeded, request rate limited")

		for range 3 {
			_, _, err := r.FinalLog(t.Context(), network, q)
			require.ErrorIs(t, err, chain.ErrDisagree)
			require.ErrorIs(t, err, chain.ErrUnreachable)
			require.ErrorContains(t, err, "1 of 2 nodes answer about a log of "+q.Contract.Hex())
			require.ErrorContains(t, err, "node error -32005: daily request count exceeded")
			require.NotContains(t, err.Error(), "do not agree")
		}

		require.LessOrEqual(t, poor.Calls("eth_getLogs"), 10, "once in halves, then whole")

		poor.Clear()
		poor.LimitBatches(faultrpc.Batches{
			Most:   1,
			Status: http.StatusPaymentRequired,
			Body:   `{"jsonrpc":"2.0","id":null,"error":{"code":-32000,"message":"the plan has ended"}}`,
		})

		c, err := r.Client(network)
		require.NoError(t, err)
		limits := c.Bears(t.Context())
		require.NoError(t, limits[0].Err)
		require.Equal(t, chain.Most().Calls, limits[0].Calls)
		require.ErrorContains(t, limits[1].Err, "HTTP status 402: node error -32000: the plan has ended")
	})
}
