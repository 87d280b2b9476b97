// Package reconcile finds out which booked deposit pays which on-ramp transaction, and keeps the rest until a person
// has settled it.
//
// It promises: a deposit counts once, for ever; only one that names exactly one open transaction and agrees with it
// in account, currency, amount to the last minor unit, and comes from the organisation itself is matched by rule;
// whatever is inexact goes to the suspense account and is never guessed; two different persons decide what becomes of
// it there. Matching is a step of its own that may be repeated at any time: importing a statement writes down what is
// to be matched, and puts what names no transaction at all into suspense. Postings and decision are written together,
// so the suspense account is always the sum of what is listed.
//
// It does not promise to know an organisation by another name than its own, nor to join several deposits into one by
// itself.
//
// Read in this order: reconcile.go (types), decide.go and sender.go (the rule, pure), record.go (what the bank rail
// reports), match.go (the step), settle.go (what persons decide), reverse.go (what a bank takes back), store.go,
// http.go.
package reconcile

import (
	"context"
	"log/slog"
	"math/big"
	"time"

	"slipway/internal/core/money"
	"slipway/internal/core/state"
	"slipway/internal/payments/ledger"
	"slipway/internal/payments/transaction"
	"slipway/internal/platform/db"
	"slipway/internal/platform/jobs"
)

// State is what has become of a deposit.
type State string

// The states of a deposit, and who acts next.
const (
	StateNew       State = "NEW"       // recorded, and names a transaction; the matching step acts next
	StateMatched   State = "MATCHED"   // it pays a transaction
	StateSuspense  State = "SUSPENSE"  // nothing matches; two persons decide
	StateAssigned  State = "ASSIGNED"  // part of a transaction's amount by decision; waits for the rest
	StateHeld      State = "HELD"      // looked at; stays where it is by decision
	StateRefunding State = "REFUNDING" // on its way back to the sender
	StateRefunded  State = "REFUNDED"  // back, booked
	StateReversed  State = "REVERSED"  // the sender's bank took it back
	// the bank has told of it anew, with more of it: other deposits stand in its place
	StateWithdrawn State = "WITHDRAWN"
	StateReturn    State = "RETURN" // it is the return of a payment of ours, by decision
)

// Table is the allowed moves of a deposit.
func Table() *state.Table[State] { return table }

var table = state.New("Deposit",
	state.Move[State]{To: StateNew, On: "booked credit that names a transaction"},
	state.Move[State]{To: StateSuspense, On: "booked credit that names none"},
	state.Move[State]{From: StateNew, To: StateMatched, On: "exact match"},
	state.Move[State]{From: StateNew, To: StateSuspense, On: "no exact match"},
	state.Move[State]{From: StateNew, To: StateReversed, On: "taken back by its bank"},
	state.Move[State]{From: StateSuspense, To: StateAssigned, On: "two persons assign it"},
	state.Move[State]{From: StateSuspense, To: StateHeld, On: "two persons keep it"},
	state.Move[State]{From: StateSuspense, To: StateRefunding, On: "two persons send it back"},
	state.Move[State]{From: StateSuspense, To: StateReversed, On: "taken back by its bank"},
	state.Move[State]{From: StateSuspense, To: StateReturn, On: "two persons say that it is a return"},
	state.Move[State]{From: StateHeld, To: StateReturn, On: "two persons say that it is a return"},
	state.Move[State]{From: StateReturn, To: StateReversed, On: "taken back by its bank"},
	state.Move[State]{From: StateHeld, To: StateAssigned, On: "two persons assign it"},
	state.Move[State]{From: StateHeld, To: StateRefunding, On: "two persons send it back"},
	state.Move[State]{From: StateHeld, To: StateReversed, On: "taken back by its bank"},
	state.Move[State]{From: StateAssigned, To: StateMatched, On: "the amount is complete"},
	state.Move[State]{From: StateAssigned, To: StateRefunding, On: "two persons send it back"},
	state.Move[State]{From: StateAssigned, To: StateReversed, On: "taken back by its bank"},
	state.Move[State]{From: StateMatched, To: StateRefunding, On: "its transaction cannot be carried out"},
	state.Move[State]{From: StateMatched, To: StateReversed, On: "taken back by its bank"},
	state.Move[State]{From: StateNew, To: StateWithdrawn, On: "told anew by the bank"},
	state.Move[State]{From: StateSuspense, To: StateWithdrawn, On: "told anew by the bank"},
	state.Move[State]{From: StateHeld, To: StateWithdrawn, On: "told anew by the bank"},
	state.Move[State]{From: StateRefunding, To: StateRefunded, On: "booked debit"},
	state.Move[State]{From: StateRefunding, To: StateSuspense, On: "the bank refused to send it back"},
)

// Reason says why a deposit is in suspense.
type Reason string

