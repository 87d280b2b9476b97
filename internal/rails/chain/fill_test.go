//go:build !nosandbox

package chain_test

import (
	"context"
	"errors"
	"math/big"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/core/types"
	"github.com/ethereum/go-ethereum/crypto"
	"github.com/stretchr/testify/require"

	"slipway/internal/platform/db"
	"slipway/internal/platform/db/dbtest"
	"slipway/internal/rails/chain"
	"slipway/internal/rails/chain/devchain"
	"slipway/internal/rails/chain/faultrpc"
)

// moody is a signer that answers some recipients with an error until it is soothed.
type moody struct {
	chain.Signer
	mu    sync.Mutex
	cause map[common.Address]error
	asked int // how often it was asked for one of them
}

func (m *moody) SignTx(ctx context.Context, tx *types.Transaction, id *big.Int) (*types.Transaction, error) {
	m.mu.Lock()
	defer m.mu.Unlock()

	if err := m.cause[*tx.To()]; err != nil {
		m.asked++
		return nil, err
	}

	return m.Signer.SignTx(ctx, tx, id)
}

func (m *moody) soothe() {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.cause = nil
}

func (m *moody) times() int {
	m.mu.Lock()
	defer m.mu.Unlock()
	return m.asked
}

// refusing is the world's network with a signer that fails for one transfer's recipient.
func (w *world) refusing(i int, cause error) (chain.Network, *moody) {
	n := w.network()
	m := &moody{Signer: n.Signer, cause: map[common.Address]error{recipient(i): cause}}
	n.Signer = m

	return n, m
}

// fillers counts the transfers that fill a nonce, in a state.
func (w *world) fillers(s chain.State) int64 {
	w.t.Helper()
	n, err := db.Value[int64](
		context.Background(),
		w.d,
		"SELECT count(*) FROM chain_sends WHERE key LIKE 'filler/%' AND state = ?",
		string(s),
	)
	require.NoError(w.t, err)

	return n
}

// E-05, E-13: a signer that refuses one send leaves no gap: its nonce is filled with a transfer of nothing, the
// others flow, and the send waits for a person, who may have it sent anew or give it up once nothing of it can take
// effect.
func TestASendThatTheSignerRefusesLeavesNoGap(t *testing.T) {
	for name, giveUp := range map[string]bool{"sent anew": false, "given up": true} {
		t.Run(name, func(t *testing.T) {
			dbtest.Each(t, func(t *testing.T, d *db.DB) {
				ctx := context.Background()
				w := newWorld(t, d)
				n, signer := w.refusing(1, &chain.Refusal{Reason: "the recipient is not listed"})
				r := w.rail(n)
				r.plan(transfer(0), transfer(1), transfer(2))
				w.until("it is put aside", r.is(1, chain.StateHold))
				require.Contains(t, r.status(1).Note, "not listed")
				require.EqualValues(t, 3, signer.times(), "one refusal may be a mistake")
				require.ErrorIs(t, r.Release(ctx, transfer(1).Key), chain.ErrNotDead)
				require.ErrorIs(t, r.GiveUp(ctx, transfer(1).Key), chain.ErrNotDead)
				w.mineUntil("the others and the filler are final", func() bool {
					return r.is(0, chain.StateFinal)() && r.is(2, chain.StateFinal)() &&
						w.fillers(chain.StateFinal) == 1
				})
				r.plan(transfer(3))
				w.mineUntil("later ones flow", r.is(3, chain.StateFinal))
				require.Zero(t, w.ch.Balance(recipient(1)).Sign())

				if giveUp {
					require.NoError(t, r.GiveUp(ctx, transfer(1).Key))
					require.Equal(t, chain.StateRefused, r.status(1).State)
					require.Equal(t, 1, w.count("refused"))
					require.ErrorIs(t, r.GiveUp(ctx, transfer(1).Key), chain.ErrNotHeld)
					require.EqualValues(t, 4, w.ch.Nonce(w.from))
				} else {
					signer.soothe()
					require.NoError(t, r.Release(ctx, transfer(1).Key))
					w.mineUntil("final", r.is(1, chain.StateFinal))
					require.EqualValues(t, 2, w.ch.Balance(recipient(1)).Int64())
					require.EqualValues(t, 5, w.ch.Nonce(w.from), "four sends and a filler")
				}

				w.consistent()
			})
		})
	}
}

