// Package stock converts customers' money out of the house's own stock of tokens and fiat: the house is its own
// liquidity provider.
//
// It promises the following. Nothing is promised to a customer that stock and limits do not cover: a locked quote
// reserves what it will take, in the same write, and a quote that lapses or ends frees it. Accept keeps the reservation
// until it is drawn. An order draws its own reservation, at the amounts of the locked quote, exactly once: the key of
// the order is the key of the reservation. One organisation's quotes reserve no more than a share of the stock, so that
// nobody blocks it for the others. What the owners bring in or take out, and what is bought and sold elsewhere, two
// operators record.
//
// It does not promise that the stock is at the bank: operators record what they have assigned to it. Tokens are
// compared with what the ledger has of the treasury.
//
// The ledger has the positions (accounts stock/…, see package ledger); the reservations are what is promised of them.
//
// Read in this order: stock.go (types), reserve.go (what quotes and accept call), draw.go (the provider), change.go
// (what two operators record), position.go, store.go, http.go.
package stock

import (
	"log/slog"
	"math/big"
	"time"

	"slipway/internal/core/money"
	"slipway/internal/core/state"
	"slipway/internal/identity/approval"
	"slipway/internal/payments/ledger"
	"slipway/internal/platform/db"
	"slipway/internal/platform/secret"
	"slipway/internal/rails/rates"
)

// Leg is an amount at the place where the stock has it: on a network for tokens, in a currency for fiat.
type Leg struct {
	Place  string
	Amount money.Amount
}

func (l Leg) account() ledger.Account { return ledger.StockAccount(l.Place) }
func (l Leg) asset() money.Asset      { return l.Amount.Asset() }

// Exchange is one conversion of a customer: In comes into the stock, Out leaves it.
type Exchange struct {
	Currency string // of the fiat side
	In, Out  Leg
}

// State is the state of a reservation.
type State string

// The states, and who acts next.
const (
	Reserved State = "RESERVED" // the customer accepts, or lets it lapse
	Drawn    State = "DRAWN"    // the order was carried out; settlement posts it
	Booked   State = "BOOKED"   // the ledger has it
	Freed    State = "FREED"    // nothing was taken
	Refused  State = "REFUSED"  // an order without a reservation
)

// States returns the table of moves.
func States() *state.Table[State] { return states }

var states = state.New("Reservation of stock",
	state.Move[State]{To: Reserved, On: "a quote is locked"},
	state.Move[State]{To: Refused, On: "an order comes for which nothing is reserved"},
	state.Move[State]{From: Reserved, To: Drawn, On: "the order is carried out"},
	state.Move[State]{From: Reserved, To: Freed, On: "the transaction ends without it, or a new quote replaces it"},
	state.Move[State]{From: Reserved, To: Refused, On: "the order is another one, or comes too late"},
	state.Move[State]{From: Freed, To: Reserved, On: "a new quote is locked"},
	state.Move[State]{From: Freed, To: Refused, On: "an order comes all the same"},
	state.Move[State]{From: Drawn, To: Booked, On: "settlement posts the conversion"},
	state.Move[State]{From: Drawn, To: Freed, On: "the transaction ends without a payment"},
)

// Reservation is what a quote has promised of the stock for one order.
type Reservation struct {
	Exchange

	Key, Transaction, Organisation string

	State      State
	Reason     string    // of REFUSED: a reason of the contract with providers
	ExpiresAt  time.Time // of RESERVED: it counts until then; zero: until it is drawn or freed
	ReservedAt time.Time
	DoneAt     time.Time
}

// Limits are what the operator risks. Amounts are by the code of an asset; one that is not named has no limit.
type Limits struct {
	Order        map[string]*big.Rat // most that one order takes out of the stock
	Floor        map[string]*big.Rat // what is never promised of the stock
	Ceiling      map[string]*big.Rat // most that conversions fill the stock up to
	Organisation *big.Rat            // share of the free stock that one organisation's open quotes reserve
}

// Deps are the service's dependencies.
type Deps struct {
	DB     *db.DB
	Log    *slog.Logger
	Keys   *secret.Keyring // who signs journals; nil: all are taken for ours
	Rates  rates.Source    // values positions; nil: they have no value
	Spread *big.Rat        // share by which the house's rate is worse than the market's
	Limits Limits
	// Serves reports whether the stock converts a currency in this deployment.
	Serves func(currency string) bool
}

// Service holds the stock.
type Service struct {
	Deps
	approvals *approval.Service
}

// New returns the service. Changes can be recorded once DecideWith was called.
func New(d Deps) *Service {
	if d.Limits.Organisation == nil {
		d.Limits.Organisation = big.NewRat(1, 4)
	}

	return &Service{Deps: d}
}

// DecideWith registers what two operators decide. The stock is a rail, and built before people are.
func (s *Service) DecideWith(a *approval.Service) {
	s.approvals = a
	a.Handle(approval.Stock, approval.Handler{Roles: []string{"operator"}, Decided: s.decided})
}
