package receivable

import (
	"context"
	"errors"
	"fmt"

	"slipway/internal/core/money"
	"slipway/internal/payments/chart"
	"slipway/internal/payments/ledger"
	"slipway/internal/payments/transaction"
	"slipway/internal/platform/db"
	"slipway/internal/platform/trail"
)

// Begin records that an organisation owes the house a deposit. Without a reference it allots one. It does not post: the
// journal that takes the deposit back leaves the organisation's account below zero. A second call for an entry fails
// with db.Unique of receivables.
func (s *Service) Begin(ctx context.Context, tx *db.Tx, r Receivable) error {
	if r.Reference == "" {
		var err error
		if r.Reference, err = s.Reference(); err != nil {
			return fmt.Errorf("allot a reference for receivable %s: %w", r.ID, err)
		}
	}

	r.Owed = r.Amount
	r.State = Open
	r.Version = 1
	r.CreatedAt = tx.Now
	insert(tx, r)

	trail.Audit(ctx, tx, r.Organisation, "receivable.opened", r.ID, inWords(r.Amount))

	return trail.Event(tx, "receivable.opened", r.Organisation, r.ID, r.Version, r.eventData())
}

// Payment is what settles receivables of one organisation.
type Payment struct {
	Means       Means
	Source      string // the deposit, the return, or the approval; it settles a receivable once
	Transaction string // whose money it is; empty: no transaction's
	Amount      money.Amount
	On          ledger.Days    // of the bank's booking; zero: the time of posting
	From        ledger.Account // where it is
	Memo        string         // what of it, for the book
	DecidedBy   string         // who has decided it; empty: nobody has to
	Reason      string         // why, in their words
}

// Total returns what is owed of some receivables of one currency.
func Total(all []Receivable) money.Amount {
	sum := all[0].Owed
	for _, r := range all[1:] {
		sum = sum.Add(r.Owed)
	}

	return sum
}

// Settle posts a payment against receivables of one organisation, in their order, and ends those of which nothing is
// owed any more. It fails if the payment is more than they owe, because then a part of it would be nobody's. The
// transaction of a deposit that was taken back is SETTLED with the last of its receivables; what stands still for the
// organisation goes on by the sweeps once it owes nothing.
func (s *Service) Settle(ctx context.Context, tx *db.Tx, all []Receivable, p Payment) error {
	if p.Amount.Cmp(Total(all)) > 0 {
		return fmt.Errorf("%s %s is more than receivable %s", p.Means, p.Source, all[0].ID)
	}

	rest := p.Amount
	e := chart.OwedSettled{
		Of:   chart.Of{Organisation: all[0].Organisation, Transaction: p.Transaction},
		By:   p.Source,
		From: p.From,
		Memo: p.Memo,
	}

	for _, r := range all {
		part := r.Owed
		if rest.Cmp(part) < 0 {
			part = rest
		}

		if part.Sign() == 0 {
			continue
		}

		rest = rest.Sub(part)

		e.Parts = append(e.Parts, chart.OwedPart{Receivable: r.ID, Amount: part})

		if err := s.reduce(ctx, tx, r, part, p); err != nil {
			return err
		}
	}

	return chart.PostOn(tx, p.On, e)
}

// reduce records that a part of a receivable is settled. Who of the platform's people has decided it, and why, stands
// in the house's audit log and not in the organisation's.
func (s *Service) reduce(ctx context.Context, tx *db.Tx, r Receivable, part money.Amount, p Payment) error {
	r.Owed = r.Owed.Sub(part)
	what := "receivable.reduced"

	if r.Owed.Sign() == 0 {
		what = "receivable.settled"
		r.State = Settled
		r.SettledAt = tx.Now
	}

	r.Version++
	update(tx, r)
	insertPart(tx, Part{
		Receivable: r.ID,
		Means:      p.Means,
		Source:     p.Source,
		Amount:     part,
		DecidedBy:  p.DecidedBy,
		Reason:     p.Reason,
		At:         tx.Now,
	})
	trail.Audit(ctx, tx, r.Organisation, what, r.ID, p.inWords(part))

	if p.DecidedBy != "" {
		trail.Audit(ctx, tx, "", what, r.ID, p.decisionInWords(part))
	}

	if err := trail.Event(tx, what, r.Organisation, r.ID, r.Version, r.eventData()); err != nil {
		return err
	}

	if r.Transaction == "" {
		return nil
	}

	return s.endReturn(ctx, tx, r)
}

// endReturn moves the ONRAMP transaction of a deposit that was taken back to SETTLED, if nothing is owed for it any
// more. One whose tokens are not final yet follows when they are.
func (s *Service) endReturn(ctx context.Context, tx *db.Tx, r Receivable) error {
	owed, err := OwedFor(ctx, tx, r.Transaction)
	if err != nil || owed {
		return err
	}

	t, err := transaction.ByID(ctx, tx, r.Transaction)
	if errors.Is(err, db.ErrNone) {
		return nil
	}

	if err != nil || t.Type != transaction.TypeOnramp || t.Status != transaction.StatusCompleted ||
		t.Settlement != transaction.SettlementReturned {
		return err
	}

	_, err = s.Transactions.Advance(ctx, tx, t, transaction.Step{
		Status:     t.Status,
		Settlement: transaction.SettlementSettled,
		What:       "settled",
	})

	return err
}

// inWords returns what settles a part, for the audit log.
func (p Payment) inWords(part money.Amount) string {
	return string(p.Means) + " " + p.Source + ", " + inWords(part)
}

// decisionInWords returns besides who has decided it, and why.
func (p Payment) decisionInWords(part money.Amount) string {
	out := p.inWords(part) + ", decided by " + p.DecidedBy
	if p.Reason != "" {
		out += ": " + p.Reason
	}

	return out
}

func inWords(a money.Amount) string { return a.String() + " " + a.Asset().Code }
