//go:build !nosandbox

// Package devchain is an EVM chain inside this process, for the sandbox and for tests: go-ethereum's own node, pool and
// rules, without peers, serving JSON-RPC on loopback.
//
// It behaves as a real node: transactions wait in a pool, blocks are full at 60 million gas, receipts contain logs, and
// Reorg really replaces blocks. Blocks come at a fixed period, when a transaction waits, or only from Mine. With a data
// directory the chain survives Close and Start; after a kill it may have lost its newest blocks.
//
// Its faucet key is public. Builds with -tags nosandbox do not include it.
package devchain

import (
	"context"
	"crypto/ecdsa"
	"errors"
	"fmt"
	"log/slog"
	"math/big"
	"sync"
	"time"

	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/core"
	"github.com/ethereum/go-ethereum/core/rawdb"
	"github.com/ethereum/go-ethereum/core/txpool"
	"github.com/ethereum/go-ethereum/core/types"
	"github.com/ethereum/go-ethereum/crypto"
	"github.com/ethereum/go-ethereum/eth"
	"github.com/ethereum/go-ethereum/eth/catalyst"
	"github.com/ethereum/go-ethereum/eth/ethconfig"
	"github.com/ethereum/go-ethereum/eth/filters"
	"github.com/ethereum/go-ethereum/node"
	"github.com/ethereum/go-ethereum/p2p"
	"github.com/ethereum/go-ethereum/rpc"
)

// Mode defines when blocks are made.
type Mode int

// The three modes.
const (
	Periodic Mode = iota // every Period, also empty ones
	OnDemand             // as soon as a transaction waits
	Manual               // only by Mine
)

// blockGas is the gas limit of a block.
const blockGas = 60_000_000

// Config configures the chain. The zero value is chain 31337 in memory with a block each second on a free port.
type Config struct {
	ChainID uint64        // 0: 31337
	Dir     string        // "": in memory, lost on Close
	Port    int           // 0: a free one
	Mode    Mode          // when blocks are made
	Period  time.Duration // for Periodic; 0: one second
	// Alloc lists balances in wei of the first block; the faucet is added. Ignored if Dir already holds a chain.
	Alloc map[common.Address]*big.Int
	// Code lists contracts of the first block, by address. Ignored if Dir already holds a chain.
	Code map[common.Address][]byte
}

// Chain is a running development chain. It is safe for concurrent use.
type Chain struct {
	id         *big.Int
	node       *node.Node
	eth        *eth.Ethereum
	beacon     *catalyst.SimulatedBeacon
	faucet     *ecdsa.PrivateKey
	persistent bool // in a folder

	mu    sync.Mutex // held while blocks are made or replaced
	stop  chan struct{}
	tasks sync.WaitGroup
	once  sync.Once
}

// Start runs a chain until Close. Several chains in one process are independent.
func Start(c Config) (*Chain, error) {
	if c.ChainID == 0 {
		c.ChainID = 31337
	}

	if c.Period <= 0 {
		c.Period = time.Second
	}

	faucet, err := crypto.ToECDSA(crypto.Keccak256([]byte("slipway development faucet")))
	if err != nil {
		return nil, fmt.Errorf("dev chain: faucet key: %w", err)
	}

	ch := &Chain{
		id:         new(big.Int).SetUint64(c.ChainID),
		faucet:     faucet,
		persistent: c.Dir != "",
		stop:       make(chan struct{}),
	}
	if err := ch.boot(c); err != nil {
		return nil, fmt.Errorf("dev chain: %w", err)
	}

	ch.produce(c)

	return ch, nil
}

func (c *Chain) boot(cfg Config) (err error) {
	c.node, err = node.New(nodeConfig(cfg))
	if err != nil {
		return err
	}

	defer func() {
		if err != nil {
			err = errors.Join(err, c.node.Close())
		}
	}()

	if c.eth, err = eth.New(c.node, chainConfig(cfg, crypto.PubkeyToAddress(c.faucet.PublicKey))); err != nil {
		return err
	}

	system := filters.NewFilterSystem(c.eth.APIBackend, filters.Config{})
	c.node.RegisterAPIs([]rpc.API{{Namespace: "eth", Service: filters.NewFilterAPI(system)}})

	if err = c.node.Start(); err != nil {
		return err
	}

	// Period 0 leaves block production to us: one lock then covers mining, reorganisations and time, and periods below
	// a second are possible.
	c.beacon, err = catalyst.NewSimulatedBeacon(0, common.Address{}, c.eth)
	if err != nil {
		return err
	}

	c.eth.SetSynced()

	return nil
}

func nodeConfig(c Config) *node.Config {
	return &node.Config{
		Name:              "dev",
		DataDir:           c.Dir,
		UseLightweightKDF: true,
		P2P:               p2p.Config{NoDiscovery: true, NoDial: true, MaxPeers: 0, ListenAddr: ""},
		HTTPHost:          "127.0.0.1",
		HTTPPort:          c.Port,
		HTTPModules:       []string{"eth", "net", "web3", "txpool", "debug"},
		// A wallet in a browser calls from another origin and may use any name for this host.
		HTTPCors:             []string{"*"},
		HTTPVirtualHosts:     []string{"*"},
		HTTPTimeouts:         rpc.DefaultHTTPTimeouts,
		BatchRequestLimit:    1000,
		BatchResponseMaxSize: 64 << 20,
	}
}

