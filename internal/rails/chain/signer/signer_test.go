//go:build !nosandbox

package signer

import (
	"context"
	"crypto/ecdsa"
	"errors"
	"log/slog"
	"math/big"
	"path/filepath"
	"testing"
	"time"

	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/core/types"
	"github.com/ethereum/go-ethereum/crypto"
	"github.com/stretchr/testify/require"

	"slipway/internal/platform/clock"
	"slipway/internal/rails/chain"
	"slipway/internal/rails/chain/contract"
)

var (
	router = common.HexToAddress("0x1001")
	usdc   = common.HexToAddress("0x2002")
)

const (
	chainID          = 31337
	patienceOfSocket = 10 * time.Second // bounds the wait for a socket; nothing is judged by it
	tickOfSocket     = time.Millisecond
)

// bench is a signer with a key and a journal of its own.
type bench struct {
	t       *testing.T
	key     *ecdsa.PrivateKey
	backend chain.Signer // where the key is
	journal string
	policy  Policy
	clock   *clock.Clock
	*Signer
}

func newBench(t *testing.T) *bench {
	t.Helper()
	key, err := crypto.GenerateKey()
	require.NoError(t, err)
	b := &bench{
		t:       t,
		key:     key,
		backend: chain.NewKeySigner(key),
		journal: filepath.Join(t.TempDir(), "signed.jsonl"),
		clock:   clock.New(),
	}
	b.policy = Policy{
		Routers:         map[uint64]common.Address{chainID: router},
		MaxGas:          1_000_000,
		MaxFeePerGasWei: big.NewInt(100),
		PerHour:         3,
		PerDay:          5,
		Caps:            []Cap{{ChainID: chainID, Token: usdc, Hour: big.NewInt(1000), Day: big.NewInt(1500)}},
	}
	b.open()

	return b
}

// open starts a process on the journal.
func (b *bench) open() {
	b.t.Helper()
	s, err := Open(b.backend, b.policy, b.journal, b.clock)
	require.NoError(b.t, err)
	b.t.Cleanup(func() { _ = s.Close() })
	b.Signer = s
}

// eachBackend runs a test with the operator's key in a file and at a key service. What the signer refuses follows from
// its policy and its journal, wherever the key is; hsm's tests hold the same against a hardware module.
func eachBackend(t *testing.T, test func(t *testing.T, b *bench)) {
	t.Helper()
	t.Run("file", func(t *testing.T) { test(t, newBench(t)) })
	t.Run("key service", func(t *testing.T) { test(t, newBench(t).atKeyService()) })
}

// batch is a transaction as the service sends it, of some units of a token.
func (b *bench) batch(nonce uint64, units int64, edit ...func(*types.DynamicFeeTx)) *types.Transaction {
	b.t.Helper()
	data, err := contract.EncodePay(contract.Batch{
		Payer:  common.HexToAddress("0x3003"),
		Token:  usdc,
		Number: new(big.Int).SetUint64(nonce),
		Legs:   []contract.Leg{{To: common.HexToAddress("0x4004"), Amount: big.NewInt(units)}},
	})
	require.NoError(b.t, err)

	tx := &types.DynamicFeeTx{
		ChainID:   big.NewInt(chainID),
		Nonce:     nonce,
		To:        &router,
		Value:     new(big.Int),
		Data:      data,
		Gas:       300_000,
		GasFeeCap: big.NewInt(50),
		GasTipCap: big.NewInt(1),
	}
	for _, e := range edit {
		e(tx)
	}

	return types.NewTx(tx)
}

// signs asks and requires an answer: 0 for a signature, else the refusal's code.
func (b *bench) signs(tx *types.Transaction, code int) {
	b.t.Helper()

	signed, err := b.Sign(context.Background(), tx)
	if code == 0 {
		require.NoError(b.t, err)
		from, err := types.Sender(types.LatestSignerForChainID(tx.ChainId()), signed)
		require.NoError(b.t, err)
		require.Equal(b.t, b.Address(), from)

		return
	}

	var refusal *Error
	require.ErrorAs(b.t, err, &refusal)
	require.Equal(b.t, code, refusal.Code, refusal.Message)
}

// K-03: the signer checks by itself; each field is attacked.
func TestThePolicyIsHeldAgainstEachField(t *testing.T) { eachBackend(t, attackEachField) }

