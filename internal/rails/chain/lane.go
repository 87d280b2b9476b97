package chain

import (
	"context"
	"errors"
	"fmt"
	"math"
	"sync"
	"sync/atomic"
	"time"

	"github.com/ethereum/go-ethereum/common"
)

// Defaults of a network and of its loop.
const (
	defaultMaxGas      = 1 << 24 // EIP-7825: no transaction may ask for more
	defaultInFlight    = 512
	defaultBatch       = 128
	defaultRefuseAfter = 3
	defaultStuckAfter  = 45 * time.Second
	defaultAlertAfter  = 30 * time.Minute
	// between two reads of the database while nothing is open, or another process sends
	maxIdle = 500 * time.Millisecond
	// between two reads of the chain meanwhile, to notice a replaced final block or a used nonce
	idleRead    = 10 * time.Second
	maxBackoff  = 5 * time.Second
	repeatAfter = 10 * time.Second // between two broadcasts of the same bytes if no node is known to lack them
)

// lane is the loop of one signer on one network. Only its goroutine uses the fields below "of the loop".
type lane struct {
	r         *Rail
	net       Network
	client    *Client
	from      common.Address
	address   string
	successor string // address of the present signer in a lane of an earlier one; otherwise "". See retired.go
	wake      chan struct{}
	counts    counters

	mu      sync.Mutex // guards what Health shows
	lastErr string
	holder  bool

	// of the loop
	fence   int64     // 0: another process sends for the signer
	row     signerRow // as read at the start of the round
	checked bool      // the start-up checks have passed under this fence
	// this round has compared the chain with our rows. Otherwise no nonce is taken and no fee is raised
	compared bool
	head     common.Hash         // of the last round that observed everything; zero: observe again
	blocks   map[uint64]sighting // blocks with sends that are seen and not final
	// time of the last broadcast, by send id; empty after a start, so that everything is sent again
	sentAt   map[string]time.Time
	sentOn   map[string]uint64 // head at the first broadcast of the latest attempt, by send id
	reverts  map[string]revert // estimates that reverted, by send id
	refusals map[string]int    // refusals of the signer, by send id
	// why sends with a nonce have no signature; no further nonces are taken meanwhile
	waitsForSigner string
	waits          string    // why planned sends wait
	short          bool      // they wait for gas money
	readAt         time.Time // when the chain was last read
	stuck          string    // why sent transactions are not raised; storeNote stores it at the end of a round
	powerAt        uint64    // the final block at which readPower has asked last
}

type revert struct {
	times int
	head  uint64
}

// counters are for metrics. They only rise.
type counters struct {
	rounds, failures, broadcasts, bumps, seen, lost, final, refused, held atomic.Int64
}

func newLane(r *Rail, n Network) (*lane, error) {
	switch {
	case n.ID == "":
		return nil, errors.New("a network needs an id")
	case n.Signer == nil:
		return nil, errors.New("a network needs a signer")
	case n.MaxFeePerGasWei == nil || n.MaxFeePerGasWei.Sign() <= 0:
		return nil, errors.New("a network needs a ceiling for the fee per gas")
	}

	client, err := NewClient(ClientConfig{
		ChainID:   n.ChainID,
		URLs:      n.URLs,
		Timeout:   n.Timeout,
		Transport: n.Transport,
		Clock:     r.db.Clock(),
		Log:       r.log.With("network", n.ID),
	})
	if err != nil {
		return nil, err
	}

	n.MaxGas = orDefault(n.MaxGas, defaultMaxGas)
	n.InFlight = orDefault(n.InFlight, defaultInFlight)
	n.Batch = min(orDefault(n.Batch, defaultBatch), n.InFlight)
	n.RefuseAfter = orDefault(n.RefuseAfter, defaultRefuseAfter)
	n.Poll = orDefault(n.Poll, time.Second)
	n.StuckAfter = orDefault(n.StuckAfter, defaultStuckAfter)
	n.AlertAfter = orDefault(n.AlertAfter, defaultAlertAfter)
	from := n.Signer.Address()

	return &lane{
		r:       r,
		net:     n,
		client:  client,
		from:    from,
		address: from.Hex(),
		wake:    make(chan struct{}, 1),
	}, nil
}

func orDefault[T int | uint64 | time.Duration](v, otherwise T) T {
	if v > 0 {
		return v
	}

	return otherwise
}

// notify starts a round at once. Notifications while the loop is busy are merged.
func (l *lane) notify() {
	select {
	case l.wake <- struct{}{}:
	default:
	}
}

// run runs rounds until ctx ends.
func (l *lane) run(ctx context.Context) {
	defer l.release(ctx)
	failures := 0

	timer := time.NewTimer(0)
	defer timer.Stop()

	for {
		select {
		case <-ctx.Done():
			return
		case <-l.wake:
		case <-timer.C:
		}

		wait, err := l.round(ctx)
		if ctx.Err() != nil {
			return
		}

		l.report(err)

		if err != nil {
			failures++
			wait = min(max(wait, l.net.Poll)<<min(failures, 6), maxBackoff)
		} else {
			failures = 0
		}

		timer.Reset(wait)
	}
}

