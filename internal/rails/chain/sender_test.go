//go:build !nosandbox

package chain_test

import (
	"context"
	"errors"
	"math/big"
	"sync/atomic"
	"testing"

	"github.com/ethereum/go-ethereum/common"
	"github.com/stretchr/testify/require"

	"slipway/internal/platform/db"
	"slipway/internal/platform/db/dbtest"
	"slipway/internal/rails/chain"
)

func TestASendTakesEffectOnceAndIsPostedWhenFinal(t *testing.T) {
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		w := newWorld(t, d)
		r := w.rail(w.network())
		r.plan(transfer(0), transfer(1), transfer(2))
		r.allFinal(3)
		w.exactlyOnce(3)
		s := r.status(1)
		require.Equal(t, chain.StateFinal, s.State)
		require.True(t, s.OK)
		require.Len(t, s.Attempts, 1)
		require.Equal(t, s.Hash, s.Attempts[0].Hash)
		require.EqualValues(t, 21000, s.GasUsed)
	})
}

// A block is final when as many blocks as the network's depth stand on it, and not one earlier.
func TestASendIsFinalAtItsDepthAndNotBefore(t *testing.T) {
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		w := newWorld(t, d)
		r := w.rail(w.network())
		r.plan(transfer(0))
		w.until("sent", r.is(0, chain.StateSent))
		w.ch.Mine(1)
		w.until("seen", r.is(0, chain.StateSeen))

		for range 2 {
			before := r.health().Counters.Rounds
			w.until("some rounds", func() bool { return r.health().Counters.Rounds > before+5 })
			require.Equal(t, chain.StateSeen, r.status(0).State)
			w.ch.Mine(1)
		}

		w.until("final", r.is(0, chain.StateFinal))
		require.EqualValues(t, r.status(0).Block+2, w.ch.Head().Number.Uint64())
	})
}

// P-06, law 3: one key, one nonce, one set of bytes.
func TestSameKeyTwiceHasOneNonceAndOneSetOfBytes(t *testing.T) {
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		w := newWorld(t, d)
		r := w.rail(w.network())
		r.plan(transfer(0), transfer(0))
		r.plan(transfer(0))
		other := transfer(0)
		other.Value = big.NewInt(99)
		err := d.Write(context.Background(), func(tx *db.Tx) error { return r.Plan(tx, other) })
		require.ErrorIs(t, err, chain.ErrKeyReused)

		done := make(chan error, 20)
		for range cap(done) { // many at the same time
			go func() {
				done <- d.Write(context.Background(), func(tx *db.Tx) error { return r.Plan(tx, transfer(1)) })
			}()
		}

		for range cap(done) {
			require.NoError(t, <-done)
		}

		r.allFinal(2)
		r.plan(transfer(0))
		w.exactlyOnce(2)
		require.Len(t, r.status(0).Attempts, 1)
		require.ErrorIs(t, d.Write(context.Background(), func(tx *db.Tx) error {
			s := transfer(5)
			s.Network = "elsewhere"
			return r.Plan(tx, s)
		}), chain.ErrUnknownNetwork)
	})
}

// A decision that is undone has no effect.
func TestPlanOfAnUndoneTransactionIsNothing(t *testing.T) {
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		w := newWorld(t, d)
		r := w.rail(w.network())
		no := errors.New("no")
		require.ErrorIs(t, d.Write(context.Background(), func(tx *db.Tx) error {
			return errors.Join(r.Plan(tx, transfer(7)), no)
		}), no)

		r.plan(transfer(0))
		r.allFinal(1)
		w.exactlyOnce(1)
		_, err := r.Status(context.Background(), d, transfer(7).Key)
		require.ErrorIs(t, err, db.ErrNone)
	})
}

// I9: sends are pipelined, none waits for another's receipt, and nonces have no gap.
func TestTwoHundredSendsArePipelinedWithoutGaps(t *testing.T) {
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		w := newWorld(t, d)
		r := w.rail(w.network())

		const n = 200

		sends := make([]chain.Send, n)
		for i := range sends {
			sends[i] = transfer(i)
		}

		r.plan(sends...)
		w.until("all in the pool before any block", func() bool {
			executable, _ := w.ch.PoolSize()
			return executable == n
		})
		r.allFinal(n)
		w.exactlyOnce(n)
	})
}

// What would revert is refused before anything is signed, and tells the business why.
func TestASendThatRevertsIsRefusedWithoutANonce(t *testing.T) {
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		w := newWorld(t, d)
		reverting := w.deploy("60006000fd") // PUSH1 0 PUSH1 0 REVERT
		r := w.rail(w.network())
		bad := transfer(0)
		bad.To = reverting
		bad.Value = nil
		r.plan(bad, transfer(1))
		w.mineUntil("refused", r.is(0, chain.StateRefused))
		w.mineUntil("the other is final", r.is(1, chain.StateFinal))
		s := r.status(0)
		require.Empty(t, s.Attempts)
		require.EqualValues(t, -1, s.Nonce)
		require.Contains(t, s.Note, "revert")
		require.Equal(t, 1, w.count("refused"))
		w.until("counted, behind the write", func() bool { return r.health().Counters.Refused == 1 })
		require.EqualValues(t, 1, w.ch.Nonce(w.from), "a refused send uses no nonce")
	})
}

