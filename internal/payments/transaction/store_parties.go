package transaction

import (
	"context"
	"slices"

	"slipway/internal/platform/db"
)

var partiesRows = transactionRows.Only("id", "created_by", "authors", "accepted_by", "status")

// PartiesOf returns the parties of an organisation's transactions, by identifier. Unknown and deleted transactions, and
// those of other organisations, are left out.
func PartiesOf(ctx context.Context, q db.Querier, organisation string, ids []string) (map[string]Parties, error) {
	out := make(map[string]Parties, len(ids))
	for chunk := range slices.Chunk(ids, 256) {
		var w db.Where
		w.And("organisation = ?", organisation)
		w.And("deleted = FALSE")
		db.In(&w, "id", chunk)

		rows, err := partiesRows.Where(ctx, q, w, "")
		if err != nil {
			return nil, err
		}

		for _, t := range rows {
			out[t.ID] = Parties{t.ID, t.CreatedBy, t.Authors, t.AcceptedBy, t.Status}
		}
	}

	return out, nil
}

// Moment is a version of a transaction.
type Moment struct {
	Transaction string
	Version     int64
}

// StatusInfos returns what the timelines of transactions state of each move, as values of words.Phrase. Moves without
// a statusInfo are left out.
func StatusInfos(ctx context.Context, q db.Querier, ids []string) (map[Moment]string, error) {
	out := map[Moment]string{}

	for chunk := range slices.Chunk(ids, 256) {
		timelines, err := histories(ctx, q, chunk)
		if err != nil {
			return nil, err
		}

		for id, steps := range timelines {
			for _, x := range steps {
				if x.Info != "" {
					out[Moment{id, x.Version}] = x.Info
				}
			}
		}
	}

	return out, nil
}
