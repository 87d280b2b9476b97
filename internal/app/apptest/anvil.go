//go:build !nosandbox

package apptest

import (
	"context"
	"crypto/ecdsa"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"math/big"
	"os"
	"slices"
	"strconv"
	"sync"
	"testing"
	"time"

	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/common/hexutil"
	"github.com/ethereum/go-ethereum/core/types"
	"github.com/ethereum/go-ethereum/crypto"
	"github.com/ethereum/go-ethereum/ethclient"
	"github.com/ethereum/go-ethereum/rpc"
	"github.com/stretchr/testify/require"

	"slipway/internal/app/world"
	"slipway/internal/platform/clock"
	"slipway/internal/platform/platformtest/parts"
	"slipway/internal/rails/chain/devchain"
)

// chainVariable names the node that worlds run on. Without it, it is the development chain; "anvil" is Foundry's, a
// process for each world: `make parts` runs scenarios on it, so that they do not rest on what one node does.
const chainVariable = "SLIPWAY_TEST_CHAIN"

// chainOf returns how worlds of a test open their chain; nil: as usual.
func chainOf(t testing.TB) func(devchain.Config) (world.Chain, error) {
	if os.Getenv(chainVariable) != "anvil" {
		return nil
	}

	program := parts.Need(t, "anvil")[0]

	return func(c devchain.Config) (world.Chain, error) { return startAnvil(t, program, c) }
}

// anvil is Foundry's node, which mines when it is told. What it does not answer fails the test.
type anvil struct {
	t      testing.TB
	id     *big.Int
	url    string
	rpc    *rpc.Client
	eth    *ethclient.Client
	faucet *ecdsa.PrivateKey
	mu     sync.Mutex // held while blocks are made or replaced
}

func startAnvil(t testing.TB, program string, c devchain.Config) (*anvil, error) {
	port := parts.Port(t)
	parts.Start(
		t,
		port,
		program,
		"--silent",
		"--no-mining",
		"--port", strconv.Itoa(port),
		"--chain-id", strconv.FormatUint(c.ChainID, 10),
		"--gas-limit", "60000000",
	)

	a := &anvil{t: t, id: new(big.Int).SetUint64(c.ChainID), url: "http://" + parts.Address(port)}

	var err error
	if a.rpc, err = rpc.Dial(a.url); err != nil {
		return nil, err
	}

	a.eth = ethclient.NewClient(a.rpc)

	if a.faucet, err = crypto.GenerateKey(); err != nil {
		return nil, err
	}

	alloc := maps.Clone(c.Alloc)
	alloc[crypto.PubkeyToAddress(a.faucet.PublicKey)] = new(big.Int).Lsh(big.NewInt(1), 100)

	for at, wei := range alloc {
		a.call(nil, "anvil_setBalance", at, (*hexutil.Big)(wei))
	}

	for at, code := range c.Code {
		a.call(nil, "anvil_setCode", at, hexutil.Bytes(code))
	}

	return a, nil
}

func (a *anvil) call(out any, method string, args ...any) {
	a.t.Helper()
	require.NoError(a.t, a.rpc.CallContext(context.Background(), out, method, args...), method)
}

func (a *anvil) URL() string       { return a.url }
func (a *anvil) ChainID() *big.Int { return new(big.Int).Set(a.id) }

func (a *anvil) Head() *types.Header {
	head, err := a.eth.HeaderByNumber(context.Background(), nil)
	require.NoError(a.t, err)

	return head
}

func (a *anvil) Block(number uint64) *types.Block {
	block, err := a.eth.BlockByNumber(context.Background(), new(big.Int).SetUint64(number))
	require.NoError(a.t, err)

	return block
}

func (a *anvil) Nonce(of common.Address) uint64 {
	n, err := a.eth.NonceAt(context.Background(), of, nil)
	require.NoError(a.t, err)

	return n
}

func (a *anvil) PoolSize() (executable, behindGap int) {
	var status struct{ Pending, Queued hexutil.Uint }
	a.call(&status, "txpool_status")

	return int(status.Pending), int(status.Queued)
}

