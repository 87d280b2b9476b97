//go:build !nosandbox

// Package devchain is an EVM chain inside this process, for the sandbox and for tests: go-ethereum's own chain, pool,
// miner and rules, without a node around them, serving JSON-RPC on loopback.
//
// It behaves as a real node: transactions wait in a pool, blocks are full at 60 million gas, receipts contain logs, and
// Reorg really replaces blocks. Blocks come at a fixed period, when a transaction waits, or only from Mine. With a data
// directory the chain survives Close and Start, and a killed process.
//
// The methods that it serves are those that Slipway and wallets in a browser call; a node has more. Read in this order:
// devchain.go (the chain and its faucet), snapshot.go (a chain as it stood, for others to begin from), server.go (where
// it listens), api.go and logs.go (methods that read), api_call.go (those that execute), answers.go (their forms).
//
// Its faucet key is public. Builds with -tags nosandbox do not include it.
package devchain

import (
	"crypto/ecdsa"
	"crypto/rand"
	"errors"
	"fmt"
	"log/slog"
	"math/big"
	"sync"
	"time"

	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/consensus"
	"github.com/ethereum/go-ethereum/consensus/beacon"
	"github.com/ethereum/go-ethereum/consensus/ethash"
	"github.com/ethereum/go-ethereum/core"
	"github.com/ethereum/go-ethereum/core/rawdb"
	"github.com/ethereum/go-ethereum/core/txpool"
	"github.com/ethereum/go-ethereum/core/txpool/legacypool"
	"github.com/ethereum/go-ethereum/core/types"
	"github.com/ethereum/go-ethereum/crypto"
	"github.com/ethereum/go-ethereum/ethclient"
	"github.com/ethereum/go-ethereum/ethdb"
	"github.com/ethereum/go-ethereum/ethdb/leveldb"
	"github.com/ethereum/go-ethereum/miner"
	"github.com/ethereum/go-ethereum/params"
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

// epoch is how many blocks apart the finalized ones are.
const epoch = 32

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
	// Rules changes the rules of public chains, for the rules of a fork to come. nil: they are taken as they are.
	Rules func(*params.ChainConfig)
	// From is a chain to go on from, in memory, of the same id and first block. nil: a chain of its own.
	From *Snapshot
}

// Chain is a running development chain. It is safe for concurrent use.
type Chain struct {
	id     *big.Int
	faucet *ecdsa.PrivateKey
	db     ethdb.Database
	chain  *core.BlockChain
	pool   *txpool.TxPool
	miner  *miner.Miner
	server *server

	mu    sync.Mutex // held while blocks are made or replaced
	last  uint64     // time of the block that was made last
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
		id:     new(big.Int).SetUint64(c.ChainID),
		faucet: faucet,
		stop:   make(chan struct{}),
	}
	if err := ch.boot(c); err != nil {
		return nil, fmt.Errorf("dev chain: %w", errors.Join(err, ch.release()))
	}

	ch.produce(c)

	return ch, nil
}

// boot opens the database, the chain, the pool and the port. What it has opened when it fails is closed by release.
func (c *Chain) boot(cfg Config) (err error) {
	if c.db, err = openDatabase(cfg.Dir, cfg.From); err != nil {
		return err
	}

	engine := beacon.New(ethash.NewFaker())
	genesis := genesisOf(cfg, crypto.PubkeyToAddress(c.faucet.PublicKey))

	if c.chain, err = core.NewBlockChain(c.db, genesis, engine, chainConfig()); err != nil {
		return err
	}

	pool := legacypool.DefaultConfig
	pool.Journal = ""
	pool.NoLocals = true

	c.pool, err = txpool.New(pool.PriceLimit, c.chain, []txpool.SubPool{legacypool.New(pool, c.chain)})
	if err != nil {
		return err
	}

	c.miner = newMiner(c.chain, c.pool, engine)
	c.last = c.chain.CurrentBlock().Time
	c.server, err = serve(c, cfg.Port)

	return err
}

