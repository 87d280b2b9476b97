package settlement

import (
	"context"
	"fmt"
	"log/slog"
	"math/big"
	"slices"

	"slipway/internal/core/money"
	"slipway/internal/directory/analysis"
	"slipway/internal/directory/bankaccount"
	"slipway/internal/identity/approval"
	"slipway/internal/payments/chart"
	"slipway/internal/payments/effect"
	"slipway/internal/payments/outbound"
	"slipway/internal/payments/quote"
	"slipway/internal/payments/receivable"
	"slipway/internal/payments/reconcile"
	"slipway/internal/payments/transaction"
	"slipway/internal/platform/db"
	"slipway/internal/platform/jobs"
	"slipway/internal/platform/secret"
	"slipway/internal/platform/words"
	"slipway/internal/rails/bank"
	"slipway/internal/rails/chain"
	"slipway/internal/rails/liquidity"
)

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

	// CorrectAccount changes a payee's account, in the caller's write, by the word of a bank that two operators have
	// let in; see bankaccount.Service.Correct.
	CorrectAccount func(ctx context.Context, tx *db.Tx, paid bankaccount.Account, edit func(*bankaccount.Account)) error

	// Sound returns why nothing may be sent on a network at present; nil: every network is sound.
	Sound func(ctx context.Context, networkID string) error
}

// Service settles transactions. It is the Observer of both rails.
type Service struct {
	Deps
	Outbound    *outbound.Service   // what the house does outside: its treasury's sends, and conversions
	Deposits    *reconcile.Service  // matches deposits with transactions
	Receivables *receivable.Service // what organisations owe
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

// advance moves a transaction like transaction.Service.Advance, for callers that do nothing more with it.
func (s *Service) advance(ctx context.Context, tx *db.Tx, t transaction.Transaction, step transaction.Step) error {
	_, err := s.Transactions.Advance(ctx, tx, t, step)
	return err
}

// enqueueStep enqueues a transaction's next step inside the caller's write. If its job is running at the moment, the
// job runs once more.
func (s *Service) enqueueStep(tx *db.Tx, transactionID string) {
	s.Jobs.Demand(tx, JobKind, JobKind+"/"+transactionID, transactionID)
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

// hold stops a transaction whose evidence is unclear. Its amount stays in clearing, and nothing is sent again.
func (s *Service) hold(ctx context.Context, tx *db.Tx, t transaction.Transaction, why string) error {
	return s.advance(ctx, tx, t, transaction.Step{
		Status:     t.Status,
		Settlement: transaction.SettlementUncertain,
		Info:       why,
		What:       "uncertain",
	})
}

// ofTransaction returns whose value a transaction's events move.
func ofTransaction(t transaction.Transaction) chart.Of {
	return chart.Of{Organisation: t.Organisation, Transaction: t.ID}
}

// keyOf reads a rail's key.
func keyOf(send string) (effect.Key, error) {
	k, ok := effect.Parse(send)
	if !ok {
		return k, fmt.Errorf("%s is the key of no effect", send)
	}

	return k, nil
}

// transactionOf returns the transaction that an effect belongs to.
func (s *Service) transactionOf(ctx context.Context, q db.Querier, key effect.Key) (transaction.Transaction, error) {
	t, err := transaction.ByID(ctx, q, key.Subject)
	if err != nil {
		return t, fmt.Errorf("transaction of send %s: %w", key, err)
	}

	return t, nil
}

// wait holds a transaction for a rule and records each reason once. A CRYPTO transaction stays where it is; others are
// ON_HOLD. The sweep checks it again, and it continues by itself when the reason is gone.
func (s *Service) wait(
	ctx context.Context,
	tx *db.Tx,
	t transaction.Transaction,
	at transaction.SettlementStatus,
	why string,
) error {
	if t.Settlement == at && t.StatusInfo == why {
		return nil
	}

	s.alarm(tx, "transaction held", "transaction", t.ID, "why", why)

	return s.advance(ctx, tx, t, transaction.Step{
		Status:     t.Status,
		Settlement: at,
		Info:       why,
		What:       "held",
	})
}

// alarm logs an error for operators once the write is committed.
func (s *Service) alarm(tx *db.Tx, what string, args ...any) {
	for i, a := range args {
		if text, ok := a.(string); ok {
			args[i] = words.English(text)
		}
	}

	tx.OnCommit(func() { s.Log.Error(what, args...) })
}

// resume lets a transaction that was held continue.
func (s *Service) resume(
	ctx context.Context,
	tx *db.Tx,
	t transaction.Transaction,
	to transaction.SettlementStatus,
) (transaction.Transaction, error) {
	if t.Settlement != transaction.SettlementHeld {
		return t, nil
	}

	return s.Transactions.Advance(ctx, tx, t, transaction.Step{Status: t.Status, Settlement: to, What: "resumed"})
}

// setOutcome stores a payment's outcome and sets it in t too, so that the next decision sees it.
func setOutcome(
	tx *db.Tx,
	t *transaction.Transaction,
	position int,
	outcome transaction.PaymentStatus,
	why string,
) error {
	if err := transaction.SetOutcome(tx, *t, position, outcome, why); err != nil {
		return err
	}

	t.Payments = slices.Clone(t.Payments)
	t.Payments[position].Outcome = outcome
	t.Payments[position].StatusInfo = why

	return nil
}

// failPayment records that a payment will not be paid and that its tokens go back to the wallet.
func (s *Service) failPayment(tx *db.Tx, t *transaction.Transaction, position int, why string, units *big.Int) error {
	if err := setOutcome(tx, t, position, transaction.PaymentFailed, why); err != nil {
		return err
	}

	return s.Outbound.WantSend(tx, *t, effect.RefundOf(t.ID, position), position, t.WalletAddress, units)
}

// JobKind is the kind of the job that accept enqueues.
const JobKind = "settle"

// Enqueue returns the function for transaction.Deps.Settle. It enqueues the job of an accepted transaction inside the
// caller's write. Accept moves a transaction to PROCESSING once, and no earlier job has its key, so there is no running
// job that could miss it.
func Enqueue(r *jobs.Runner) func(tx *db.Tx, transactionID string) {
	return func(tx *db.Tx, transactionID string) {
		r.Enqueue(tx, JobKind, JobKind+"/"+transactionID, transactionID)
	}
}
