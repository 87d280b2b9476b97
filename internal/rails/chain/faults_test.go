//go:build !nosandbox

package chain_test

import (
	"context"
	"encoding/json"
	"fmt"
	"math/big"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/core/types"
	"github.com/stretchr/testify/require"

	"slipway/internal/platform/db"
	"slipway/internal/platform/db/dbtest"
	"slipway/internal/rails/chain"
	"slipway/internal/rails/chain/devchain"
	"slipway/internal/rails/chain/faultrpc"
)

const sendRaw = "eth_sendRawTransaction"

// distinct is how many different raw transactions a proxy was asked to send.
func distinct(raws []string) int {
	slices.Sort(raws)
	return len(slices.Compact(raws))
}

// the node took the transaction but the answer was lost. It is unknown, not failed: the same bytes stand, no
// second nonce.
func TestALostAnswerIsUnknownAndTakesNoSecondNonce(t *testing.T) {
	for name, kind := range map[string]faultrpc.Kind{
		"502":          faultrpc.LoseWith502,
		"timeout":      faultrpc.LoseByHanging,
		"invalid JSON": faultrpc.LoseAsGarbage,
		"too long":     faultrpc.Oversize,
		"error text":   faultrpc.ActThenRefuse,
	} {
		t.Run(name, func(t *testing.T) {
			dbtest.Each(t, func(t *testing.T, d *db.DB) {
				w := newWorld(t, d)
				p := w.proxy()
				n := w.network(p.URL())
				n.Timeout = 200 * time.Millisecond

				p.Add(faultrpc.Fault{
					Kind:   kind,
					Method: sendRaw,
					Times:  2,
					Code:   -32000,
					Text:   "something never seen before",
				})

				r := w.rail(n)
				r.plan(transfer(0), transfer(1))
				r.allFinal(2)
				w.exactlyOnce(2)
				require.Equal(t, 2, distinct(p.Asked()), "one set of bytes for each send, however often it was sent")
				require.Len(t, r.status(0).Attempts, 1)
			})
		})
	}
}

// the node said yes and forgot. The same bytes are broadcast again.
func TestASwallowedTransactionIsSentAgainUnchanged(t *testing.T) {
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		w := newWorld(t, d)
		p := w.proxy()
		p.Add(faultrpc.Fault{Kind: faultrpc.Swallow, Method: sendRaw, Times: 2})
		r := w.rail(w.network(p.URL()))
		r.plan(transfer(0), transfer(1))
		r.allFinal(2)
		w.exactlyOnce(2)
		require.Greater(t, len(p.Asked()), 2)
		require.Equal(t, 2, distinct(p.Asked()))
	})
}

// E-05, R-02: a node that restarts loses its pool.
func TestADroppedPoolIsFilledAgain(t *testing.T) {
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		w := newWorld(t, d)
		r := w.rail(w.network())
		r.plan(transfer(0), transfer(1), transfer(2))
		w.until("sent", func() bool { executable, _ := w.ch.PoolSize(); return executable == 3 })
		require.Equal(t, 3, w.ch.DropPending())

		w.until("sent again", func() bool { executable, _ := w.ch.PoolSize(); return executable == 3 })
		r.allFinal(3)
		w.exactlyOnce(3)
	})
}

// no error text makes a send failed or gives it a second nonce; whatever the node says, the receipt decides.
func TestNoErrorTextDecidesAboutASend(t *testing.T) {
	for _, text := range []string{
		"already known", "nonce too low: next nonce 5, tx nonce 3", "nonce too high", "insufficient funds for gas * price + value: balance 0, tx cost 1",
		"txpool is full", "max fee per gas less than block base fee: maxFeePerGas: 1, baseFee: 2", "intrinsic gas too low", "OldNonce", "Upfront cost exceeds account balance",
	} {
		t.Run(text, func(t *testing.T) {
			w := newWorld(t, dbtest.SQLite(t))
			p := w.proxy()

			p.Add(faultrpc.Fault{
				Kind:   faultrpc.Refuse,
				Method: sendRaw,
				Times:  3,
				Code:   -32000,
				Text:   text,
			})

			r := w.rail(w.network(p.URL()))
			r.plan(transfer(0))
			r.allFinal(1)
			w.exactlyOnce(1)
			require.Equal(t, 1, distinct(p.Asked()))
			require.Empty(t, r.health().Frozen)
		})
	}
}