// E-05, K-05: a signer that does not answer, or whose limit is used up, has refused nothing: each send keeps its
// nonce and no others are taken. It goes on by itself when the signer signs again.
func TestASignerThatDoesNotSignNowTakesNoFurtherNonces(t *testing.T) {
	for name, cause := range map[string]error{
		"no answer":    errors.New("connection refused"),
		"at its limit": &chain.Refusal{Reason: "500 transactions an hour", Later: true},
	} {
		t.Run(name, func(t *testing.T) {
			dbtest.Each(t, func(t *testing.T, d *db.DB) {
				w := newWorld(t, d)
				n, signer := w.refusing(1, cause)
				r := w.rail(n)
				r.plan(transfer(0), transfer(1), transfer(2))
				w.until("asked again and again", func() bool { return signer.times() > 5 })
				r.plan(transfer(3))
				before := signer.times()
				w.mineUntil("and again", func() bool { return signer.times() > before+5 })
				require.Equal(t, chain.StatePlanned, r.status(3).State)
				require.Contains(t, r.status(3).Note, "the signer does not sign "+transfer(1).Key)
				require.Equal(t, chain.StateNonced, r.status(1).State)

				signer.soothe()
				r.allFinal(4)
				w.exactlyOnce(4)
				require.Empty(t, r.health().Note)
			})
		})
	}
}

// E-12: a send that gets into no block for days is told of and never called failed: its bytes may be mined at any
// time, and then they count.
func TestAStuckSendIsToldAndNeverFailed(t *testing.T) {
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		w := newWorld(t, d)
		p := w.proxy()
		p.Add(faultrpc.Fault{Kind: faultrpc.Swallow, Method: sendRaw})
		r := w.rail(w.network(p.URL()))
		r.plan(transfer(0))
		w.until("sent", r.is(0, chain.StateSent))
		require.Empty(t, r.status(0).Note)
		bytes := r.status(0).Attempts[0].Hash

		for range 3 {
			d.Clock().Advance(24 * time.Hour)
			before := r.health().Counters.Rounds
			w.mineUntil("it is looked at", func() bool {
				return r.health().Counters.Rounds > before+5 && r.status(0).Note != ""
			})
			require.Equal(t, chain.StateSent, r.status(0).State)
			require.Contains(t, r.status(0).Note, "has been in no block since")
			require.Contains(t, r.health().Note, "has been in no block since")
		}

		require.Zero(t, w.count("refused"))

		w.submit(w.storedRaw(bytes)) // whoever has kept them
		r.allFinal(1)
		w.exactlyOnce(1)
		w.until("no alarm any more", func() bool { return r.health().Note == "" })
	})
}

// P-09: the clock is set back by a day, so that what was signed lies in the future: its fee is raised all the same.
func TestAnAttemptOfTheFutureIsRaised(t *testing.T) {
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		w := newWorld(t, d)
		p := w.proxy()
		p.ScaleFees(1, 1000)
		n := w.network(p.URL())
		n.StuckAfter = time.Minute
		r := w.rail(n)
		r.plan(transfer(0))
		w.until("sent", r.is(0, chain.StateSent))

		require.NoError(t, d.Write(context.Background(), func(tx *db.Tx) error {
			_, err := tx.Exec("UPDATE chain_attempts SET created_at = created_at + ?", (27 * time.Hour).Microseconds())
			return err
		}))

		w.mineUntil("raised", func() bool { return len(r.status(0).Attempts) > 1 })
		p.ScaleFees(1, 1)
		w.patiently("final", r.is(0, chain.StateFinal))
		w.exactlyOnce(1)
	})
}

// P-06: a fee is raised of what the send is, never of other bytes that stand in its place.
func TestAFeeIsNotRaisedForBytesOfAnotherSend(t *testing.T) {
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		w := newWorld(t, d)
		p := w.proxy()
		p.ScaleFees(1, 1000)
		n := w.network(p.URL())
		n.StuckAfter = time.Minute
		r := w.rail(n)
		r.plan(transfer(0), transfer(1))
		w.until("sent", func() bool { return r.is(0, chain.StateSent)() && r.is(1, chain.StateSent)() })

		require.NoError(t, d.Write(t.Context(), func(tx *db.Tx) error {
			_, err := tx.Exec(
				`UPDATE chain_attempts SET raw = (SELECT a.raw FROM chain_attempts a JOIN chain_sends s ON s.id = a.send_id
					WHERE s.key = ?) WHERE send_id = (SELECT id FROM chain_sends WHERE key = ?)`,
				transfer(1).Key,
				transfer(0).Key,
			)

			return err
		}))

		d.Clock().Advance(2 * time.Minute)
		w.mineUntil("refused", func() bool {
			return strings.Contains(
				r.health().LastErr,
				"the stored bytes of "+transfer(0).Key+" belong to another send",
			)
		})
		require.Len(t, r.status(0).Attempts, 1)
		require.Zero(t, r.health().Counters.Bumps)
	})
}

