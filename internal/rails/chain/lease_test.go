package chain

import (
	"context"
	"log/slog"
	"math/big"
	"testing"
	"time"

	"github.com/ethereum/go-ethereum/crypto"
	"github.com/stretchr/testify/require"

	"slipway/internal/platform/db"
	"slipway/internal/platform/db/dbtest"
	"slipway/internal/platform/replica"
)

// P-05: the fence itself: whatever a sender writes after another one has taken over is undone, and it knows.
func TestNothingIsWrittenUnderAnOldFence(t *testing.T) {
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		ctx := context.Background()
		key, err := crypto.GenerateKey()
		require.NoError(t, err)

		another := func() *lane {
			r := New(Config{DB: d, LeaseFor: time.Minute})
			l, err := newLane(r, Network{
				ID:              "n",
				ChainID:         big.NewInt(1),
				URLs:            []string{"http://127.0.0.1:1"},
				Signer:          NewKeySigner(key),
				MaxFeePerGasWei: big.NewInt(1),
			})
			require.NoError(t, err)
			require.NoError(t, r.bindSigner(ctx, "n", l.from, l.net.ChainID))

			return l
		}

		first := another()
		second := another()

		held := func(l *lane, want bool) {
			t.Helper()
			got, err := l.acquireLease(ctx)
			require.NoError(t, err)
			require.Equal(t, want, got)
		}

		held(first, true)
		held(second, false)
		d.Clock().Advance(40 * time.Second)
		held(first, true) // renews
		d.Clock().Advance(40 * time.Second)
		held(second, false)
		d.Clock().Advance(40 * time.Second)
		held(second, true)

		note := func(l *lane, text string) error {
			return l.write(ctx, func(tx *db.Tx) error {
				_, err := tx.Exec("UPDATE chain_signers SET note = ?", text)
				return err
			})
		}

		require.ErrorIs(t, note(first, "from the zombie"), errLeaseLost)
		require.Zero(t, first.fence)
		require.NoError(t, note(second, "from the heir"))

		held(first, false)
		require.NoError(t, note(second, "from the heir"), "asking does not take it away")

		second.release(ctx)
		held(first, true)
		got, err := db.Value[string](ctx, d, "SELECT note FROM chain_signers")
		require.NoError(t, err)
		require.Equal(t, "from the heir", got)
	})
}

// P-12: the sender of a network dies: another one takes over with the end of its heartbeat, long before that of its
// lease; on a database whose clock was set back since, at once.
func TestASignerIsTakenOverFromTheDead(t *testing.T) {
	address := dbtest.PostgresURL(t)
	ctx := context.Background()
	key, err := crypto.GenerateKey()
	require.NoError(t, err)
	sender := func(ahead time.Duration) (*replica.Replica, *lane) {
		d, err := db.Open(ctx, db.Config{URL: address})
		require.NoError(t, err)
		t.Cleanup(func() { require.NoError(t, d.Close()) })
		d.Clock().Advance(ahead)
		rep := replica.New(d, slog.New(slog.DiscardHandler))
		r := New(Config{DB: d, LeaseFor: time.Minute, Replica: rep})
		require.NoError(t, rep.Join(ctx))
		l, err := newLane(r, Network{
			ID:              "n",
			ChainID:         big.NewInt(1),
			URLs:            []string{"http://127.0.0.1:1"},
			Signer:          NewKeySigner(key),
			MaxFeePerGasWei: big.NewInt(1),
		})
		require.NoError(t, err)
		require.NoError(t, r.bindSigner(ctx, "n", l.from, l.net.ChainID))

		return rep, l
	}
	holds := func(l *lane) bool {
		held, err := l.acquireLease(ctx)
		require.NoError(t, err)
		return held
	}

	_, dead := sender(0)
	require.True(t, holds(dead))
	heirs, heir := sender(0)
	require.False(t, holds(heir))
	heir.r.db.Clock().Advance(4 * time.Second)
	require.NoError(t, heirs.Beat(ctx))
	require.True(t, holds(heir))
	require.ErrorIs(t, dead.write(ctx, func(*db.Tx) error { return nil }), errLeaseLost)

	_, future := sender(27 * time.Hour)
	require.True(t, holds(future), "the heir's lease is long over")
	_, now := sender(0)
	require.True(t, holds(now), "a lease that lies further ahead than its length is no lease")
}
