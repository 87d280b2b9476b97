package transaction

import (
	"context"

	"slipway/internal/platform/db"
)

// Referred returns those of some documents that payments of the organisation refer to. Pass it to document.Deps.
func Referred(ctx context.Context, q db.Querier, organisation string, keys []string) ([]string, error) {
	var w db.Where
	w.And("t.organisation = ?", organisation)
	w.And("p.document <> ''")
	db.In(&w, "p.document", keys)

	return db.Select(ctx, q, func(s *string) []any { return []any{s} },
		"SELECT DISTINCT p.document FROM payments p JOIN transactions t ON t.id = p.transaction_id"+w.SQL(), w.Args...)
}