// "replacement transaction underpriced" means that somebody else holds our nonce in the pool: freeze, and let a
// person look.
func TestARivalInThePoolFreezesTheSigner(t *testing.T) {
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		w := newWorld(t, d)
		p := w.proxy()
		r := w.rail(w.network(p.URL()))
		r.plan(transfer(0))
		r.allFinal(1)
		w.submit(w.outside(1, 50)) // the same nonce, a higher price
		r.plan(transfer(1))
		w.until("frozen", func() bool { return r.health().Frozen != "" })
		r.plan(transfer(2))
		before := r.health().Counters.Rounds
		w.until("some rounds", func() bool { return r.health().Counters.Rounds > before+5 })
		require.Equal(t, chain.StatePlanned, r.status(2).State, "a frozen signer takes no nonce")
		require.Contains(t, r.status(2).Note, "frozen")
	})
}

// E-04: another transaction holds our nonce in a block that is final, and none of our attempts is known to any node:
// hold, freeze, and no second payment without a person.
func TestANonceTakenByAnotherAtFinalHeightIsHeld(t *testing.T) {
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		ctx := context.Background()
		w := newWorld(t, d)
		p := w.proxy()
		r := w.rail(w.network(p.URL()))
		r.plan(transfer(0))
		r.allFinal(1)
		p.Add(faultrpc.Fault{Kind: faultrpc.Swallow, Method: sendRaw})
		r.plan(transfer(1))
		w.until("sent", r.is(1, chain.StateSent))
		w.submit(w.outside(1, 5))
		w.ch.Mine(1)
		head := w.ch.Head().Number.Uint64()
		w.until("the new head is known", func() bool { return r.health().Nodes[0].Head == head })
		before := r.health().Counters.Rounds
		w.until("and was looked at", func() bool { return r.health().Counters.Rounds > before+5 })
		require.Equal(t, chain.StateSent, r.status(1).State, "before it is final nothing is concluded")
		w.mineUntil("held", r.is(1, chain.StateHold))

		listed, total, err := chain.Holds(t.Context(), d, 0)
		require.NoError(t, err)
		require.Empty(t, listed)
		require.Equal(t, 1, total, "those of no page count, too")
		require.Contains(t, r.health().Frozen, "not ours")
		require.ErrorIs(t, r.Release(ctx, transfer(0).Key), chain.ErrNotHeld)

		// A person finds out what happened, and lets it be sent under a new nonce.
		p.Clear()
		require.NoError(t, r.Release(ctx, transfer(1).Key))
		require.NoError(t, r.Thaw(ctx, network))
		w.mineUntil("final", r.is(1, chain.StateFinal))
		require.EqualValues(t, 2, w.ch.Balance(recipient(1)).Int64())
		require.Len(t, r.status(1).Attempts, 2, "the old attempt stays on record")
		w.consistent()
	})
}

// B-06, E-04: a chain that counts more transactions than our rows means that the database is old or the key is used
// elsewhere.
func TestAChainAheadOfOurNoncesFreezesTheSigner(t *testing.T) {
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		w := newWorld(t, d)
		r := w.rail(w.network())
		r.plan(transfer(0))
		r.allFinal(1)
		r.stop()
		w.submit(w.outside(1, 5))
		w.ch.Mine(1)
		r = w.rail(w.network())
		r.plan(transfer(1))
		w.until("frozen", func() bool { return r.health().Frozen != "" })
		require.Equal(t, chain.StatePlanned, r.status(1).State)
		require.NoError(t, r.Thaw(context.Background(), network))

		w.mineUntil("final", r.is(1, chain.StateFinal))
		require.EqualValues(t, 2, r.status(1).Nonce)
	})
}