// report stores the latest error for Health, and logs it if it is new.
func (l *lane) report(err error) {
	l.counts.rounds.Add(1)

	text := ""
	if err != nil {
		l.counts.failures.Add(1)
		text = err.Error()
	}

	l.mu.Lock()
	changed := l.lastErr != text
	l.lastErr = text
	l.mu.Unlock()

	if changed && err != nil {
		l.r.log.Warn("chain round failed", "network", l.net.ID, "error", err)
	}
}

// reset discards what an earlier holder knew after the lease is taken: everything is read and sent again.
func (l *lane) reset(fence int64) {
	l.fence = fence
	l.checked = false
	l.head = common.Hash{}
	l.blocks = nil
	l.sentAt = map[string]time.Time{}
	l.sentOn = map[string]uint64{}
	l.reverts = map[string]revert{}
	l.refusals = map[string]int{}
	l.waitsForSigner = ""
	l.setHolder(true)
	l.r.log.Info("signer lease taken", "network", l.net.ID, "signer", l.address, "fence", fence)
}

// dropLease stops this process from writing for the signer until it has taken the lease again.
func (l *lane) dropLease() {
	l.fence = 0
	l.checked = false
	l.setHolder(false)
}

func (l *lane) setHolder(holder bool) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.holder = holder
}

// round does everything that is due and returns when to run again. A stage that fails does not stop the others, unless
// the lease was lost.
func (l *lane) round(ctx context.Context) (time.Duration, error) {
	held, err := l.acquireLease(ctx)
	if err != nil || !held {
		return max(l.net.Poll, maxIdle), err
	}

	work, err := l.openStates(ctx)
	if err != nil {
		return l.net.Poll, fmt.Errorf("read open sends: %w", err)
	}

	now := l.r.db.Now()
	if work == (open{}) && since(now, l.readAt) < idleRead {
		return max(l.net.Poll, maxIdle), nil
	}

	l.readAt = now

	v, err := l.readNodes(ctx)
	if err != nil {
		return l.net.Poll, err
	}

	if !l.checked {
		if err := l.startUp(ctx, v); err != nil {
			return l.net.Poll, err
		}
	}

	holds, err := l.r.held(ctx)
	if err != nil {
		return l.net.Poll, fmt.Errorf("check whether sends are held: %w", err)
	}

	more := false

	stages := []func(context.Context, view) error{l.readPower, l.observe, l.recordReleased, l.finalise}
	switch {
	case holds:
	case l.successor != "":
		stages = append(stages, l.reassignPlanned, l.resume, l.repeat)
	default:
		stages = append(stages, l.fill, l.resume,
			func(ctx context.Context, v view) (err error) { more, err = l.prepareOrHandOver(ctx, v); return err },
			l.repeat, l.bump)
	}

	var errs []error
	for _, stage := range stages {
		err := stage(ctx, v)
		if errors.Is(err, errLeaseLost) || ctx.Err() != nil {
			return l.net.Poll, err
		}

		errs = append(errs, err)
	}

	errs = append(errs, l.storeNote(ctx))
	if err := errors.Join(errs...); err != nil {
		return l.net.Poll, err
	}

	if more {
		return 0, nil
	}

	return l.net.Poll, nil
}

// since returns how long ago a time was. A time in the future counts as long ago: the clock was set back.
func since(now, then time.Time) time.Duration {
	if d := now.Sub(then); d >= 0 {
		return d
	}

	return math.MaxInt64
}

// startUp checks, once per fence, that the chain is the one our rows describe.
func (l *lane) startUp(ctx context.Context, v view) error {
	if l.net.Router != (common.Address{}) {
		code, err := l.client.CodeAt(ctx, l.net.Router)
		if err != nil {
			return fmt.Errorf("read router: %w", err)
		}

		if len(code) == 0 {
			return fmt.Errorf("there is no contract at the router's address %s", l.net.Router)
		}
	}

	if err := l.checkFinal(ctx, v); err != nil {
		return err
	}

	switch {
	case l.row.next < 0 && !v.exact:
		return fmt.Errorf(
			"the signer is new here: %d of %d nodes must agree on its transaction count",
			l.client.enough(),
			len(l.client.providers),
		)

	case l.row.next < 0 && v.pending != v.mined:
		return fmt.Errorf(
			"the signer is new here, but %d of its transactions wait in the node's pool",
			int64(v.pending)-int64(v.mined),
		)

	case l.row.next < 0:
		if err := l.startFrom(ctx, v.mined); err != nil {
			return err
		}
	}

	blocks, err := l.seenBlocks(ctx)
	if err != nil {
		return fmt.Errorf("read seen blocks: %w", err)
	}

	l.blocks = blocks
	l.head = common.Hash{}
	l.checked = true

	return nil
}
