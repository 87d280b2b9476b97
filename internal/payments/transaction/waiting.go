package transaction

import (
	"context"
	"maps"
	"slices"
	"time"

	"slipway/internal/core/caller"
	"slipway/internal/platform/db"
)

// mostAwaiting limits the transactions whose acceptance is looked at one by one.
const mostAwaiting = 250

// Awaiting is what waits for acceptance, or for a deposit.
type Awaiting struct {
	ToAccept int64     // of all members
	Mine     int64     // those that the caller may accept, among the oldest mostAwaiting
	Oldest   time.Time // when the oldest of them was made; zero: there is none
	Deposits int64     // ONRAMP transactions whose deposit is awaited
}

// Awaiting returns what waits in the caller's organisation. Long lists are answered from memory, as all lists are.
func (s *Service) Awaiting(ctx context.Context) (out Awaiting, err error) {
	accepted := []string{}
	deposited := []string{}

	for kind, k := range s.Kinds {
		if k.Traits().Accepted != "" {
			accepted = append(accepted, string(kind))
		} else {
			deposited = append(deposited, string(kind))
		}
	}

	waiting := func(types []string, limit int) ([]Transaction, int64, error) {
		if len(types) == 0 {
			return nil, 0, nil
		}

		page, total, _, err := s.list(ctx, Filter{
			Organisation: caller.Of(ctx).Organisation,
			Status:       []string{string(StatusWaiting)},
			Types:        slices.Sorted(slices.Values(types)),
			Ascending:    true,
			Window:       caller.Window{Limit: limit},
		})

		return page, total, err
	}

	all, total, err := waiting(accepted, mostAwaiting)
	if err != nil {
		return out, err
	}

	if _, out.Deposits, err = waiting(deposited, 1); err != nil {
		return out, err
	}

	out.ToAccept = total
	if len(all) > 0 {
		out.Oldest = all[0].CreatedAt
	}

	views := make([]View, len(all))
	for i, t := range all {
		views[i].AllowedActions = s.allowedActions(t, caller.Of(ctx))
	}

	if err := s.addAccept(ctx, s.DB, views, all); err != nil {
		return out, err
	}

	if err := s.addAgreed(ctx, s.DB, views, all); err != nil {
		return out, err
	}

	for _, v := range views {
		if slices.Contains(v.AllowedActions, "accept") || slices.Contains(v.AllowedActions, "agree") {
			out.Mine++
		}
	}

	return out, nil
}

// Several returns transactions of an organisation with their payments and terms, in the order of their identifiers.
// Unknown ones, and those of other organisations, are left out.
func Several(ctx context.Context, q db.Querier, organisation string, ids []string) ([]Transaction, error) {
	loaded, err := loadAll(ctx, q, ids)
	if err != nil {
		return nil, err
	}

	var out []Transaction

	for _, id := range slices.Sorted(maps.Keys(loaded)) {
		if t := loaded[id]; t.Organisation == organisation {
			out = append(out, t)
		}
	}

	return out, attachTerms(ctx, q, out)
}
