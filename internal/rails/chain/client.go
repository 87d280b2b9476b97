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
	"github.com/ethereum/go-ethereum/common/hexutil"
	"github.com/ethereum/go-ethereum/core/types"

	"slipway/internal/platform/clock"
)

// Errors that callers compare with errors.Is.
var (
	ErrWrongChain  = errors.New("the node serves another chain than the network was set up for")
	ErrUnreachable = errors.New("no node of the network gives a usable answer")
	ErrBehind      = errors.New("the network's nodes answer from old state")
)

// ClientConfig lists the nodes to ask and the limits.
type ClientConfig struct {
	ChainID   *big.Int
	URLs      []string          // one or several; reads use the best one, broadcasts use all
	Timeout   time.Duration     // for one exchange; 0: 10 s
	MaxAnswer int64             // bytes of one answer, uncompressed; 0: 24 MiB
	MaxLag    uint64            // blocks that a node may be behind the best one; 0: 5
	Transport http.RoundTripper // nil: the default, without proxies from the environment
	Clock     *clock.Clock      // nil: the wall clock
	Log       *slog.Logger      // nil: none
}

// Client asks the nodes of one network, with limits on time and size and without redirects. It reads nothing from and
// sends nothing to a node that has not confirmed the chain id. It is safe for concurrent use.
type Client struct {
	chainID   *big.Int
	providers []*provider
	maxLag    uint64
	transport *http.Transport // to be closed; nil if it was given
	clock     *clock.Clock
	log       *slog.Logger
}

// NewClient returns a client. It does not call the nodes; see Connect.
func NewClient(c ClientConfig) (*Client, error) {
	if c.ChainID == nil || c.ChainID.Sign() <= 0 {
		return nil, errors.New("a network needs its chain id")
	}

	if len(c.URLs) == 0 {
		return nil, errors.New("a network needs the address of at least one node")
	}

	if c.Timeout <= 0 {
		c.Timeout = defaultTimeout
	}

	if c.MaxAnswer <= 0 {
		c.MaxAnswer = defaultMaxAnswer
	}

	if c.MaxLag == 0 {
		c.MaxLag = 5
	}

	if c.Clock == nil {
		c.Clock = clock.New()
	}

	if c.Log == nil {
		c.Log = slog.New(slog.DiscardHandler)
	}

	cl := &Client{
		chainID: new(big.Int).Set(c.ChainID),
		maxLag:  c.MaxLag,
		clock:   c.Clock,
		log:     c.Log,
	}
	if c.Transport == nil {
		cl.transport = &http.Transport{
			Proxy:               http.ProxyFromEnvironment,
			MaxIdleConnsPerHost: 4,
			IdleConnTimeout:     30 * time.Second,
			TLSHandshakeTimeout: 5 * time.Second,
		}
		c.Transport = cl.transport
	}

	for _, u := range c.URLs {
		p, err := newProvider(u, c)
		if err != nil {
			return nil, err
		}

		cl.providers = append(cl.providers, p)
	}

	return cl, nil
}

// Close closes idle connections. The client stays usable.
func (c *Client) Close() {
	if c.transport != nil {
		c.transport.CloseIdleConnections()
	}
}

// ChainID returns the chain id for which transactions are signed.
func (c *Client) ChainID() *big.Int { return new(big.Int).Set(c.chainID) }

// Connect asks every unchecked node for its chain id. It returns ErrWrongChain if one serves another chain, and
// ErrUnreachable if none answers. A second call asks only nodes that are still unchecked.
func (c *Client) Connect(ctx context.Context) error {
	errs := make([]error, len(c.providers))

	var wg sync.WaitGroup
	for i, p := range c.providers {
		wg.Go(func() { errs[i] = c.verify(ctx, p) })
	}

	wg.Wait()

	good := 0
	for _, err := range errs {
		if errors.Is(err, ErrWrongChain) {
			return err
		}

		if err == nil {
			good++
		}
	}

	if good == 0 {
		return fmt.Errorf("%w: %w", ErrUnreachable, errors.Join(errs...))
	}

	return nil
}

