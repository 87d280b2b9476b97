//go:build !nosandbox

package chain_test

import (
	"encoding/json"
	"fmt"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"slipway/internal/platform/db"
	"slipway/internal/platform/db/dbtest"
	"slipway/internal/rails/chain"
	"slipway/internal/rails/chain/faultrpc"
)

// lie is what a node says in place of the truth. ok is false where it says the truth.
type lie func(method string, params []json.RawMessage, truth json.RawMessage) (said json.RawMessage, ok bool)

// always tells a lie whenever it is asked.
func always(l lie) func(string, []json.RawMessage, json.RawMessage) json.RawMessage {
	return func(method string, params []json.RawMessage, truth json.RawMessage) json.RawMessage {
		if said, ok := l(method, params, truth); ok {
			return said
		}

		return truth
	}
}

// once tells a lie the first time it is asked, and the truth from then on. told reports whether it has.
func once(l lie) (edit func(string, []json.RawMessage, json.RawMessage) json.RawMessage, told func() bool) {
	var mu sync.Mutex
	done := false
	edit = func(method string, params []json.RawMessage, truth json.RawMessage) json.RawMessage {
		mu.Lock()
		defer mu.Unlock()

		if done {
			return truth
		}

		said, ok := l(method, params, truth)
		if !ok {
			return truth
		}

		done = true

		return said
	}
	told = func() bool {
		mu.Lock()
		defer mu.Unlock()
		return done
	}

	return edit, told
}

// about changes fields of the answers of one method; "" as a reference means any block.
func about(method, ref string, fields ...string) lie {
	return func(m string, params []json.RawMessage, truth json.RawMessage) (json.RawMessage, bool) {
		if m != method || string(truth) == "null" || ref != "" && string(params[0]) != `"`+ref+`"` {
			return nil, false
		}

		for i := 0; i < len(fields); i += 2 {
			truth = withField(truth, fields[i], fields[i+1])
		}

		return truth, true
	}
}

const (
	madeUpHash   = `"0x2222222222222222222222222222222222222222222222222222222222222222"`
	madeUpNumber = `"0x3b9aca00"` // a thousand million
)

// inParent is a receipt that names the parent of its block: a block that exists, is final before long, and does not
// have it.
func (w *world) inParent() lie {
	return func(method string, _ []json.RawMessage, truth json.RawMessage) (json.RawMessage, bool) {
		var r struct {
			Number string `json:"blockNumber"`
		}
		if method != "eth_getTransactionReceipt" || json.Unmarshal(truth, &r) != nil || r.Number == "" {
			return nil, false
		}

		var n uint64
		if _, err := fmt.Sscanf(r.Number, "0x%x", &n); err != nil {
			return nil, false
		}

		said := withField(truth, "blockNumber", fmt.Sprintf(`"0x%x"`, n-1))

		return withField(said, "blockHash", `"`+w.ch.Block(n-1).Hash().Hex()+`"`), true
	}
}

// someNonce is a count of the signer's transactions that is far beyond the truth.
func someNonce(method string, params []json.RawMessage, _ json.RawMessage) (json.RawMessage, bool) {
	return json.RawMessage(madeUpNumber), method == "eth_getTransactionCount" && string(params[1]) == `"latest"`
}

