package app

import (
	"context"
	"slices"
	"time"

	"slipway/internal/core/caller"
	"slipway/internal/directory/bankaccount"
	"slipway/internal/directory/receiver"
	"slipway/internal/directory/refdata"
	"slipway/internal/directory/wallet"
	"slipway/internal/identity/approval"
	"slipway/internal/identity/organisation"
	"slipway/internal/identity/user"
	"slipway/internal/payments/payable"
	"slipway/internal/platform/db"
	"slipway/internal/platform/jobs"
	"slipway/internal/platform/mail"
)

// approvals builds what waits for a second person.
func (a *App) approvals() {
	a.Approvals = approval.New(approval.Deps{
		DB:       a.DB,
		Is:       organisation.Holds,
		Asked:    a.mailDecisionNeeded,
		NewPayee: a.mailPayeeAdded,
		Schedule: func(tx *db.Tx, id string) {
			a.Jobs.Demand(tx, approval.Job, approval.Job+"/"+id, id)
		},
	})

	a.Jobs.Handle(approval.Job, func(ctx context.Context, j jobs.Job) (jobs.Result, error) {
		return jobs.Done(), a.Approvals.CarryOut(ctx, j.Payload)
	})
	a.Jobs.Every("expire-approvals", 10*time.Minute, a.Approvals.Expire)

	for kind, decided := range map[approval.Kind]func(context.Context, *db.Tx, approval.Approval) error{
		approval.Receiver:    receiver.Decided,
		approval.BankAccount: bankaccount.Decided,
		approval.Wallet:      wallet.Decided,
	} {
		a.Approvals.Handle(kind, approval.Handler{Roles: organisation.Deciders(), Decided: decided})
	}
}

// payees keeps the nouns of payees to the organisations' policies.
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

// mostTold bounds how many people are told of one thing.
const mostTold = 20

// mailDecisionNeeded tells those who may decide, but for those who have had a part in it.
func (a *App) mailDecisionNeeded(ctx context.Context, tx *db.Tx, asked approval.Approval, roles []string) error {
	if asked.Organisation == "" {
		return a.mailOperators(ctx, tx, asked)
	}

	return a.tellHolders(ctx, tx, asked.Organisation, roles, asked.Authors, mail.Message{
		Kind: mail.DecisionNeeded,
		Data: map[string]string{"summary": inMail(asked.Kind, asked.Object, asked.Summary), "approval": asked.ID},
	})
}

// mailOperators tells the operators, but for those who have had a part in it, that one of them has asked for a second
// one.
func (a *App) mailOperators(ctx context.Context, tx *db.Tx, asked approval.Approval) error {
	operators, err := user.Operators(ctx, tx, mostTold)
	if err != nil {
		return err
	}

	asker := caller.Of(ctx).User

	people, err := user.BriefsOf(ctx, tx, append([]string{asker}, operators...))
	if err != nil {
		return err
	}

	for _, id := range operators {
		if asked.Authors.Has(id) {
			continue
		}

		a.Mail.Queue(tx, mail.Message{
			Kind: mail.DecisionNeeded,
			To:   people[id].Email,
			User: id,
			Data: map[string]string{
				"name":         people[id].FirstName,
				"organisation": "the platform",
				"asker":        people[asker].FirstName + " " + people[asker].LastName,
				"summary":      asked.Summary,
				"approval":     asked.ID,
			},
		})
	}

	return nil
}

// mailPayeeAdded tells the admins of a new payee that can be paid to later.
func (a *App) mailPayeeAdded(ctx context.Context, tx *db.Tx, n approval.Notice) error {
	return a.tellHolders(ctx, tx, n.Organisation, []string{organisation.Admin}, "", mail.Message{
		Kind: mail.PayeeAdded,
		Data: map[string]string{
			"summary": inMail(n.Kind, n.Object, n.Summary),
			"when":    mail.When(tx.Now),
			"until":   mail.When(n.From),
		},
	})
}

// inMail is how a mail names what was asked for: without numbers of accounts, which are looked at where they are
// approved.
func inMail(k approval.Kind, object, summary string) string {
	noun := map[approval.Kind]string{
		approval.Receiver:    "receiver",
		approval.BankAccount: "bank account",
		approval.Wallet:      "wallet",
	}[k]
	if noun == "" {
		return summary
	}

	return "A " + noun + " that is new or was changed (" + object + ")."
}

// tellHolders queues a mail to the members with one of the roles, but for some people.
func (a *App) tellHolders(
	ctx context.Context,
	tx *db.Tx,
	org string,
	roles []string,
	but approval.People,
	m mail.Message,
) error {
	holders, err := organisation.HoldersOf(ctx, tx, org, roles)
	if err != nil {
		return err
	}

	holders = slices.DeleteFunc(holders, but.Has)
	holders = holders[:min(len(holders), mostTold)]
	asker := caller.Of(ctx).User

	people, err := user.BriefsOf(ctx, tx, append([]string{asker}, holders...))
	if err != nil {
		return err
	}

	name, err := organisationName(ctx, tx, org)
	if err != nil {
		return err
	}

	for _, id := range holders {
		to := people[id]
		if !to.IsActive {
			continue
		}

		one := mail.Message{
			Kind: m.Kind,
			To:   to.Email,
			User: id,
			Data: map[string]string{
				"name": to.FirstName, "organisation": name,
				"asker": people[asker].FirstName + " " + people[asker].LastName,
			},
		}

		for k, v := range m.Data {
			one.Data[k] = v
		}

		a.Mail.Queue(tx, one)
	}

	return nil
}

// currencyOrToken says whether amounts can be of this code.
func currencyOrToken(code string) bool {
	c, isCurrency := refdata.All().Currency(code)
	t, isToken := refdata.All().Token(code)
	return isCurrency && c.Code == code || isToken && t.Code == code
}
