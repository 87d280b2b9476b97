// Package chain sends transactions on EVM chains. Each planned send takes effect exactly once, whatever crashes, lies
// or is reorganised.
//
// What it promises:
//
//   - A send is planned in the transaction that decides on it, and gets one nonce from our own table.
//   - Its signed bytes are stored before they leave. The same bytes are broadcast again until an attempt is in a block.
//     Every attempt ever signed for a nonce stays a candidate.
//   - Progress and the business status that follows are written in one transaction (Observer).
//   - A time-out, an error text or silence never counts as failed.
//   - FINAL is reported only for a block that is final by the network's rule, whose header and receipts were
//     recomputed, and on which two nodes agree if there are two.
//
// What it does not promise: that sends are mined in the order in which they were planned; that a call succeeds (a
// reverted call is FINAL with OK false); that two databases can share one signer.
//
// Read in this order, each file before what it calls:
//
//  1. Reads for other packages: permits.go (how tokens take signatures), limits.go, search.go, before.go (at a
//     moment), logs.go, safe.go (Safes), ahead.go (whether the database is older than a chain).
//  2. What callers use: plan.go, share.go (several signers), status.go, with store_status.go.
//  3. The loop of one signer: prepare.go, datafee.go (what a rollup takes besides), sign.go, observe.go (receipts,
//     reorganisations), broadcast.go, bump.go, final.go, retired.go (earlier signers).
//  4. What a person decides: thaw.go with store_thaw.go, withdraw.go, decide.go, released.go (what the attempts from
//     before a release do); and fill.go (unused nonces).
//  5. What all of it rests on: balances.go, view.go (what the nodes show), chain.go, agree.go, proof.go, encoding.go,
//     store_signer.go, store_broadcast.go, store_decide.go, lane.go (a signer's loop), signer.go, vote.go, held.go (keys
//     that are held elsewhere), reads.go, store.go, client.go, rpc.go, state.go, classify.go.
package chain

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"math/big"
	"net/http"
	"slices"
	"sync"
	"time"

	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/core/types"

	"slipway/internal/core/id"
	"slipway/internal/platform/db"
	"slipway/internal/platform/replica"
)

// Finality defines when a block counts as final on a network: by the nodes' tag if the chain has one, otherwise by
// depth, which the operator chooses with a documented reason.
type Finality struct {
	Tag   string // "finalized", "safe", or "" for depth
	Depth uint64 // number of blocks on top; 0 without a tag means final at once, for chains that never replace blocks
}

// Network configures one chain and the signers that this service uses there.
type Network struct {
	ID      string
	ChainID *big.Int
	URLs    []string // nodes; with two or more, FINAL requires two that agree
	Signer  Signer
	Further []Signer       // that share the load, each with nonces and gas money of its own. See share.go
	Router  common.Address // its address must contain code before anything is sent; zero: not checked

	Finality        Finality
	MaxFeePerGasWei *big.Int // the ceiling; sends wait while the fee is above it
	LeastTipWei     *big.Int // what the nodes take per gas besides the base fee at least; nil: what they suggest
	// added to each estimate if it is more than a quarter of it: gas that the called contract requires to remain
	GasHeadroom uint64
	// contract that tells what a rollup takes besides the gas for a transaction's data on Ethereum; zero: nothing
	DataFeeOracle common.Address
	MaxGas        uint64        // of one send; 0: 16,777,216 (EIP-7825)
	Poll          time.Duration // 0: one second
	StuckAfter    time.Duration // how long before a fee is raised; 0: 45 s
	AlertAfter    time.Duration // how long a send may be in no block before people are alerted; 0: 30 min
	InFlight      int           // limit of sends with a nonce that are not in a block; 0: 512
	Batch         int           // limit of sends prepared together; 0: 128
	RefuseAfter   int           // how many estimates in different blocks must revert before a send is refused; 0: 3
	// headers or receipts cannot be recomputed: the receipts of two nodes are compared instead
	SkipProof bool

	Timeout   time.Duration     // for one exchange with a node; 0: 10 s
	Transport http.RoundTripper // nil: the default
}

// Send is one transaction to send on a chain.
type Send struct {
	Key      string // its business identity: the same key never has two effects
	Network  string
	To       common.Address
	Data     []byte
	Value    *big.Int // wei; nil: none
	GasLimit uint64   // 0: estimate
	Object   string   // id of the record that it belongs to
}