// deepReorganisation replaces every block that holds a transaction of the signer, and waits until the network is
// frozen for it.
func (w *world) deepReorganisation(r *rail, fate devchain.Fate) {
	w.t.Helper()
	_, err := w.ch.Reorg(int(w.ch.Head().Number.Uint64()-1), fate)
	require.NoError(w.t, err)
	w.patiently("frozen", func() bool { return r.health().Frozen != "" })
	require.Contains(w.t, r.health().Frozen, "was replaced")
}

// patiently waits for a condition while blocks come and time passes, so that what was sent is sent again.
func (w *world) patiently(what string, condition func() bool) {
	w.t.Helper()
	w.mineUntil(what, func() bool {
		w.d.Clock().Advance(time.Second)
		return condition()
	})
}

// E-03, E-13: a network that was frozen by a reorganisation past finality is thawed: what was final is looked for
// again, what the chain lacks is sent again with the same bytes, and everything ends once. The books are told nothing
// twice.
func TestThawAfterADeepReorganisationLeadsToAnEnd(t *testing.T) {
	for fate, name := range map[devchain.Fate]string{devchain.Return: "returned", devchain.Drop: "dropped"} {
		t.Run(name, func(t *testing.T) {
			dbtest.Each(t, func(t *testing.T, d *db.DB) {
				w := newWorld(t, d)
				p := w.proxy()
				r := w.rail(w.network(p.URL()))
				r.plan(transfer(0), transfer(1))
				r.allFinal(2)
				r.plan(transfer(2))
				w.until("in the pool", func() bool { return poolSize(w.ch) == 1 })
				w.ch.Mine(1)
				w.until("seen", r.is(2, chain.StateSeen))
				w.deepReorganisation(r, fate)
				r.plan(transfer(3))

				require.NoError(t, r.Thaw(context.Background(), network))
				w.patiently("all are final", func() bool {
					for i := range 4 {
						if !r.is(i, chain.StateFinal)() {
							return false
						}
					}

					return true
				})
				w.exactlyOnce(4)
				require.Empty(t, r.health().Frozen)
				require.Equal(t, 4, distinct(p.Asked()), "the same bytes, however often they were sent")

				for i := range 4 {
					s := r.status(i)
					require.Equal(
						t,
						w.ch.Block(uint64(s.Block)).Hash().Hex(),
						s.BlockHash,
						"evidence stands in a block of the chain",
					)
				}
			})
		})
	}
}

// E-03: what ends otherwise after a reorganisation than it was posted is put on HOLD: a person must look, and nothing
// is posted over it.
func TestAnotherOutcomeThanWasPostedIsHeld(t *testing.T) {
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		ctx := context.Background()
		w := newWorld(t, d)
		r := w.rail(w.network())
		// It reverts if slot 0 is set, and else sets it to the length of its calldata.
		once := w.deploy("600054600b5736600055005b60006000fd")
		s := transfer(0)
		s.To = once
		s.Value = nil
		s.GasLimit = 100_000
		r.plan(s)
		w.mineUntil("final", r.is(0, chain.StateFinal))
		require.True(t, r.status(0).OK)

		depth := int64(w.ch.Head().Number.Uint64()) - r.status(0).Block + 1
		_, err := w.ch.Reorg(int(depth), devchain.Drop)
		require.NoError(t, err)
		faucet := crypto.PubkeyToAddress(w.ch.FaucetKey().PublicKey)
		set, err := types.SignNewTx(w.ch.FaucetKey(), types.LatestSignerForChainID(w.ch.ChainID()), &types.DynamicFeeTx{
			ChainID:   w.ch.ChainID(),
			Nonce:     w.ch.Nonce(faucet),
			To:        &once,
			Data:      []byte{1},
			Gas:       100_000,
			GasTipCap: big.NewInt(gwei),
			GasFeeCap: big.NewInt(20 * gwei),
		})
		require.NoError(t, err)
		w.submit(set)
		w.patiently("frozen", func() bool { return r.health().Frozen != "" })
		require.NoError(t, r.Thaw(ctx, network))

		held := func() bool { return strings.Contains(r.status(0).Note, "another outcome than was posted") }
		w.patiently("held", held)
		require.Equal(t, 1, w.count("final"))
		require.ErrorIs(t, r.GiveUp(ctx, s.Key), chain.ErrNotHeld, "it was posted: it cannot be called refused")

		first := r.status(0).Nonce
		require.NoError(t, r.Release(ctx, s.Key))
		w.mineUntil("sent anew, and held with its reason", func() bool {
			return r.status(0).Nonce > first && held()
		})
		require.Equal(t, 1, w.count("final"), "nothing is posted over it")
	})
}