// openDatabase opens the chain's store: in memory, or in a folder, where each write reaches the system at once.
func openDatabase(dir string, from *Snapshot) (ethdb.Database, error) {
	if dir == "" {
		store := rawdb.NewMemoryDatabase()
		return store, from.copyTo(store)
	}

	store, err := leveldb.New(dir, 16, 64, "", false)
	if err != nil {
		return nil, fmt.Errorf("open %s: %w", dir, err)
	}

	return rawdb.NewDatabase(store), nil
}

// genesisOf returns the library's development genesis without the fork that no public chain runs (it quadruples the
// price of new storage).
func genesisOf(c Config, faucet common.Address) *core.Genesis {
	g := core.DeveloperGenesisBlock(blockGas, &faucet)
	g.Config.ChainID = new(big.Int).SetUint64(c.ChainID)
	g.Config.BogotaTime = nil

	if c.Rules != nil {
		c.Rules(g.Config)
	}

	g.Alloc[faucet] = types.Account{Balance: new(big.Int).Lsh(big.NewInt(1), 200)}
	for a, wei := range c.Alloc {
		g.Alloc[a] = types.Account{Balance: wei}
	}

	for a, code := range c.Code {
		g.Alloc[a] = types.Account{Balance: new(big.Int), Code: code}
	}

	return g
}

// chainConfig keeps every block's state with the block, so that a killed process loses none, and all state can be asked
// for. Receipts are found at once: the chain writes that index with each block, and nothing is indexed afterwards.
func chainConfig() *core.BlockChainConfig {
	c := core.DefaultConfig().WithArchive(true).WithStateScheme(rawdb.HashScheme)
	c.TrieCleanLimit = 8
	c.TrieDirtyLimit = 16
	c.SnapshotLimit = 0

	return c
}

// source is what the miner reads.
type source struct {
	chain *core.BlockChain
	pool  *txpool.TxPool
}

// BlockChain returns the chain that blocks are made for.
func (s source) BlockChain() *core.BlockChain { return s.chain }

// TxPool returns the pool that they are made of.
func (s source) TxPool() *txpool.TxPool { return s.pool }

func newMiner(chain *core.BlockChain, pool *txpool.TxPool, engine consensus.Engine) *miner.Miner {
	config := miner.DefaultConfig
	config.GasCeil = blockGas

	return miner.New(source{chain: chain, pool: pool}, config, engine)
}

