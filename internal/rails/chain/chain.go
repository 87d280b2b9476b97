// Package chain moves value on EVM chains: each planned send takes effect exactly once, whatever crashes, lies or is
// reorganised.
//
// What it promises. A send is planned inside the transaction that decides on it. It gets one nonce, from our own
// table; its signed bytes are on disk before they leave; the same bytes are sent again until an attempt is in a
// block; every attempt ever signed for a nonce stays a candidate. Progress and the business status move in one
// transaction (Observer). A time-out, an error text or silence never counts as failed. FINAL is only said of a block
// that is final by the network's rule, whose header and receipts were recomputed, and on which two nodes agree where
// there are two.
//
// What it does not promise: that sends are mined in the order they were planned, that a call succeeds (a reverted
// call is FINAL with OK false), or that two databases for one signer are safe.
//
// Read in this order: chain.go (what callers use), state.go, lane.go (the loop of one signer), prepare.go (nonce,
// signature, broadcast), fill.go (nonces that nothing has), observe.go (receipts, reorganisations), final.go,
// bump.go, thaw.go (what a person decides), store.go; then client.go, rpc.go, classify.go, signer.go.
package chain

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"math/big"
	"net/http"
	"sync"
	"time"

	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/core/types"

	"slipway/internal/core/id"
	"slipway/internal/platform/db"
	"slipway/internal/platform/replica"
)

// Finality is when a block counts as final on a network: by the nodes' tag where the chain has one, else by depth,
// which the operator chooses with a documented reason.
type Finality struct {
	Tag   string // "finalized", "safe", or "" for depth
	Depth uint64 // blocks on top of it; 0 without a tag means final at once, for chains that never replace blocks
}

// Network is one chain with the one signer this service uses there.
type Network struct {
	ID      string
	ChainID *big.Int
	URLs    []string // nodes; with two or more, FINAL needs two that agree
	Signer  Signer
	Router  common.Address // must hold code before anything is sent; zero: not checked

	Finality        Finality
	MaxFeePerGasWei *big.Int // the ceiling; above it sends wait
	// added to each estimate where it is more than a quarter: what the called contract demands to be left over
	GasHeadroom uint64
	MaxGas      uint64        // of one send; 0: 16,777,216 (EIP-7825)
	Poll        time.Duration // 0: one second
	StuckAfter  time.Duration // before a fee is raised; 0: 45 s
	AlertAfter  time.Duration // before people are told that a send gets into no block; 0: 30 min
	InFlight    int           // sends with a nonce that are not in a block; 0: 512
	Batch       int           // sends prepared together; 0: 128
	RefuseAfter int           // estimates in different blocks that must revert before a send is refused; 0: 3
	SkipProof   bool          // headers or receipts cannot be recomputed: what two nodes show is believed

	Timeout   time.Duration     // of one exchange with a node; 0: 10 s
	Transport http.RoundTripper // nil: a plain one
}

// Send is one effect to be had on a chain.
type Send struct {
	Key      string // its business identity: the same key never has two effects
	Network  string
	To       common.Address
	Data     []byte
	Value    *big.Int // wei; nil: none
	GasLimit uint64   // 0: estimate
	Object   string   // the record it is about
}

// Sent is what is known of a send that is, or was, in a block.
type Sent struct {
	Key        string
	Network    string
	Object     string
	Hash       common.Hash
	Nonce      uint64
	Block      uint64
	BlockHash  common.Hash
	OK         bool // the call did not revert
	GasUsed    uint64
	GasPrice   *big.Int // effective, wei
	Logs       []*types.Log
	Candidates []common.Hash // of every attempt
	Again      bool          // it was FINAL before, in a block that was replaced: what was posted of it stands
}

// Observer records what becomes of sends. Each method is called inside the transaction that records the progress, so
// both happen or neither. A body may run twice: methods touch nothing but tx. Seen and Lost may come several times,
// in turns; Final or Refused once. An error leaves the send as it was; it is tried again.
//
// Of a filler (IsFiller) only Final is called, since it costs gas and means nothing else. Nothing is called for a
// send that was FINAL before: when it is final again, the rail holds its outcome against the one that was told, and
// puts it on HOLD if they differ.
type Observer interface {
	Seen(ctx context.Context, tx *db.Tx, s Sent) error
	// its block was replaced: Hash, Block and BlockHash say where it was, no more
	Lost(ctx context.Context, tx *db.Tx, s Sent) error
	Final(ctx context.Context, tx *db.Tx, s Sent) error
	Refused(ctx context.Context, tx *db.Tx, key, reason string) error
}

