//go:build !nosandbox

// Package paymentstest is the world in which the nouns of payments are tested: people who can sign in, their payees,
// and the services of payables and transactions over their real handlers and a real database. The chain is a book of
// balances and allowances, which a test changes.
//
// It stops where settlement begins: an accepted transaction stays PROCESSING until a test calls Finish. What settlement
// itself does is tested with chain and bank, in the package settlement.
//
// Read in this order: paymentstest.go (the services), people.go (members of organisations, and their requests).
package paymentstest

import (
	"context"
	"log/slog"
	"math/big"
	"testing"
	"time"

	"github.com/ethereum/go-ethereum/common"
	"github.com/stretchr/testify/require"

	"slipway/internal/directory/analysis"
	"slipway/internal/directory/bankaccount"
	"slipway/internal/directory/directorytest"
	"slipway/internal/directory/network"
	"slipway/internal/directory/payee"
	"slipway/internal/directory/receiver"
	"slipway/internal/directory/wallet"
	"slipway/internal/identity/approval"
	"slipway/internal/identity/auth"
	"slipway/internal/identity/identitytest"
	"slipway/internal/identity/organisation"
	"slipway/internal/payments/payable"
	"slipway/internal/payments/quote"
	"slipway/internal/payments/transaction"
	"slipway/internal/payments/transaction/crypto"
	"slipway/internal/payments/transaction/fiat"
	"slipway/internal/payments/transaction/transactiontest"
	"slipway/internal/platform/db"
	"slipway/internal/platform/db/dbtest"
	"slipway/internal/platform/jobs"
	"slipway/internal/rails/rates"
	"slipway/internal/rails/screening"
	"slipway/internal/standards/eip55"
)

// NetworkID is the network on which everybody has wallets.
const NetworkID = "net_test"

// tokens are where the test network has them.
func tokens() []network.Token {
	return []network.Token{
		{Code: "USDC", Address: "0xA0b86991c6218b36c1d19D4a2e9Eb0cE3606eB48", Decimals: 6},
		{Code: "USDT", Address: "0xdAC17F958D2ee523a2206206994597C13D831ec7", Decimals: 6},
		{Code: "DAI", Address: "0x6B175474E89094C44Da98b954EedeAC495271d0F", Decimals: 18},
	}
}

// World is one test's services.
type World struct {
	*identitytest.World
	Receivers    *receiver.Service
	Wallets      *wallet.Service
	BankAccounts *bankaccount.Service
	Transactions *transaction.Service
	Payables     *payable.Service
	Node         transactiontest.Node // the chain: wallets have a million USDC, until a test says otherwise
}

// Each runs the test once on each database, each time in a new world.
func Each(t *testing.T, test func(t *testing.T, w *World)) {
	t.Helper()
	dbtest.Each(t, func(t *testing.T, d *db.DB) { test(t, New(t, d)) })
}

// Run runs a part of the test under a name of its own. What fails in it fails there.
func (w *World) Run(t *testing.T, name string, test func(t *testing.T)) {
	t.Helper()
	t.Run(name, func(t *testing.T) {
		outer := w.T
		w.T = t

		defer func() { w.T = outer }()

		test(t)
	})
}

// New builds the services on a database, with one network that is offered.
func New(t testing.TB, d *db.DB) *World {
	t.Helper()

	w := &World{}
	w.Node.Set(1e12, 1e12)
	w.World = identitytest.NewWith(t, d, func(*auth.Config) {}, func(of *identitytest.World) {
		w.World = of
		w.directory()
		w.payments()
	})
	w.network()

	return w
}

// directory builds the nouns of payees, kept to the organisations' policies.
func (w *World) directory() {
	payees := &approval.Payees{
		Service:  w.Approvals,
		OnChange: payable.PayeeChanged,
		Rules: func(ctx context.Context, q db.Querier, org string) (approval.Rules, error) {
			p, err := organisation.PolicyOf(ctx, q, org)
			return approval.Rules{Approval: p.PayeeApproval, Delay: p.PayeeDelay}, err
		},
	}
	for kind, decided := range map[approval.Kind]func(context.Context, *db.Tx, approval.Approval) error{
		approval.Receiver:    receiver.Decided,
		approval.BankAccount: bankaccount.Decided,
		approval.Wallet:      wallet.Decided,
	} {
		w.Approvals.Handle(kind, approval.Handler{Roles: organisation.Deciders(), Decided: decided})
	}

	w.Receivers = receiver.New(receiver.Deps{DB: w.DB, OrgApproved: approved, Payees: payees})
	w.Wallets = wallet.New(wallet.Deps{
		DB:        w.DB,
		Log:       slog.New(slog.DiscardHandler),
		Site:      wallet.Site{Host: "pay.example.org", BaseURL: identitytest.BaseURL},
		OrgName:   nameOf,
		Chain:     &directorytest.Chain{Code: map[common.Address][]byte{}},
		Screening: screening.Simulator{},
		Demand:    w.Jobs.Demand,
		Payees:    payees,
	})
	w.Jobs.Handle(wallet.JobScreen, func(ctx context.Context, j jobs.Job) (jobs.Result, error) {
		return jobs.Done(), w.Wallets.Screen(ctx, j.Payload)
	})

	w.BankAccounts = bankaccount.New(bankaccount.Deps{
		DB:          w.DB,
		Log:         slog.New(slog.DiscardHandler),
		OrgApproved: approved,
		Enqueue:     w.Jobs.Enqueue,
		OrgName:     nameOf,
		Mail:        w.Outbox.Queue,
		Payees:      payees,
	})
	w.Jobs.Handle(bankaccount.JobValidate, func(ctx context.Context, j jobs.Job) (jobs.Result, error) {
		return jobs.Done(), w.BankAccounts.Validate(ctx, j.Payload)
	})

	(&payee.Service{DB: w.DB, Receivers: w.Receivers}).Routes(w.API)
	w.Wallets.Routes(w.API)
	w.BankAccounts.Routes(w.API)
}