func attackEachField(t *testing.T, b *bench) {
	t.Helper()

	evil := common.HexToAddress("0xe711")
	for name, edit := range map[string]func(*types.DynamicFeeTx){
		"another chain":    func(x *types.DynamicFeeTx) { x.ChainID = big.NewInt(1) },
		"another contract": func(x *types.DynamicFeeTx) { x.To = &evil },
		"a new contract":   func(x *types.DynamicFeeTx) { x.To = nil },
		"another function": func(x *types.DynamicFeeTx) {
			x.Data = append([]byte{0xa9, 0x05, 0x9c, 0xbb}, x.Data[4:]...)
		},
		"no function":       func(x *types.DynamicFeeTx) { x.Data = nil },
		"more calldata":     func(x *types.DynamicFeeTx) { x.Data = append(x.Data, 0) },
		"the chain's coin":  func(x *types.DynamicFeeTx) { x.Value = big.NewInt(1) },
		"too much gas":      func(x *types.DynamicFeeTx) { x.Gas = b.policy.MaxGas + 1 },
		"too high a fee":    func(x *types.DynamicFeeTx) { x.GasFeeCap = big.NewInt(101) },
		"a tip beyond that": func(x *types.DynamicFeeTx) { x.GasTipCap = big.NewInt(51) },
		"an access list":    func(x *types.DynamicFeeTx) { x.AccessList = types.AccessList{{Address: evil}} },
	} {
		t.Run(name, func(t *testing.T) { b.signs(b.batch(0, 1, edit), codeRefused) })
	}

	other := b.policy
	other.Caps = []Cap{{ChainID: chainID, Token: evil, Hour: big.NewInt(1), Day: big.NewInt(1)}}
	b.Signer.policy = other
	b.signs(b.batch(0, 1), codeRefused) // a token without a limit, where there are limits
	b.Signer.policy = b.policy
	b.signs(b.batch(0, 1), 0)
}

// K-04: a nonce is for one batch, whatever its fees; what fills it instead moves nothing, and ends it.
func TestANonceIsSignedForOneBatch(t *testing.T) { eachBackend(t, signOneNonceForOneBatch) }

func signOneNonceForOneBatch(t *testing.T, b *bench) {
	t.Helper()

	fills := func(x *types.DynamicFeeTx) {
		self := b.Address()
		x.To = &self
		x.Data = nil
		x.Gas = 21_000
	}

	b.signs(b.batch(7, 10), 0)

	b.signs(b.batch(7, 10, func(x *types.DynamicFeeTx) {
		x.GasFeeCap = big.NewInt(99)
		x.GasTipCap = big.NewInt(9)
	}), 0)

	b.signs(b.batch(7, 11), codeRefused)
	b.open() // and after a restart
	b.signs(b.batch(7, 11), codeRefused)
	b.signs(b.batch(7, 10), 0)
	b.signs(b.batch(7, 0+1, fills), 0)
	b.signs(b.batch(7, 10), codeRefused)
	b.signs(b.batch(8, 1, fills), 0)
	b.signs(b.batch(8, 1), codeRefused)
}

// K-05: the limits of an hour and of a day hold whoever asks and however often the process is started anew; they end
// with time.
func TestLimitsSurviveARestart(t *testing.T) { eachBackend(t, restartAtItsLimits) }

func restartAtItsLimits(t *testing.T, b *bench) {
	t.Helper()
	b.signs(b.batch(0, 600), 0)
	b.open()
	b.signs(b.batch(1, 401), chain.CodeLimit) // more than 1000 in the hour
	b.signs(b.batch(1, 400), 0)
	b.signs(b.batch(0, 600), 0) // the same batch counts once
	b.open()
	b.signs(b.batch(2, 1), chain.CodeLimit)

	b.clock.Advance(time.Hour)
	b.signs(b.batch(2, 501), chain.CodeLimit) // more than 1500 in the day
	b.signs(b.batch(2, 100), 0)
	b.signs(b.batch(3, 100), 0)
	b.signs(b.batch(4, 100), 0)
	b.open()
	b.signs(b.batch(5, 100), chain.CodeLimit) // the fourth of the hour, the sixth of the day
	b.clock.Advance(time.Hour)
	b.signs(b.batch(5, 100), chain.CodeLimit)
	b.clock.Advance(22 * time.Hour)
	b.signs(b.batch(5, 100), 0)
}