// A key that was used before it came to us goes on from the chain's count.
func TestAUsedKeyGoesOnFromTheChainsCount(t *testing.T) {
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		w := newWorld(t, d)
		w.submit(w.outside(0, 5))
		r := w.rail(w.network())
		r.plan(transfer(0))
		w.until("refuses while the pool holds something", func() bool { return r.health().LastErr != "" })
		require.Contains(t, r.health().LastErr, "wait in the node's pool")

		w.mineUntil("final", r.is(0, chain.StateFinal))
		require.EqualValues(t, 1, r.status(0).Nonce)
	})
}

// a node that stands still is put aside; nothing is final on its word, and the other one goes on.
func TestAFrozenNodeIsPutAsideAndFinalisesNothing(t *testing.T) {
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		w := newWorld(t, d)
		frozen := w.proxy()
		good := w.proxy()
		r := w.rail(w.network(frozen.URL(), good.URL()))
		r.plan(transfer(0))
		r.allFinal(1)
		frozen.Freeze(w.ch.Head().Number.Uint64(), w.ch.Head().Number.Uint64())
		r.plan(transfer(1))
		w.mineUntil("seen by way of the other", r.is(1, chain.StateSeen))
		w.ch.Mine(10)
		before := r.health().Counters.Rounds
		w.until("some rounds", func() bool { return r.health().Counters.Rounds > before+10 })
		require.Equal(t, chain.StateSeen, r.status(1).State, "one node alone makes nothing final where there are two")
		require.True(t, r.health().Nodes[0].Behind)

		frozen.Clear()
		r.allFinal(2)
		w.exactlyOnce(2)
	})
}

// a head that goes backwards demotes the only node, and nothing is concluded until it has caught up.
func TestAHeadThatGoesBackwardsConcludesNothing(t *testing.T) {
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		w := newWorld(t, d)
		p := w.proxy()
		n := w.network(p.URL())
		n.Finality.Depth = 1000 // more than are made while the first sight is waited for
		r := w.rail(n)
		r.plan(transfer(0))
		w.mineUntil("seen", r.is(0, chain.StateSeen))
		p.Freeze(1, 1)
		w.until("behind", func() bool { return r.health().Nodes[0].Behind })
		w.ch.Mine(1010)
		before := r.health().Counters.Rounds
		w.until("some rounds", func() bool { return r.health().Counters.Rounds > before+10 })
		require.Equal(t, chain.StateSeen, r.status(0).State, "neither lost nor final")
		require.Zero(t, w.count("lost"))

		p.Clear()
		r.allFinal(1)
		w.exactlyOnce(1)
	})
}

// A node that gives receipts one by one alone proves a send as well as one that gives those of a block.
func TestANodeThatGivesReceiptsOneByOne(t *testing.T) {
	w := newWorld(t, dbtest.SQLite(t))
	p := w.proxy()
	p.Add(faultrpc.Fault{
		Kind:   faultrpc.Refuse,
		Method: "eth_getBlockReceipts",
		Code:   -32601,
		Text:   "the method eth_getBlockReceipts does not exist/is not available",
	})

	r := w.rail(w.network(p.URL()))
	r.plan(transfer(0))
	w.mineUntil("final", r.is(0, chain.StateFinal))
	require.Positive(t, p.Calls("eth_getTransactionReceipt"))
	w.exactlyOnce(1)
}

