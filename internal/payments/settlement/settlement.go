// Package settlement moves the money of accepted transactions, and is the only package that does.
//
// It promises three things. An accepted transaction has exactly one effect on the chain, or none and is FAILED. Status,
// ledger and payments change only on evidence, in one database transaction with it. Unknown is never taken for failed.
//
// How a transaction proceeds: the job (Step) asks the outside (chain, liquidity provider) and decides in one write what
// is sent or paid. The rails send and observe. Each finding comes back inside the write that records it: from a chain
// through Seen, Lost, Final and Refused, from a bank through HandedOver, Booked, Rejected, Held, Returned, Credited and
// Debited.
//
// Read in this order:
//
//   - step.go and step_fiat.go: the decisions, pure. step_bank.go carries out those of FIAT and ONRAMP transactions.
//   - settlement.go, evidence.go (what the chain's rail reports), doubt.go (batches that the router refused as a
//     whole), screen.go (the last screening before anything is sent).
//   - fiat.go, price.go (what each payment costs, its fees and refund), convert.go, payout_build.go, payout.go (what
//     the bank's rail reports), treasury.go and treasury_funds.go (tokens that the house sends).
//   - returns.go, return_recredit.go, return_resend.go; return_decision.go and held_decision.go (what two operators
//     decide).
//   - onramp.go, deposits.go, review.go (the platform refuses), sweep.go, and the stores.
package settlement

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"math/big"
	"time"

	"github.com/ethereum/go-ethereum/common"

	"slipway/internal/core/money"
	"slipway/internal/directory/analysis"
	"slipway/internal/directory/network"
	"slipway/internal/identity/approval"
	"slipway/internal/identity/user"
	"slipway/internal/payments/chart"
	"slipway/internal/payments/effect"
	"slipway/internal/payments/ledger"
	"slipway/internal/payments/quote"
	"slipway/internal/payments/receivable"
	"slipway/internal/payments/reconcile"
	"slipway/internal/payments/transaction"
	"slipway/internal/platform/db"
	"slipway/internal/platform/failpoint"
	"slipway/internal/platform/jobs"
	"slipway/internal/platform/secret"
	"slipway/internal/rails/bank"
	"slipway/internal/rails/chain"
	"slipway/internal/rails/chain/contract"
	"slipway/internal/rails/liquidity"
)

// JobKind is the kind of the job that accept enqueues.
const JobKind = "settle"

// Deps are the service's dependencies.
type Deps struct {
	DB           *db.DB
	Keys         *secret.Keyring // signs journals; nil: signatures are not checked
	Rail         *chain.Rail
	Bank         *bank.Rail           // nil: only CRYPTO is settled
	Liquidity    *liquidity.Providers // with Bank
	Quotes       *quote.Service       // with Bank
	Transactions *transaction.Service
	Screening    *analysis.Service
	Approvals    *approval.Service // where operators' decisions about held things wait for a second person
	Jobs         *jobs.Runner
	Log          *slog.Logger

	// Reference and DepositDetails are those of receivable.Deps.
	Reference      func() (string, error)
	DepositDetails func(house, reference string, owed money.Amount) (*transaction.BankDetailsView, error)

	// Sound returns why nothing may be sent on a network at present; nil: every network is sound.
	Sound func(ctx context.Context, networkID string) error
}

// Service settles transactions. It is the Observer of both rails.
type Service struct {
	Deps
	Deposits    *reconcile.Service  // matches deposits with transactions
	Receivables *receivable.Service // what organisations owe
}

// New returns the service and registers its job and its sweep.
func New(d Deps) *Service {
	s := &Service{Deps: d}

	s.Receivables = receivable.New(receivable.Deps{
		DB:           d.DB,
		Approvals:    d.Approvals,
		Transactions: d.Transactions,
		Reference:    d.Reference,
		Details:      d.DepositDetails,
		Returns:      returnsToSetOff,
		TakeReturn:   s.takeReturn,
	})

	s.Deposits = reconcile.New(reconcile.Deps{
		DB:           d.DB,
		Transactions: d.Transactions,
		Receivables:  s.Receivables,
		Jobs:         d.Jobs,
		Log:          d.Log,
		House:        houseOf,
		Own:          ownOf,
		Begin:        s.begin,
		Reversed:     s.depositReversed,
		SendBack:     s.sendBack,
		TakeBack:     s.settleAsReturn,
		Returnable:   s.returnable,
	})

	d.Jobs.Handle(JobKind, func(ctx context.Context, j jobs.Job) (jobs.Result, error) {
		err := s.Step(ctx, j.Payload)

		switch {
		case errors.Is(err, errOrderPending):
			return jobs.Again(orderRetryInterval), nil
		case errors.Is(err, errOwnPending):
			return jobs.Again(ownRetryInterval), nil
		case errors.Is(err, errTreasuryShort), errors.Is(err, errStockShort):
			return jobs.Again(fundsRetryInterval), nil
		}

		return jobs.Done(), err
	})

	d.Jobs.Handle(doubtKind, func(ctx context.Context, j jobs.Job) (jobs.Result, error) {
		return jobs.Done(), s.Resolve(ctx, j.Payload)
	})
	d.Jobs.Handle(returnKind, func(ctx context.Context, j jobs.Job) (jobs.Result, error) {
		return jobs.Done(), s.Revalue(ctx, j.Payload)
	})
	operators := []string{user.Operator}

	d.Approvals.Handle(approval.Return, approval.Handler{
		Roles:   operators,
		Decided: s.returnDecided,
		After:   s.settleReturn,
	})

	d.Approvals.Handle(approval.Held, approval.Handler{Roles: operators, Decided: s.heldDecided, After: s.settleHeld})
	d.Jobs.Every("settlement-sweep", sweepEvery, s.Sweep)
	d.Jobs.Every("return-sweep", sweepEvery, s.SweepReturns)

	d.Jobs.Every("ledger-seal", sealEvery, func(ctx context.Context) error {
		_, err := ledger.Seal(ctx, d.DB, d.Keys)
		return err
	})

	return s
}

