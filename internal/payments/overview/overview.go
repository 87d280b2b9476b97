// Package overview answers what a member sees first: what waits, what falls due, what was paid, and what is still to be
// set up.
//
// It promises that nothing is added up over currencies, and that an answer costs about the same however many
// transactions there are: lists are answered from memory (package listindex), and what was paid is added up by a job,
// by day and currency. What the job has not added up yet is added when somebody asks, as far as PaidAsOf says.
//
// It does not promise that what was paid stays with the receiver: what comes back after a transaction was completed is
// not subtracted.
//
// Read in this order: overview.go (the answer), paid.go (sums by week), due.go (sums by day), steps.go, count.go (the
// job), store.go, http.go.
package overview

import (
	"context"
	"slices"
	"time"

	"slipway/internal/core/caller"
	"slipway/internal/identity/approval"
	"slipway/internal/identity/organisation"
	"slipway/internal/payments/invoicelink"
	"slipway/internal/payments/payable"
	"slipway/internal/payments/schedule"
	"slipway/internal/payments/transaction"
	"slipway/internal/platform/db"
)

// Deps are the service's dependencies.
type Deps struct {
	DB           *db.DB
	Transactions *transaction.Service
	Approvals    *approval.Service
}

// Service answers GET /overview, and counts what was paid.
type Service struct{ Deps }

// New returns the service.
func New(d Deps) *Service { return &Service{d} }

// View is what a member sees first.
type View struct {
	Waiting Waiting   `json:"waiting" doc:"what somebody has to do"`
	Due     []DueView `json:"due" nullable:"false" doc:"open payables by currency: overdue, and of the next 30 days"`
	// DueComplete is false when there are more open payables with a date than are added up.
	DueComplete bool        `json:"dueComplete" doc:"false: there are more open payables with a date than are added up"`
	Paid        []PaidView  `json:"paid" nullable:"false" doc:"what completed transactions have paid, by currency and week; what came back later is not subtracted"`
	Settled     SettledView `json:"settled" doc:"how long completed transactions took from accept to their end, in the same weeks"`
	PaidAsOf    time.Time   `json:"paidAsOf" doc:"transactions that were completed later are not in paid and settled yet"`
	Steps       []StepView  `json:"steps" nullable:"false" doc:"what an organisation sets up, from what is there now, in the order in which it is done"`
}

// Waiting counts what waits. Counts whose name begins with my are what the caller may decide.
type Waiting struct {
	Transactions   int64      `json:"transactions" example:"3" doc:"transactions that wait for acceptance"`
	MyTransactions int64      `json:"myTransactions" example:"3" doc:"those that the caller may accept, among the oldest 250"`
	OldestAt       *time.Time `json:"oldestAt" doc:"when the oldest of them was made; null: there is none"`
	Deposits       int64      `json:"deposits" example:"3" doc:"on-ramp transactions whose deposit is awaited"`
	Schedules      int64      `json:"schedules" example:"3" doc:"scheduled payments that wait for acceptance"`
	Approvals      int64      `json:"approvals" example:"3" doc:"requests that wait for a second person, 500 at most"`
	MyApprovals    int64      `json:"myApprovals" example:"3" doc:"those that the caller may approve"`
	Payables       Payables   `json:"payables"`
	Invoices       int64      `json:"invoices" example:"3" doc:"invoices that came by a link and are no payable yet"`
	Wallets        int64      `json:"walletsToProve" example:"3" doc:"the organisation's own wallets whose ownership is not proven"`
}

// Payables counts open payables by what happens to them next.
type Payables struct {
	Draft      int64 `json:"draft" example:"3" doc:"payables in DRAFT"`
	MyApproval int64 `json:"myApproval" example:"3" doc:"drafts that the caller may approve; 0 for whoever approves none"`
	Approved   int64 `json:"approved" example:"3" doc:"APPROVED, and in no transaction: to be paid"`
	Reserved   int64 `json:"reserved" example:"3" doc:"APPROVED, in a transaction that has not ended"`
}

// Read returns the overview of the caller's organisation over this many weeks, with the present one. It writes nothing.
func (s *Service) Read(ctx context.Context, weeks int) (v View, err error) {
	p := caller.Of(ctx)
	now := s.DB.Now().UTC()

	if v.Waiting, err = s.Waits(ctx); err != nil {
		return v, err
	}

	err = s.DB.Snapshot(ctx, func(q db.Querier) error {
		if v.Due, v.DueComplete, err = due(ctx, q, p.Organisation, now); err != nil {
			return err
		}

		if err := s.readPaid(ctx, q, &v, p.Organisation, firstWeek(now, weeks), now); err != nil {
			return err
		}

		return s.readSteps(ctx, q, &v, p)
	})

	return v, err
}

// Waits returns what waits in the caller's organisation, without the wallets to prove.
func (s *Service) Waits(ctx context.Context) (w Waiting, err error) {
	p := caller.Of(ctx)

	awaiting, err := s.Transactions.Awaiting(ctx)
	if err != nil {
		return w, err
	}

	w.Transactions = awaiting.ToAccept
	w.MyTransactions = awaiting.Mine
	w.Deposits = awaiting.Deposits

	if !awaiting.Oldest.IsZero() {
		at := awaiting.Oldest.Truncate(time.Millisecond)
		w.OldestAt = &at
	}

	err = s.DB.Snapshot(ctx, func(q db.Querier) error {
		if w.Approvals, w.MyApprovals, err = s.Approvals.Waiting(ctx, q); err != nil {
			return err
		}

		if w.Payables, err = openPayables(ctx, q, p); err != nil {
			return err
		}

		if w.Schedules, err = schedule.Waits(ctx, q, p.Organisation); err != nil {
			return err
		}

		w.Invoices, err = invoicelink.Waiting(ctx, q, p.Organisation)

		return err
	})

	return w, err
}

// openPayables counts open payables as the caller sees them. Under a policy, nobody approves what he has written.
func openPayables(ctx context.Context, q db.Querier, p caller.Principal) (Payables, error) {
	author := ""
	if p.HasPolicy {
		author = p.User
	}

	open, err := payable.OpenOf(ctx, q, p.Organisation, author)
	out := Payables{Draft: open.Draft, Approved: open.Approved, Reserved: open.Reserved}

	if slices.ContainsFunc(organisation.Deciders(), p.Is) {
		out.MyApproval = open.ToApprove
	}

	return out, err
}
