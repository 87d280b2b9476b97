//go:build !nosandbox

package chain_test

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"io"
	"math/big"
	"net/http"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/common/hexutil"
	"github.com/ethereum/go-ethereum/core/types"
	"github.com/ethereum/go-ethereum/crypto"
	"github.com/stretchr/testify/require"

	"slipway/internal/platform/db"
	"slipway/internal/platform/db/dbtest"
	"slipway/internal/rails/chain"
	"slipway/internal/rails/chain/devchain"
	"slipway/internal/rails/chain/faultrpc"
)

// Two contracts that stand for the router. Both answer isOperator: everybody is one, but the address in slot 0, which
// calldata of one word sets. Any other call is a payment of its value. The strict one refuses it from that address, as
// the router does; the lenient one takes it, so that bytes take effect which no router would take.
const (
	answersAndIsSet = "5b600435600054141560005260206000f3" + "5b60003560005500"
	strictRouter    = "36602414601757" + "36602014602857" + "3360005414603057" + "00" + answersAndIsSet + "5b60006000fd"
	lenientRouter   = "36602414600f57" + "36602014602057" + "00" + answersAndIsSet
)

// inheritance is a payment that an earlier signer has sent and no block has, before its successor.
type inheritance struct {
	*world
	p      *faultrpc.Proxy
	router common.Address
	heir   common.Address
	key    string
	raw    *types.Transaction // that the earlier signer signed
	r      *rail              // of the successor
}

// inherits lets a signer send a payment through a contract, loses it, and goes on with another signer. transport is the
// successor's; nil: the default.
func (w *world) inherits(code string, transport http.RoundTripper) *inheritance {
	w.t.Helper()

	i := &inheritance{world: w, p: w.proxy(), router: w.deploy(code), key: "txn_1/paid"}
	n := w.network(i.p.URL())
	n.Router = i.router
	i.p.Add(faultrpc.Fault{Kind: faultrpc.Swallow, Method: sendRaw})

	old := w.rail(n)
	old.plan(i.payment(i.key))
	w.until("sent, and lost", func() bool { return i.state(old) == chain.StateSent })
	old.stop()

	status, err := old.Status(context.Background(), w.d, i.key)
	require.NoError(w.t, err)
	i.raw = w.storedRaw(status.Hash)

	i.p.Clear()
	i.p.Add(faultrpc.Fault{Kind: faultrpc.Swallow, Method: sendRaw, Match: i.isRaw})

	key := keyOf(2)
	n.Signer = chain.NewKeySigner(key)
	n.Transport = transport
	i.heir = crypto.PubkeyToAddress(key.PublicKey)
	require.NoError(w.t, w.ch.Fund(i.heir, new(big.Int).Mul(ether, big.NewInt(10))))
	w.ch.Mine(1)
	i.r = w.rail(n)

	return i
}

func (i *inheritance) payment(key string) chain.Send {
	return chain.Send{
		Key:      key,
		Network:  network,
		To:       i.router,
		Data:     []byte{1, 2, 3, 4},
		Value:    big.NewInt(1),
		GasLimit: 100_000,
		Object:   "txn_1",
	}
}

// text returns the earlier signer's bytes as they travel.
func (i *inheritance) text() string {
	i.t.Helper()
	raw, err := i.raw.MarshalBinary()
	require.NoError(i.t, err)

	return hexutil.Encode(raw)
}

func (i *inheritance) isRaw(params []json.RawMessage) bool {
	return len(params) == 1 && string(params[0]) == `"`+i.text()+`"`
}

// repeats counts how often the earlier signer's bytes were handed to the node.
func (i *inheritance) repeats() (n int) {
	for _, raw := range i.p.Asked() {
		if raw == i.text() {
			n++
		}
	}

	return n
}

func (i *inheritance) status() chain.Status {
	i.t.Helper()
	s, err := i.r.Status(context.Background(), i.d, i.key)
	require.NoError(i.t, err)

	return s
}

func (i *inheritance) state(r *rail) chain.State {
	i.t.Helper()
	s, err := r.Status(context.Background(), i.d, i.key)
	require.NoError(i.t, err)

	return s.State
}

func (i *inheritance) is(s chain.State) func() bool { return func() bool { return i.state(i.r) == s } }

// rounds waits until the successor has looked several times.
func (i *inheritance) rounds() {
	i.t.Helper()
	before := i.r.health().Counters.Rounds
	i.until("some rounds", func() bool { return i.r.health().Counters.Rounds > before+5 })
}

// depose takes the earlier signer's power away, in one block.
func (i *inheritance) depose() {
	i.t.Helper()
	i.ask(i.router, common.LeftPadBytes(i.from[:], 32))
}