// sealEvery is how long a journal may stand without its link in the chain of hashes.
const sealEvery = 2 * time.Second

// Enqueue returns the function for transaction.Deps.Settle. It enqueues the job of an accepted transaction inside the
// caller's write. Accept moves a transaction to PROCESSING once, and no earlier job has its key, so there is no running
// job that could miss it.
func Enqueue(r *jobs.Runner) func(tx *db.Tx, transactionID string) {
	return func(tx *db.Tx, transactionID string) {
		r.Enqueue(tx, JobKind, JobKind+"/"+transactionID, transactionID)
	}
}

// flow is one step of one type of transaction. It asks outside, decides in one write, and reports whether another step
// may follow at once.
type flow func(s *Service, ctx context.Context, t transaction.Transaction) (more bool, err error)

func flows() map[transaction.Type]flow {
	return map[transaction.Type]flow{
		transaction.TypeCrypto: (*Service).stepCrypto,
		transaction.TypeFiat:   (*Service).stepBank,
		transaction.TypeOnramp: (*Service).stepBank,
	}
}

// Step advances a transaction as far as possible without news from outside. A second call, at the same time or later,
// finds what the first has written.
func (s *Service) Step(ctx context.Context, transactionID string) error {
	for range maxSteps {
		t, err := transaction.ByID(ctx, s.DB, transactionID)
		if errors.Is(err, db.ErrNone) {
			return nil
		}

		if err != nil {
			return err
		}

		if more, err := flows()[t.Type](s, ctx, t); err != nil || !more {
			return err
		}
	}

	return nil
}

// maxSteps limits the steps of one job: pull or wait, convert, pay out, and a refund for each payment.
const maxSteps = 3 + transaction.MaxPayments

// stepCrypto advances an accepted transaction up to the planned send.
func (s *Service) stepCrypto(ctx context.Context, t transaction.Transaction) (bool, error) {
	if t.Status != transaction.StatusProcess {
		return false, nil
	}

	if t.Manner == contract.ByOwn {
		return s.stepOwn(ctx, t)
	}

	facts, n, token, err := s.facts(ctx, t)
	if err != nil {
		return false, err // unknown is not failed: the job asks again
	}

	screening, err := s.screen(ctx, t)
	if err != nil {
		return false, err
	}

	failpoint.Hit("settle.asked")
	err = s.DB.Write(ctx, func(tx *db.Tx) error {
		return s.decide(ctx, tx, t.ID, n, token, facts, screening)
	})
	failpoint.Hit("settle.planned")

	return false, err
}

// facts reads what the decision needs, and the network and token that it is about. Balance, allowance and number are
// read at one block and, where a network has two nodes, from both: a single node's answer fails nothing. The number is
// checked before anything is sent. So a database that was restored from a backup does not send again what was carried
// out after that backup.
func (s *Service) facts(
	ctx context.Context,
	t transaction.Transaction,
) (f Facts, n network.Network, token network.Token, err error) {
	if n, token, err = s.networkAndToken(ctx, s.DB, t); err != nil {
		return f, n, token, err
	}

	client, err := s.client(ctx, t.Network)
	if err != nil {
		return f, n, token, err
	}

	router := common.HexToAddress(n.Router())
	asset := common.HexToAddress(token.Address)
	payer := common.HexToAddress(t.WalletAddress)

	results, err := client.Calls(ctx,
		chain.BalanceOf(asset, payer),
		chain.AllowanceOf(asset, payer, router),
		executedCall(router, t.Number),
		chain.CallMsg{To: router, Data: contract.Router().PackOwnExecuted(payer, big.NewInt(t.Number))},
	)
	if err != nil {
		return f, n, token, fmt.Errorf("read funds of %s: %w", t.ID, err)
	}

	words := make([]*big.Int, len(results))
	for i, r := range results {
		if words[i], err = chain.Word(r); err != nil {
			return f, n, token, fmt.Errorf("read funds of %s: %w", t.ID, err)
		}
	}

	f.Balance = words[0]
	f.Allowance = words[1]
	f.Used = words[2].Sign() != 0 || words[3].Sign() != 0
	f.OtherUnits = token.Decimals != t.Decimals

	if f.Unproven, f.Held, err = s.Transactions.PayerHolds(ctx, t); err != nil {
		return f, n, token, err
	}

	return f, n, token, s.factsOfSignature(ctx, t, &f)
}

