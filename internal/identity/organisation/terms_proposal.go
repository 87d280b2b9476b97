package organisation

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/go-json-experiment/json"

	"slipway/internal/identity/approval"
	"slipway/internal/platform/db"
)

// Z-09: what an organisation pays, and up to how much it may pay, is agreed on by two operators: one asks, the other
// one approves.

// termsProposal is what the terms of an organisation were when somebody asked, and what they are to be. Neither
// leaves anything out.
type termsProposal struct {
	Was  Terms `json:"was"`
	Next Terms `json:"next"`
}

// termsOf returns the terms of an organisation, of which none is left out.
func termsOf(ctx context.Context, q db.Querier, o Organisation) (Terms, error) {
	commissions, err := CommissionsOf(ctx, q, CustomCommissions, o.ID)
	if commissions == nil {
		commissions = []Commission{}
	}

	return Terms{
		TransactionValueLimit: &o.TransactionValueLimit,
		MinUSDPaymentAmount:   &o.MinUSDPaymentAmount,
		CumulativeAmount:      &o.CumulativeTotal,
		Commissions:           commissions,
	}, err
}

// over returns terms with those of was in place of what is left out.
func (t Terms) over(was Terms) Terms {
	if t.TransactionValueLimit == nil {
		t.TransactionValueLimit = was.TransactionValueLimit
	}

	if t.MinUSDPaymentAmount == nil {
		t.MinUSDPaymentAmount = was.MinUSDPaymentAmount
	}

	if t.CumulativeAmount == nil {
		t.CumulativeAmount = was.CumulativeAmount
	}

	if t.Commissions == nil {
		t.Commissions = was.Commissions
	}

	return t
}

// changes says in words what differs between two terms of which nothing is left out.
func (t Terms) changes(next Terms) []string {
	var out []string

	for _, limit := range []struct{ name, was, next string }{
		{"transactionValueLimit", *t.TransactionValueLimit, *next.TransactionValueLimit},
		{"minUSDPaymentAmount", *t.MinUSDPaymentAmount, *next.MinUSDPaymentAmount},
		{"cumulativeAmount", *t.CumulativeAmount, *next.CumulativeAmount},
	} {
		if limit.was != limit.next {
			out = append(out, fmt.Sprintf("%s from %s to %s", limit.name, limit.was, limit.next))
		}
	}

	var pairs []string
	for _, c := range slices.Concat(t.Commissions, next.Commissions) {
		pairs = append(pairs, c.Pair)
	}

	slices.Sort(pairs)

	for _, pair := range slices.Compact(pairs) {
		if was, now := commissionOn(t.Commissions, pair), commissionOn(next.Commissions, pair); was != now {
			out = append(out, fmt.Sprintf("commission on %s from %s to %s", pair, was, now))
		}
	}

	return out
}

// commissionOn says in words what a trading pair costs by a list of commissions.
func commissionOn(all []Commission, pair string) string {
	i := slices.IndexFunc(all, func(c Commission) bool { return c.Pair == pair })

	switch {
	case i < 0:
		return "the usual one"
	case all[i].Hidden:
		return all[i].Percent + " % (hidden)"
	}

	return all[i].Percent + " %"
}

// askTerms asks a second operator to agree to other terms of an organisation. A second call takes the place of the
// first.
func (s *Service) askTerms(ctx context.Context, orgID string, t Terms, done approval.Done) error {
	if err := t.check(s.config.Pair); err != nil {
		return err
	}

	return s.db.Write(ctx, func(tx *db.Tx) error {
		o, err := ByID(ctx, tx, orgID)
		if err != nil {
			return err
		}

		was, err := termsOf(ctx, tx, o)
		if err != nil {
			return err
		}

		next := t.over(was)

		raw, err := json.Marshal(termsProposal{Was: was, Next: next})
		if err != nil {
			return fmt.Errorf("write down the terms of %s: %w", o.ID, err)
		}

		changes := was.changes(next)
		if len(changes) == 0 {
			changes = []string{"nothing changes"}
		}

		a, err := s.config.Approvals.Ask(ctx, tx, approval.Request{
			Kind:    approval.Terms,
			Object:  o.ID,
			Data:    string(raw),
			Summary: "Terms of " + o.Name + ": " + strings.Join(changes, "; ") + ".",
		})
		if err != nil {
			return err
		}

		return done(tx, a)
	})
}

// termsDecided writes approved terms, if the organisation still has those from which they differ.
func (s *Service) termsDecided(ctx context.Context, tx *db.Tx, a approval.Approval) error {
	if a.Status != approval.Approved {
		return nil
	}

	var p termsProposal
	if err := json.Unmarshal([]byte(a.Data), &p); err != nil {
		return fmt.Errorf("read the terms that %s proposes: %w", a.ID, err)
	}

	o, err := ByID(ctx, tx, a.Object)
	if err != nil {
		return err
	}

	now, err := termsOf(ctx, tx, o)
	if err != nil {
		return err
	}

	if len(p.Was.changes(now)) > 0 {
		return overtaken()
	}

	return s.SetTerms(ctx, tx, o.ID, p.Next)
}