// Errors that callers compare with errors.Is.
var (
	ErrUnknownNetwork = errors.New("the network is not set up")
	ErrKeyReused      = errors.New("the key already stands for another send")
	ErrNotHeld        = errors.New("the send is not on hold")
	ErrNotDead        = errors.New("the send may still take effect: its nonce is not filled for good yet")
)

// Config is what a Rail works with.
type Config struct {
	DB       *db.DB
	Observer Observer
	Log      *slog.Logger     // nil: none
	LeaseFor time.Duration    // how long a process that stopped keeps its signers at most; 0: 15 s
	Replica  *replica.Replica // whose heartbeat the leases end with; nil: they end by time alone
	// Held reports whether nothing may be sent, but what was sent is observed. nil: never.
	Held func(ctx context.Context) (bool, error)
}

// Rail sends on all networks of this process. Several processes may run on one database: for each signer one of them
// sends.
type Rail struct {
	db       *db.DB
	observer Observer
	log      *slog.Logger
	leaseFor time.Duration
	held     func(ctx context.Context) (bool, error)
	owner    string
	mayTake  func() bool // nil: always

	mu      sync.Mutex
	lanes   map[string]*lane
	retired map[string][]*lane // of earlier signers, by network
	running context.Context    // set while Run runs, to start lanes that are added later
	tasks   sync.WaitGroup
}

// New makes a rail without networks.
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
		retired:  map[string][]*lane{},
	}
	if c.Replica != nil {
		r.owner = c.Replica.ID()
		r.mayTake = c.Replica.MayTake
		c.Replica.Leases("chain_signers", r.Wake)
	}

	return r
}

// AddNetwork sets up a network; ErrWrongChain if the network once had another chain id. Nodes that do not answer, or
// serve another chain, are no error: nothing is sent to them or concluded from them, and Health tells. A second call
// with the same id is refused.
func (r *Rail) AddNetwork(ctx context.Context, n Network) error { //nolint:contextcheck // its lanes end with Run
	l, err := newLane(r, n)
	if err != nil {
		return fmt.Errorf("network %s: %w", n.ID, err)
	}

	if err := r.bindSigner(ctx, n.ID, l.from, n.ChainID); err != nil {
		return fmt.Errorf("network %s: %w", n.ID, err)
	}

	earlier, err := r.retiredLanes(ctx, l)
	if err != nil {
		return fmt.Errorf("network %s: %w", n.ID, err)
	}

	r.mu.Lock()
	defer r.mu.Unlock()

	if _, ok := r.lanes[n.ID]; ok {
		return fmt.Errorf("network %s is set up already", n.ID)
	}

	r.lanes[n.ID] = l

	r.retired[n.ID] = earlier
	if running := r.running; running != nil {
		for _, l := range append(earlier, l) {
			r.tasks.Go(func() { l.run(running) })
		}
	}

	return nil
}

// Run sends and observes until ctx ends, then gives its signers back and returns. It is called once.
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

// Wake makes every network look at once. Plan does it by itself after the commit.
func (r *Rail) Wake() {
	for _, l := range r.all() {
		l.poke()
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
		out = append(out, r.retired[id]...)
	}

	return out
}

// signers are the lanes of a network: its signer's first, then those of earlier ones.
func (r *Rail) signers(network string) ([]*lane, error) {
	r.mu.Lock()
	defer r.mu.Unlock()

	l, ok := r.lanes[network]
	if !ok {
		return nil, fmt.Errorf("%w: %s", ErrUnknownNetwork, network)
	}

	return append([]*lane{l}, r.retired[network]...), nil
}

func (r *Rail) lane(network string) (*lane, error) {
	r.mu.Lock()
	defer r.mu.Unlock()

	if l, ok := r.lanes[network]; ok {
		return l, nil
	}

	return nil, fmt.Errorf("%w: %s", ErrUnknownNetwork, network)
}

// Client gives the client of a network, for reads.
func (r *Rail) Client(network string) (*Client, error) {
	l, err := r.lane(network)
	if err != nil {
		return nil, err
	}

	return l.client, nil
}

// SignerAddress is who sends on a network.
func (r *Rail) SignerAddress(network string) (common.Address, error) {
	l, err := r.lane(network)
	if err != nil {
		return common.Address{}, err
	}

	return l.from, nil
}
