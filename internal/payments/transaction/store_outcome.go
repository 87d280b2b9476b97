package transaction

import (
	"context"
	"slices"

	"slipway/internal/platform/db"
)

// maxChunk is how many identifiers one statement asks about.
const maxChunk = 256

// PartlyPaid returns the outcomes of those of some transactions, of any organisation, of which some payments were made
// and others were not.
func PartlyPaid(ctx context.Context, q db.Querier, ids []string) (map[string]Outcome, error) {
	out := map[string]Outcome{}

	for chunk := range slices.Chunk(ids, maxChunk) {
		var w db.Where
		db.In(&w, "t.id", chunk)
		w.And("t.status <> 'FAILED' AND " + failedSQL("t"))

		some, err := db.Select(ctx, q, func(id *string) []any { return []any{id} },
			"SELECT t.id FROM transactions t"+w.SQL(), w.Args...)
		if err != nil {
			return nil, err
		}

		for _, id := range some {
			t, err := find(ctx, q, id)
			if err != nil {
				return nil, err
			}

			if o := t.Outcome(); o.Paid.Count > 0 {
				out[id] = o
			}
		}
	}

	return out, nil
}