// Several processes on one journal count as one.
func TestTwoProcessesShareTheLimits(t *testing.T) {
	b := newBench(t)
	first := b.Signer
	b.open()
	b.signs(b.batch(0, 900), 0)
	_, err := first.Sign(context.Background(), b.batch(1, 200))

	var refusal *Error
	require.ErrorAs(t, err, &refusal)
	require.Equal(t, chain.CodeLimit, refusal.Code)
}

// served is the signer behind a socket, and who asks it as the service does.
func (b *bench) served() *chain.RemoteSigner {
	b.t.Helper()
	socket := filepath.Join(b.t.TempDir(), "s")
	ctx, cancel := context.WithCancel(context.Background())

	done := make(chan error, 1)
	go func() { done <- b.Serve(ctx, socket, slog.New(slog.DiscardHandler)) }()
	b.t.Cleanup(func() {
		cancel()
		require.NoError(b.t, <-done)
	})
	r, err := chain.NewRemoteSigner(socket, b.Address())
	require.NoError(b.t, err)

	return r
}

// What the signer refuses reaches the service as a refusal: for good, for the time being, or not at all when it has
// not even looked.
func TestRefusalsReachTheService(t *testing.T) {
	b := newBench(t)
	r := b.served()
	asks := func(tx *types.Transaction) error {
		var err error
		require.Eventually(t, func() bool { // until the socket is there
			_, err = r.SignTx(context.Background(), tx, big.NewInt(chainID))

			var lost *chain.TransportError

			return !errors.As(err, &lost)
		}, patienceOfSocket, tickOfSocket)

		return err
	}
	require.NoError(t, asks(b.batch(0, 600)))

	var refusal *chain.Refusal
	require.ErrorAs(t, asks(b.batch(0, 601)), &refusal)
	require.False(t, refusal.Later)
	require.ErrorAs(t, asks(b.batch(1, 601)), &refusal)
	require.True(t, refusal.Later)
	stranger, err := chain.NewRemoteSigner("http://127.0.0.1:1", common.HexToAddress("0x9"))
	require.NoError(t, err)
	_, err = stranger.SignTx(context.Background(), b.batch(2, 1), big.NewInt(chainID))
	require.Error(t, err)
	require.False(t, errors.As(err, new(*chain.Refusal)), "silence is no refusal")
}

// Every manner of paying that the router has is read to its legs, which count towards the caps, whatever is signed
// besides; what only a payer may call is refused.
func TestThePolicyReadsEveryMannerOfPaying(t *testing.T) { // K-03 K-04
	for _, m := range []contract.Manner{
		contract.ByPull,
		contract.ByIntent,
		contract.ByPermit,
		contract.ByAuthorization,
		contract.ByPermit2,
	} {
		b := newBench(t)
		call := contract.Call{
			Batch: contract.Batch{
				Payer:  common.HexToAddress("0x3003"),
				Token:  usdc,
				Number: big.NewInt(1),
				Legs:   []contract.Leg{{To: common.HexToAddress("0x4004"), Amount: big.NewInt(900)}},
			},
			Manner:    m,
			Deadline:  big.NewInt(2_000_000_000),
			Signature: []byte{1, 2, 3},
			Permit:    []byte{4, 5, 6},
		}

		carry := func(edit func(*contract.Call)) func(*types.DynamicFeeTx) {
			c := call
			edit(&c)

			data, err := c.Encode()
			require.NoError(t, err)

			return func(x *types.DynamicFeeTx) { x.Data = data }
		}

		plain := carry(func(*contract.Call) {})
		b.signs(b.batch(1, 1, plain), 0)
		b.signs(b.batch(1, 1, plain), 0) // the same nonce for the same batch, any number of times
		b.signs(b.batch(2, 1, plain), chain.CodeLimit)

		other := carry(func(c *contract.Call) { c.Token = common.HexToAddress("0x9009") })
		b.signs(b.batch(3, 1, other), codeRefused)

		own, err := contract.EncodePayOwn(call.Batch, call.Deadline)
		require.NoError(t, err)
		b.signs(b.batch(4, 1, func(x *types.DynamicFeeTx) { x.Data = own }), codeRefused)
		b.signs(b.batch(5, 1, func(x *types.DynamicFeeTx) { plain(x); x.Data = append(x.Data, 0) }), codeRefused)
	}
}