// chainConfig uses the library's development genesis without the fork that no public chain runs (it quadruples the
// price of new storage), and caches for a laptop.
func chainConfig(c Config, faucet common.Address) *ethconfig.Config {
	g := core.DeveloperGenesisBlock(blockGas, &faucet)
	g.Config.ChainID = new(big.Int).SetUint64(c.ChainID)
	g.Config.BogotaTime = nil

	g.Alloc[faucet] = types.Account{Balance: new(big.Int).Lsh(big.NewInt(1), 200)}
	for a, wei := range c.Alloc {
		g.Alloc[a] = types.Account{Balance: wei}
	}

	for a, code := range c.Code {
		g.Alloc[a] = types.Account{Balance: new(big.Int), Code: code}
	}

	cfg := ethconfig.Defaults
	cfg.NetworkId = c.ChainID
	cfg.SyncMode = ethconfig.FullSync
	cfg.Genesis = g
	cfg.Miner.GasCeil = blockGas
	cfg.LogNoHistory = true
	cfg.TxPool.NoLocals = true
	cfg.DatabaseCache = 16
	cfg.DatabaseHandles = 64
	cfg.TrieCleanCache = 8
	cfg.TrieDirtyCache = 16
	cfg.SnapshotCache = 4
	cfg.NoPruning = true
	cfg.StateScheme = rawdb.HashScheme // every block's state is on disk with the block: a killed process loses none
	cfg.RPCTxFeeCap = 0                // the sender keeps the fee ceiling
	cfg.EngineMaxReorgDepth = 0        // Reorg may be of any depth

	return &cfg
}

// produce starts the goroutine that makes blocks, if the mode needs one.
func (c *Chain) produce(cfg Config) {
	switch cfg.Mode {
	case Manual: // Mine makes them
	case Periodic:
		c.tasks.Go(func() { c.everyPeriod(cfg.Period) })

	case OnDemand:
		events := make(chan core.NewTxsEvent, 64)
		sub := c.eth.TxPool().SubscribeTransactions(events, true)
		c.tasks.Go(func() {
			defer sub.Unsubscribe()
			c.onDemand(events)
		})
	}
}

func (c *Chain) everyPeriod(period time.Duration) {
	tick := time.NewTicker(period)
	defer tick.Stop()

	for {
		select {
		case <-c.stop:
			return
		case <-tick.C:
			c.Mine(1)
		}
	}
}

func (c *Chain) onDemand(events <-chan core.NewTxsEvent) {
	for {
		select {
		case <-c.stop:
			return

		case <-events:
			for executable, before := 1, -1; executable > 0 && executable != before; {
				before = executable
				c.Mine(1)
				executable, _ = c.PoolSize()
			}
		}
	}
}

// URL returns the JSON-RPC address.
func (c *Chain) URL() string { return c.node.HTTPEndpoint() }

// ChainID returns the chain id.
func (c *Chain) ChainID() *big.Int { return new(big.Int).Set(c.id) }

// Head returns the newest block's header.
func (c *Chain) Head() *types.Header { return c.eth.BlockChain().CurrentBlock() }

// Block returns a block of the present chain with its transactions, or nil.
func (c *Chain) Block(number uint64) *types.Block { return c.eth.BlockChain().GetBlockByNumber(number) }

// Nonce returns the number of transactions of an account in blocks.
func (c *Chain) Nonce(a common.Address) uint64 {
	state, err := c.eth.BlockChain().State()
	if err != nil {
		return 0
	}

	return state.GetNonce(a)
}

// Balance returns an account's balance in wei.
func (c *Chain) Balance(a common.Address) *big.Int {
	state, err := c.eth.BlockChain().State()
	if err != nil {
		return new(big.Int)
	}

	return state.GetBalance(a).ToBig()
}

// PoolSize returns how many transactions wait: those that can be mined now, and those behind a nonce gap. It does not
// call the library's Sync: that briefly resets the pool's account state, and transactions arriving meanwhile would wait
// behind a false gap until the next block.
func (c *Chain) PoolSize() (executable, behindGap int) { return c.eth.TxPool().Stats() }

// FaucetKey returns the public key of an account with unlimited funds.
func (c *Chain) FaucetKey() *ecdsa.PrivateKey { return c.faucet }

// Mine makes n blocks from the pool.
func (c *Chain) Mine(n int) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.mine(n)
}

// mine makes n blocks and returns when the pool has processed them.
func (c *Chain) mine(n int) {
	for range n {
		c.beacon.Commit()
	}

	_ = c.eth.TxPool().Sync()
	if c.persistent {
		// the database keeps its newest writes in memory
		if err := c.eth.ChainDb().SyncKeyValue(); err != nil {
			slog.Error("dev chain: flush to disk", "error", err)
		}
	}
}

