package transaction

import (
	"context"
	"time"

	"slipway/internal/platform/db"
)

// maxLikes limits the payments that are read for each way of being alike.
const maxLikes = 200

// otherLikes returns payments of other transactions that are alike those of t in some way.
func otherLikes(ctx context.Context, q db.Querier, t Transaction, own []Like, since time.Time) ([]Like, error) {
	of := MarksOf(own)

	var byAmount, byReference, byDocument db.Where

	db.In(&byAmount, "p.receiver", of.Receivers)

	if t.Type == TypeFiat {
		db.In(&byAmount, "x.fiat_units", of.Units)
	} else {
		db.In(&byAmount, "p.units", of.Units)
	}

	ways := []db.Where{byAmount}

	if len(of.References) > 0 {
		db.In(&byReference, "x.reference", of.References)
		byReference.And("x.reference <> ''") // the condition of the partial index
		ways = append(ways, byReference)
	}

	if len(of.Documents) > 0 {
		db.In(&byDocument, "d.sha256", of.Documents)
		byDocument.And("d.organisation = ?", t.Organisation)
		ways = append(ways, byDocument)
	}

	var out []Like

	for _, w := range ways {
		w.And("t.organisation = ? AND t.deleted = FALSE", t.Organisation)
		w.And("t.id <> ? AND t.type = ?", t.ID, string(t.Type))
		w.And(
			"(t.created_at >= ? OR t.status IN ('DRAFT', 'WAITING_ACCEPTANCE', 'PROCESSING', 'RELEASED'))",
			db.Micros(since),
		)
		w.And("NOT " + notPaid)

		found, err := db.Select(ctx, q, (*Like).dest, likeText+w.SQL()+" LIMIT ?", // unordered: see payable.pairs
			append(w.Args, int64(maxLikes))...)
		if err != nil {
			return nil, err
		}

		out = append(out, found...)
	}

	return out, nil
}

// likeText reads payments as they are compared.
const likeText = `SELECT t.id, p.receiver, CASE WHEN t.type = 'FIAT' THEN x.currency ELSE t.token END,
	CASE WHEN t.type = 'FIAT' THEN x.fiat_units ELSE p.units END, coalesce(x.reference, ''), coalesce(d.sha256, '')
	FROM payments p JOIN transactions t ON t.id = p.transaction_id
	LEFT JOIN payment_terms x ON x.transaction_id = p.transaction_id AND x.position = p.position
	LEFT JOIN documents d ON d.id = p.document AND p.document <> ''`

func (l *Like) dest() []any {
	return []any{&l.Record, &l.Receiver, &l.Asset, &l.Units, &l.Reference, &l.Document}
}
