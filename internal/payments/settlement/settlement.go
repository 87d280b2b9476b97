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
// Read in this order, each file before what it calls:
//
//   - settlement.go: New, the jobs, Step. http.go, review.go (the platform refuses), sweep.go.
//   - What people decide: held_decision.go and held_list.go, return_decision.go, return_set_off.go.
//   - step_bank.go carries out what step_fiat.go decides for FIAT and ONRAMP transactions; crypto.go and own.go do what
//     step.go decides for CRYPTO.
//   - What the rails report: evidence.go (the chain, of batches), doubt.go (batches that the router refused as a whole),
//     moved.go (package outbound, of the treasury's sends), payout.go (the bank), returns.go with return_recredit.go and
//     return_resend.go (money that came back), deposits.go.
//   - What follows from it: screen.go (the last screening before anything is sent), onramp.go, fiat.go, orders.go,
//     price.go (what each payment costs, its fees and refund), payout_build.go, at_bank.go.
//   - service.go (the verbs that all of them use), store.go, store_return.go, payout_return.go.
package settlement

import (
	"context"
	"errors"
	"time"

	"slipway/internal/identity/approval"
	"slipway/internal/identity/user"
	"slipway/internal/payments/ledger"
	"slipway/internal/payments/outbound"
	"slipway/internal/payments/receivable"
	"slipway/internal/payments/reconcile"
	"slipway/internal/payments/transaction"
	"slipway/internal/platform/db"
	"slipway/internal/platform/jobs"
)

// New returns the service and registers its job and its sweep.
func New(d Deps) *Service {
	s := &Service{Deps: d}

	s.Outbound = outbound.New(outbound.Deps{
		DB:        d.DB,
		Rail:      d.Rail,
		Liquidity: d.Liquidity,
		Screening: d.Screening,
		Log:       d.Log,
		Client:    s.client,
		Proceed:   s.enqueueStep,
		Moved:     s.sendMoved,
	})

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
		Approvals:    d.Approvals,
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

	d.Jobs.Handle(JobKind, s.stepJob)
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

// stepJob takes a transaction's next step, and waits where somebody outside has not answered or has not enough.
func (s *Service) stepJob(ctx context.Context, j jobs.Job) (jobs.Result, error) {
	err := s.Step(ctx, j.Payload)

	switch {
	case errors.Is(err, outbound.ErrPending):
		return jobs.Again(outbound.OrderRetryInterval), nil
	case errors.Is(err, errOwnPending):
		return jobs.Again(ownRetryInterval), nil
	case errors.Is(err, outbound.ErrShort), errors.Is(err, errStockShort):
		return jobs.Again(outbound.FundsRetryInterval), nil
	}

	return jobs.Done(), err
}

// sealEvery is how long a journal may stand without its link in the chain of hashes.
const sealEvery = 2 * time.Second

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