// produce starts the goroutine that makes blocks, if the mode needs one.
func (c *Chain) produce(cfg Config) {
	switch cfg.Mode {
	case Manual: // Mine makes them
	case Periodic:
		c.tasks.Go(func() { c.everyPeriod(cfg.Period) })

	case OnDemand:
		events := make(chan core.NewTxsEvent, 64)
		sub := c.pool.SubscribeTransactions(events, true)
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
func (c *Chain) URL() string { return c.server.url }

// Client returns a client that calls within the process. It lasts as long as the chain.
func (c *Chain) Client() *ethclient.Client { return ethclient.NewClient(rpc.DialInProc(c.server.rpc)) }

// ChainID returns the chain id.
func (c *Chain) ChainID() *big.Int { return new(big.Int).Set(c.id) }

// Head returns the newest block's header.
func (c *Chain) Head() *types.Header { return c.chain.CurrentBlock() }

// Block returns a block of the present chain with its transactions, or nil.
func (c *Chain) Block(number uint64) *types.Block { return c.chain.GetBlockByNumber(number) }

// Nonce returns the number of transactions of an account in blocks.
func (c *Chain) Nonce(a common.Address) uint64 {
	state, err := c.chain.State()
	if err != nil {
		return 0
	}

	return state.GetNonce(a)
}

// Balance returns an account's balance in wei.
func (c *Chain) Balance(a common.Address) *big.Int {
	state, err := c.chain.State()
	if err != nil {
		return new(big.Int)
	}

	return state.GetBalance(a).ToBig()
}

// PoolSize returns how many transactions wait: those that can be mined now, and those behind a nonce gap. It does not
// call the library's Sync: that briefly resets the pool's account state, and transactions arriving meanwhile would wait
// behind a false gap until the next block.
func (c *Chain) PoolSize() (executable, behindGap int) { return c.pool.Stats() }

// FaucetKey returns the public key of an account with unlimited funds.
func (c *Chain) FaucetKey() *ecdsa.PrivateKey { return c.faucet }

// Mine makes n blocks from the pool.
func (c *Chain) Mine(n int) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.mine(n)
}

// mine makes n blocks and returns when the pool has processed them. A block that cannot be made is a fault of this
// package: the next one is tried with the next transaction or period.
func (c *Chain) mine(n int) {
	for range n {
		if err := c.seal(uint64(time.Now().Unix())); err != nil {
			slog.Error("dev chain: make a block", "error", err)
		}
	}

	_ = c.pool.Sync()
}

// seal makes one block of what the pool has, and makes it the newest. Its time is the given one, or a second after the
// block before where that is later. What it has at random keeps two blocks without transactions apart.
func (c *Chain) seal(at uint64) error {
	_ = c.pool.Sync() // the pool takes note of a new block in the background

	var random common.Hash
	if _, err := rand.Read(random[:]); err != nil {
		return err
	}

	args := &miner.BuildPayloadArgs{
		Parent:      c.Head().Hash(),
		Timestamp:   max(at, c.last+1),
		Random:      random,
		Withdrawals: types.Withdrawals{},
		BeaconRoot:  &common.Hash{},
	}
	if c.chain.Config().IsAmsterdam(new(big.Int).Add(c.Head().Number, common.Big1), args.Timestamp) {
		args.SlotNum = new(uint64)
	}

	block, _, err := c.miner.BuildTestingPayload(args, nil, false, nil)
	if err != nil {
		return err
	}

	if _, err := c.chain.InsertChain(types.Blocks{block}); err != nil {
		return err
	}

	c.last = block.Time()
	c.chain.SetSafe(block.Header())
	c.chain.SetFinalized(c.chain.GetHeaderByNumber(block.NumberU64() / epoch * epoch))

	return nil
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
	pool := c.pool
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
	if _, err := c.chain.SetCanonical(c.Block(head - uint64(depth))); err != nil {
		return 0, fmt.Errorf("dev chain: %w", err)
	}

	c.takePool() // the pool has already taken the replaced transactions back
	c.mine(depth + 1)

	if fate == Return {
		for i, err := range c.pool.Add(append(replaced, waiting...), true) {
			// The sender may have sent it again while the new branch grew.
			if err != nil && !errors.Is(err, txpool.ErrAlreadyKnown) && !errors.Is(err, core.ErrNonceTooLow) {
				return len(replaced), fmt.Errorf("dev chain: return transaction %d to the pool: %w", i, err)
			}
		}
	}

	return len(replaced), nil
}

// AdjustTime makes one block with a time d after the newest one; later blocks follow from there. What waits in the pool
// goes on waiting.
func (c *Chain) AdjustTime(d time.Duration) error {
	c.mu.Lock()
	defer c.mu.Unlock()

	if d < time.Second {
		return errors.New("dev chain: time moves by whole seconds, forwards")
	}

	waiting := c.takePool()
	if err := c.seal(c.Head().Time + uint64(d/time.Second)); err != nil {
		return fmt.Errorf("dev chain: %w", err)
	}

	_ = c.pool.Sync()
	c.pool.Add(waiting, true)

	return nil
}

// Fund sends wei from the faucet and returns when the transaction is in the pool: it takes effect with the next block.
func (c *Chain) Fund(to common.Address, wei *big.Int) error {
	c.mu.Lock()
	defer c.mu.Unlock()
	pool := c.pool
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
	return errors.Join(c.pool.Add([]*types.Transaction{tx}, true)...)
}

// Close stops serving and making blocks, and closes the store. A second call does nothing.
func (c *Chain) Close() error {
	var err error
	c.once.Do(func() {
		close(c.stop)
		c.tasks.Wait()
		c.mu.Lock()
		defer c.mu.Unlock()
		err = c.release()
	})

	return err
}

// release closes what boot has opened, the newest first.
func (c *Chain) release() error {
	var errs []error
	if c.server != nil {
		errs = append(errs, c.server.close())
	}

	if c.pool != nil {
		errs = append(errs, c.pool.Close())
	}

	if c.chain != nil {
		c.chain.Stop()
	}

	if c.db != nil {
		errs = append(errs, c.db.Close())
	}

	return errors.Join(errs...)
}