// whatever a node changes in a block or its receipts, nothing is posted on it. Each lie is told by a node that
// is otherwise honest.
func TestALyingNodePostsNothing(t *testing.T) {
	lies := map[string]struct{ method, field, value string }{
		"a forged status":     {"eth_getBlockReceipts", "status", `"0x0"`},
		"a forged gas figure": {"eth_getBlockReceipts", "cumulativeGasUsed", `"0x5209"`},
		"a missing log":       {"eth_getBlockReceipts", "logs", `[]`},
		"another header":      {"eth_getBlockByHash", "timestamp", `"0x1"`},
		"another receipts root": {
			"eth_getBlockByHash",
			"receiptsRoot",
			`"0x1111111111111111111111111111111111111111111111111111111111111111"`,
		},
		"a block without a body": {"eth_getBlockByHash", "transactions", `[]`},
	}

	for name, lie := range lies {
		t.Run(name, func(t *testing.T) {
			w := newWorld(t, dbtest.SQLite(t))
			logging := w.deploy("602a60005260206000a000")
			p := w.proxy()

			p.Edit(func(method string, _ []json.RawMessage, result json.RawMessage) json.RawMessage {
				if method != lie.method {
					return result
				}

				return withField(result, lie.field, lie.value)
			})

			r := w.rail(w.network(p.URL()))
			s := transfer(0)
			s.To = logging
			s.Value = nil
			r.plan(s)
			w.mineUntil("the lie was found out", func() bool {
				return r.health().LastErr != "" && p.Calls("eth_getBlockReceipts") > 2
			})
			require.Contains(t, r.health().LastErr, chain.ErrProof.Error())
			require.Zero(t, w.count("final"))

			p.Clear()
			w.mineUntil("final", r.is(0, chain.StateFinal))
		})
	}
}

// receipts are bound to transactions by their place in the block; a node that swaps the transactions is found
// out.
func TestANodeThatSwapsTransactionsPostsNothing(t *testing.T) {
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		w := newWorld(t, d)
		logging := w.deploy("602a60005260206000a000")
		p := w.proxy()

		p.Edit(func(method string, _ []json.RawMessage, result json.RawMessage) json.RawMessage {
			var (
				b   map[string]json.RawMessage
				txs []json.RawMessage
			)
			if method != "eth_getBlockByHash" || json.Unmarshal(result, &b) != nil ||
				json.Unmarshal(b["transactions"], &txs) != nil {
				return result
			}

			slices.Reverse(txs)
			list, _ := json.Marshal(txs)

			return withField(result, "transactions", string(list))
		})

		r := w.rail(w.network(p.URL()))
		first := transfer(0)
		first.To = logging
		first.Value = nil
		r.plan(first, transfer(1))
		w.until("both in the pool", func() bool { executable, _ := w.ch.PoolSize(); return executable == 2 })
		w.mineUntil("the lie was found out", func() bool {
			return strings.Contains(r.health().LastErr, chain.ErrProof.Error())
		})
		require.Zero(t, w.count("final"))

		p.Clear()
		w.mineUntil("final", func() bool { return w.count("final") == 2 })
	})
}

// withField sets a field of an object, or of each object of a list.
func withField(result json.RawMessage, field, value string) json.RawMessage {
	var list []map[string]json.RawMessage
	if json.Unmarshal(result, &list) == nil {
		for _, o := range list {
			o[field] = json.RawMessage(value)
		}

		out, _ := json.Marshal(list)

		return out
	}

	var o map[string]json.RawMessage
	if json.Unmarshal(result, &o) != nil || o == nil {
		return result
	}

	o[field] = json.RawMessage(value)
	out, _ := json.Marshal(o)

	return out
}

// two nodes that name different blocks at one height make nothing final.
func TestNodesThatDisagreeFinaliseNothing(t *testing.T) {
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		w := newWorld(t, d)
		liar := w.proxy()

		liar.Edit(func(method string, params []json.RawMessage, result json.RawMessage) json.RawMessage {
			if method == "eth_getBlockByNumber" && len(params) > 0 && string(params[0]) != `"latest"` {
				return withField(result, "hash", `"0x2222222222222222222222222222222222222222222222222222222222222222"`)
			}

			return result
		})

		r := w.rail(w.network(w.ch.URL(), liar.URL()))
		r.plan(transfer(0))
		w.mineUntil("the disagreement was noticed", func() bool {
			return r.is(0, chain.StateSeen)() && r.health().LastErr != ""
		})
		w.ch.Mine(5)
		before := r.health().Counters.Rounds
		w.until("some rounds", func() bool { return r.health().Counters.Rounds > before+5 })
		require.Zero(t, w.count("final"))

		liar.Clear()
		r.allFinal(1)
		w.exactlyOnce(1)
	})
}

