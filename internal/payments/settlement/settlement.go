// Package settlement moves the money of accepted transactions, and is the only package that does.
//
// It promises that an accepted transaction has exactly one effect on the chain, or none and FAILED; that status, ledger and payments
// move only on evidence, in one transaction with it; and that not knowing is never taken for failing.
//
// A transaction's way: the job (Step) asks the chain for the wallet's funds and plans the send in one write; the rail signs, sends
// and observes; each of its findings comes back through Seen, Lost, Final or Refused inside the write that records it.
//
// Read in this order: step.go (the decisions, pure), settlement.go, evidence.go (what the rail reports), doubt.go (batches that the
// router refused as a whole), sweep.go.
package settlement

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"math/big"
	"time"

	"github.com/ethereum/go-ethereum/common"

	"slipway/internal/directory/network"
	"slipway/internal/payments/ledger"
	"slipway/internal/payments/transaction"
	"slipway/internal/platform/db"
	"slipway/internal/platform/failpoint"
	"slipway/internal/platform/jobs"
	"slipway/internal/rails/chain"
	"slipway/internal/rails/chain/contract"
)

// JobKind is the kind of the job that accept asks for.
const JobKind = "settle"

// Deps is what settlement works with.
type Deps struct {
	DB           *db.DB
	Rail         *chain.Rail
	Transactions *transaction.Service
	Jobs         *jobs.Runner
	Log          *slog.Logger
}

// Service drives settlement. It is the rail's Observer.
type Service struct{ Deps }

// New makes the service and registers its job and its sweep.
func New(d Deps) *Service {
	s := &Service{d}
	d.Jobs.Handle(JobKind, func(ctx context.Context, j jobs.Job) (jobs.Result, error) {
		return jobs.Done(), s.Step(ctx, j.Payload)
	})
	d.Jobs.Handle(doubtKind, func(ctx context.Context, j jobs.Job) (jobs.Result, error) {
		return jobs.Done(), s.Resolve(ctx, j.Payload)
	})
	d.Jobs.Every("settlement-sweep", sweepEvery, s.Sweep)
	d.Jobs.Every("ledger-seal", sealEvery, func(ctx context.Context) error {
		_, err := ledger.Seal(ctx, d.DB)
		return err
	})
	return s
}

// sealEvery is how long a journal may stand without its link in the chain of hashes.
const sealEvery = 2 * time.Second

// Ask writes the job for an accepted transaction, in the caller's transaction. It is what transaction.Deps.Settle is set to.
func Ask(r *jobs.Runner) func(tx *db.Tx, transactionID string) {
	return func(tx *db.Tx, transactionID string) {
		r.Enqueue(tx, JobKind, JobKind+"/"+transactionID, transactionID)
	}
}

// Step takes an accepted transaction as far as the written-down send. It asks the chain outside of any write and decides inside one.
// A second call, at the same time or later, finds the send planned and does nothing.
func (s *Service) Step(ctx context.Context, transactionID string) error {
	t, err := transaction.ByID(ctx, s.DB, transactionID)
	if errors.Is(err, db.ErrNone) {
		return nil
	}
	if err != nil || t.Status != transaction.StatusProcess {
		return err
	}
	n, token, err := s.where(ctx, s.DB, t)
	if err != nil {
		return err
	}
	client, err := s.Rail.Client(t.Network)
	if err != nil {
		return err
	}
	facts, err := ask(ctx, client, t, n, token)
	if err != nil {
		return err // not knowing is not failing: the job asks again
	}
	failpoint.Hit("settle.asked")
	err = s.DB.Write(ctx, func(tx *db.Tx) error {
		return s.decide(ctx, tx, transactionID, n, token, facts)
	})
	failpoint.Hit("settle.planned")
	return err
}

// ask reads what is decided on. The number is asked for before anything is sent, so that a database that was restored from a backup
// does not send again what was carried out after it.
func ask(ctx context.Context, client *chain.Client, t transaction.Transaction, n network.Network, token network.Token) (f Facts, err error) {
	router := common.HexToAddress(n.Router())
	if f.Balance, f.Allowance, err = client.Balances(ctx, common.HexToAddress(token.Address), common.HexToAddress(t.WalletAddress), router); err != nil {
		return f, fmt.Errorf("read funds of %s: %w", t.ID, err)
	}
	f.Used, err = used(ctx, client, router, t)
	return f, err
}

