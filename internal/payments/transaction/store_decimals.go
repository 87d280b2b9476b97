package transaction

import (
	"context"
	"slices"

	"slipway/internal/platform/db"
)

// DecimalsOf returns the decimals of the tokens of an organisation's transactions, deleted ones too, by identifier.
// Those of other organisations are left out.
func DecimalsOf(ctx context.Context, q db.Querier, organisation string, ids []string) (map[string]int, error) {
	type row struct {
		id       string
		decimals int64
	}

	out := make(map[string]int, len(ids))

	for chunk := range slices.Chunk(ids, 256) {
		var w db.Where
		w.And("organisation = ?", organisation)
		db.In(&w, "id", chunk)

		rows, err := db.Select(ctx, q, func(r *row) []any { return []any{&r.id, &r.decimals} },
			"SELECT id, decimals FROM transactions"+w.SQL(), w.Args...)
		if err != nil {
			return nil, err
		}

		for _, r := range rows {
			out[r.id] = int(r.decimals)
		}
	}

	return out, nil
}
