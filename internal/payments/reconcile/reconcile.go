// Package reconcile finds out which booked deposit pays which ONRAMP transaction, or what an organisation owes, and
// keeps the others until people have settled them.
//
// It promises that a deposit counts once, for ever. The rule matches a deposit only if it names exactly one open
// transaction, agrees with it in account, currency and amount to the last minor unit, and comes from the organisation
// itself. What an organisation owes (package receivable) has a reference, too, and is paid by the same rule. Everything
// inexact goes to the suspense account and is never guessed; two different persons decide about it there.
//
// Matching is a step of its own that may be repeated at any time. Importing a statement records what is to be matched,
// and puts what names no transaction at all into suspense. Posting and decision are written together, so the suspense
// account always equals the sum of what is listed.
//
// It does not promise to recognise an organisation by another name than its own, nor to combine several deposits into
// one by itself.
//
// Read in this order: reconcile.go (types), decide.go and sender.go (the rule, pure), record.go (what the bank rail
// reports), match.go (the step), candidates.go (what a deposit may be for), settle.go (what persons decide), reverse.go
// and withdraw.go (what a bank takes back or reports anew), store.go, http.go.
package reconcile

import (
	"context"
	"log/slog"
	"time"

	"slipway/internal/core/money"
	"slipway/internal/core/state"
	"slipway/internal/identity/approval"
	"slipway/internal/identity/user"
	"slipway/internal/payments/effect"
	"slipway/internal/payments/ledger"
	"slipway/internal/payments/receivable"
	"slipway/internal/payments/transaction"
	"slipway/internal/platform/db"
	"slipway/internal/platform/jobs"
)

// State is the state of a deposit.
type State string

// The states of a deposit, and who acts next.
const (
	StateNew       State = "NEW"       // recorded, and names a transaction; the matching step acts next
	StateMatched   State = "MATCHED"   // it pays a transaction
	StateSuspense  State = "SUSPENSE"  // nothing matches; two persons decide
	StateAssigned  State = "ASSIGNED"  // part of a transaction's amount by decision; waits for the rest
	StateHeld      State = "HELD"      // reviewed; stays in suspense by decision
	StateRefunding State = "REFUNDING" // on its way back to the sender
	StateRefunded  State = "REFUNDED"  // back, booked
	StateReversed  State = "REVERSED"  // the sender's bank took it back
	// the bank has reported it anew in more detail: other deposits replace it
	StateWithdrawn State = "WITHDRAWN"
	StateReturn    State = "RETURN"  // it is the return of a payment of ours, by decision
	StateSettled   State = "SETTLED" // it pays what an organisation owes
)

// Table returns the allowed moves of a deposit.
func Table() *state.Table[State] { return table }

var table = state.New("Deposit",
	state.Move[State]{To: StateNew, On: "booked credit that names a transaction"},
	state.Move[State]{To: StateSuspense, On: "booked credit that names none"},
	state.Move[State]{From: StateNew, To: StateMatched, On: "exact match"},
	state.Move[State]{From: StateNew, To: StateSettled, On: "exact match with what an organisation owes"},
	state.Move[State]{From: StateNew, To: StateSuspense, On: "no exact match"},
	state.Move[State]{From: StateNew, To: StateReversed, On: "taken back by its bank"},
	state.Move[State]{From: StateSuspense, To: StateAssigned, On: "two persons assign it"},
	state.Move[State]{From: StateSuspense, To: StateHeld, On: "two persons keep it"},
	state.Move[State]{From: StateSuspense, To: StateRefunding, On: "two persons send it back"},
	state.Move[State]{From: StateSuspense, To: StateReversed, On: "taken back by its bank"},
	state.Move[State]{From: StateSuspense, To: StateReturn, On: "two persons say that it is a return"},
	state.Move[State]{From: StateHeld, To: StateReturn, On: "two persons say that it is a return"},
	state.Move[State]{From: StateSuspense, To: StateSettled, On: "two persons say that it pays what is owed"},
	state.Move[State]{From: StateHeld, To: StateSettled, On: "two persons say that it pays what is owed"},
	state.Move[State]{From: StateAssigned, To: StateSettled, On: "two persons say that it pays what is owed"},
	state.Move[State]{From: StateSettled, To: StateReversed, On: "taken back by its bank"},
	state.Move[State]{From: StateReturn, To: StateReversed, On: "taken back by its bank"},
	state.Move[State]{From: StateHeld, To: StateAssigned, On: "two persons assign it"},
	state.Move[State]{From: StateHeld, To: StateRefunding, On: "two persons send it back"},
	state.Move[State]{From: StateHeld, To: StateReversed, On: "taken back by its bank"},
	state.Move[State]{From: StateAssigned, To: StateMatched, On: "the amount is complete"},
	state.Move[State]{From: StateAssigned, To: StateRefunding, On: "two persons send it back"},
	state.Move[State]{From: StateAssigned, To: StateReversed, On: "taken back by its bank"},
	state.Move[State]{From: StateMatched, To: StateRefunding, On: "its transaction cannot be carried out"},
	state.Move[State]{From: StateMatched, To: StateReversed, On: "taken back by its bank"},
	state.Move[State]{From: StateNew, To: StateWithdrawn, On: "reported anew by the bank"},
	state.Move[State]{From: StateSuspense, To: StateWithdrawn, On: "reported anew by the bank"},
	state.Move[State]{From: StateHeld, To: StateWithdrawn, On: "reported anew by the bank"},
	state.Move[State]{From: StateRefunding, To: StateRefunded, On: "booked debit"},
	state.Move[State]{From: StateRefunding, To: StateSuspense, On: "the bank refused to send it back"},
)