// The reasons, in the order in which the rule asks.
const (
	// it names a payment of ours, and the bank does not show that it is its return
	ReasonClaim       Reason = "RETURN_NOT_PROVEN"
	ReasonNoReference Reason = "NO_REFERENCE"      // no text of it checks as a reference
	ReasonUnknown     Reason = "UNKNOWN_REFERENCE" // references that check, and no transaction has one of them
	ReasonSeveral     Reason = "SEVERAL_REFERENCES"
	// its transaction has been paid, has failed, has expired, or was never submitted
	ReasonNotOpen  Reason = "NOT_AWAITED"
	ReasonAccount  Reason = "OTHER_ACCOUNT"
	ReasonCurrency Reason = "OTHER_CURRENCY"
	ReasonUnder    Reason = "AMOUNT_UNDER"
	ReasonOver     Reason = "AMOUNT_OVER"
	ReasonSender   Reason = "OTHER_SENDER"
	ReasonBlocked  Reason = "ORGANISATION_BLOCKED"
	ReasonNotBack  Reason = "REFUND_REFUSED" // the bank refused to send it back
)

// Deposit is a booked credit on a house account that is no return of a payout of ours.
type Deposit struct {
	Entry, House                          string
	Amount                                money.Amount
	Texts                                 []string // what the bank passed on: remittance, references, end-to-end id
	References                            []string // of deposits, that Texts hold; nil: Texts were not searched yet
	BankRef                               string
	SenderName, SenderAccount, SenderBank string
	BookedAt                              time.Time

	State                            State
	Reason                           Reason
	Transaction, Organisation        string
	Proposal                         Action
	ProposedFor, ProposedBy, Settler string
	Note                             string
	Claim                            Claim // read by Suspense
	Attempts, Version                int64
	CreatedAt, UpdatedAt             time.Time
}

// Claim is the payout that a deposit names without being its proven return, and why people must look.
type Claim struct{ Payout, Why string }

func (d Deposit) references() []string {
	if d.References == nil {
		return References(d.Texts)
	}

	return d.References
}

// RefundKey names the bank's instruction that sends a deposit back. A further attempt has a key of its own: it is
// made only after the bank has refused the one before for good.
func (d Deposit) RefundKey() string {
	return refundPrefix + d.Entry + "/refund/" + big.NewInt(d.Attempts).String()
}

const refundPrefix = "deposit/"

// Debit is a booked debit that is no payout of ours.
type Debit struct {
	Entry, House string
	Amount       money.Amount // above zero
	Reversal     bool         // the bank takes an earlier credit back
	Texts        []string
	References   []string // those of Texts that name a payment: structured references and the end-to-end id
	BankRef      string
	BookedAt     time.Time

	SenderName, SenderAccount string // whom it is taken from: of a reversal, who sent what is taken back
}

// Deps is what the service works with. Begin, Reversed, SendBack and TakeBack are settlement's: it alone moves money.
// All but the last are called inside a write, and touch nothing but tx.
type Deps struct {
	DB           *db.DB
	Transactions *transaction.Service
	Jobs         *jobs.Runner
	Log          *slog.Logger
	// House is the account that a transaction's payer was told; empty: any.
	House func(t transaction.Transaction) string
	// Own tells of some organisations under which names and from which accounts each sends money itself.
	Own func(ctx context.Context, q db.Querier, organisations []string) (map[string]Own, error)
	// Begin takes a transaction whose deposit is complete to FUNDS_RECEIVED and asks for its next step.
	Begin func(ctx context.Context, tx *db.Tx, t transaction.Transaction) error
	// Reversed stops a transaction whose deposit was taken back. It says from which account the money is missing;
	// gone is true when tokens have gone out for it, or may have.
	Reversed func(ctx context.Context, tx *db.Tx, t transaction.Transaction, d Deposit) (from ledger.Account, gone bool, err error)
	// SendBack plans the bank payout that returns a deposit to its sender, under d.RefundKey, and posts that it is
	// under way.
	SendBack func(ctx context.Context, tx *db.Tx, d Deposit) error
	// TakeBack makes a deposit the return of a payout: it moves its money out of suspense and does what follows a
	// return. It gives the payout's transaction, or refuses.
	TakeBack func(ctx context.Context, tx *db.Tx, d Deposit, payout string) (transaction.Transaction, error)
	// Returnable refuses a deposit whose sender must not be paid. In contrast to the others it asks outside, before a
	// write.
	Returnable func(ctx context.Context, d Deposit) error
}

// Service matches deposits.
type Service struct{ Deps }

// JobKind is the kind of the job that matches what is new.
const JobKind = "match-deposits"

// New makes the service and registers its job and its sweep.
func New(d Deps) *Service {
	s := &Service{d}
	d.Jobs.Handle(JobKind, func(ctx context.Context, _ jobs.Job) (jobs.Result, error) {
		return jobs.Done(), s.Match(ctx)
	})
	d.Jobs.Every("deposit-sweep", sweepEvery, s.Match)

	return s
}

// sweepEvery is how often deposits are looked for whose job was lost.
const sweepEvery = time.Minute