// ask lets the faucet call a contract, in one block.
func (w *world) ask(to common.Address, data []byte) {
	w.t.Helper()
	faucet := crypto.PubkeyToAddress(w.ch.FaucetKey().PublicKey)
	tx, err := types.SignNewTx(w.ch.FaucetKey(), types.LatestSignerForChainID(w.ch.ChainID()), &types.DynamicFeeTx{
		ChainID:   w.ch.ChainID(),
		Nonce:     w.ch.Nonce(faucet),
		To:        &to,
		Data:      data,
		Gas:       100_000,
		GasTipCap: big.NewInt(gwei),
		GasFeeCap: big.NewInt(20 * gwei),
	})
	require.NoError(w.t, err)
	w.submit(tx)
	w.ch.Mine(1)
}

// released has the payment sent anew as soon as that is allowed, while the successor takes no nonces.
func (i *inheritance) released() {
	i.t.Helper()
	require.NoError(i.t, i.r.Pause(context.Background(), network, true))
	i.depose()
	i.mineUntil("it may be sent anew", func() bool {
		return i.r.Endable(context.Background(), i.d, i.key, false) == nil
	})
	require.NoError(i.t, i.r.Release(context.Background(), i.key))
	require.Equal(i.t, chain.StatePlanned, i.state(i.r))
}

func (i *inheritance) paid() int64 { return i.ch.Balance(i.router).Int64() }

// K-07: what an earlier signer has left in no block goes to another one only when, at final height, the router has the
// earlier one as an operator no more. From then on its bytes are not repeated.
func TestASendGoesToAnotherSignerOnlyWhenTheEarlierOneIsDeposed(t *testing.T) {
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		ctx := context.Background()
		i := newWorld(t, d).inherits(strictRouter, nil)
		i.mineUntil("the chain was asked", func() bool {
			return errors.Is(i.r.Release(ctx, i.key), chain.ErrStillOperator)
		})
		require.ErrorIs(t, i.r.Release(ctx, i.key), chain.ErrNotDead)
		require.ErrorContains(t, i.r.Release(ctx, i.key), "replace that one on the router")

		i.depose()
		i.rounds()
		require.ErrorIs(t, i.r.Release(ctx, i.key), chain.ErrStillOperator, "before it is final it may be undone")
		require.Equal(t, chain.StateSent, i.state(i.r))

		i.mineUntil("it may be sent anew", func() bool { return i.r.Endable(ctx, d, i.key, false) == nil })
		require.NoError(t, i.r.Release(ctx, i.key))

		repeated := i.repeats()
		require.Positive(t, repeated)
		require.ErrorIs(t, i.r.Release(ctx, i.key), chain.ErrNotHeld)
		i.patiently("final", i.is(chain.StateFinal))
		i.rounds()
		require.Equal(t, repeated, i.repeats(), "the earlier signer's bytes are sent no more")
		require.EqualValues(t, 1, i.paid())
		require.EqualValues(t, 1, i.ch.Nonce(i.heir))
		i.consistent()
	})
}

// K-07: bytes of the earlier signer that are mined before its successor's turn end the send by what they did, and the
// successor does not send it as well.
func TestEarlierBytesThatAreMinedEndAReleasedSend(t *testing.T) {
	for name, code := range map[string]string{"done": lenientRouter, "failed": strictRouter} {
		t.Run(name, func(t *testing.T) {
			dbtest.Each(t, func(t *testing.T, d *db.DB) {
				i := newWorld(t, d).inherits(code, nil)
				i.released()
				i.submit(i.raw)
				i.mineUntil("it ends while the successor stands still", i.is(chain.StateFinal))
				require.Equal(t, name == "done", i.status().OK)
				require.EqualValues(t, 0, i.status().Nonce)
				require.Equal(t, i.raw.Hash().Hex(), i.status().Hash)

				require.NoError(t, i.r.Pause(context.Background(), network, false))
				i.r.plan(i.payment("txn_1/another"))
				i.mineUntil("the successor goes on", func() bool { return i.count("final") == 2 })
				require.EqualValues(t, 1, i.ch.Nonce(i.heir), "it has sent only the other one")
				require.Equal(t, map[string]int64{"done": 2, "failed": 1}[name], i.paid())
				i.consistent()
			})
		})
	}
}

// K-07: while nobody looks for the earlier signer's bytes, its successor sees that they are in a block, and waits.
func TestASuccessorSendsNothingThatIsInABlock(t *testing.T) {
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		i := newWorld(t, d).inherits(lenientRouter, nil)
		i.released()
		leased := func(owner string, until time.Time) {
			require.NoError(t, d.Write(t.Context(), func(tx *db.Tx) error {
				_, err := tx.Exec("UPDATE chain_signers SET owner = ?, lease_until = ? WHERE address = ?",
					owner, db.Micros(until), i.from.Hex())
				return err
			}))
		}
		leased("a process that stands still", d.ServerNow().Add(20*time.Second))
		i.submit(i.raw)
		i.ch.Mine(1)
		require.NoError(t, i.r.Pause(t.Context(), network, false))
		i.until("it waits", func() bool { return i.state(i.r) != chain.StatePlanned || i.status().Note != "" })
		require.Contains(t, i.status().Note, "an earlier attempt of "+i.key+" is in block")

		leased("", d.ServerNow())
		i.mineUntil("final", i.is(chain.StateFinal))
		require.EqualValues(t, 1, i.paid())
		require.Zero(t, i.ch.Nonce(i.heir))
		i.until("nothing waits", func() bool { return i.r.health().Note == "" })
		i.consistent()
	})
}

