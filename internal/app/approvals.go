package app

import (
	"context"
	"time"

	"slipway/internal/directory/bankaccount"
	"slipway/internal/directory/receiver"
	"slipway/internal/directory/wallet"
	"slipway/internal/identity/approval"
	"slipway/internal/identity/organisation"
	"slipway/internal/identity/user"
	"slipway/internal/payments/notice"
	"slipway/internal/payments/payable"
	"slipway/internal/platform/db"
	"slipway/internal/platform/jobs"
)

// buildApprovals builds what waits for a second person. The directory's nouns are registered here; organisations,
// sign-in, networks, settlement and the house register themselves when they are built.
func (a *App) buildApprovals() {
	mails := notice.Approvals{Mail: a.Mail}

	a.Approvals = approval.New(approval.Deps{
		DB: a.DB,
		Is: organisation.Holds,
		SecondPerson: func(ctx context.Context, q db.Querier, person string) error {
			return user.SecondPerson(ctx, q, person, user.Operator, a.DB.Now())
		},
		Asked:    mails.DecisionNeeded,
		NewPayee: mails.PayeeAdded,
		Schedule: func(tx *db.Tx, id string) {
			a.Jobs.Demand(tx, approval.Job, approval.Job+"/"+id, id)
		},
	})

	for kind, decided := range map[approval.Kind]func(context.Context, *db.Tx, approval.Approval) error{
		approval.Receiver:    receiver.Decided,
		approval.BankAccount: bankaccount.Decided,
		approval.Wallet:      wallet.Decided,
	} {
		a.Approvals.Handle(kind, approval.Handler{Roles: organisation.Deciders(), Decided: decided})
	}

	a.Jobs.Handle(approval.Job, func(ctx context.Context, j jobs.Job) (jobs.Result, error) {
		return jobs.Done(), a.Approvals.CarryOut(ctx, j.Payload)
	})
	a.Jobs.Every("expire-approvals", 10*time.Minute, a.Approvals.Expire)
}

// payees returns what the nouns of payees need to follow the organisations' policies.
func (a *App) payees() *approval.Payees {
	return &approval.Payees{
		Service:  a.Approvals,
		OnChange: payable.PayeeChanged,
		Rules: func(ctx context.Context, q db.Querier, org string) (approval.Rules, error) {
			p, err := organisation.PolicyOf(ctx, q, org)
			return approval.Rules{Approval: p.PayeeApproval, Delay: p.PayeeDelay}, err
		},
	}
}