// DropPending empties the pool, as a node that restarts without its journal. It returns the number of lost
// transactions.
func (c *Chain) DropPending() int {
	c.mu.Lock()
	defer c.mu.Unlock()
	return len(c.takePool())
}

// takePool empties the pool and returns its transactions.
func (c *Chain) takePool() []*types.Transaction {
	pool := c.eth.TxPool()
	_ = pool.Sync()

	var out []*types.Transaction

	pending, queued := pool.Content()
	for _, side := range []map[common.Address][]*types.Transaction{pending, queued} {
		for _, txs := range side {
			out = append(out, txs...)
		}
	}

	pool.Clear()

	return out
}

// Fate defines what happens to the transactions of replaced blocks.
type Fate int

// The two fates.
const (
	Return Fate = iota // back into the pool, together with what waited there
	Drop               // lost, and the pool with them
)

// Reorg replaces the newest depth blocks by depth+1 empty ones, so that every node accepts the new branch. It returns
// the number of transactions that are no longer in a block.
func (c *Chain) Reorg(depth int, fate Fate) (int, error) {
	c.mu.Lock()
	defer c.mu.Unlock()

	head := c.Head().Number.Uint64()
	if depth < 1 || uint64(depth) > head {
		return 0, fmt.Errorf("dev chain: a reorganisation %d blocks deep at height %d", depth, head)
	}

	var replaced []*types.Transaction
	for n := head - uint64(depth) + 1; n <= head; n++ {
		replaced = append(replaced, c.Block(n).Transactions()...)
	}

	waiting := c.takePool()
	if err := c.beacon.Fork(c.Block(head - uint64(depth)).Hash()); err != nil {
		return 0, fmt.Errorf("dev chain: %w", err)
	}

	c.takePool() // the pool has already taken the replaced transactions back
	c.mine(depth + 1)

	if fate == Return {
		for i, err := range c.eth.TxPool().Add(append(replaced, waiting...), true) {
			// The sender may have sent it again while the new branch grew.
			if err != nil && !errors.Is(err, txpool.ErrAlreadyKnown) && !errors.Is(err, core.ErrNonceTooLow) {
				return len(replaced), fmt.Errorf("dev chain: return transaction %d to the pool: %w", i, err)
			}
		}
	}

	return len(replaced), nil
}

// AdjustTime makes one block with a time d after the newest one; later blocks follow from there. It includes what waits
// in the pool.
func (c *Chain) AdjustTime(d time.Duration) error {
	c.mu.Lock()
	defer c.mu.Unlock()

	if d < time.Second {
		return errors.New("dev chain: time moves by whole seconds, forwards")
	}

	waiting := c.takePool() // the library moves time only while nothing waits
	if err := c.beacon.AdjustTime(d); err != nil {
		return fmt.Errorf("dev chain: %w", err)
	}

	_ = c.eth.TxPool().Sync()
	c.eth.TxPool().Add(waiting, true)

	return nil
}

// Fund sends wei from the faucet and returns when the transaction is in the pool: it takes effect with the next block.
func (c *Chain) Fund(to common.Address, wei *big.Int) error {
	c.mu.Lock()
	defer c.mu.Unlock()
	pool := c.eth.TxPool()
	_ = pool.Sync()
	tip := big.NewInt(1_000_000_000)

	tx, err := types.SignNewTx(c.faucet, types.LatestSignerForChainID(c.id), &types.DynamicFeeTx{
		ChainID:   c.id,
		Nonce:     pool.PoolNonce(crypto.PubkeyToAddress(c.faucet.PublicKey)),
		To:        &to,
		Value:     wei,
		Gas:       21_000,
		GasTipCap: tip,
		GasFeeCap: new(big.Int).Add(tip, new(big.Int).Mul(c.Head().BaseFee, big.NewInt(4))),
	})
	if err != nil {
		return fmt.Errorf("dev chain: sign for the faucet: %w", err)
	}

	return c.submit(tx)
}

// Submit puts a signed transaction into the pool, as eth_sendRawTransaction does, and returns when the pool has sorted
// it: consecutive transactions of one account are all in the next block.
func (c *Chain) Submit(tx *types.Transaction) error {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.submit(tx)
}

func (c *Chain) submit(tx *types.Transaction) error {
	return errors.Join(c.eth.TxPool().Add([]*types.Transaction{tx}, true)...)
}

// WaitIndexed blocks until receipts can be read: the node builds its transaction index shortly after it starts.
func (c *Chain) WaitIndexed(ctx context.Context) error {
	for !c.eth.BlockChain().TxIndexDone() {
		select {
		case <-ctx.Done():
			return ctx.Err()
		case <-time.After(5 * time.Millisecond):
		}
	}

	return nil
}

// Close writes everything to the directory and stops the node. A second call does nothing.
func (c *Chain) Close() error {
	var err error
	c.once.Do(func() {
		close(c.stop)
		c.tasks.Wait()
		c.mu.Lock()
		defer c.mu.Unlock()
		err = c.node.Close()
	})

	return err
}
