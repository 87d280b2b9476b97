package notice

import (
	"context"
	"maps"
	"slices"

	"slipway/internal/core/caller"
	"slipway/internal/identity/approval"
	"slipway/internal/identity/organisation"
	"slipway/internal/identity/user"
	"slipway/internal/platform/db"
	"slipway/internal/platform/mail"
	"slipway/internal/platform/words"
)

// mostAsked limits how many people get a mail about one approval.
const mostAsked = 20

// Approvals queues mails about what waits for a second person, in the transaction that asks for it.
type Approvals struct{ Mail *mail.Outbox }

// DecisionNeeded mails the people who may decide, except those who had a part in what is asked for.
func (a Approvals) DecisionNeeded(ctx context.Context, tx *db.Tx, asked approval.Approval, roles []string) error {
	if asked.Organisation == "" {
		return a.mailOperators(ctx, tx, asked)
	}

	return a.mailHolders(ctx, tx, asked.Organisation, roles, asked.Authors, mail.Message{
		Kind:   mail.DecisionNeeded,
		Record: asked.ID,
		Data:   map[string]string{"summary": InMail(asked.Kind, asked.Object, asked.Summary), "approval": asked.ID},
	})
}

// PayeeAdded mails the admins of an organisation about a new payee that can be paid to later.
func (a Approvals) PayeeAdded(ctx context.Context, tx *db.Tx, n approval.Notice) error {
	return a.mailHolders(ctx, tx, n.Organisation, []string{organisation.Admin}, "", mail.Message{
		Kind: mail.PayeeAdded,
		Data: map[string]string{
			"summary": InMail(n.Kind, n.Object, n.Summary),
			"when":    words.When(tx.Now),
			"until":   words.When(n.From),
		},
	})
}

// mailOperators mails the platform's operators, except those who had a part in it, that one of them asks for a second
// one.
func (a Approvals) mailOperators(ctx context.Context, tx *db.Tx, asked approval.Approval) error {
	operators, err := user.Operators(ctx, tx, mostAsked)
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
			Kind:   mail.DecisionNeeded,
			To:     people[id].Email,
			User:   id,
			Record: asked.ID,
			Data: map[string]string{
				"name":         people[id].FirstName,
				"organisation": words.Phrase("the platform"),
				"asker":        fullName(people[asker]),
				"summary":      asked.Summary,
				"approval":     asked.ID,
			},
		})
	}

	return nil
}

// mailHolders queues m for each active member with one of the roles, except some people.
func (a Approvals) mailHolders(
	ctx context.Context,
	tx *db.Tx,
	org string,
	roles []string,
	except approval.People,
	m mail.Message,
) error {
	holders, err := organisation.HoldersOf(ctx, tx, org, roles)
	if err != nil {
		return err
	}

	holders = slices.DeleteFunc(holders, except.Has)
	holders = holders[:min(len(holders), mostAsked)]
	asker := caller.Of(ctx).User

	people, err := user.BriefsOf(ctx, tx, append([]string{asker}, holders...))
	if err != nil {
		return err
	}

	o, err := organisation.ByID(ctx, tx, org)
	if err != nil {
		return err
	}

	for _, id := range holders {
		to := people[id]
		if !to.IsActive {
			continue
		}

		data := map[string]string{"name": to.FirstName, "organisation": o.Name, "asker": fullName(people[asker])}
		maps.Copy(data, m.Data)

		a.Mail.Queue(tx, mail.Message{
			Kind:         m.Kind,
			To:           to.Email,
			User:         id,
			Record:       m.Record,
			Data:         data,
			Organisation: org,
		})
	}

	return nil
}

// InMail returns how a mail names what is asked for: without account numbers, which are shown where they are approved.
func InMail(k approval.Kind, object, summary string) string {
	noun := map[approval.Kind]string{
		approval.Receiver:    "receiver",
		approval.BankAccount: "bank account",
		approval.Wallet:      "wallet",
	}[k]
	if noun == "" {
		return summary
	}

	return words.Phrase("A "+noun+" that is new or was changed (%s).", object)
}

func fullName(b user.Brief) string { return b.FirstName + " " + b.LastName }
