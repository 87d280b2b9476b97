// Package receivable keeps what organisations owe the house: deposits that their bank took back after their value had
// gone out (D-08).
//
// It promises that nothing more is paid out for an organisation while it owes something (Blocked), and that each
// receivable comes to an end. The organisation pays it by a deposit with the receivable's reference, which needs
// nobody's decision. Or two of the platform's people settle it: by another deposit, by money of a returned payment that
// would go back to the organisation, or by writing it off. What settles a receivable counts once, for ever, and is
// posted in the same write.
//
// It does not promise to take what was sent from elsewhere, nor to set off tokens against money.
//
// Read in this order: receivable.go (types), settle.go (how one begins and ends), decide.go (what two people decide),
// store.go, http.go (what the organisation reads), http_operations.go.
package receivable

import (
	"context"
	"time"

	"slipway/internal/core/money"
	"slipway/internal/core/state"
	"slipway/internal/identity/approval"
	"slipway/internal/identity/user"
	"slipway/internal/payments/ledger"
	"slipway/internal/payments/transaction"
	"slipway/internal/platform/db"
)

// State is the state of a receivable.
type State string

// The states, and who acts next.
const (
	Open    State = "OPEN"    // the organisation pays, or two of the platform's people decide
	Settled State = "SETTLED" // nothing of it is owed any more
)

// States returns the table of moves.
func States() *state.Table[State] { return states }

var states = state.New("Receivable",
	state.Move[State]{To: Open, On: "a deposit is taken back after its value had gone out"},
	state.Move[State]{From: Open, To: Open, On: "a part of it is settled"},
	state.Move[State]{From: Open, To: Settled, On: "a deposit with its reference"},
	state.Move[State]{From: Open, To: Settled, On: "two persons settle it by a deposit"},
	state.Move[State]{From: Open, To: Settled, On: "two persons set a return off against it"},
	state.Move[State]{From: Open, To: Settled, On: "two persons write it off"},
)

// Receivable is what an organisation owes the house for one deposit.
type Receivable struct {
	ID, Organisation string       // ID is the bank's entry that took the deposit back
	Transaction      string       // that the deposit had paid; empty: none
	House            string       // the house account that the money is missing on
	Reference        string       // that a deposit has to carry to pay it
	Amount           money.Amount // that was owed in the beginning
	Owed             money.Amount // that is owed still
	State            State
	Version          int64
	CreatedAt        time.Time
	SettledAt        time.Time // zero: it is OPEN
}

// Means is by what a receivable, or a part of it, is settled.
type Means string

// The means.
const (
	ByDeposit  Means = "DEPOSIT"   // money that came in
	BySetOff   Means = "SET_OFF"   // a returned payment's money, which would have gone back to the organisation
	ByWriteOff Means = "WRITE_OFF" // nothing: the house gives the claim up
)

// Part is what one thing has settled of a receivable.
type Part struct {
	Receivable string
	Means      Means
	Source     string // the deposit, the return, or the approval
	Amount     money.Amount
	DecidedBy  string // who has decided it; empty: a deposit with the reference, which needs nobody
	Reason     string // why, in their words; may be empty for a deposit
	At         time.Time
}

// Return is a returned payment's money that can be set off.
type Return struct {
	ID, Transaction string
	Amount          money.Amount
	Account         ledger.Account // that the money is on
}

// Deps are the service's dependencies. Returns and TakeReturn are settlement's, which alone moves money; they touch
// nothing but the database.
type Deps struct {
	DB           *db.DB
	Approvals    *approval.Service
	Transactions *transaction.Service
	// Reference returns a new deposit reference.
	Reference func() (string, error)
	// Details returns how a sum is paid to a house account under a reference; nil: there is no such account any more.
	Details func(house, reference string, owed money.Amount) (*transaction.BankDetailsView, error)
	// Returns returns what came back of an organisation's payments in a currency, and was not given back.
	Returns func(ctx context.Context, q db.Querier, organisation, currency string) ([]Return, error)
	// TakeReturn takes an amount out of a return, for the receivable.
	TakeReturn func(ctx context.Context, tx *db.Tx, id, receivable string, amount money.Amount) error
}

// Service keeps receivables.
type Service struct{ Deps }

// New returns the service and registers what two operators decide.
func New(d Deps) *Service {
	s := &Service{d}
	d.Approvals.Handle(approval.Receivable, approval.Handler{Roles: []string{user.Operator}, Decided: s.decided})

	return s
}