// one node lies once, about each thing that a send's way depends on. Nothing stands still, nothing is frozen,
// held or refused.
func TestOneLieOfOneNodeHoldsUpNothing(t *testing.T) {
	lies := map[string]func(w *world) lie{
		"a receipt in the parent block": (*world).inParent,
		"a receipt in a block to come": func(*world) lie {
			return about("eth_getTransactionReceipt", "", "blockNumber", madeUpNumber)
		},
		"a receipt in a made-up block": func(*world) lie {
			return about("eth_getTransactionReceipt", "", "blockHash", madeUpHash)
		},
		"a receipt that reverted": func(*world) lie {
			return about("eth_getTransactionReceipt", "", "status", `"0x0"`)
		},
		"a latest that is far ahead": func(*world) lie {
			return about("eth_getBlockByNumber", "latest", "number", madeUpNumber)
		},
		"a latest with another parent": func(*world) lie {
			return about("eth_getBlockByNumber", "latest", "parentHash", madeUpHash)
		},
		"a latest with another hash": func(*world) lie {
			return about("eth_getBlockByNumber", "latest", "hash", madeUpHash)
		},
		"another block than is there": func(*world) lie { return otherBlock },
		"a block that does not fit itself": func(*world) lie {
			return about("eth_getBlockByHash", "", "timestamp", `"0x1"`)
		},
		"a nonce that is far ahead": func(*world) lie { return someNonce },
	}

	for name, make := range lies {
		for _, nodes := range []int{1, 2, 3} {
			if nodes == 1 &&
				(strings.HasPrefix(name, "a nonce") || strings.HasPrefix(name, "another block") || strings.Contains(name, "far ahead")) {
				continue // the only node's word on what nobody can prove: a person set it up so
			}

			t.Run(fmt.Sprintf("%s, %d nodes", name, nodes), func(t *testing.T) {
				w := newWorld(t, dbtest.SQLite(t))
				liar := w.proxy()

				urls := []string{liar.URL()}
				for len(urls) < nodes {
					urls = append(urls, w.proxy().URL())
				}

				r := w.rail(w.network(urls...))
				r.plan(transfer(0))
				r.allFinal(1)

				edit, told := once(make(w))
				liar.Edit(edit)
				r.plan(transfer(1), transfer(2))
				r.allFinal(3)

				sends := 3
				for ; !told() && sends < 50; sends++ { // with several nodes another one may have been asked
					r.plan(transfer(sends))
					r.allFinal(sends + 1)
				}

				require.True(t, told(), "the lie was told")
				r.plan(transfer(sends))
				r.allFinal(sends + 1)
				w.exactlyOnce(sends + 1)
				require.Empty(t, r.health().Frozen)
				require.Zero(t, r.health().Counters.Held+r.health().Counters.Refused)
			})
		}
	}
}

// otherBlock names another block at any height that is asked for by number.
func otherBlock(method string, params []json.RawMessage, truth json.RawMessage) (json.RawMessage, bool) {
	if method != "eth_getBlockByNumber" || string(truth) == "null" || !strings.HasPrefix(string(params[0]), `"0x`) {
		return nil, false
	}

	return withField(truth, "hash", madeUpHash), true
}

// what one node said is not kept as truth: a send that was seen in a block which does not have it is looked for
// again, also by a process that starts on what the liar's word left in the database.
func TestASightingThatWasALieEndsAfterARestart(t *testing.T) {
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		w := newWorld(t, d)
		liar := w.proxy()
		r := w.rail(w.network(liar.URL()))
		r.plan(transfer(0))
		r.allFinal(1)

		liar.Edit(always(w.inParent()))
		r.plan(transfer(1))
		w.until("in the pool", func() bool { return poolSize(w.ch) == 1 })
		w.ch.Mine(1)
		w.until("seen", r.is(1, chain.StateSeen))
		r.stop()
		liar.Clear()
		r = w.rail(w.network(liar.URL()))
		r.plan(transfer(2))
		r.allFinal(3)
		w.exactlyOnce(3)
	})
}

// two nodes that agree move on; a third that names other blocks all the time is put aside, and Health tells of
// it.
func TestANodeThatLiesAllTheTimeIsPutAside(t *testing.T) {
	for name, l := range map[string]lie{
		"about blocks":    otherBlock,
		"about nonces":    someNonce,
		"about heads":     about("eth_getBlockByNumber", "latest", "number", madeUpNumber),
		"about receipts":  about("eth_getBlockReceipts", "", "status", `"0x0"`),
		"about estimates": nil,
	} {
		t.Run(name, func(t *testing.T) {
			w := newWorld(t, dbtest.SQLite(t))
			liar := w.proxy()
			r := w.rail(w.network(liar.URL(), w.proxy().URL(), w.proxy().URL()))
			r.plan(transfer(0))
			r.allFinal(1)

			if l != nil {
				liar.Edit(always(l))
			} else {
				liar.Add(faultrpc.Fault{
					Kind:   faultrpc.Refuse,
					Method: "eth_estimateGas",
					Code:   3,
					Text:   "execution reverted",
				})
			}

			r.plan(transfer(1))
			r.allFinal(2)
			w.exactlyOnce(2)
			require.Empty(t, r.health().Frozen)

			if name == "about blocks" || name == "about heads" || name == "about receipts" {
				require.Positive(t, r.health().Nodes[0].Refuted)
				require.NotEmpty(t, r.health().Nodes[0].Lie)
			}
		})
	}
}