// factsOfSignature fills in what the payer's signature changes: it stands for the approval, and it lapses.
func (s *Service) factsOfSignature(ctx context.Context, t transaction.Transaction, f *Facts) error {
	if t.Manner == "" {
		return nil
	}

	signed, err := transaction.SignedOf(ctx, s.DB, t.ID)
	if err != nil {
		return err
	}

	f.Lapsed = signed.Lapsed(s.DB.Now())
	if t.Manner != contract.ByIntent {
		f.Allowance = t.Debit
	}

	return nil
}

// client returns the client for a network's nodes once the network has passed its check. Before that, its router and
// tokens may not be the expected ones.
func (s *Service) client(ctx context.Context, networkID string) (*chain.Client, error) {
	if s.Sound != nil {
		if err := s.Sound(ctx, networkID); err != nil {
			return nil, err
		}
	}

	return s.Rail.Client(networkID)
}

func (s *Service) decide(
	ctx context.Context,
	tx *db.Tx,
	transactionID string,
	n network.Network,
	token network.Token,
	f Facts,
	screening analysis.Outcome,
) error {
	t, err := transaction.ByID(ctx, tx, transactionID)
	if err != nil {
		return err
	}

	planned, err := s.planned(ctx, tx, t)
	if err != nil {
		return err
	}

	action, why := Next(t, planned, f)
	if action == Send {
		action, why = screened(action, why, screening)
	}

	switch action {
	case Fail:
		return s.fail(ctx, tx, t, why)
	case Wait:
		return s.wait(ctx, tx, t, t.Settlement, why)
	case Hold:
		return s.hold(ctx, tx, t, why)
	case Send:
		return s.plan(ctx, tx, t, n, token, t.Batch(n, token).UnderAllowance(f.Allowance))
	case Nothing:
		return nil
	default:
		return fmt.Errorf("transaction %s: no write carries out action %d", t.ID, action)
	}
}

func (s *Service) planned(ctx context.Context, q db.Querier, t transaction.Transaction) (bool, error) {
	_, err := s.Rail.Status(ctx, q, effect.BatchOf(t.ID).String())
	if errors.Is(err, db.ErrNone) {
		return false, nil
	}

	return err == nil, err
}

// plan stores the send and moves the amount from hold to clearing. From then on it may be on the wire. unsigned is the
// manner of a transaction that the payer has not signed.
func (s *Service) plan(
	ctx context.Context,
	tx *db.Tx,
	t transaction.Transaction,
	n network.Network,
	token network.Token,
	unsigned contract.Manner,
) error {
	data, err := s.encode(ctx, tx, t, t.Batch(n, token), unsigned)
	if err != nil {
		return fmt.Errorf("encode the batch of %s: %w", t.ID, err)
	}

	if err := chart.Post(tx, chart.Sent{Debit: t.DebitEvent()}); err != nil {
		return err
	}

	return s.Rail.Plan(tx, chain.Send{
		Key:     effect.BatchOf(t.ID).String(),
		Network: t.Network,
		To:      common.HexToAddress(n.Router()),
		Data:    data,
		Object:  t.ID,
	})
}

// encode returns the router's call for the transaction's own batch: with the payer's signature, if it has one.
func (s *Service) encode(
	ctx context.Context,
	q db.Querier,
	t transaction.Transaction,
	b contract.Batch,
	unsigned contract.Manner,
) ([]byte, error) {
	if t.Manner == "" {
		return contract.Call{Batch: b, Manner: unsigned}.Encode()
	}

	signed, err := transaction.SignedOf(ctx, q, t.ID)
	if err != nil {
		return nil, err
	}

	return signed.Call(b).Encode()
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

	return s.advance(ctx, tx, t, transaction.Step{
		Status:     transaction.StatusFailed,
		Settlement: transaction.SettlementIdle,
		Info:       why,
		What:       "failed",
	})
}

// advance moves a transaction like transaction.Service.Advance, for callers that do nothing more with it.
func (s *Service) advance(ctx context.Context, tx *db.Tx, t transaction.Transaction, step transaction.Step) error {
	_, err := s.Transactions.Advance(ctx, tx, t, step)
	return err
}

func (s *Service) networkAndToken(
	ctx context.Context,
	q db.Querier,
	t transaction.Transaction,
) (network.Network, network.Token, error) {
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

// enqueueStep enqueues a transaction's next step inside the caller's write. If its job is running at the moment, the
// job runs once more.
func (s *Service) enqueueStep(tx *db.Tx, transactionID string) {
	s.Jobs.Demand(tx, JobKind, JobKind+"/"+transactionID, transactionID)
}