// K-07: such a block can be replaced. Then the successor sends it after all.
func TestAReleasedSendGoesOnWhenTheBlockOfTheEarlierBytesIsReplaced(t *testing.T) {
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		i := newWorld(t, d).inherits(lenientRouter, nil)
		i.released()
		repeated := i.repeats()
		i.submit(i.raw)
		i.ch.Mine(1)
		i.until("seen", i.is(chain.StateSeen))
		_, err := i.ch.Reorg(1, devchain.Drop)
		require.NoError(t, err)
		i.ch.Mine(1)
		i.until("planned again", i.is(chain.StatePlanned))
		require.Equal(t, 1, i.count("lost"))

		require.NoError(t, i.r.Pause(context.Background(), network, false))
		i.mineUntil("final", i.is(chain.StateFinal))
		require.EqualValues(t, 1, i.paid())
		require.EqualValues(t, 1, i.ch.Nonce(i.heir))
		require.Equal(t, repeated, i.repeats())
		i.consistent()
	})
}

// K-07: earlier bytes that the router refuses after the successor has sent are not the send's outcome.
func TestAFailureOfEarlierBytesIsNotThatOfTheNewOnes(t *testing.T) {
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		i := newWorld(t, d).inherits(strictRouter, nil)
		i.released()
		require.NoError(t, i.r.Pause(context.Background(), network, false))
		i.until("the successor has sent it", func() bool { return i.is(chain.StateSent)() && poolSize(i.ch) == 1 })
		i.submit(i.raw)
		i.mineUntil("final", i.is(chain.StateFinal))

		s := i.status()
		require.True(t, s.OK)
		require.Len(t, s.Attempts, 2)
		require.Equal(t, s.Attempts[1].Hash, s.Hash)
		require.EqualValues(t, 1, i.ch.Nonce(i.from), "the earlier bytes were mined too")
		require.EqualValues(t, 1, i.paid())
		i.consistent()
	})
}

// turnstile is a transport that lets a request with a certain text through only when it is opened.
type turnstile struct {
	mu   sync.Mutex
	text string        // "": every request passes
	at   chan struct{} // one arrives
	open chan struct{}
	left atomic.Bool // it has left
}

func (s *turnstile) stop(text string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.text = text
}

// RoundTrip sends a request, or keeps it back.
func (s *turnstile) RoundTrip(r *http.Request) (*http.Response, error) {
	body, err := io.ReadAll(r.Body)
	if err != nil {
		return nil, err
	}

	r.Body = io.NopCloser(bytes.NewReader(body))

	s.mu.Lock()
	text := s.text
	s.mu.Unlock()

	if text == "" || !strings.Contains(string(body), text) {
		return http.DefaultTransport.RoundTrip(r)
	}

	defer s.left.Store(true)

	select {
	case s.at <- struct{}{}:
	default:
	}

	select {
	case <-s.open:
		return http.DefaultTransport.RoundTrip(r)
	case <-r.Context().Done():
		return nil, r.Context().Err()
	}
}

// K-07: a broadcast that has begun is over before Release returns.
func TestReleaseWaitsForABroadcastThatHasBegun(t *testing.T) {
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		ctx := context.Background()
		s := &turnstile{at: make(chan struct{}, 1), open: make(chan struct{})}
		i := newWorld(t, d).inherits(strictRouter, s)
		require.NoError(t, i.r.Pause(ctx, network, true))
		i.depose()
		i.mineUntil("it may be sent anew", func() bool { return i.r.Endable(ctx, d, i.key, false) == nil })
		s.stop(i.text())
		<-s.at // the earlier signer's lane is sending

		inOrder := make(chan bool, 1)
		failed := make(chan error, 1)

		go func() {
			err := i.r.Release(ctx, i.key)

			inOrder <- s.left.Load()

			failed <- err
		}()

		i.until("decided", i.is(chain.StatePlanned))
		i.rounds()
		close(s.open)
		require.True(t, <-inOrder, "it returned while the bytes were on their way")
		require.NoError(t, <-failed)

		repeated := i.repeats()

		d.Clock().Advance(time.Minute)
		i.rounds()
		require.Equal(t, repeated, i.repeats())
	})
}