func (a *anvil) Fund(to common.Address, wei *big.Int) error {
	a.mu.Lock()
	defer a.mu.Unlock()

	nonce, err := a.eth.PendingNonceAt(context.Background(), crypto.PubkeyToAddress(a.faucet.PublicKey))
	if err != nil {
		return err
	}

	tip := big.NewInt(1_000_000_000)

	tx, err := types.SignNewTx(a.faucet, types.LatestSignerForChainID(a.id), &types.DynamicFeeTx{
		ChainID:   a.id,
		Nonce:     nonce,
		To:        &to,
		Value:     wei,
		Gas:       21_000,
		GasTipCap: tip,
		GasFeeCap: new(big.Int).Add(tip, new(big.Int).Mul(a.Head().BaseFee, big.NewInt(4))),
	})
	if err != nil {
		return err
	}

	return a.Submit(tx)
}

func (a *anvil) Submit(tx *types.Transaction) error {
	return a.eth.SendTransaction(context.Background(), tx)
}

func (a *anvil) Mine(n int) {
	a.mu.Lock()
	defer a.mu.Unlock()
	a.mine(n)
}

func (a *anvil) mine(n int) {
	for range n {
		a.mineAt(max(a.Head().Time+1, uint64(clock.New().Now().Unix()))) // anvil itself would give two blocks one time
	}
}

// mineAt makes a block of a time.
func (a *anvil) mineAt(seconds uint64) {
	a.call(nil, "evm_setNextBlockTimestamp", hexutil.Uint64(seconds))
	a.call(nil, "evm_mine")
}

func (a *anvil) DropPending() int {
	a.mu.Lock()
	defer a.mu.Unlock()

	return len(a.takePool())
}

// takePool empties the pool and returns its transactions, each account's in the order of their nonces.
func (a *anvil) takePool() []*types.Transaction {
	var content map[string]map[common.Address]map[string]json.RawMessage
	a.call(&content, "txpool_content")
	a.call(nil, "anvil_dropAllTransactions")

	var out []*types.Transaction

	for _, side := range content {
		for _, ofAccount := range side {
			for _, raw := range ofAccount {
				tx := new(types.Transaction)
				require.NoError(a.t, tx.UnmarshalJSON(raw))
				out = append(out, tx)
			}
		}
	}

	slices.SortFunc(out, func(x, y *types.Transaction) int { return int(x.Nonce()) - int(y.Nonce()) })

	return out
}

func (a *anvil) Reorg(depth int, fate devchain.Fate) (int, error) {
	a.mu.Lock()
	defer a.mu.Unlock()

	head := a.Head().Number.Uint64()
	if depth < 1 || uint64(depth) > head {
		return 0, fmt.Errorf("anvil: a reorganisation %d blocks deep at height %d", depth, head)
	}

	var replaced []*types.Transaction
	for n := head - uint64(depth) + 1; n <= head; n++ {
		replaced = append(replaced, a.Block(n).Transactions()...)
	}

	waiting := a.takePool()
	a.call(nil, "anvil_reorg", depth, []any{})
	a.takePool()
	a.mine(1)

	if fate == devchain.Drop {
		return len(replaced), nil
	}

	var errs []error

	for _, tx := range append(replaced, waiting...) {
		if a.Nonce(a.sender(tx)) > tx.Nonce() {
			continue // sent again while the new branch grew
		}

		errs = append(errs, a.Submit(tx))
	}

	return len(replaced), errors.Join(errs...)
}

func (a *anvil) sender(tx *types.Transaction) common.Address {
	from, err := types.Sender(types.LatestSignerForChainID(a.id), tx)
	require.NoError(a.t, err)

	return from
}

func (a *anvil) AdjustTime(d time.Duration) error {
	a.mu.Lock()
	defer a.mu.Unlock()

	a.mineAt(a.Head().Time + uint64(d/time.Second))

	return nil
}

func (a *anvil) WaitIndexed(context.Context) error { return nil }

func (a *anvil) Close() error {
	a.rpc.Close()
	return nil
}
