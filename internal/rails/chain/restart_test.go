//go:build !nosandbox

package chain_test

import (
	"context"
	"errors"
	"log/slog"
	"math/big"
	"os"
	"os/exec"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/core/types"
	"github.com/stretchr/testify/require"

	"slipway/internal/platform/clock"
	"slipway/internal/platform/db"
	"slipway/internal/platform/db/dbtest"
	"slipway/internal/platform/failpoint"
	"slipway/internal/rails/chain"
)

// The child process of the kill tests finds its world in these.
const (
	childDatabase = "SLIPWAY_TEST_CHILD_DATABASE"
	childNodes    = "SLIPWAY_TEST_CHILD_NODES"
)

func childNetwork(key *chain.KeySigner, urls []string, stuckAfter time.Duration) chain.Network {
	return chain.Network{
		ID:              network,
		ChainID:         big.NewInt(31337),
		URLs:            urls,
		Signer:          key,
		Finality:        chain.Finality{Depth: 2},
		MaxFeePerGasWei: big.NewInt(100 * gwei),
		Poll:            5 * time.Millisecond,
		StuckAfter:      stuckAfter,
		Timeout:         2 * time.Second,
	}
}

// TestChildProcess is not a test of its own: it is the process that the kill tests let die.
func TestChildProcess(t *testing.T) {
	address := os.Getenv(childDatabase)
	if address == "" {
		t.Skip("runs as the child of another test")
	}

	d, err := db.Open(context.Background(), db.Config{URL: address, Clock: clock.New()})
	require.NoError(t, err)
	r := chain.New(chain.Config{
		DB:       d,
		Observer: books{},
		LeaseFor: 20 * time.Second,
		Log:      slog.New(slog.NewTextHandler(os.Stderr, nil)),
	})
	require.NoError(
		t,
		r.AddNetwork(
			context.Background(),
			childNetwork(chain.NewKeySigner(keyOf(1)), strings.Split(os.Getenv(childNodes), ","), time.Millisecond),
		),
	)

	ctx, cancel := context.WithTimeout(context.Background(), patience)
	defer cancel()
	require.NoError(t, r.Run(ctx))
}

// addresses runs a test on each database, with the address a second process can open.
func addresses(t *testing.T, test func(t *testing.T, address string)) {
	t.Run("sqlite", func(t *testing.T) { test(t, "sqlite:"+dbtest.SQLiteFile(t)) })
	t.Run("postgres", func(t *testing.T) { test(t, dbtest.PostgresURL(t)) })
}

// P-01, P-03: the process is killed at each named place; after a restart, or three, every send has had exactly one
// effect.
func TestAKillAtAnyPlaceLeavesExactlyOneEffect(t *testing.T) {
	for _, point := range []string{
		"chain.nonce_taken", "chain.signed_unsaved", "chain.saved_unsent", "chain.mid_broadcast", "chain.sent_unmarked", "chain.receipt_seen",
		"chain.final_seen", "chain.posted", "chain.bump_signed", "chain.bump_sent",
	} {
		t.Run(point, func(t *testing.T) {
			addresses(t, func(t *testing.T, address string) {
				times := 1
				if point == "chain.saved_unsent" || point == "chain.sent_unmarked" {
					times = 3
				}

				killAt(t, address, point, times)
			})
		})
	}
}

// killAt plans three sends, lets a child die at the place some times, and finishes in this process.
func killAt(t *testing.T, address, point string, times int) {
	d, err := db.Open(context.Background(), db.Config{URL: address, Clock: clock.New()})
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, d.Close()) })
	w := newWorld(t, d)
	low := w.proxy()
	urls := []string{low.URL(), w.ch.URL()}
	bump := strings.Contains(point, "bump")
	planner := chain.New(chain.Config{DB: d, Observer: books{}})
	require.NoError(t, planner.AddNetwork(context.Background(), w.network(urls...)))
	require.NoError(t, d.Write(context.Background(), func(tx *db.Tx) error {
		return errors.Join(planner.Plan(tx, transfer(0)), planner.Plan(tx, transfer(1)), planner.Plan(tx, transfer(2)))
	}))

	if bump {
		low.ScaleFees(1, 1000) // the first attempts offer too little
	}

	for i := range times {
		require.NoError(t, d.Write(context.Background(), func(tx *db.Tx) error { // the dead process's lease runs out
			_, err := tx.Exec("UPDATE chain_signers SET lease_until = 0")
			return err
		}))

		if !w.childDies(address, urls, point, i > 0) {
			break // the place lies behind us: everything is posted
		}
	}

	low.Clear()
	require.NoError(t, d.Write(context.Background(), func(tx *db.Tx) error {
		_, err := tx.Exec("UPDATE chain_signers SET lease_until = 0")
		return err
	}))
	n := w.network(urls...)
	n.StuckAfter = time.Millisecond
	r := w.rail(n)
	r.allFinal(3)
	w.exactlyOnce(3)
	require.EqualValues(t, 3, r.health().NextNonce)
}

