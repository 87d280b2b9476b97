//go:build !nosandbox

package chain_test

import (
	"context"
	"math/big"
	"sync"
	"testing"

	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/core/types"
	"github.com/stretchr/testify/require"

	"slipway/internal/platform/db"
	"slipway/internal/platform/db/dbtest"
	"slipway/internal/rails/chain"
)

// away is a signer whose key can be away, or refuse everything for now.
type away struct {
	chain.Signer
	mu     sync.Mutex
	reason error
}

func (m *away) set(reason error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.reason = reason
}

// SignTx signs, or returns the reason.
func (m *away) SignTx(ctx context.Context, tx *types.Transaction, id *big.Int) (*types.Transaction, error) {
	m.mu.Lock()
	defer m.mu.Unlock()

	if m.reason != nil {
		return nil, m.reason
	}

	return m.Signer.SignTx(ctx, tx, id)
}

// shared is a rail with three operators: the world's, one that a test sends away, and one without gas money.
func (w *world) shared() (r *rail, other *away, second, poor common.Address) {
	w.t.Helper()

	other = &away{Signer: chain.NewKeySigner(keyOf(2))}
	third := chain.NewKeySigner(keyOf(3))
	require.NoError(w.t, w.ch.Fund(other.Address(), new(big.Int).Mul(ether, big.NewInt(10))))
	w.ch.Mine(1)

	n := w.network()
	n.Further = []chain.Signer{other, third}

	return w.rail(n), other, other.Address(), third.Address()
}

func (w *world) effects(n int) {
	w.t.Helper()

	for i := range n {
		require.EqualValues(w.t, i+1, w.ch.Balance(recipient(i)).Int64(), "effect of transfer %d", i)
	}

	w.consistent()
}

// Several keys share the load of one network. One without gas money, one whose process does not answer and one that is
// frozen hold up nobody: what is planned for them goes to another, once. (E-13, R-09)
func TestSeveralSignersShareTheLoad(t *testing.T) {
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		const many = 24

		w := newWorld(t, d)
		r, other, second, poor := w.shared()

		var all []chain.Send
		for i := range many {
			all = append(all, transfer(i))
		}

		r.plan(all...)
		r.plan(all...) // planned twice, each falls on the same signer
		r.allFinal(many)
		require.Zero(t, w.ch.Nonce(poor), "it has no gas money")
		require.Positive(t, w.ch.Nonce(w.from))
		require.Positive(t, w.ch.Nonce(second))
		require.EqualValues(t, many, w.ch.Nonce(w.from)+w.ch.Nonce(second))

		other.set(context.DeadlineExceeded)

		for i := many; i < 2*many; i++ {
			r.plan(transfer(i))
		}

		// what has a nonce of the one that is away waits for it; everything else goes by the first
		stays := func() int {
			waiting := 0
			for i := many; i < 2*many; i++ {
				if r.status(i).State == chain.StateNonced {
					waiting++
				}
			}

			return waiting
		}
		w.mineUntil("the others are final", func() bool { return w.count("final")+stays() == 2*many })
		other.set(nil)
		r.allFinal(2 * many)
		w.effects(2 * many)
	})
}

// A signer that is taken out of the configuration is observed to its end as an earlier one, beside those that stay.
func TestAFurtherSignerIsTakenAway(t *testing.T) { // K-07
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		const many = 12

		w := newWorld(t, d)
		r, other, second, _ := w.shared()

		for i := range many {
			r.plan(transfer(i))
		}

		w.until("all are sent", func() bool {
			for i := range many {
				if r.status(i).State != chain.StateSent {
					return false
				}
			}

			return true
		})
		require.NoError(t, r.Pause(t.Context(), network, true))

		for i := many; i < 2*many; i++ {
			r.plan(transfer(i))
		}

		r.stop()
		other.set(context.Canceled)

		one := w.rail(w.network())
		require.NoError(t, one.Pause(t.Context(), network, false))
		one.allFinal(2 * many)
		require.Positive(t, w.ch.Nonce(second))
		w.effects(2 * many)
	})
}

// A key cannot be named twice: two lanes would hand out the same nonces.
func TestASignerIsNamedOnce(t *testing.T) {
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		w := newWorld(t, d)
		n := w.network()
		n.Further = []chain.Signer{chain.NewKeySigner(w.key)}
		require.ErrorContains(t, chain.New(chain.Config{DB: d, Observer: books{}}).AddNetwork(t.Context(), n), "twice")
	})
}
