package rates

import (
	"context"
	"fmt"
	"math/big"
	"strings"
	"sync"
	"time"

	"github.com/ethereum/go-ethereum/common"

	"slipway/internal/core/money"
	"slipway/internal/platform/cache"
	"slipway/internal/platform/clock"
)

// Contracts simulates a call to a contract of one network at its newest block.
type Contracts interface {
	Call(ctx context.Context, network string, to common.Address, data []byte) ([]byte, error)
}

// Feed is an aggregator contract of Chainlink: Base in Quote, updated at least once in every Heartbeat (its publisher's
// promise, different for each feed and chain).
type Feed struct {
	Base, Quote string
	Network     string
	Address     common.Address
	Heartbeat   time.Duration
}

// Sequencer is the uptime feed of a rollup. While its sequencer is down, and for Grace after it is up again, the feeds
// of the network are not used, since delayed transactions are still being executed.
type Sequencer struct {
	Network string
	Address common.Address
	Grace   time.Duration
}

// Selectors of AggregatorV3Interface: the first four bytes of keccak256 of the signature.
var (
	selectorDecimals    = []byte{0x31, 0x3c, 0xe5, 0x67} // decimals() returns (uint8)
	selectorDescription = []byte{0x72, 0x84, 0xe4, 0x16} // description() returns (string)
	// latestRoundData() returns (uint80, int256, uint256, uint256, uint80)
	selectorLatestRound = []byte{0xfe, 0xaf, 0x96, 0x8c}
)

// Limits for the answers of a feed.
const (
	feedAge     = 10 * time.Second // how long an answer is reused
	clockSkew   = 5 * time.Minute  // how far a round may be ahead of our clock
	leastLate   = time.Minute      // a round may be late by a tenth of the heartbeat, and at least by this
	maxDecimals = 36
	word        = 32
)

// Chainlink returns the rates of configured feeds, exactly as they are on the chain. A feed's description must name its
// pair, so that a wrong address cannot give a wrong price. It is safe for concurrent use.
type Chainlink struct {
	contracts  Contracts
	clock      *clock.Clock
	feeds      map[string]Feed // by "BASE/QUOTE"
	sequencers map[string]Sequencer
	known      sync.Map // "BASE/QUOTE" → its decimals; these and a feed's description never change
	answers    *cache.Cache[Rate]
}

// NewChainlink returns the adapter; it calls nothing. A pair, and a network's sequencer, may be configured once.
func NewChainlink(c Contracts, clock *clock.Clock, feeds []Feed, sequencers []Sequencer) (*Chainlink, error) {
	out := &Chainlink{
		contracts:  c,
		clock:      clock,
		feeds:      map[string]Feed{},
		sequencers: map[string]Sequencer{},
		answers:    cache.New[Rate](clock, feedAge, 1_000),
	}
	for _, f := range feeds {
		if f.Heartbeat <= 0 || f.Address == (common.Address{}) {
			return nil, fmt.Errorf("price feed %s: it needs an address and a heartbeat", f.pair())
		}

		if _, twice := out.feeds[f.pair()]; twice {
			return nil, fmt.Errorf("price feed %s is configured twice", f.pair())
		}

		out.feeds[f.pair()] = f
	}

	for _, s := range sequencers {
		if _, twice := out.sequencers[s.Network]; twice || s.Address == (common.Address{}) {
			return nil, fmt.Errorf("sequencer feed of %s: it is configured twice or has no address", s.Network)
		}

		out.sequencers[s.Network] = s
	}

	return out, nil
}

func (f Feed) pair() string { return f.Base + "/" + f.Quote }

func (f Feed) source() string { return "Chainlink " + f.Network }

// Rate implements Source.
func (c *Chainlink) Rate(ctx context.Context, base, quote string) (Rate, error) {
	f, ok := c.feeds[base+"/"+quote]
	if !ok {
		return Rate{}, unknownPair("Chainlink", base, quote)
	}

	if r, ok := c.answers.Find(f.pair()); ok && c.checkAge(f, r.AsOf) == nil {
		return r, nil
	}

	if err := c.sequencerUp(ctx, f.Network); err != nil {
		return Rate{}, err
	}

	r, err := c.read(ctx, f)
	if err != nil {
		return Rate{}, err
	}

	if err := c.checkAge(f, r.AsOf); err != nil {
		return Rate{}, err
	}

	c.answers.Keep(f.pair(), r)

	return r, nil
}

// read reads the latest round of a feed.
func (c *Chainlink) read(ctx context.Context, f Feed) (Rate, error) {
	decimals, err := c.decimals(ctx, f)
	if err != nil {
		return Rate{}, err
	}

	round, err := c.round(ctx, f.Network, f.Address)
	if err != nil {
		return Rate{}, f.unusable("%w", err)
	}

	if round.answer.Sign() <= 0 {
		return Rate{}, f.unusable("its answer is %s", round.answer)
	}

	if round.updatedAt == 0 {
		return Rate{}, f.unusable("its round is not complete")
	}

	asOf := time.Unix(round.updatedAt, 0).UTC()
	if asOf.After(c.clock.Now().Add(clockSkew)) {
		return Rate{}, f.unusable("its answer is of %s, which is still to come", asOf.Format(time.RFC3339))
	}

	value := money.FromUnits(money.Asset{Code: f.Quote, Decimals: decimals}, round.answer).Rat()

	return Rate{
		Base:   f.Base,
		Quote:  f.Quote,
		Value:  value,
		AsOf:   asOf,
		Source: f.source(),
	}, nil
}