// payments builds transactions and payables.
func (w *World) payments() {
	quotes := quote.New(quote.Deps{
		DB:       w.DB,
		Rates:    market{},
		Schedule: quote.Schedule{Commission: new(big.Rat)},
	})
	kinds := map[transaction.Type]transaction.Kind{
		transaction.TypeCrypto: crypto.Kind{},
		transaction.TypeFiat: fiat.Kind{
			Quotes:      quotes,
			PayoutRails: func(string) []string { return []string{"SEPA"} },
			Carries:     func(transaction.Payment, string) map[string]string { return nil },
		},
	}

	w.Transactions = transaction.New(transaction.Deps{
		DB:         w.DB,
		Chain:      &w.Node,
		Screening:  analysis.New(analysis.Deps{DB: w.DB, Addresses: screening.Simulator{}}),
		ProofHolds: w.Wallets.ProofHolds,
		Settle:     func(*db.Tx, string) {}, // the test calls Finish
		Forbidden:  func(_ string, a common.Address) bool { return eip55.Reserved(a) },
		Payables:   payable.Hooks(),
		Quotes:     quotes,
		Kinds:      kinds,
		Effects: func(
			context.Context,
			db.Querier,
			[]transaction.Transaction,
		) (map[string][]transaction.Effect, error) {
			return nil, nil
		},
	})

	w.Payables = payable.New(payable.Deps{DB: w.DB, Transactions: w.Transactions})
	w.Transactions.Routes(w.API)
	w.Payables.Routes(w.API)
}

// network offers the test network.
func (w *World) network() {
	w.T.Helper()

	ctx := context.Background()
	require.NoError(w.T, w.DB.Write(ctx, func(tx *db.Tx) error {
		if err := network.Upsert(ctx, tx, network.Network{
			ID:            NetworkID,
			Name:          "Test network",
			Type:          network.EVM,
			ChainID:       31337,
			RPCURL:        "http://127.0.0.1:8545",
			ClientVisible: true,
			NativeToken:   "ETH",
			Contracts:     network.Contracts{"router": "0x5FbDB2315678afecb367f032d93F642f64180aa3"},
			WalletAddress: "0x90F79bf6EB2c4f870365E785982E1f101E93b906",
			Finality:      network.Finality{Depth: 1},
		}); err != nil {
			return err
		}

		for _, t := range tokens() {
			if err := network.SetToken(tx, NetworkID, t); err != nil {
				return err
			}
		}

		return nil
	}))
}

// Finish ends an accepted CRYPTO transaction as settlement does once its batch is final: each payment has its outcome,
// and the transaction is COMPLETED if one of them arrived. It leaves out the ledger, which is settlement's.
func (w *World) Finish(transactionID string, outcomes ...transaction.PaymentStatus) {
	w.T.Helper()

	ctx := context.Background()
	require.NoError(w.T, w.DB.Write(ctx, func(tx *db.Tx) error {
		t, err := transaction.ByID(ctx, tx, transactionID)
		if err != nil {
			return err
		}

		t, err = w.Transactions.Advance(ctx, tx, t, transaction.Step{
			Status:     transaction.StatusReleased,
			Settlement: transaction.SettlementSent,
			What:       "released",
		})
		if err != nil {
			return err
		}

		end := transaction.Step{
			Status:     transaction.StatusFailed,
			Settlement: transaction.SettlementIdle,
			What:       "failed",
		}
		for i, outcome := range outcomes {
			if outcome == transaction.PaymentCompleted {
				end = transaction.Step{
					Status:     transaction.StatusCompleted,
					Settlement: transaction.SettlementSettled,
					What:       "completed",
				}
			}

			if err := transaction.SetOutcome(tx, t, i, outcome, ""); err != nil {
				return err
			}
		}

		transaction.ReleaseReservation(tx, t)
		_, err = w.Transactions.Advance(ctx, tx, t, end)

		return err
	}))
}

// market is a source of rates at which everything is worth one of everything else.
type market struct{}

// Rate returns one.
func (market) Rate(_ context.Context, base, to string) (rates.Rate, error) {
	return rates.Rate{
		Base:   base,
		Quote:  to,
		Value:  big.NewRat(1, 1),
		AsOf:   time.Date(2026, time.January, 5, 0, 0, 0, 0, time.UTC),
		Source: "test",
	}, nil
}

func approved(ctx context.Context, q db.Querier, org string) error {
	o, err := organisation.ByID(ctx, q, org)
	if err != nil {
		return err
	}

	return o.Approved()
}

func nameOf(ctx context.Context, q db.Querier, org string) (string, error) {
	o, err := organisation.ByID(ctx, q, org)
	return o.Name, err
}
