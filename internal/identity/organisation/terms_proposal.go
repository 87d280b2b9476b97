package organisation

import (
	"context"
	"fmt"
	"slices"

	"github.com/go-json-experiment/json"

	"slipway/internal/core/caller"
	"slipway/internal/identity/approval"
	"slipway/internal/platform/db"
	"slipway/internal/platform/words"
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

// changes returns what differs between complete terms, as values of words.Phrase. Limits stay as the interface calls
// them.
func (t Terms) changes(next Terms) []string {
	var out []string

	for _, limit := range []struct{ name, was, next string }{
		{"transactionValueLimit", *t.TransactionValueLimit, *next.TransactionValueLimit},
		{"minUSDPaymentAmount", *t.MinUSDPaymentAmount, *next.MinUSDPaymentAmount},
		{"cumulativeAmount", *t.CumulativeAmount, *next.CumulativeAmount},
	} {
		if limit.was != limit.next {
			out = append(
				out,
				words.Phrase("%[1]s from %[2]s to %[3]s", limit.name, figure(limit.was), figure(limit.next)),
			)
		}
	}

	var pairs []string
	for _, c := range slices.Concat(t.Commissions, next.Commissions) {
		pairs = append(pairs, c.Pair)
	}

	slices.Sort(pairs)

	for _, pair := range slices.Compact(pairs) {
		if was, now := commissionOn(t.Commissions, pair), commissionOn(next.Commissions, pair); was != now {
			out = append(out, words.Phrase("commission on %[1]s from %[2]s to %[3]s", pair, was, now))
		}
	}

	return out
}

// figure returns a limit as a value of words.Phrase.
func figure(amount string) string { return words.InEnglish(amount, words.Sum(amount, "")) }

// commissionOn returns what a list of commissions charges for a trading pair, as a value of words.Phrase.
func commissionOn(all []Commission, pair string) string {
	i := slices.IndexFunc(all, func(c Commission) bool { return c.Pair == pair })

	switch {
	case i < 0:
		return words.Phrase("the usual one")
	case all[i].Hidden:
		return words.Phrase("%s (hidden)", percent(all[i]))
	}

	return percent(all[i])
}

// percent returns a commission as a value of words.Phrase.
func percent(c Commission) string {
	return words.InEnglish(c.Percent+" %", words.Sum(c.Percent, "%"))
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
			changes = []string{words.Phrase("nothing changes")}
		}

		a, err := s.config.Approvals.Ask(ctx, tx, approval.Request{
			Kind:    approval.Terms,
			Object:  o.ID,
			Data:    string(raw),
			Summary: words.Phrase("Terms of %[1]s: %[2]s.", o.Name, words.List(words.Semicolons, changes...)),
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
