package organisation

import (
	"context"

	"slipway/internal/core/caller"
	"slipway/internal/core/id"
	"slipway/internal/platform/db"
)

// Search selects organisations of every tenant, for the platform's people. The zero value selects all.
type Search struct {
	Term     string   // words in the names, or a reference code
	Statuses []string // of the onboarding
	IsActive *bool
}

// Find returns a page of organisations, newest first, and how many there are on all pages. It does not check who asks.
func Find(ctx context.Context, q db.Querier, s Search, page caller.Window) ([]Organisation, int64, error) {
	if page.After != "" && !id.Valid(Prefix, page.After) {
		return nil, 0, badCursor()
	}

	rows, total, err := db.ReadPage(ctx, q, db.Page{
		Columns: orgColumns,
		Table:   "organisations o",
		Where:   s.where(),
		Window:  page,
	}, (*orgRow).dest)

	out := make([]Organisation, len(rows))
	for i := range rows {
		out[i] = rows[i].organisation()
	}

	return out, total, err
}

func (s Search) where() db.Where {
	var w db.Where

	w.Contains("o.search", s.Term)

	if len(s.Statuses) > 0 {
		db.In(&w, "o.onboarding_status", s.Statuses)
	}

	if s.IsActive != nil {
		w.And("o.is_active = ?", *s.IsActive)
	}

	return w
}

// People returns the members of organisations, active or not, oldest first. It does not check who asks.
func People(ctx context.Context, q db.Querier, organisations []string) ([]Member, error) {
	if len(organisations) == 0 {
		return nil, nil
	}

	return allMembersOf(ctx, q, organisations)
}