// Sent describes a send that is, or was, in a block.
type Sent struct {
	Key        string
	Network    string
	Object     string
	Hash       common.Hash
	Nonce      uint64
	Block      uint64
	BlockHash  common.Hash
	MinedAt    time.Time // the block's time; zero until it is final
	OK         bool      // the call did not revert
	GasUsed    uint64
	GasPrice   *big.Int // effective, wei
	Logs       []*types.Log
	Candidates []common.Hash // the hashes of all attempts
	Again      bool          // it was FINAL before, in a block that was replaced: what was posted stays posted
}

// Observer records what happens to sends. Each method is called inside the transaction that records the progress, so
// that both happen or neither. A transaction may run twice: methods change nothing but tx. Seen and Lost may alternate
// several times; Final or Refused is called once. An error leaves the send unchanged; the call is retried.
//
// For a filler (IsFiller) only Final is called: it costs gas and has no other effect. Nothing is called for a send that
// was FINAL before. When it is final again, the rail compares its outcome with the reported one, and puts the send on
// HOLD if they differ.
type Observer interface {
	Seen(ctx context.Context, tx *db.Tx, s Sent) error
	// Lost means that the block was replaced. Hash, Block and BlockHash are those of the old block
	Lost(ctx context.Context, tx *db.Tx, s Sent) error
	Final(ctx context.Context, tx *db.Tx, s Sent) error
	Refused(ctx context.Context, tx *db.Tx, key, reason string) error
}

// Errors that callers compare with errors.Is.
var (
	ErrUnknownNetwork = errors.New("the network is not set up")
	ErrKeyReused      = errors.New("the key already names another send")
	ErrNotHeld        = errors.New("the send is not on hold")
	ErrNotDead        = errors.New("the send may still take effect")
)

// The reasons of ErrNotDead, with what has to happen first.
var (
	ErrNotFilled     = fmt.Errorf("%w: wait until the filler of its nonce is final", ErrNotDead)
	ErrStillOperator = fmt.Errorf("%w: at the newest final block the router still has its earlier signer as an "+
		"operator; replace that one on the router, and wait until it is final", ErrNotDead)
	ErrNonceOpen = fmt.Errorf("%w: it does not go through the router, and its nonce is open; use the nonce up with "+
		"the earlier key, by a transfer of nothing to itself, and wait until it is final", ErrNotDead)
	ErrNotRead = fmt.Errorf("%w: what became of it, or what its earlier signer may still do, was not read at a final "+
		"block yet; try again in a minute", ErrNotDead)
)

// Config holds the dependencies of a Rail.
type Config struct {
	DB       *db.DB
	Observer Observer         // nil: Observe registers one
	Log      *slog.Logger     // nil: none
	LeaseFor time.Duration    // how long a stopped process keeps its signers at most; 0: 15 s
	Replica  *replica.Replica // the leases end with its heartbeat; nil: they end by time alone
	// Held reports whether nothing may be sent. What was sent is still observed. nil: never.
	Held func(ctx context.Context) (bool, error)
}

// Rail sends on all networks of this process. Several processes may share one database: only one of them sends for each
// signer.
type Rail struct {
	db       *db.DB
	observer newsOnly
	log      *slog.Logger
	leaseFor time.Duration
	held     func(ctx context.Context) (bool, error)
	owner    string
	mayTake  func() bool // nil: always

	mu      sync.Mutex
	lanes   map[string]*lane   // of the first signer, by network
	further map[string][]*lane // of the other present signers
	retired map[string][]*lane // of earlier signers
	running context.Context    // set while Run runs, to start lanes that are added later
	tasks   sync.WaitGroup

	searches searches
}

// New returns a rail without networks.
func New(c Config) *Rail {
	if c.Log == nil {
		c.Log = slog.New(slog.DiscardHandler)
	}

	if c.Held == nil {
		c.Held = func(context.Context) (bool, error) { return false, nil }
	}

	if c.LeaseFor <= 0 {
		c.LeaseFor = 15 * time.Second
	}

	r := &Rail{
		db:       c.DB,
		observer: newsOnly{c.Observer},
		log:      c.Log,
		leaseFor: c.LeaseFor,
		held:     c.Held,
		owner:    id.New("rail", c.DB.Now()),
		lanes:    map[string]*lane{},
		further:  map[string][]*lane{},
		retired:  map[string][]*lane{},
		searches: searches{searched: map[string]stretch{}},
	}
	if c.Replica != nil {
		r.owner = c.Replica.ID()
		r.mayTake = c.Replica.MayTake
		c.Replica.Leases("chain_signers", r.Wake)
	}

	return r
}