// verify accepts a node that has confirmed the chain id once. One that named another chain is demoted and asked again
// after its back-off: a temporary wrong answer must not exclude a node forever.
func (c *Client) verify(ctx context.Context, p *provider) error {
	verified, wrong, _ := p.usable()
	if verified {
		return nil
	}

	if wrong != "" && c.aside(p) {
		return fmt.Errorf("%w: %s", ErrWrongChain, wrong)
	}

	answers, err := p.batch(ctx, []call{{"eth_chainId", []any{}}})
	if err != nil {
		return err
	}

	var id hexutil.Big
	if err := answers[0].into(&id); err != nil {
		return err
	}

	wrong = ""
	if id.ToInt().Cmp(c.chainID) != 0 {
		wrong = fmt.Sprintf("%s serves %s, wanted %s", p.name, id.ToInt(), c.chainID)
		c.refute(p, wrong)
	}

	p.mu.Lock()
	p.verified = wrong == ""
	p.wrong = wrong
	p.mu.Unlock()

	if wrong != "" {
		return fmt.Errorf("%w: %s", ErrWrongChain, wrong)
	}

	return nil
}

// ask sends calls to the best node and, while an exchange fails, to the next. Calls beyond what the node takes in one
// request go to it in several, so that all answers come from one node.
func (c *Client) ask(ctx context.Context, calls ...call) ([]answer, error) {
	var errs []error
	for _, p := range c.ranked() {
		out, err := c.askOne(ctx, p, calls)
		if err == nil {
			return out, nil
		}

		errs = append(errs, err)

		if ctx.Err() != nil {
			break
		}
	}

	return nil, fmt.Errorf("%w: %w", ErrUnreachable, errors.Join(errs...))
}

func (c *Client) askOne(ctx context.Context, p *provider, calls []call) ([]answer, error) {
	if err := c.verify(ctx, p); err != nil {
		return nil, err
	}

	return c.exchange(ctx, p, calls)
}

// one sends a single call and decodes its result.
func (c *Client) one(ctx context.Context, v any, method string, params ...any) error {
	answers, err := c.ask(ctx, call{method, params})
	if err != nil {
		return err
	}

	return answers[0].into(v)
}

// Block is the header of a block as a node shows it, without proof; see proveBy.
type Block struct {
	Number  uint64
	Hash    common.Hash
	Parent  common.Hash
	Time    uint64
	BaseFee *big.Int // zero if the chain has none
}

type wireBlock struct {
	Number  *hexutil.Uint64 `json:"number"`
	Hash    *common.Hash    `json:"hash"`
	Parent  *common.Hash    `json:"parentHash"`
	Time    hexutil.Uint64  `json:"timestamp"`
	BaseFee *hexutil.Big    `json:"baseFeePerGas"`
}

// block decodes a header; ok is false if the node has no such block.
func (a answer) block() (b Block, ok bool, err error) {
	var w *wireBlock
	if err := a.into(&w); err != nil {
		return b, false, err
	}

	if w == nil {
		return b, false, nil
	}

	if w.Number == nil || w.Hash == nil || w.Parent == nil {
		return b, false, &TransportError{Reason: "a block without number, hash or parent"}
	}

	b = Block{
		Number:  uint64(*w.Number),
		Hash:    *w.Hash,
		Parent:  *w.Parent,
		Time:    uint64(w.Time),
		BaseFee: new(big.Int),
	}
	if w.BaseFee != nil {
		b.BaseFee = w.BaseFee.ToInt()
	}

	return b, true, nil
}

func blockCall(ref string) call { return call{"eth_getBlockByNumber", []any{ref, false}} }

func numberRef(n uint64) string { return hexutil.EncodeUint64(n) }

// BlockAt reads the header of a block by number or tag ("latest", "safe", "finalized"). ok is false if there is none.
func (c *Client) BlockAt(ctx context.Context, ref string) (b Block, ok bool, err error) {
	answers, err := c.ask(ctx, blockCall(ref))
	if err != nil {
		return b, false, err
	}

	return answers[0].block()
}

// BlockNumber returns the newest block's number.
func (c *Client) BlockNumber(ctx context.Context) (uint64, error) {
	var n hexutil.Uint64
	err := c.one(ctx, &n, "eth_blockNumber")
	return uint64(n), err
}

