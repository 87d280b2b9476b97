package transaction

import (
	"context"
	"slices"

	"slipway/internal/platform/db"
)

// Note is what an organisation's book says of one payment.
type Note struct {
	Transaction string
	Payment     string // its identifier
	Receiver    string
	Name        string // of the receiver, as it was when the transaction was locked
	Kind        string // one of ReceiverKinds, as of then
	Reason      string
	Document    string // storage key of the invoice's file
}

// NotesOf returns what the book says of the payments of an organisation's transactions, by transaction, in their order.
// Unknown transactions and those of others are left out.
func NotesOf(ctx context.Context, q db.Querier, organisation string, ids []string) (map[string][]Note, error) {
	out := make(map[string][]Note, len(ids))

	for chunk := range slices.Chunk(ids, 256) {
		var w db.Where
		w.And("t.organisation = ?", organisation)
		db.In(&w, "t.id", chunk)

		type noteRow struct {
			transaction string
			payment     Payment
			position    int64
		}

		rows, err := db.Select(ctx, q, func(r *noteRow) []any {
			return []any{
				&r.transaction,
				&r.position,
				&r.payment.Receiver,
				&r.payment.Snapshot,
				&r.payment.Reason,
				&r.payment.Document,
			}
		}, "SELECT p.transaction_id, p.position, p.receiver, p.snapshot, p.reason, p.document "+
			"FROM payments p JOIN transactions t ON t.id = p.transaction_id"+w.SQL()+
			" ORDER BY p.transaction_id, p.position", w.Args...)
		if err != nil {
			return nil, err
		}

		for _, r := range rows {
			out[r.transaction] = append(out[r.transaction], Note{
				Transaction: r.transaction,
				Payment:     (&Transaction{ID: r.transaction}).PaymentID(int(r.position)),
				Receiver:    r.payment.Receiver,
				Name:        r.payment.Payee(),
				Kind:        r.payment.receiverKind(),
				Reason:      r.payment.Reason,
				Document:    r.payment.Document,
			})
		}
	}

	return out, nil
}