// a node of another chain is never used; a network whose chain id was changed is refused.
func TestAWrongChainIsRefused(t *testing.T) {
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		w := newWorld(t, d)
		other, err := devchain.Start(devchain.Config{Mode: devchain.Manual, ChainID: 5})
		require.NoError(t, err)

		t.Cleanup(func() { require.NoError(t, other.Close()) })
		r := w.rail(w.network(other.URL()))
		r.plan(transfer(0))
		w.until("it says why", func() bool { return strings.Contains(r.health().LastErr, chain.ErrWrongChain.Error()) })
		require.Equal(t, chain.StatePlanned, r.status(0).State)
		require.True(t, r.health().Nodes[0].Aside)
		require.False(t, r.health().Nodes[0].Verified)

		r.stop()
		again := chain.New(chain.Config{DB: d, Observer: books{}})
		n := w.network(other.URL())
		n.ChainID = big.NewInt(5)
		require.ErrorIs(t, again.AddNetwork(context.Background(), n), chain.ErrWrongChain)
	})
}

// with one node down, redirecting or endless, the other carries on, and what was broadcast reached it.
func TestABrokenNodeDoesNotStopTheOthers(t *testing.T) {
	for name, kind := range map[string]faultrpc.Kind{
		"down":      faultrpc.Down,
		"redirects": faultrpc.Redirect,
		"endless":   faultrpc.Oversize,
	} {
		t.Run(name, func(t *testing.T) {
			w := newWorld(t, dbtest.SQLite(t))
			bad := w.proxy()
			good := w.proxy()
			n := w.network(bad.URL(), good.URL())
			n.Timeout = 500 * time.Millisecond
			r := w.rail(n)
			r.plan(transfer(0))
			r.allFinal(1)
			bad.Add(faultrpc.Fault{Kind: kind})
			r.plan(transfer(1))
			w.mineUntil("seen", r.is(1, chain.StateSeen))
			bad.Clear()
			r.allFinal(2)
			w.exactlyOnce(2)
		})
	}
}

// at a thousand times the price nothing is signed, the status says why, and it goes on when the price has fallen.
func TestSendsWaitWhileThePriceIsAboveTheCeiling(t *testing.T) {
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		w := newWorld(t, d)
		p := w.proxy()
		p.ScaleFees(1000, 1)
		r := w.rail(w.network(p.URL()))
		r.plan(transfer(0), transfer(1))
		w.until("the status says why", func() bool { return r.status(0).Note != "" })
		require.Contains(t, r.status(0).Note, "above the ceiling")
		require.Equal(t, chain.StatePlanned, r.status(1).State)

		p.ScaleFees(1, 1)
		r.allFinal(2)
		w.exactlyOnce(2)
		require.Less(t, r.status(0).Nonce, r.status(1).Nonce)
		require.Empty(t, r.health().Note)
	})
}

// R-08, K-04: a stuck send is replaced under its own nonce with the same recipient, value and data, at an eighth more
// at least.
func TestAStuckSendIsReplacedUnderItsOwnNonce(t *testing.T) {
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		w := newWorld(t, d)
		p := w.proxy()
		p.ScaleFees(1, 1000) // the node understates the price, so the first attempts offer too little
		n := w.network(p.URL())
		n.StuckAfter = time.Millisecond
		r := w.rail(n)
		r.plan(transfer(0), transfer(1), transfer(2))
		w.until("sent", r.is(2, chain.StateSent))
		w.mineUntil("raised at least twice", func() bool { return len(r.status(0).Attempts) > 2 })
		p.ScaleFees(1, 1)
		r.allFinal(3)
		w.exactlyOnce(3)

		for i := range 3 {
			w.sameButFees(r.status(i))
		}
	})
}

