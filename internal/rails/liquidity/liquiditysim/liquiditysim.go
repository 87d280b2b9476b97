//go:build !nosandbox

// Package liquiditysim is a simulated liquidity provider for sandboxes and tests: a server of
// docs/reference/liquidity-contract.md with its own books.
//
// What it promises: an order is in the journal before it is answered, so a restart changes nothing. A key names one
// order forever. Its balances are the initial ones plus what its filled orders moved. It fills at the given rates. It
// can be made to misbehave.
//
// Read in this order: liquiditysim.go (books), statement.go, serve.go (the contract's requests), steer.go.
package liquiditysim

import (
	"context"
	"errors"
	"fmt"
	"math/big"
	"sort"
	"sync"
	"time"

	"slipway/internal/core/money"
	"slipway/internal/platform/clock"
	"slipway/internal/platform/inprocess"
	"slipway/internal/platform/journal"
	"slipway/internal/platform/secret"
	"slipway/internal/rails/liquidity"
)

// Config configures the provider.
type Config struct {
	Journal string // path of the journal of orders; empty: they are lost with the process
	KeyID   string
	Secret  secret.Text
	Clock   *clock.Clock
	// returns the value of one base in quote; on an error no orders are accepted
	Price func(ctx context.Context, base, quote string) (*big.Rat, error)
	// whole units at the start; StartBalance for missing assets
	Balances map[string]*big.Rat
}

// StartBalance is the default balance of every asset at the start, in whole units.
const StartBalance = 1_000_000_000

// orderState is an order with its outcome, as in the journal, or a movement of no order's filling.
type orderState struct {
	liquidity.WireResult
	Number   int                 `json:"n"`
	Movement *liquidity.Movement `json:"movement,omitempty"`
}

// Server is the provider. It is safe for concurrent use.
type Server struct {
	inprocess.Steered[Behaviour]
	config  Config
	journal *journal.Journal[orderState]

	mu     sync.Mutex // guards the fields below; the journal excludes other processes
	orders map[string]orderState
	moved  map[string]*big.Rat // by asset: what filled orders moved
	lines  []liquidity.Movement
	lies   []Lie
}

// New opens the books.
func New(c Config) (*Server, error) {
	if c.Clock == nil {
		c.Clock = clock.New()
	}

	s := &Server{config: c, orders: map[string]orderState{}, moved: map[string]*big.Rat{}}

	var err error
	if s.journal, err = journal.Open[orderState](c.Journal); err == nil {
		err = s.alone(func() error { return nil })
	}

	if err != nil {
		return nil, fmt.Errorf("books of the simulated liquidity provider: %w", err)
	}

	return s, nil
}

// Close closes the journal.
func (s *Server) Close() error { return s.journal.Close() }

// alone runs work while no other goroutine or process changes the books.
func (s *Server) alone(work func() error) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.journal.Alone(s.book, work)
}

// book applies an order's new state to the books; a filled order moves the balances. Each state is booked once. Call it
// only inside alone.
func (s *Server) book(o orderState) {
	if o.Movement != nil {
		s.lines = append(s.lines, *o.Movement)
		return
	}

	s.orders[o.Key] = o
	if o.Status == liquidity.Filled {
		s.move(o.Sell, o.Sold, 1)
		s.move(o.Buy, o.Bought, -1)
		s.lines = append(s.lines, linesOf(o)...)
	}
}

func (s *Server) move(l liquidity.Leg, units string, sign int64) {
	if s.moved[l.Asset] == nil {
		s.moved[l.Asset] = new(big.Rat)
	}

	amount := amountOf(l, units).Rat()
	s.moved[l.Asset].Add(s.moved[l.Asset], amount.Mul(amount, big.NewRat(sign, 1)))
}

// amountOf parses units that were checked before.
func amountOf(l liquidity.Leg, units string) money.Amount {
	n, ok := new(big.Int).SetString(units, 10)
	if !ok {
		n = new(big.Int)
	}

	return money.FromUnits(assetOf(l), n)
}

func assetOf(l liquidity.Leg) money.Asset { return money.Asset{Code: l.Asset, Decimals: l.Decimals} }

// balance returns the provider's balance of an asset. Call it only inside alone, or with mu held.
func (s *Server) balance(asset string) *big.Rat {
	out := big.NewRat(StartBalance, 1)
	if b, ok := s.config.Balances[asset]; ok {
		out.Set(b)
	}

	if m := s.moved[asset]; m != nil {
		out.Add(out, m)
	}

	return out
}

// errNoPrice means that the market has no rate: the order is neither accepted nor recorded.
var errNoPrice = errors.New("there is no price at the moment")