// childDies starts a child that dies at the place, mining meanwhile; false when it may
// live and everything is posted before it could.
func (w *world) childDies(address string, urls []string, point string, mayLive bool) bool {
	w.t.Helper()
	cmd := exec.Command(os.Args[0], "-test.run=^TestChildProcess$", "-test.timeout=60s")

	cmd.Env = append(
		os.Environ(),
		childDatabase+"="+address,
		childNodes+"="+strings.Join(urls, ","),
		failpoint.Variable+"="+point,
	)

	var output strings.Builder
	cmd.Stdout = &output
	cmd.Stderr = &output
	require.NoError(w.t, cmd.Start())

	died := make(chan error, 1)
	go func() { died <- cmd.Wait() }()

	var end error
	over := false
	posted := false
	w.mineUntil("the child dies at "+point, func() bool {
		select {
		case end = <-died:
			over = true
		default:
			posted = mayLive && w.count("final") == 3
		}

		return over || posted
	})

	if !over {
		_ = cmd.Process.Kill()
		end = <-died
	}

	var exit *exec.ExitError
	require.ErrorAs(w.t, end, &exit, output.String())
	require.Equal(w.t, syscall.SIGKILL, exit.Sys().(syscall.WaitStatus).Signal(), output.String())

	return over
}

// P-05: two processes on one database. One sends; when it is taken for dead the other goes on, and the first one's
// write is refused.
func TestTheWriteOfASenderThatLostItsLeaseIsRefused(t *testing.T) {
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		w := newWorld(t, d)
		n := w.network()
		slow := &gate{Signer: chain.NewKeySigner(w.key), asked: make(chan struct{}, 64), open: make(chan struct{})}
		n.Signer = slow
		zombie := w.rail(n)
		zombie.plan(transfer(0), transfer(1))
		<-slow.asked // it has nonces and is signing
		heir := w.rail(w.network())
		before := heir.health().Counters.Rounds
		w.until("the heir looks", func() bool { return heir.health().Counters.Rounds > before })
		require.False(t, heir.health().Holder)
		d.Clock().Advance(time.Minute) // the zombie's lease runs out while it hangs
		heir.Wake()
		w.until("the heir has sent", heir.is(1, chain.StateSent))
		require.True(t, heir.health().Holder)
		close(slow.open) // the zombie wakes up with its own signatures
		w.until("the zombie knows", func() bool { return !zombie.health().Holder })
		heir.allFinal(2)
		w.exactlyOnce(2)

		for i := range 2 {
			require.Len(t, heir.status(i).Attempts, 1, "the zombie's bytes were not stored, so they never left it")
		}
	})
}

// gate is a signer that answers only when it is opened.
type gate struct {
	chain.Signer
	asked chan struct{}
	open  chan struct{}
}

func (g *gate) SignTx(ctx context.Context, tx *types.Transaction, id *big.Int) (*types.Transaction, error) {
	select {
	case g.asked <- struct{}{}:
	default:
	}

	<-g.open

	return g.Signer.SignTx(ctx, tx, id)
}

func (g *gate) Address() common.Address { return g.Signer.Address() }

// P-05, P-07: many rails on one database that come and go share the work; an orderly end hands over at once.
func TestRailsThatComeAndGoShareOneQueue(t *testing.T) {
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		w := newWorld(t, d)

		var r *rail
		for i := range 5 {
			next := w.rail(w.network())
			next.plan(transfer(2*i), transfer(2*i+1))

			if r != nil {
				r.stop()
			}

			r = next
			w.mineUntil("one of them is sent", func() bool {
				s := r.status(2 * i).State
				return s != chain.StatePlanned && s != chain.StateNonced
			})
		}

		r.allFinal(10)
		w.exactlyOnce(10)
	})
}