// Observe registers who records what becomes of sends, for an observer that is built with the rail itself. Call it
// once, before AddNetwork, which refuses to work without an observer.
func (r *Rail) Observe(o Observer) { r.observer = newsOnly{o} }

// AddNetwork adds a network. It returns ErrWrongChain if the network once had another chain id. Nodes that do not
// answer, or serve another chain, are no error: nothing is sent to them or concluded from them, and Health reports
// them. A second call with the same id is refused.
func (r *Rail) AddNetwork(ctx context.Context, n Network) error { //nolint:contextcheck // its lanes end with Run
	if r.observer.Observer == nil {
		return fmt.Errorf("network %s: nobody observes the rail", n.ID)
	}

	l, err := newLane(r, n)
	if err != nil {
		return fmt.Errorf("network %s: %w", n.ID, err)
	}

	further, err := furtherLanes(r, n)
	if err != nil {
		return fmt.Errorf("network %s: %w", n.ID, err)
	}

	present := append([]*lane{l}, further...)
	for _, one := range present {
		if err := r.bindSigner(ctx, n.ID, one.from, n.ChainID); err != nil {
			return fmt.Errorf("network %s: %w", n.ID, err)
		}
	}

	earlier, err := r.retiredLanes(ctx, present)
	if err != nil {
		return fmt.Errorf("network %s: %w", n.ID, err)
	}

	r.mu.Lock()
	defer r.mu.Unlock()

	if _, ok := r.lanes[n.ID]; ok {
		return fmt.Errorf("network %s is set up already", n.ID)
	}

	r.lanes[n.ID] = l
	r.further[n.ID] = further
	r.retired[n.ID] = earlier

	if running := r.running; running != nil {
		for _, l := range append(earlier, present...) {
			r.tasks.Go(func() { l.run(running) })
		}
	}

	return nil
}

// Run sends and observes until ctx ends, then releases its signers and returns. It is called once.
func (r *Rail) Run(ctx context.Context) error {
	r.mu.Lock()
	if r.running != nil {
		r.mu.Unlock()
		return errors.New("the rail runs already")
	}

	r.running = ctx
	for _, l := range r.allLocked() {
		r.tasks.Go(func() { l.run(ctx) })
	}

	r.mu.Unlock()
	<-ctx.Done()
	r.mu.Lock()
	r.running = nil
	r.mu.Unlock()
	r.tasks.Wait()

	for _, l := range r.all() {
		l.client.Close()
	}

	return nil
}

// Wake starts a round of every network at once. Plan does so after its commit.
func (r *Rail) Wake() {
	for _, l := range r.all() {
		l.notify()
	}
}

func (r *Rail) all() []*lane {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.allLocked()
}

func (r *Rail) allLocked() []*lane {
	out := make([]*lane, 0, len(r.lanes))
	for id, l := range r.lanes {
		out = append(out, l)
		out = append(out, r.further[id]...)
		out = append(out, r.retired[id]...)
	}

	return out
}

// signers returns the lanes of a network: its present signers' first, then those of earlier signers.
func (r *Rail) signers(network string) ([]*lane, error) {
	r.mu.Lock()
	defer r.mu.Unlock()

	l, ok := r.lanes[network]
	if !ok {
		return nil, fmt.Errorf("%w: %s", ErrUnknownNetwork, network)
	}

	return slices.Concat([]*lane{l}, r.further[network], r.retired[network]), nil
}

// present returns the lanes of a network's present signers, in the configured order.
func (r *Rail) present(network string) ([]*lane, error) {
	r.mu.Lock()
	defer r.mu.Unlock()

	l, ok := r.lanes[network]
	if !ok {
		return nil, fmt.Errorf("%w: %s", ErrUnknownNetwork, network)
	}

	return append([]*lane{l}, r.further[network]...), nil
}

func (r *Rail) lane(network string) (*lane, error) {
	r.mu.Lock()
	defer r.mu.Unlock()

	if l, ok := r.lanes[network]; ok {
		return l, nil
	}

	return nil, fmt.Errorf("%w: %s", ErrUnknownNetwork, network)
}

// Client returns the client of a network, for reads.
func (r *Rail) Client(network string) (*Client, error) {
	l, err := r.lane(network)
	if err != nil {
		return nil, err
	}

	return l.client, nil
}
