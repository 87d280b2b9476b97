package transaction

import (
	"context"
	"math/big"
	"slices"

	"slipway/internal/platform/db"
)

// Pull is what a FIAT transaction takes from its wallet to the treasury.
type Pull struct {
	Transaction, Token string
	Units              *big.Int
}

var pullRows = transactionRows.Only("id", "token", "debit")

// pullsLimit is the number of ids in one statement.
const pullsLimit = 4096

// Pulls returns the pulls of those of some transactions that are FIAT.
func Pulls(ctx context.Context, q db.Querier, ids []string) ([]Pull, error) {
	var out []Pull

	for chunk := range slices.Chunk(ids, pullsLimit) {
		var w db.Where
		w.And("type = ?", string(TypeFiat))
		db.In(&w, "id", chunk)

		rows, err := pullRows.Where(ctx, q, w, "")
		if err != nil {
			return nil, err
		}

		for _, t := range rows {
			out = append(out, Pull{Transaction: t.ID, Token: t.Token, Units: t.Debit})
		}
	}

	return out, nil
}
