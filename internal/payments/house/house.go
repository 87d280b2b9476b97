// Package house compares, every minute, what the books say the house has with what the chains and banks report (I11).
// It halts the rail on which the two differ.
//
// It promises the following. Each token of a treasury is compared at a block that is final to two nodes, each house
// account at its newest statement. No difference is tolerated: what is under way is known send by send and booking by
// booking. A treasury that is short in several checks at later blocks halts its network: nothing new is sent there. A
// bank account whose statements differ halts new files from that account. A surplus of a treasury is only reported. A
// halt ends when a check agrees, or when two operators accept the difference; both are recorded. Nodes that lie or do
// not answer prove nothing: the result is then unknown, and the time since the last agreement grows.
//
// A provider of liquidity is compared by his own statement: his balances with the positions towards him, and his lines
// with each order. A difference halts nothing. What he takes back of an order, and what he charges for one within what
// a price may be worse, is booked as he states it; every other line of his own, two operators book.
//
// It does not promise to notice money that leaves between two checks before more leaves. A network's only node is
// believed.
//
// What the house's owners move themselves, two operators record by the chain's own evidence (movement.go). The first
// check of a wallet becomes its opening entry.
//
// Read in this order: house.go (types), check.go (what a reading means, pure), job.go, treasury.go, bank.go,
// movement.go and release.go (what two operators decide), provider.go (the statements of providers of liquidity),
// provider_orders.go (each order of theirs), provider_decide.go, store.go, store_provider.go, http.go,
// http_provider.go.
package house

import (
	"context"
	"errors"
	"log/slog"
	"math/big"
	"time"

	"slipway/internal/core/money"
	"slipway/internal/identity/approval"
	"slipway/internal/payments/outbound"
	"slipway/internal/platform/db"
	"slipway/internal/platform/jobs"
	"slipway/internal/platform/secret"
)

// Place is a token of one of the house's wallets.
type Place struct{ Token, Wallet string } // both are addresses

// Point is a block at which something was read.
type Point struct {
	Number uint64
	Hash   string
	At     time.Time
}

// Transfer is a movement of a token that a transaction on a chain has made.
type Transfer struct {
	Token, From, To string // addresses
	Units           *big.Int
}

// Chain is what the house asks of chains. Every error means that nothing is known.
type Chain interface {
	// Balances reads places at one block that is final to enough nodes, as those say alike.
	Balances(ctx context.Context, network string, places []Place) (Point, []*big.Int, error)
	// Transfers reads what a transaction in a final block has moved; ErrNoEvidence when there is none.
	Transfers(ctx context.Context, network, hash string) (Point, []Transfer, error)
	// Ours reports whether a transaction is one of the service's own.
	Ours(ctx context.Context, q db.Querier, hash string) (bool, error)
	// Exposures returns what a treasury's balance at a block may differ by from the ledger, by token.
	Exposures(ctx context.Context, q db.Querier, network string, block uint64) (map[string]outbound.Exposure, error)
}

// Account is one of the house's accounts at banks.
type Account struct {
	ID    string
	Asset money.Asset
}

// Standing is what the statements of an account say, and what of its bookings they do not know: see
// bank.Reconciliation.
type Standing struct {
	Statement string // with its day, for people

	Moved, Advised, Waiting, DoubtedIn, DoubtedOut *big.Int
}

// Deps is what the service works with.
type Deps struct {
	DB        *db.DB
	Log       *slog.Logger
	Keys      *secret.Keyring // who signs journals; nil: all are taken for ours
	Jobs      *jobs.Runner
	Approvals *approval.Service
	Networks  []string // that are checked
	Chain     Chain
	Accounts  []Account // at banks, that are checked
	// Providers of liquidity that write a statement of their own.
	Providers []Provider
	// Standing reads an account's statements; ErrNothing when there is nothing to compare.
	Standing func(ctx context.Context, q db.Querier, account string) (Standing, error)
	// Halts names what a check at a network, or at an account, halts.
	NetworkHalt, AccountHalt func(id string) string
}

// Service checks, and holds the use cases of operators.
type Service struct{ Deps }

// JobKind is the kind of the job that checks.
const JobKind = "house-look"

// ErrNothing is an account of which there is nothing to compare: no statement yet, or none that says what is booked.
var ErrNothing = errors.New("there is nothing to compare")

// every is the time between two checks.
const every = time.Minute

// New makes the service and registers its job.
func New(d Deps) *Service {
	s := &Service{d}
	s.Jobs.Every(JobKind, every, s.CheckAll)

	if len(s.Providers) > 0 {
		s.Jobs.Every(ProviderJobKind, providerEvery, s.ReadProviders)
	}

	s.handleApprovals()

	return s
}

// alarm says something to the people who watch the service, once it is written.
func (s *Service) alarm(tx *db.Tx, what string, args ...any) {
	tx.OnCommit(func() { s.Log.Error(what, args...) })
}