// Receipts reads receipts in few requests, one element for each hash: nil if the node knows none.
func (c *Client) Receipts(ctx context.Context, hashes []common.Hash) ([]*types.Receipt, error) {
	answers, err := c.ask(ctx, receiptCalls(hashes)...)
	if err != nil {
		return nil, err
	}

	return receiptsOf(answers, hashes)
}

func receiptCalls(hashes []common.Hash) []call {
	calls := make([]call, len(hashes))
	for i, h := range hashes {
		calls[i] = call{"eth_getTransactionReceipt", []any{h}}
	}

	return calls
}

// receiptsOf decodes receipts and refuses one of another transaction than requested.
func receiptsOf(answers []answer, hashes []common.Hash) ([]*types.Receipt, error) {
	out := make([]*types.Receipt, len(answers))
	for i, a := range answers {
		if err := a.into(&out[i]); err != nil {
			return nil, err
		}

		//nolint:gosec // there is an answer for each hash
		if r := out[i]; r != nil && (r.TxHash != hashes[i] || r.BlockNumber == nil) {
			return nil, &TransportError{Reason: "a receipt of another transaction, or without a block"}
		}
	}

	return out, nil
}

// SentResult is one node's answer to raw transactions, in their order.
type SentResult struct {
	Provider string
	Outcomes []Outcome
	Errors   []error
}

// sendRawTo broadcasts stored bytes to one node. Its answer proves nothing.
func (c *Client) sendRawTo(ctx context.Context, p *provider, raws [][]byte) SentResult {
	res := SentResult{Provider: p.name, Outcomes: make([]Outcome, len(raws)), Errors: make([]error, len(raws))}
	for i := range raws {
		res.Outcomes[i] = Unknown
	}

	if err := c.verify(ctx, p); err != nil {
		for i := range raws {
			res.Errors[i] = err
		}

		return res
	}

	at := 0
	for part := range slices.Chunk(raws, int(c.bears(p, &p.batches, maxCallsPerBatch))) {
		calls := make([]call, len(part))
		for i, raw := range part {
			calls[i] = call{"eth_sendRawTransaction", []any{hexutil.Bytes(raw)}}
		}

		answers, err := c.exchange(ctx, p, calls)
		for i := range part {
			if err != nil {
				res.Errors[at+i] = err
				continue
			}

			res.Errors[at+i] = answers[i].err
			res.Outcomes[at+i] = Classify(answers[i].err)
		}

		at += len(part)
	}

	return res
}

// SendRaw broadcasts stored bytes to every node: first to the best one, then to the others concurrently. between may be
// nil; it is called once after the first. Sending the same bytes again is harmless.
func (c *Client) SendRaw(ctx context.Context, raws [][]byte, between func()) []SentResult {
	ranked := c.ranked()
	out := make([]SentResult, len(ranked))
	out[0] = c.sendRawTo(ctx, ranked[0], raws)

	if between != nil {
		between()
	}

	var wg sync.WaitGroup
	for i, p := range ranked[1:] {
		wg.Go(func() { out[i+1] = c.sendRawTo(ctx, p, raws) })
	}

	wg.Wait()

	return out
}

// ProviderHealth is the state of one node.
type ProviderHealth struct {
	Name     string // its host
	Verified bool   // it has confirmed the chain id
	Behind   bool   // its head went back or lags; nothing is concluded from it
	Aside    bool   // it was refuted recently; it is asked last
	Head     uint64
	Failures int // consecutive failed exchanges
	LastErr  string
	Refuted  int64  // how often it was refuted since the start
	Lie      string // what was refuted last
}

// Providers returns the state of each node, in the configured order.
func (c *Client) Providers() []ProviderHealth {
	out := make([]ProviderHealth, len(c.providers))
	for i, p := range c.providers {
		aside := c.aside(p)
		p.mu.Lock()

		out[i] = ProviderHealth{
			Name:     p.name,
			Verified: p.verified,
			Behind:   p.behind,
			Aside:    aside,
			Head:     p.head,
			Failures: p.failures,
			LastErr:  p.lastErr,
			Refuted:  p.lies,
			Lie:      p.lie,
		}

		p.mu.Unlock()
	}

	return out
}