// place accepts an order for its key, or returns the existing one. ok is false if the existing order differs.
func (s *Server) place(
	ctx context.Context,
	w liquidity.WireOrder,
	how Behaviour,
) (o orderState, isNew, ok bool, err error) {
	// before the books are locked: it may call another service
	price, priceErr := s.config.Price(ctx, w.Sell.Asset, w.Buy.Asset)
	ok = true
	err = s.alone(func() error {
		there, known := s.orders[w.Key]
		switch {
		case known && there.WireOrder != w:
			o = there
			ok = false
			return nil

		case known:
			o, err = s.settle(there, price, how)
			return err
		case priceErr != nil:
			return fmt.Errorf("%w: %w", errNoPrice, priceErr)
		}

		isNew = true
		n := len(s.orders) + 1

		o = orderState{
			WireResult: liquidity.WireResult{WireOrder: w, Status: liquidity.Accepted, Ref: fmt.Sprintf("LP-%08d", n)},
			Number:     n,
		}
		if how == Reject {
			o.Status = liquidity.Rejected
			o.Reason = liquidity.ReasonOther
		}

		if how == Reject || how == Hold {
			return s.keep(o)
		}

		o, err = s.settle(o, price, how)

		return err
	})

	return o, isNew, ok, err
}

// look returns the order of a key, executed if that has become possible.
func (s *Server) look(ctx context.Context, key string, how Behaviour) (o orderState, ok bool, err error) {
	err = s.alone(func() error { o, ok = s.orders[key]; return nil })
	if err != nil || !ok || o.Status != liquidity.Accepted || how == Hold {
		return o, ok, err
	}

	price, err := s.config.Price(ctx, o.Sell.Asset, o.Buy.Asset)
	if err != nil {
		return o, true, nil // still waiting
	}

	err = s.alone(func() error {
		o, err = s.settle(s.orders[key], price, how)
		return err
	})

	return o, true, err
}

// settle executes an accepted order if possible. Call it only inside alone.
func (s *Server) settle(o orderState, price *big.Rat, how Behaviour) (orderState, error) {
	if o.Status != liquidity.Accepted || how == Hold || price == nil {
		return o, nil
	}

	sold, bought := fill(o.WireOrder, price)
	switch {
	case !limitKept(o.WireOrder, sold, bought):
		o.Status = liquidity.Rejected
		o.Reason = liquidity.ReasonPrice
	case s.balance(o.Buy.Asset).Cmp(bought.Rat()) < 0 || sold.Sign() == 0 || bought.Sign() == 0:
		o.Status = liquidity.Rejected
		o.Reason = liquidity.ReasonLiquidity

	default:
		at := s.config.Clock.Now().Truncate(time.Millisecond)
		o.Status = liquidity.Filled
		o.Sold = sold.Units().String()
		o.Bought = bought.Units().String()
		o.FilledAt = &at
	}

	return o, s.keep(o)
}

// keep writes an order's state to the journal and books it. Call it only inside alone.
func (s *Server) keep(o orderState) error {
	if err := s.journal.Write(o); err != nil {
		return fmt.Errorf("journal: %w", err)
	}

	s.book(o)

	return nil
}

// fill computes both sides at a price: the open one is rounded in the provider's favour.
func fill(w liquidity.WireOrder, price *big.Rat) (sold, bought money.Amount) {
	if w.Sell.Units != "" {
		sold = amountOf(w.Sell, w.Sell.Units)
		return sold, money.FromRat(assetOf(w.Buy), new(big.Rat).Mul(sold.Rat(), price), money.Down)
	}

	bought = amountOf(w.Buy, w.Buy.Units)

	return money.FromRat(assetOf(w.Sell), new(big.Rat).Quo(bought.Rat(), price), money.Up), bought
}

func limitKept(w liquidity.WireOrder, sold, bought money.Amount) bool {
	switch {
	case w.Limit == "":
		return true
	case w.Sell.Units != "":
		return bought.Cmp(amountOf(w.Buy, w.Limit)) >= 0
	}

	return sold.Cmp(amountOf(w.Sell, w.Limit)) <= 0
}

// Orders lists every order in the order of arrival, including those of other processes on the same journal. Tests
// compare the service with it.
func (s *Server) Orders() []liquidity.WireResult {
	_ = s.alone(func() error { return nil }) // after an error the orders read before remain
	s.mu.Lock()
	defer s.mu.Unlock()

	states := make([]orderState, 0, len(s.orders))
	for _, o := range s.orders {
		states = append(states, o)
	}

	sort.Slice(states, func(i, j int) bool { return states[i].Number < states[j].Number })

	out := make([]liquidity.WireResult, len(states))
	for i, o := range states {
		out[i] = o.WireResult
	}

	return out
}

// Balance returns the provider's balance of an asset, in whole units.
func (s *Server) Balance(asset string) *big.Rat {
	_ = s.alone(func() error { return nil }) // as with Orders
	s.mu.Lock()
	defer s.mu.Unlock()

	return s.balance(asset)
}
