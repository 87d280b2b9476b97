package transaction

import (
	"context"
	"slices"

	"slipway/internal/platform/db"
)

var decimalRows = transactionRows.Only("id", "decimals")

// DecimalsOf returns the decimals of the tokens of an organisation's transactions, deleted ones too, by identifier.
// Those of other organisations are left out.
func DecimalsOf(ctx context.Context, q db.Querier, organisation string, ids []string) (map[string]int, error) {
	out := make(map[string]int, len(ids))

	for chunk := range slices.Chunk(ids, 256) {
		var w db.Where
		w.And("organisation = ?", organisation)
		db.In(&w, "id", chunk)

		rows, err := decimalRows.Where(ctx, q, w, "")
		if err != nil {
			return nil, err
		}

		for _, t := range rows {
			out[t.ID] = t.Decimals
		}
	}

	return out, nil
}