func (s *Service) decide(ctx context.Context, tx *db.Tx, transactionID string, n network.Network, token network.Token, f Facts) error {
	t, err := transaction.ByID(ctx, tx, transactionID)
	if err != nil {
		return err
	}
	planned, err := s.planned(ctx, tx, t)
	if err != nil {
		return err
	}
	switch action, why := Next(t, planned, f); action {
	case Fail:
		return s.fail(ctx, tx, t, why)
	case Hold:
		return s.hold(ctx, tx, t, why)
	case Send:
		return s.plan(tx, t, n, token)
	}
	return nil
}

func (s *Service) planned(ctx context.Context, q db.Querier, t transaction.Transaction) (bool, error) {
	_, err := s.Rail.Status(ctx, q, t.SendKey())
	if errors.Is(err, db.ErrNone) {
		return false, nil
	}
	return err == nil, err
}

// plan writes down the send and moves the amount from hold to clearing: from here on it may be on the wire.
func (s *Service) plan(tx *db.Tx, t transaction.Transaction, n network.Network, token network.Token) error {
	data, err := contract.EncodePay(batchOf(t, token))
	if err != nil {
		return fmt.Errorf("encode the batch of %s: %w", t.ID, err)
	}
	a := t.DebitAmount()
	if err := ledger.Post(tx, ledger.Journal{Key: "transaction/" + t.ID + "/send", Kind: "send", Organisation: t.Organisation, Transaction: t.ID, Postings: []ledger.Posting{
		{Account: ledger.HoldAccount(t.Network, t.Organisation), Amount: a.Neg()},
		{Account: ledger.ClearingAccount(t.Network), Amount: a},
	}}); err != nil {
		return err
	}
	return s.Rail.Plan(tx, chain.Send{Key: t.SendKey(), Network: t.Network, To: common.HexToAddress(n.Router()), Data: data, Object: t.ID})
}

// batchOf is the transaction as the router reads it.
func batchOf(t transaction.Transaction, token network.Token) contract.Batch {
	b := contract.Batch{Payer: common.HexToAddress(t.WalletAddress), Token: common.HexToAddress(token.Address), Number: big.NewInt(t.Number)}
	for _, p := range t.Payments {
		b.Legs = append(b.Legs, contract.Leg{To: common.HexToAddress(p.Address), Amount: p.Units})
	}
	return b
}

// fail ends a transaction of which nothing was sent and nothing will be.
func (s *Service) fail(ctx context.Context, tx *db.Tx, t transaction.Transaction, why string) error {
	if err := transaction.ReleaseHold(tx, t); err != nil {
		return err
	}
	return s.end(ctx, tx, t, why)
}

func (s *Service) end(ctx context.Context, tx *db.Tx, t transaction.Transaction, why string) error {
	transaction.ReleaseReservation(tx, t)
	for _, p := range t.Payments {
		if err := transaction.SetOutcome(tx, t, p.Position, transaction.PaymentFailed, why); err != nil {
			return err
		}
	}
	_, err := s.Transactions.Advance(ctx, tx, t, transaction.Step{Status: transaction.StatusFailed, Settlement: transaction.SettlementIdle, Info: why, What: "failed"})
	return err
}

func (s *Service) where(ctx context.Context, q db.Querier, t transaction.Transaction) (network.Network, network.Token, error) {
	n, err := network.ByID(ctx, q, t.Network)
	if err != nil {
		return n, network.Token{}, fmt.Errorf("network of %s: %w", t.ID, err)
	}
	token, err := network.TokenOn(ctx, q, t.Network, t.Token)
	if err != nil {
		return n, token, fmt.Errorf("token of %s: %w", t.ID, err)
	}
	return n, token, nil
}

// MayHaveEffect says whether a send of the transaction has been written down: a review can then no longer stop it.
func (s *Service) MayHaveEffect(ctx context.Context, q db.Querier, t transaction.Transaction) (bool, error) {
	return s.planned(ctx, q, t)
}