func TestASendAboveTheGasCeilingIsRefused(t *testing.T) {
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		w := newWorld(t, d)
		r := w.rail(w.network())
		bad := transfer(0)
		bad.GasLimit = 17_000_000 // EIP-7825 allows 16,777,216
		r.plan(bad)
		w.until("refused", r.is(0, chain.StateRefused))
		require.Zero(t, w.ch.Nonce(w.from))
	})
}

// A call that reverts in its block is final all the same: the business is told that it failed, with evidence.
func TestARevertedCallIsFinalAndNotOK(t *testing.T) {
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		w := newWorld(t, d)
		reverting := w.deploy("60006000fd")
		r := w.rail(w.network())
		bad := transfer(0)
		bad.To = reverting
		bad.Value = nil
		bad.GasLimit = 100_000
		r.plan(bad)
		w.mineUntil("final", r.is(0, chain.StateFinal))
		require.False(t, r.status(0).OK)
	})
}

// Logs reach the business with the evidence.
func TestLogsOfACallAreEvidence(t *testing.T) {
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		w := newWorld(t, d)
		logging := w.deploy("602a60005260206000a000") // MSTORE 42, LOG0 of the word, STOP
		r := w.rail(w.network())
		s := transfer(0)
		s.To = logging
		s.Value = nil
		r.plan(s)
		w.mineUntil("final", r.is(0, chain.StateFinal))
		logs, err := db.Value[string](context.Background(), d, "SELECT logs FROM chain_receipts")
		require.NoError(t, err)
		require.Contains(t, logs, "2a")

		detail, err := db.Value[string](context.Background(), d, "SELECT detail FROM audit_log WHERE action = 'final'")
		require.NoError(t, err)
		require.Contains(t, detail, r.status(0).Hash)
		require.Contains(t, detail, common.HexToHash("0x2a").Hex())
	})
}

func TestPauseStopsNewNoncesUntilItIsLifted(t *testing.T) {
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		ctx := context.Background()
		w := newWorld(t, d)
		r := w.rail(w.network())
		require.NoError(t, r.Pause(ctx, network, true))
		require.ErrorIs(t, r.Pause(ctx, "elsewhere", true), chain.ErrUnknownNetwork)

		r.plan(transfer(0))
		before := r.health().Counters.Rounds
		w.mineUntil("some rounds", func() bool { return r.health().Counters.Rounds > before+5 })
		require.Equal(t, chain.StatePlanned, r.status(0).State)
		require.Equal(t, "paused", r.status(0).Note)

		oldest, err := r.OldestOpen(ctx, d)
		require.NoError(t, err)
		require.False(t, oldest.IsZero())
		require.NoError(t, r.Pause(ctx, network, false))

		r.allFinal(1)
		w.exactlyOnce(1)
		oldest, err = r.OldestOpen(ctx, d)
		require.NoError(t, err)
		require.True(t, oldest.IsZero())
	})
}

// An observer's fault keeps back its own send only, and nothing is half recorded.
func TestAnObserversFaultKeepsBackOnlyItsOwnSend(t *testing.T) {
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		w := newWorld(t, d)
		o := &picky{refuse: transfer(1).Key}
		r := w.railWith(w.network(), o)
		r.plan(transfer(0), transfer(1), transfer(2))
		w.mineUntil("the others are final", func() bool {
			return r.is(0, chain.StateFinal)() && r.is(2, chain.StateFinal)()
		})
		require.Equal(t, chain.StateSeen, r.status(1).State)

		o.relent()
		r.allFinal(3)
		w.exactlyOnce(3)
	})
}

// Nor does it keep back what is in later blocks.
func TestAnObserversFaultKeepsBackNoLaterBlock(t *testing.T) {
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		w := newWorld(t, d)
		o := &picky{refuse: transfer(0).Key}
		r := w.railWith(w.network(), o)
		r.plan(transfer(0))
		w.mineUntil("the first is in a block", r.is(0, chain.StateSeen))
		r.plan(transfer(1))
		w.mineUntil("the second is final", r.is(1, chain.StateFinal))
		require.Equal(t, chain.StateSeen, r.status(0).State)

		o.relent()
		r.allFinal(2)
		w.exactlyOnce(2)
	})
}

// B-06: while the world is re-read nothing is signed or broadcast; afterwards it goes out once.
func TestNothingIsSentWhileHeld(t *testing.T) {
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		w := newWorld(t, d)

		var held atomic.Bool
		held.Store(true)

		var looks atomic.Int64
		r := w.railOf(w.network(), chain.Config{Observer: books{}, Held: func(context.Context) (bool, error) {
			looks.Add(1)
			return held.Load(), nil
		}})
		r.plan(transfer(0), transfer(1))
		w.until("several rounds", func() bool { return looks.Load() > 5 })
		require.Equal(t, chain.StatePlanned, r.status(0).State)
		require.Empty(t, r.status(0).Attempts)
		held.Store(false)
		r.allFinal(2)
		w.exactlyOnce(2)
	})
}