// the only node showed a head that nobody can check, once. It counts as behind, nothing is concluded, and after
// ten minutes what it shows is the chain again.
func TestTheOnlyNodesMadeUpHeadIsForgotten(t *testing.T) {
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		w := newWorld(t, d)
		liar := w.proxy()
		r := w.rail(w.network(liar.URL()))
		r.plan(transfer(0))
		r.allFinal(1)
		edit, told := once(about("eth_getBlockByNumber", "latest", "number", madeUpNumber))
		liar.Edit(edit)
		r.plan(transfer(1))
		w.until("the lie was told", told)
		w.until("behind", func() bool { return r.health().Nodes[0].Behind })
		require.NotEqual(t, chain.StateFinal, r.status(1).State)

		d.Clock().Advance(11 * time.Minute)
		r.allFinal(2)
		w.exactlyOnce(2)
	})
}

// nothing is subscribed to: no method but those of polling is ever called, and what the chain did between two
// looks is found.
func TestPollingIsTheOnlySourceOfNews(t *testing.T) {
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		w := newWorld(t, d)
		p := w.proxy()
		r := w.rail(w.network(p.URL()))
		r.plan(transfer(0))
		w.until("sent", r.is(0, chain.StateSent))
		p.Add(faultrpc.Fault{Kind: faultrpc.Down}) // nothing arrives while the chain goes on
		w.ch.Mine(20)
		p.Clear()
		w.until("final without a further block", r.is(0, chain.StateFinal))
		w.exactlyOnce(1)

		for _, method := range []string{"eth_subscribe", "eth_newBlockFilter", "eth_newFilter", "eth_newPendingTransactionFilter", "eth_getFilterChanges"} {
			require.Zero(t, p.Calls(method), method)
		}
	})
}

// valueAt deploys a contract that answers every call with a number.
func (w *world) valueAt(n int) chain.CallMsg {
	w.t.Helper()
	return chain.CallMsg{From: w.from, To: w.deploy(returns(fmt.Sprintf("%064x", n)))}
}

// client through proxies, in their order.
func (w *world) clientOf(proxies ...*faultrpc.Proxy) *chain.Client {
	w.t.Helper()

	urls := make([]string, len(proxies))
	for i, p := range proxies {
		urls[i] = p.URL()
	}

	c, err := chain.NewClient(chain.ClientConfig{ChainID: w.ch.ChainID(), URLs: urls})
	require.NoError(w.t, err)
	w.t.Cleanup(c.Close)

	return c
}

// wrongWord answers every simulated call with zero.
func wrongWord(method string, _ []json.RawMessage, _ json.RawMessage) (json.RawMessage, bool) {
	return json.RawMessage(`"0x` + strings.Repeat("0", 64) + `"`), method == "eth_call"
}

// what decides about money is what two nodes say of one block. One that lies once changes nothing, one that
// lies all the time stops it where there are two, and is put aside where there are three.
func TestOneNodesWordDecidesNothing(t *testing.T) {
	w := newWorld(t, nil)
	ctx := t.Context()
	m := w.valueAt(6)

	liar := w.proxy()
	second := w.proxy()
	third := w.proxy()
	pair := w.clientOf(liar, second)
	edit, told := once(wrongWord)
	liar.Edit(edit)
	out, err := pair.Call(ctx, m)
	require.NoError(t, err)
	require.True(t, told())
	require.EqualValues(t, 6, out[31])

	liar.Edit(always(wrongWord))
	_, err = pair.Call(ctx, m)
	require.ErrorIs(t, err, chain.ErrDisagree)
	require.Equal(t, chain.Unknown, chain.Classify(err))
	require.Zero(t, pair.Providers()[0].Refuted+pair.Providers()[1].Refuted, "nobody knows who of two is right")

	three := w.clientOf(liar, second, third)
	out, err = three.Call(ctx, m)
	require.NoError(t, err)
	require.EqualValues(t, 6, out[31])
	require.True(t, three.Providers()[0].Aside)

	second.Add(faultrpc.Fault{Kind: faultrpc.Down})
	_, err = pair.Call(ctx, m)
	require.ErrorIs(t, err, chain.ErrDisagree)
	require.ErrorIs(t, err, chain.ErrUnreachable)

	second.Clear()
	second.Add(faultrpc.Fault{
		Kind:   faultrpc.Refuse,
		Method: "eth_getBlockByNumber",
		Code:   -32000,
		Text:   "the state is being healed",
	})
	_, err = pair.Call(ctx, m)
	require.ErrorIs(t, err, chain.ErrUnreachable)
	require.ErrorContains(t, err, "the state is being healed", "what the node said")
}