func (f Feed) unusable(format string, args ...any) error {
	return fmt.Errorf(
		"feed %s at %s of %s: %w: %w",
		f.pair(),
		f.Address.Hex(),
		f.Network,
		ErrUnavailable,
		fmt.Errorf(format, args...),
	)
}

// checkAge compares a round's age with the feed's heartbeat.
func (c *Chainlink) checkAge(f Feed, asOf time.Time) error {
	limit := f.Heartbeat + max(leastLate, f.Heartbeat/10)
	if c.clock.Now().Sub(asOf) > limit {
		return &Stale{
			Base:   f.Base,
			Quote:  f.Quote,
			Source: f.source(),
			AsOf:   asOf,
			Limit:  limit.String(),
		}
	}

	return nil
}

// decimals reads a feed's decimals and description once.
func (c *Chainlink) decimals(ctx context.Context, f Feed) (int, error) {
	if n, ok := c.known.Load(f.pair()); ok {
		return n.(int), nil
	}

	text, err := c.contracts.Call(ctx, f.Network, f.Address, selectorDescription)
	if err != nil {
		return 0, f.unusable("%w", err)
	}

	description, ok := abiText(text)
	if !ok || strings.ToUpper(strings.ReplaceAll(description, " ", "")) != f.pair() {
		return 0, f.unusable("it calls itself %.40q", description)
	}

	out, err := c.contracts.Call(ctx, f.Network, f.Address, selectorDecimals)
	if err != nil {
		return 0, f.unusable("%w", err)
	}

	n, ok := abiWord(out, 0)
	if !ok || len(out) != word || !n.IsInt64() || n.Int64() > maxDecimals {
		return 0, f.unusable("its decimals cannot be read")
	}

	c.known.Store(f.pair(), int(n.Int64()))

	return int(n.Int64()), nil
}

// round is the part of latestRoundData that is used. Times are Unix seconds.
type round struct {
	answer               *big.Int
	startedAt, updatedAt int64
}

func (c *Chainlink) round(ctx context.Context, network string, at common.Address) (round, error) {
	out, err := c.contracts.Call(ctx, network, at, selectorLatestRound)
	if err != nil {
		return round{}, err
	}

	if len(out) != 5*word {
		return round{}, fmt.Errorf("its answer has %d bytes", len(out))
	}

	answer, _ := abiWord(out, 1)
	if answer.Bit(8*word-1) == 1 { // int256
		answer.Sub(answer, new(big.Int).Lsh(big.NewInt(1), 8*word))
	}

	started, _ := abiWord(out, 2)

	updated, _ := abiWord(out, 3)
	if started.BitLen() > 40 || updated.BitLen() > 40 {
		return round{}, fmt.Errorf("its times are invalid")
	}

	return round{answer: answer, startedAt: started.Int64(), updatedAt: updated.Int64()}, nil
}

// sequencerUp returns nil if the network has no sequencer feed, or the sequencer has been up for the grace period. The
// feed answers 0 for up; its startedAt is the time of the last change.
func (c *Chainlink) sequencerUp(ctx context.Context, network string) error {
	s, ok := c.sequencers[network]
	if !ok {
		return nil
	}

	broken := func(format string, args ...any) error {
		return fmt.Errorf("sequencer of %s: %w: %w", network, ErrUnavailable, fmt.Errorf(format, args...))
	}

	r, err := c.round(ctx, network, s.Address)
	switch {
	case err != nil:
		return broken("%w", err)
	case r.startedAt == 0:
		return broken("its feed has no round yet")
	case r.answer.Sign() != 0:
		return broken("it is down since %s", time.Unix(r.startedAt, 0).UTC().Format(time.RFC3339))

	case c.clock.Now().Sub(time.Unix(r.startedAt, 0)) <= s.Grace:
		return broken(
			"it came back at %s; its feeds are believed again after %s",
			time.Unix(r.startedAt, 0).UTC().Format(time.RFC3339),
			s.Grace,
		)
	}

	return nil
}

// abiWord returns the n-th word of ABI encoded data.
func abiWord(data []byte, n int) (*big.Int, bool) {
	if len(data) < (n+1)*word {
		return nil, false
	}

	return new(big.Int).SetBytes(data[n*word : (n+1)*word]), true
}

// abiText decodes a single returned string: offset, length, bytes.
func abiText(data []byte) (string, bool) {
	offset, ok := abiWord(data, 0)
	if !ok || offset.Cmp(big.NewInt(word)) != 0 {
		return "", false
	}

	length, ok := abiWord(data, 1)
	if !ok || !length.IsInt64() || length.Int64() > int64(len(data)-2*word) {
		return "", false
	}

	return string(data[2*word : 2*word+length.Int64()]), true
}
