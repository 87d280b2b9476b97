package organisation

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/go-json-experiment/json"

	"slipway/internal/core/caller"
	"slipway/internal/identity/approval"
	"slipway/internal/platform/db"
)

// Two operators decide on an organisation's commissions and limits (Z-09): one asks, the other approves.

// termsProposal holds the terms of an organisation at the time of a request, and the terms that are asked for. Both are
// complete: no field is nil.
type termsProposal struct {
	Was  Terms `json:"was"`
	Next Terms `json:"next"`
}

// termsOf returns the complete terms of an organisation.
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

// withDefaults returns the terms with the fields of current in place of those that are nil.
func (t Terms) withDefaults(current Terms) Terms {
	if t.TransactionValueLimit == nil {
		t.TransactionValueLimit = current.TransactionValueLimit
	}

	if t.MinUSDPaymentAmount == nil {
		t.MinUSDPaymentAmount = current.MinUSDPaymentAmount
	}

	if t.CumulativeAmount == nil {
		t.CumulativeAmount = current.CumulativeAmount
	}

	if t.Commissions == nil {
		t.Commissions = current.Commissions
	}

	return t
}

// changes describes in words what differs between complete terms.
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

// commissionOn describes in words what a list of commissions charges for a trading pair.
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

// askTerms asks a second operator to approve other terms of an organisation. A second request replaces the first.
func (s *Service) askTerms(ctx context.Context, orgID string, t Terms, done approval.Done) error {
	if err := t.check(s.config.Pair); err != nil {
		return err
	}

	return s.db.Write(ctx, func(tx *db.Tx) error {
		o, err := ByID(ctx, tx, orgID)
		if err != nil {
			return err
		}

		if err := caller.Unchanged(ctx, o.Version); err != nil {
			return err
		}

		current, err := termsOf(ctx, tx, o)
		if err != nil {
			return err
		}

		next := t.withDefaults(current)

		raw, err := json.Marshal(termsProposal{Was: current, Next: next})
		if err != nil {
			return fmt.Errorf("encode the terms of %s: %w", o.ID, err)
		}

		changes := current.changes(next)
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

// termsDecided writes approved terms. If the terms were changed since the request, it refuses.
func (s *Service) termsDecided(ctx context.Context, tx *db.Tx, a approval.Approval) error {
	if a.Status != approval.Approved {
		return nil
	}

	var p termsProposal
	if err := json.Unmarshal([]byte(a.Data), &p); err != nil {
		return fmt.Errorf("decode the terms that %s proposes: %w", a.ID, err)
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
		return changedSince()
	}

	return s.SetTerms(ctx, tx, o.ID, p.Next)
}