// nodes at different heights are asked about the newest block that both have; one that lags too far is no
// second voice.
func TestNodesAreComparedAtABlockThatBothHave(t *testing.T) {
	w := newWorld(t, nil)
	ctx := t.Context()
	stale := w.proxy()
	fresh := w.proxy()
	c := w.clientOf(stale, fresh)
	before := w.ch.Head().Number.Uint64()
	m := w.valueAt(6)

	stale.Freeze(before, before)
	code, err := c.CodeAt(ctx, m.To)
	require.NoError(t, err)
	require.Empty(t, code, "at the block that both have there was nothing yet")

	w.ch.Mine(10)
	_, err = c.CodeAt(ctx, m.To)
	require.ErrorIs(t, err, chain.ErrBehind)
	stale.Clear()
	code, err = c.CodeAt(ctx, m.To)
	require.NoError(t, err)
	require.NotEmpty(t, code)
}

// a call that reverts to one node alone is no revert.
func TestARevertNeedsTwoNodes(t *testing.T) {
	w := newWorld(t, nil)
	ctx := t.Context()
	m := w.valueAt(6)
	liar := w.proxy()
	liar.Add(faultrpc.Fault{Kind: faultrpc.Refuse, Method: "eth_call", Code: 3, Text: "execution reverted"})
	_, err := w.clientOf(liar, w.proxy()).Call(ctx, m)
	require.ErrorIs(t, err, chain.ErrDisagree)
	_, err = w.clientOf(liar).Call(ctx, m)
	require.Equal(t, chain.Reverts, chain.Classify(err))

	other := w.proxy()
	other.Add(faultrpc.Fault{Kind: faultrpc.Refuse, Method: "eth_call", Code: -32015, Text: "VM execution error."})
	_, err = w.clientOf(liar, other).Call(ctx, m)
	require.Equal(t, chain.Reverts, chain.Classify(err), "in whichever words")
}

// What a node says of a block's time decides nothing: the time is the proven header's.
func TestTheTimeOfABlockIsProven(t *testing.T) {
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		w := newWorld(t, d)
		liar := w.proxy()
		liar.Edit(always(about("eth_getBlockByNumber", "", "timestamp", `"0x1"`)))
		r := w.rail(w.network(liar.URL()))
		r.plan(transfer(0))
		r.allFinal(1)
		w.exactlyOnce(1)
	})
}

// where the configuration says that blocks cannot be recomputed, receipts and a block's time that two nodes show
// alike are believed, and one node alone is not.
func TestWithoutProofTwoNodesMustShowTheSame(t *testing.T) {
	for name, forged := range map[string]lie{
		"receipt": about("eth_getTransactionReceipt", "", "status", `"0x0"`),
		"time":    about("eth_getBlockByNumber", "", "timestamp", `"0x1"`),
	} {
		t.Run(name, func(t *testing.T) {
			dbtest.Each(t, func(t *testing.T, d *db.DB) {
				w := newWorld(t, d)
				liar := w.proxy()
				other := w.proxy()
				broken := always(about("eth_getBlockByHash", "", "timestamp", `"0x1"`)) // nothing can be recomputed
				other.Edit(broken)
				liar.Edit(func(method string, params []json.RawMessage, truth json.RawMessage) json.RawMessage {
					return always(forged)(method, params, broken(method, params, truth))
				})
				n := w.network(liar.URL(), other.URL())
				n.SkipProof = true
				r := w.rail(n)
				r.plan(transfer(0))
				w.mineUntil("seen, and not final", func() bool {
					return strings.Contains(r.health().LastErr, "the same time and receipts")
				})
				require.Zero(t, w.count("final"))

				liar.Edit(broken)
				r.allFinal(1)
				w.exactlyOnce(1)
			})
		})
	}
}