// E-03: a send that was posted, failed in the block that replaced it, and is sent anew, ends by its new attempt: the
// failed one does not count again. Until a person decides it stays on HOLD, whatever blocks come.
func TestASendThatIsSentAnewEndsByItsNewAttempt(t *testing.T) {
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		ctx := context.Background()
		w := newWorld(t, d)
		r := w.rail(w.network())
		// Calldata sets slot 0. Without, it reverts unless slot 0 is zero.
		barred := w.deploy("36600b57600054601357005b60003560005500" + "5b60006000fd")
		s := transfer(0)
		s.To = barred
		s.Value = nil
		s.GasLimit = 100_000
		r.plan(s)
		w.mineUntil("final", r.is(0, chain.StateFinal))
		require.True(t, r.status(0).OK)

		depth := int64(w.ch.Head().Number.Uint64()) - r.status(0).Block + 1
		_, err := w.ch.Reorg(int(depth), devchain.Drop)
		require.NoError(t, err)
		w.ask(barred, common.LeftPadBytes([]byte{1}, 32))
		w.patiently("frozen", func() bool { return r.health().Frozen != "" })
		require.NoError(t, r.Thaw(ctx, network))
		w.patiently("held", r.is(0, chain.StateHold))

		first := r.status(0)
		seen := r.health().Counters.Seen
		w.ask(barred, make([]byte, 32))

		for range 5 {
			w.ch.Mine(1)

			before := r.health().Counters.Rounds
			w.until("some rounds", func() bool { return r.health().Counters.Rounds > before+5 })
		}

		require.Equal(t, seen, r.health().Counters.Seen, "it is on hold for what is known")
		require.NoError(t, r.Release(ctx, s.Key))
		w.mineUntil("final again", r.is(0, chain.StateFinal))
		require.True(t, r.status(0).OK)
		require.Greater(t, r.status(0).Nonce, first.Nonce)
		require.NotEqual(t, first.Hash, r.status(0).Hash)
		require.Equal(t, 1, w.count("final"), "the books are told once")
		w.consistent()
	})
}

// E-05: a reorganisation undoes another's transaction under a nonce of ours: nothing of ours has that nonce, so it is
// filled.
func TestANonceThatAReorganisationEmptiedIsFilled(t *testing.T) {
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		ctx := context.Background()
		w := newWorld(t, d)
		r := w.rail(w.network())
		r.plan(transfer(0))
		r.allFinal(1)
		w.submit(w.outside(1, 5))
		w.patiently("the key's use from outside is noticed", func() bool { return r.health().Frozen != "" })
		require.NoError(t, r.Thaw(ctx, network))
		r.plan(transfer(1))
		w.mineUntil("final behind it", r.is(1, chain.StateFinal))
		require.EqualValues(t, 2, r.status(1).Nonce)
		w.deepReorganisation(r, devchain.Drop)

		require.NoError(t, r.Thaw(ctx, network))
		w.patiently("everything is final again", func() bool {
			return r.is(0, chain.StateFinal)() && r.is(1, chain.StateFinal)() && w.fillers(chain.StateFinal) == 1
		})
		require.EqualValues(t, 3, w.ch.Nonce(w.from))
		require.EqualValues(t, 2, w.ch.Balance(recipient(1)).Int64())
		w.consistent()
	})
}
