package receivable

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"github.com/go-json-experiment/json"

	"slipway/internal/core/caller"
	"slipway/internal/core/fault"
	"slipway/internal/core/money"
	"slipway/internal/identity/approval"
	"slipway/internal/identity/organisation"
	"slipway/internal/payments/ledger"
	"slipway/internal/platform/db"
	"slipway/internal/platform/words"
)

// Decision is what two operators decide about a receivable. That a deposit in suspense pays it they decide about the
// deposit (package reconcile).
type Decision struct {
	Means  Means  // BySetOff or ByWriteOff
	Return string // of BySetOff: the return whose money is taken
	Reason string
}

// asked is a decision as the approval keeps it: with what was owed when it was asked for.
type asked struct {
	Means  Means  `json:"means"`
	Return string `json:"return,omitempty"`
	Reason string `json:"reason"`
	Owed   string `json:"owed"` // base units
	Taken  string `json:"taken"`
}

// Ask asks a second operator to settle a receivable. It refuses what could not be carried out now. A second call
// replaces the first request.
func (s *Service) Ask(ctx context.Context, id string, want Decision, done approval.Done) error {
	reason, err := approval.Reason("/reason", want.Reason)
	if err != nil {
		return err
	}

	want.Reason = reason

	return s.DB.Write(ctx, func(tx *db.Tx) error {
		p, err := s.check(ctx, tx, id, want)
		if err != nil {
			return err
		}

		r := p.of
		if err := caller.Unchanged(ctx, r.Version); err != nil {
			return err
		}

		raw, err := json.Marshal(asked{
			Means:  want.Means,
			Return: want.Return,
			Reason: want.Reason,
			Owed:   r.Owed.Units().String(),
			Taken:  p.amount.Units().String(),
		})
		if err != nil {
			return fmt.Errorf("encode the decision about receivable %s: %w", r.ID, err)
		}

		names, err := organisation.NamesOf(ctx, tx, []string{r.Organisation})
		if err != nil {
			return err
		}

		a, err := s.Approvals.Ask(ctx, tx, approval.Request{
			Kind:    approval.Receivable,
			Object:  r.ID,
			Data:    string(raw),
			Summary: want.summary(r, p.amount, nameOf(names, r.Organisation)),
		})
		if err != nil {
			return err
		}

		return done(tx, a)
	})
}

// decided carries out an approved decision. It refuses one that was about another amount.
func (s *Service) decided(ctx context.Context, tx *db.Tx, a approval.Approval) error {
	if a.Status != approval.Approved {
		return nil
	}

	var was asked
	if err := json.Unmarshal([]byte(a.Data), &was); err != nil {
		return fmt.Errorf("decode the decision of %s: %w", a.ID, err)
	}

	want := Decision{Means: was.Means, Return: was.Return}
	p, err := s.check(ctx, tx, a.Object, want)

	if _, refused := fault.As(err); refused ||
		err == nil && (p.of.Owed.Units().String() != was.Owed || p.amount.Units().String() != was.Taken) {
		return fault.New(
			fault.Conflict,
			fault.ApprovalOvertaken,
			"What is owed, or what it is set off against, is not as it was. Look again, and ask again.",
		)
	}

	if err != nil {
		return err
	}

	return s.carryOut(ctx, tx, p, a.RequestedBy+" and "+a.DecidedBy, was.Reason)
}

// plan is what a decision does: an amount of a receivable is settled, out of a return or by giving it up.
type plan struct {
	of     Receivable
	amount money.Amount
	out    Return // zero: it is written off
}

// check returns what a decision would do, or a refusal.
func (s *Service) check(ctx context.Context, q db.Querier, id string, want Decision) (p plan, err error) {
	if p.of, err = ByID(ctx, q, id); errors.Is(err, db.ErrNone) {
		return p, fault.Missing("receivable")
	}

	if err != nil {
		return p, err
	}

	if p.of.State != Open {
		return p, fault.New(fault.Conflict, fault.ReceivableSettled, "Nothing of the receivable is owed any more.")
	}

	if want.Means == ByWriteOff {
		p.amount = p.of.Owed
		return p, nil
	}

	currency := p.of.Amount.Asset().Code

	returns, err := s.Returns(ctx, q, p.of.Organisation, currency)
	if err != nil {
		return p, err
	}

	i := slices.IndexFunc(returns, func(x Return) bool { return x.ID == want.Return })
	if i < 0 {
		var l fault.List
		l.Add(
			"/return",
			fault.NotAllowed,
			"must be a returned payment of the organisation in %s whose money is still here.",
			currency,
		)

		return p, l.Err()
	}

	p.out = returns[i]
	p.amount = least(p.of.Owed, p.out.Amount)

	return p, nil
}

// carryOut settles what two people have decided, and records who and why.
func (s *Service) carryOut(ctx context.Context, tx *db.Tx, p plan, by, reason string) error {
	pays := Payment{
		Means:       BySetOff,
		Source:      p.out.ID,
		Transaction: p.out.Transaction,
		Amount:      p.amount,
		DecidedBy:   by,
		Reason:      reason,
	}
	pays.From = p.out.Account
	pays.Memo = p.of.ID

	if p.out.ID == "" {
		pays.Means = ByWriteOff
		pays.Source = "written-off"
		pays.From = ledger.ClosedAccount(p.amount.Asset().Code)
	} else if err := s.TakeReturn(ctx, tx, p.out.ID, p.of.ID, p.amount); err != nil {
		return err
	}

	return s.Settle(ctx, tx, []Receivable{p.of}, pays)
}

func least(a, b money.Amount) money.Amount {
	if a.Cmp(b) < 0 {
		return a
	}

	return b
}

// nameOf returns the first name of an organisation, or its identifier.
func nameOf(names map[string][]string, id string) string {
	if len(names[id]) > 0 {
		return names[id][0]
	}

	return id
}

// summary describes to the second operator what would happen, as a value of words.Phrase.
func (d Decision) summary(r Receivable, amount money.Amount, name string) string {
	owes := words.Phrase("%[1]s owes %[2]s for a deposit that was taken back.", name, approval.Sum(r.Owed))
	next := words.Phrase("%s of it are written off: the house gives them up.", approval.Sum(amount))

	if d.Means == BySetOff {
		next = words.Phrase(
			"%[1]s of it are set off against the returned payment %[2]s: they do not go back to the organisation.",
			approval.Sum(amount),
			d.Return,
		)
	}

	return words.List(words.Spaces, owes, next, d.Reason)
}