// sameButFees compares the stored bytes of every attempt of a send.
func (w *world) sameButFees(s chain.Status) {
	w.t.Helper()
	raws, err := db.Select(context.Background(), w.d, func(b *[]byte) []any { return []any{b} },
		"SELECT raw FROM chain_attempts WHERE nonce = ? ORDER BY number", s.Nonce)
	require.NoError(w.t, err)
	require.NotEmpty(w.t, raws)

	var last *types.Transaction
	for i, raw := range raws {
		tx := new(types.Transaction)
		require.NoError(w.t, tx.UnmarshalBinary(raw))

		if i > 0 {
			require.Equal(w.t, last.To(), tx.To())
			require.Equal(w.t, last.Value(), tx.Value())
			require.Equal(w.t, last.Data(), tx.Data())
			require.Equal(w.t, last.Nonce(), tx.Nonce())
			require.Equal(w.t, last.Gas(), tx.Gas())

			for _, pair := range [][2]*big.Int{{last.GasFeeCap(), tx.GasFeeCap()}, {last.GasTipCap(), tx.GasTipCap()}} {
				least := new(big.Int).Mul(pair[0], big.NewInt(1125))
				require.GreaterOrEqual(w.t, new(big.Int).Mul(pair[1], big.NewInt(1000)).Cmp(least), 0, "attempt %d", i)
			}
		}

		last = tx
	}
}

// at the ceiling it waits and says so; nothing is lost.
func TestAStuckSendStopsAtTheCeiling(t *testing.T) {
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		w := newWorld(t, d)
		p := w.proxy()
		p.ScaleFees(1, 1000)
		n := w.network(p.URL())
		n.StuckAfter = time.Millisecond
		n.MaxFeePerGasWei = big.NewInt(4_000_000) // 0.004 gwei: far less than the chain's base fee
		r := w.rail(n)
		r.plan(transfer(0))
		w.mineUntil("stuck at the ceiling", func() bool { return r.status(0).Note != "" })
		require.Contains(t, r.status(0).Note, "ceiling")

		attempts := len(r.status(0).Attempts)
		require.Greater(t, attempts, 1)
		require.Equal(t, chain.StateSent, r.status(0).State)

		r.stop()
		n.MaxFeePerGasWei = big.NewInt(100 * gwei) // a person raises the ceiling
		p.ScaleFees(1, 1)
		r = w.rail(n)
		r.allFinal(1)
		w.exactlyOnce(1)
		require.Greater(t, len(r.status(0).Attempts), attempts)
	})
}

// a signer without gas money stops before signing, says so, and goes on when it is funded.
func TestASignerWithoutGasMoneyStopsBeforeSigning(t *testing.T) {
	for name, gas := range map[string]uint64{"with an estimate": 0, "with a given limit": 30_000} {
		t.Run(name, func(t *testing.T) {
			dbtest.Each(t, func(t *testing.T, d *db.DB) {
				w := newWorld(t, d)
				poor := keyOf(77)
				w.key = poor
				w.from = chain.NewKeySigner(poor).Address()
				r := w.rail(w.network())
				first := transfer(0)
				second := transfer(1)
				first.GasLimit = gas
				second.GasLimit = gas
				r.plan(first, second)
				w.until("the status says why", func() bool { return r.status(0).Note != "" })
				require.Contains(t, r.status(0).Note, "out of gas money")
				require.Equal(t, chain.StatePlanned, r.status(0).State)
				require.Empty(t, r.status(0).Attempts)
				require.NoError(t, w.ch.Fund(w.from, ether))

				w.ch.Mine(1)
				r.allFinal(2)
				w.exactlyOnce(2)
			})
		})
	}
}

// E-01: blocks with our transactions are replaced, whatever the depth: back to SENT, the same bytes again, posted once.
func TestAReorganisationSendsTheSameBytesAgain(t *testing.T) {
	for _, depth := range []int{1, 5, 64} {
		for fate, name := range map[devchain.Fate]string{devchain.Return: "returned", devchain.Drop: "dropped"} {
			t.Run(fmt.Sprintf("%d blocks deep, %s", depth, name), func(t *testing.T) {
				dbtest.Each(t, func(t *testing.T, d *db.DB) {
					w := newWorld(t, d)
					p := w.proxy()
					deep := w.network(p.URL())
					deep.Finality.Depth = 70
					r := w.rail(deep)
					r.plan(transfer(0), transfer(1))
					w.until("in the pool", func() bool { executable, _ := w.ch.PoolSize(); return executable == 2 })
					w.ch.Mine(1)
					w.until("seen", func() bool { return r.is(0, chain.StateSeen)() && r.is(1, chain.StateSeen)() })
					w.ch.Mine(depth - 1)
					n, err := w.ch.Reorg(depth, fate)
					require.NoError(t, err)
					require.Equal(t, 2, n)

					w.until("lost", func() bool { return w.count("lost") == 2 })
					require.Zero(t, w.count("final"))

					r.allFinal(2)
					w.exactlyOnce(2)
					require.Equal(t, 2, distinct(p.Asked()))
					require.Len(t, r.status(0).Attempts, 1)
				})
			})
		}
	}
}

