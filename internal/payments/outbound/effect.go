package outbound

import (
	"errors"
	"math/big"
	"time"

	"slipway/internal/core/money"
	"slipway/internal/core/state"
	"slipway/internal/payments/chart"
	"slipway/internal/payments/effect"
)

// State is the state of an effect.
type State string

// The states of an effect, and who acts next.
const (
	Wanted   State = "WANTED"   // decided; this service plans the send, or asks the provider
	Planned  State = "PLANNED"  // the rail has it
	Doubtful State = "DOUBTFUL" // refused as a whole: the router is asked, or a person checks
	Refused  State = "REFUSED"  // carried out, and the token moved nothing: this service finds out why
	Final    State = "FINAL"    // done, and proven
	Failed   State = "FAILED"   // nothing of it was done, and nothing will be
	Kept     State = "KEPT"     // the wallet refuses the tokens, which are kept; two operators may send them again
)

var states = state.New(
	"Effect of the house",
	state.Move[State]{To: Wanted, On: "decided"},
	state.Move[State]{From: Wanted, To: Wanted, On: "the treasury is short, and waits"},
	state.Move[State]{From: Wanted, To: Planned, On: "the treasury has the tokens"},
	state.Move[State]{From: Wanted, To: Doubtful, On: "the router knows the number already"},
	state.Move[State]{From: Wanted, To: Final, On: "the provider has converted it"},
	state.Move[State]{From: Wanted, To: Failed, On: "the provider refuses it, or its cause was undone"},
	state.Move[State]{From: Planned, To: Final, On: "final on the chain"},
	state.Move[State]{From: Planned, To: Doubtful, On: "refused as a whole, or unclear"},
	state.Move[State]{From: Planned, To: Refused, On: "final, and the token moved nothing"},
	state.Move[State]{From: Doubtful, To: Wanted, On: "the router has not used its number"},
	state.Move[State]{From: Refused, To: Wanted, On: "the treasury was short, or the wallet takes them now"},
	state.Move[State]{From: Refused, To: Kept, On: "the wallet refuses what the treasury has"},
	state.Move[State]{From: Refused, To: Failed, On: "its cause was undone"},
	state.Move[State]{From: Kept, To: Wanted, On: "two operators send it again"},
)

// States returns the moves of an effect, for the documentation.
func States() *state.Table[State] { return states }

// Effect is something that is done outside once.
type Effect struct {
	Key          effect.Key
	Transaction  string
	Position     int // of the payment, or Whole
	Organisation string
	Network      string
	Amount       money.Amount // the tokens of a send; what an order sells
	Send                      // what the treasury sends
	Order                     // of a conversion
	State        State
	Info         string // why it is in its state, a value of words.Phrase
	CreatedAt    time.Time
	UpdatedAt    time.Time
	Version      int64
}

// Whole is the position of an effect that belongs to the transaction as a whole.
const Whole = -1

// Send is what is particular of a sending by the treasury: a refund, a return or a delivery.
type Send struct {
	To      string
	Number  int64 // the router's; 0: not assigned yet
	Round   int64 // rises when a number was used and moved nothing; the next round has another number
	Attempt int64 // the rail's; rises when the previous one is over
}

// Order is what is particular of a conversion. Nobody but its provider is ever asked about it, whatever the
// configuration says later: another one knows nothing of the order and would carry it out once more.
type Order struct {
	Provider     string       // by its name in the configuration; "" for a send
	Buy          money.Amount // by the locked quote, as the effect's amount
	Sold, Bought *big.Int     // what the provider carried out; once Final
	Ref          string       // the provider's own number
}

// IsOrder reports whether the effect is a conversion.
func (x Effect) IsOrder() bool { return x.Key.Word == effect.Conversion }

// Waits reports whether this service acts next.
func (x Effect) Waits() bool { return x.State == Wanted || x.State == Refused }

// Open reports whether it may still have its effect by itself.
func (x Effect) Open() bool { return x.Waits() || x.State == Planned || x.State == Doubtful }

// RailKey returns the key of a send at the chain's rail. A further attempt has another key and the same router number,
// so at most one of all attempts can take effect.
func (x Effect) RailKey() string { return x.Key.Nth(x.Attempt).String() }

// Errors that callers compare with errors.Is.
var (
	// ErrUnknown reports that it is not known whether an order was carried out; it is asked about again.
	ErrUnknown = errors.New("it is not known whether the conversion was carried out")
	// ErrPending reports that an order has no final state yet; the job retries.
	ErrPending = errors.New("the order is still open")
	// ErrShort reports that a send waits for funds of the treasury; its job retries.
	ErrShort = errors.New("the treasury is short")
)

// event returns what a send is for the book.
func (x Effect) event() chart.Send {
	return chart.Send{
		Of:      chart.Of{Organisation: x.Organisation, Transaction: x.Transaction},
		Key:     x.Key,
		Network: x.Network,
		Amount:  x.Amount,
	}
}
