//go:build !nosandbox

// Package anvil runs Foundry's node in place of the development chain, so that tests do not rest on what one node does:
// `make parts` has it. What the node does not answer fails the test.
package anvil

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"math/big"
	"slices"
	"strconv"
	"sync"
	"testing"
	"time"

	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/common/hexutil"
	"github.com/ethereum/go-ethereum/core/types"
	"github.com/ethereum/go-ethereum/ethclient"
	"github.com/ethereum/go-ethereum/rpc"
	"github.com/stretchr/testify/require"

	"slipway/internal/platform/clock"
	"slipway/internal/platform/platformtest/parts"
	"slipway/internal/rails/chain/devchain"
)

// blockGas is the gas limit of a block, as on the development chain.
const blockGas = 60_000_000

// Node is a running node. It is safe for concurrent use.
type Node struct {
	t   testing.TB
	id  *big.Int
	url string
	rpc *rpc.Client
	eth *ethclient.Client
	mu  sync.Mutex // held while blocks are made or replaced
}

// Start runs a node until the test ends. It has the balances and the code of c, and makes blocks only when it is told,
// whatever the mode of c. It keeps nothing. Where there is no anvil, the test is skipped.
func Start(t testing.TB, c devchain.Config) *Node {
	t.Helper()

	program := parts.Need(t, "anvil")[0]
	port := parts.Port(t)
	parts.Start(
		t,
		port,
		program,
		"--silent",
		"--no-mining",
		"--port", strconv.Itoa(port),
		"--chain-id", strconv.FormatUint(c.ChainID, 10),
		"--gas-limit", strconv.Itoa(blockGas),
	)

	n := &Node{t: t, id: new(big.Int).SetUint64(c.ChainID), url: "http://" + parts.Address(port)}

	var err error
	n.rpc, err = rpc.Dial(n.url)
	require.NoError(t, err)
	t.Cleanup(n.rpc.Close)
	n.eth = ethclient.NewClient(n.rpc)

	for at, wei := range c.Alloc {
		n.give(at, wei)
	}

	for at, code := range c.Code {
		n.call(nil, "anvil_setCode", at, hexutil.Bytes(code))
	}

	return n
}

// give sets a balance.
func (n *Node) give(to common.Address, wei *big.Int) {
	n.call(nil, "anvil_setBalance", to, (*hexutil.Big)(wei))
}

func (n *Node) call(out any, method string, args ...any) {
	n.t.Helper()
	require.NoError(n.t, n.rpc.CallContext(context.Background(), out, method, args...), method)
}

// URL returns the JSON-RPC address.
func (n *Node) URL() string { return n.url }

// ChainID returns the chain id.
func (n *Node) ChainID() *big.Int { return new(big.Int).Set(n.id) }

// Head returns the header of the newest block.
func (n *Node) Head() *types.Header {
	head, err := n.eth.HeaderByNumber(context.Background(), nil)
	require.NoError(n.t, err)

	return head
}

// Block returns a block of the present chain with its transactions.
func (n *Node) Block(number uint64) *types.Block {
	block, err := n.eth.BlockByNumber(context.Background(), new(big.Int).SetUint64(number))
	require.NoError(n.t, err)

	return block
}

// Nonce returns the number of transactions of an account in blocks.
func (n *Node) Nonce(of common.Address) uint64 {
	nonce, err := n.eth.NonceAt(context.Background(), of, nil)
	require.NoError(n.t, err)

	return nonce
}

// PoolSize returns how many transactions wait: those that can be mined now, and those behind a nonce gap.
func (n *Node) PoolSize() (executable, behindGap int) {
	var status struct{ Pending, Queued hexutil.Uint }
	n.call(&status, "txpool_status")

	return int(status.Pending), int(status.Queued)
}

// Fund adds wei to a balance, at once.
func (n *Node) Fund(to common.Address, wei *big.Int) error {
	has, err := n.eth.BalanceAt(context.Background(), to, nil)
	if err == nil {
		n.give(to, has.Add(has, wei))
	}

	return err
}

// Submit puts a signed transaction into the pool.
func (n *Node) Submit(tx *types.Transaction) error {
	return n.eth.SendTransaction(context.Background(), tx)
}

// Mine makes blocks from the pool.
func (n *Node) Mine(blocks int) {
	n.mu.Lock()
	defer n.mu.Unlock()
	n.mine(blocks)
}

func (n *Node) mine(blocks int) {
	for range blocks {
		n.mineAt(max(n.Head().Time+1, uint64(clock.New().Now().Unix()))) // anvil itself would give two blocks one time
	}
}

// mineAt makes a block of a time.
func (n *Node) mineAt(seconds uint64) {
	n.call(nil, "evm_setNextBlockTimestamp", hexutil.Uint64(seconds))
	n.call(nil, "evm_mine")
}

// DropPending empties the pool, and returns the number of lost transactions.
func (n *Node) DropPending() int {
	n.mu.Lock()
	defer n.mu.Unlock()

	return len(n.takePool())
}

// takePool empties the pool and returns its transactions, each account's in the order of their nonces.
func (n *Node) takePool() []*types.Transaction {
	var content map[string]map[common.Address]map[string]json.RawMessage
	n.call(&content, "txpool_content")
	n.call(nil, "anvil_dropAllTransactions")

	var out []*types.Transaction

	for _, side := range content {
		for _, ofAccount := range side {
			for _, raw := range ofAccount {
				tx := new(types.Transaction)
				require.NoError(n.t, tx.UnmarshalJSON(raw))
				out = append(out, tx)
			}
		}
	}

	slices.SortFunc(out, func(x, y *types.Transaction) int { return int(x.Nonce()) - int(y.Nonce()) })

	return out
}

// Reorg replaces the newest depth blocks by depth+1 empty ones. It returns the number of transactions that are no
// longer in a block.
func (n *Node) Reorg(depth int, fate devchain.Fate) (int, error) {
	n.mu.Lock()
	defer n.mu.Unlock()

	head := n.Head().Number.Uint64()
	if depth < 1 || uint64(depth) > head {
		return 0, fmt.Errorf("anvil: a reorganisation %d blocks deep at height %d", depth, head)
	}

	var replaced []*types.Transaction
	for number := head - uint64(depth) + 1; number <= head; number++ {
		replaced = append(replaced, n.Block(number).Transactions()...)
	}

	waiting := n.takePool()
	n.call(nil, "anvil_reorg", depth, []any{})
	n.takePool()
	n.mine(1)

	if fate == devchain.Drop {
		return len(replaced), nil
	}

	var errs []error

	for _, tx := range append(replaced, waiting...) {
		if n.Nonce(n.sender(tx)) > tx.Nonce() {
			continue // sent again while the new branch grew
		}

		errs = append(errs, n.Submit(tx))
	}

	return len(replaced), errors.Join(errs...)
}

func (n *Node) sender(tx *types.Transaction) common.Address {
	from, err := types.Sender(types.LatestSignerForChainID(n.id), tx)
	require.NoError(n.t, err)

	return from
}

// AdjustTime makes one block with a time d after the newest one; later blocks follow from there.
func (n *Node) AdjustTime(d time.Duration) error {
	n.mu.Lock()
	defer n.mu.Unlock()

	n.mineAt(n.Head().Time + uint64(d/time.Second))

	return nil
}

// Close does nothing: the node ends with its test.
func (n *Node) Close() error { return nil }
