package transaction

import (
	"context"
	"hash/crc32"
	"time"

	"slipway/internal/platform/db"
)

// maxLikes limits the payments that are read for each way of being alike.
const maxLikes = 200

// otherLikes returns payments of other transactions that are alike those of t in some way.
func otherLikes(ctx context.Context, q db.Querier, t Transaction, own []Like, since time.Time) ([]Like, error) {
	of := MarksOf(own)

	var byAmount, byReference, byDocument db.Where

	toReceivers(&byAmount, of.Receivers...)

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

		found, err := likes.Where(ctx, q, w, "LIMIT ?", int64(maxLikes)) // unordered: see payable.pairs
		if err != nil {
			return nil, err
		}

		out = append(out, found...)
	}

	return out, nil
}

// toReceivers keeps the payments p to some receivers, by the index of the keys of their identifiers.
func toReceivers(w *db.Where, receivers ...string) {
	keys := make([]int64, len(receivers))
	for i, r := range receivers {
		keys[i] = receiverKey(r)
	}

	db.In(w, "p.receiver_key", keys)
	db.In(w, "p.receiver", receivers)
}

// receiverKey returns what payments to a receiver are indexed by. Receivers may share a key. It is a number of 32 bits,
// because each payment that is written pays for its index;
// a negative one takes as little space.
func receiverKey(receiver string) int64 {
	return int64(int32(crc32.ChecksumIEEE([]byte(receiver))))
}

// likes are payments as they are compared.
var likes = db.NewView(
	`FROM payments p JOIN transactions t ON t.id = p.transaction_id
	LEFT JOIN payment_terms x ON x.transaction_id = p.transaction_id AND x.position = p.position
	LEFT JOIN documents d ON d.id = p.document AND p.document <> ''`,
	(*Like).columns,
)

func (l *Like) columns(c *db.Columns) {
	c.Text("t.id", &l.Record)
	c.Text("p.receiver", &l.Receiver)
	c.Text("CASE WHEN t.type = 'FIAT' THEN x.currency ELSE t.token END", &l.Asset)
	c.Text("CASE WHEN t.type = 'FIAT' THEN x.fiat_units ELSE p.units END", &l.Units)
	c.Text("coalesce(x.reference, '')", &l.Reference)
	c.Text("coalesce(d.sha256, '')", &l.Document)
}
