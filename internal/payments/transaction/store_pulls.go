package transaction

import (
	"context"
	"fmt"
	"math/big"
	"slices"

	"slipway/internal/platform/db"
)

// Pull is what a FIAT transaction takes from its wallet to the treasury.
type Pull struct {
	Transaction, Token string
	Units              *big.Int
}

// pullsLimit is the number of ids in one statement.
const pullsLimit = 4096

// Pulls returns the pulls of those of some transactions that are FIAT.
func Pulls(ctx context.Context, q db.Querier, ids []string) ([]Pull, error) {
	type row struct{ id, token, units string }

	var out []Pull

	for chunk := range slices.Chunk(ids, pullsLimit) {
		var w db.Where
		w.And("type = ?", string(TypeFiat))
		db.In(&w, "id", chunk)

		rows, err := db.Select(ctx, q, func(r *row) []any { return []any{&r.id, &r.token, &r.units} },
			"SELECT id, token, debit FROM transactions"+w.SQL(), w.Args...)
		if err != nil {
			return nil, fmt.Errorf("read pulls: %w", err)
		}

		for _, r := range rows {
			units, ok := new(big.Int).SetString(r.units, 10)
			if !ok {
				return nil, fmt.Errorf("debit of %s: %q is no number", r.id, r.units)
			}

			out = append(out, Pull{Transaction: r.id, Token: r.token, Units: units})
		}
	}

	return out, nil
}