// Reason is why a deposit is in suspense.
type Reason string

// The reasons, in the order in which the rule checks them.
const (
	// it names a payment of ours, and the bank does not prove that it is its return
	ReasonClaim       Reason = "RETURN_NOT_PROVEN"
	ReasonNoReference Reason = "NO_REFERENCE"      // none of its texts has a valid reference
	ReasonUnknown     Reason = "UNKNOWN_REFERENCE" // valid references, but no transaction has one of them
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

// Deposit is a booked credit on a house account that is not a return of one of our payouts.
type Deposit struct {
	Entry, House                          string
	Amount                                money.Amount
	Texts                                 []string // what the bank passed on: remittance, references, end-to-end id
	References                            []string // of deposits, that Texts hold; nil: Texts were not searched yet
	Sealed                                any      // of SealTexts; nil: Texts are encrypted when they are stored
	BankRef                               string
	SenderName, SenderAccount, SenderBank string
	BookedAt                              time.Time // the booking day, midnight UTC
	ValueAt                               time.Time // the value day; zero if the bank gives none

	State                     State
	Reason                    Reason
	Transaction, Organisation string // that it names, or pays
	Owner                     string // the organisation in whose book it stands; "": it is not known whose it is
	Settler                   string // the second person who decided about it
	SettledAs                 Action // what was decided; "": nobody had to decide
	Note                      string
	Claim                     Claim    // read by Suspense
	Proposal                  Proposal // likewise
	Attempts, Version         int64
	CreatedAt, UpdatedAt      time.Time
}

// Proposal is what one person has decided about a deposit, and a second one has not. The zero value is none.
type Proposal struct {
	Approval string // that waits for the second person
	Decision
	By string // user
}

// Claim is the payout that a deposit names without being its proven return, and why people must decide.
type Claim struct{ Payout, Why string }

func (d Deposit) references() []string {
	if d.References == nil {
		return References(d.Texts)
	}

	return d.References
}

// RefundKey returns the key of the bank instruction that sends a deposit back. A further attempt has its own key; it is
// made only after the bank has refused the previous one for good.
func (d Deposit) RefundKey() effect.Key { return effect.SendBackOf(d.Entry, d.Attempts) }

// Debit is a booked debit that is no payout of ours.
type Debit struct {
	Entry, House string
	Amount       money.Amount // above zero
	Reversal     bool         // the bank takes back an earlier credit
	Texts        []string
	References   []string // those of Texts that name a payment: structured references and the end-to-end id
	BankRef      string
	BookedAt     time.Time // the booking day, midnight UTC
	ValueAt      time.Time // the value day; zero if the bank gives none

	SenderName, SenderAccount string // the account debited; for a reversal, the sender of what is taken back
}

// Deps are the service's dependencies. Begin, Reversed, SendBack and TakeBack are settlement's, which alone moves
// money. All but the last are called inside a write and must touch nothing but tx.
type Deps struct {
	DB           *db.DB
	Transactions *transaction.Service
	Receivables  *receivable.Service
	Approvals    *approval.Service
	Jobs         *jobs.Runner
	Log          *slog.Logger
	// House returns the account that a transaction's payer was told; empty: any.
	House func(t transaction.Transaction) string
	// Own returns the names and accounts from which organisations send money themselves.
	Own func(ctx context.Context, q db.Querier, organisations []string) (map[string]Own, error)
	// Begin moves a transaction with a complete deposit to FUNDS_RECEIVED and enqueues its next step.
	Begin func(ctx context.Context, tx *db.Tx, t transaction.Transaction) error
	// Reversed stops a transaction whose deposit was taken back. It returns the account from which the money is
	// missingAmount; gone is true if tokens have been sent for it, or may have been.
	Reversed func(
		ctx context.Context, tx *db.Tx, t transaction.Transaction, d Deposit,
	) (from ledger.Account, gone bool, err error)
	// SendBack plans the bank payout that returns a deposit to its sender, under d.RefundKey, and posts that it is
	// under way.
	SendBack func(ctx context.Context, tx *db.Tx, d Deposit) error
	// TakeBack makes a deposit the return of a payout: it attributes it to the payout's organisation, moves the money
	// out of suspense and does everything that follows a return. It returns the payout's transaction, or a refusal.
	TakeBack func(ctx context.Context, tx *db.Tx, d *Deposit, payout string) (transaction.Transaction, error)
	// Returnable refuses a deposit whose sender must not be paid. Unlike the others it calls outside, before a write.
	Returnable func(ctx context.Context, d Deposit) error
}

// Service matches deposits.
type Service struct{ Deps }

// JobKind is the kind of the job that matches new deposits.
const JobKind = "match-deposits"

// New returns the service and registers its job, its sweep, and what two operators decide.
func New(d Deps) *Service {
	s := &Service{d}
	d.Approvals.Handle(approval.Deposit, approval.Handler{
		Roles:   []string{user.Operator},
		Before:  s.askReturnable,
		Decided: s.decided,
	})
	d.Jobs.Handle(JobKind, func(ctx context.Context, _ jobs.Job) (jobs.Result, error) {
		return jobs.Done(), s.Match(ctx)
	})
	d.Jobs.Every("deposit-sweep", sweepEvery, s.Match)

	return s
}

// sweepEvery is the interval of the search for deposits whose job was lost.
const sweepEvery = time.Minute