// E-02: after a reorganisation the other attempt of the nonce is mined. Any attempt counts, and there is one effect.
func TestAfterAReorganisationTheOtherAttemptMayBeMined(t *testing.T) {
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		w := newWorld(t, d)
		p := w.proxy()
		p.ScaleFees(1, 1000)
		n := w.network(p.URL())
		n.StuckAfter = time.Millisecond
		n.Finality.Depth = 40
		r := w.rail(n)
		r.plan(transfer(0))
		w.until("sent", r.is(0, chain.StateSent))
		p.ScaleFees(1, 1)
		w.mineUntil("the raised attempt is seen", r.is(0, chain.StateSeen))
		raised := r.status(0)
		// the one that was seen may be followed by one that was made beside its block
		require.Greater(t, len(raised.Attempts), 1)

		// The replacing branch has another attempt than the one that was seen.
		p.Add(faultrpc.Fault{Kind: faultrpc.Swallow, Method: sendRaw})
		_, err := w.ch.Reorg(int(int64(w.ch.Head().Number.Uint64())-raised.Block+1), devchain.Drop)
		require.NoError(t, err)
		w.until("lost", func() bool { return w.count("lost") == 1 })
		w.mineUntil("raised once more", func() bool { return len(r.status(0).Attempts) > len(raised.Attempts) })
		require.Equal(t, 0, poolSize(w.ch))
		sibling := w.storedRaw(raised.Hash)
		w.submit(sibling)
		r.allFinal(1)
		w.exactlyOnce(1)
		require.Equal(t, raised.Hash, r.status(0).Hash, "an earlier attempt than the latest one")
	})
}

func poolSize(ch *devchain.Chain) int {
	executable, behindGap := ch.PoolSize()
	return executable + behindGap
}

func (w *world) storedRaw(hash string) *types.Transaction {
	w.t.Helper()
	raw, err := db.Value[[]byte](context.Background(), w.d, "SELECT raw FROM chain_attempts WHERE tx_hash = ?", hash)
	require.NoError(w.t, err)
	tx := new(types.Transaction)
	require.NoError(w.t, tx.UnmarshalBinary(raw))
	require.Equal(w.t, common.HexToHash(hash), tx.Hash())

	return tx
}

// E-03: a block that was final is replaced. The network stops and a person must look; nothing is paid again by itself.
func TestAReorganisationPastFinalityFreezesTheSigner(t *testing.T) {
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		w := newWorld(t, d)
		r := w.rail(w.network())
		r.plan(transfer(0))
		r.allFinal(1)
		r.plan(transfer(1))
		w.until("in the pool", func() bool { return poolSize(w.ch) == 1 })
		w.ch.Mine(1)
		w.until("seen", r.is(1, chain.StateSeen))
		_, err := w.ch.Reorg(int(w.ch.Head().Number.Uint64()-1), devchain.Drop)
		require.NoError(t, err)

		r.plan(transfer(2))
		w.mineUntil("frozen", func() bool { return r.health().Frozen != "" })
		require.Contains(t, r.health().Frozen, "was replaced")
		require.Equal(t, chain.StateFinal, r.status(0).State, "what was posted stays posted until a person has decided")

		before := r.health().Counters.Rounds
		w.mineUntil("some rounds", func() bool { return r.health().Counters.Rounds > before+10 })
		require.Equal(t, chain.StatePlanned, r.status(2).State)
	})
}
