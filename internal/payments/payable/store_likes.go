package payable

import (
	"context"

	"slipway/internal/payments/transaction"
	"slipway/internal/platform/db"
)

// mostLikes limits the payables that payments are compared with.
const mostLikes = 200

// likes returns an organisation's open payables that no transaction pays yet and that have the receiver and amount, the
// reference or the document of one of some payments. A payable that a transaction pays is compared with as its payment.
func likes(
	ctx context.Context,
	q db.Querier,
	organisation string,
	payments []transaction.Like,
) ([]transaction.Like, error) {
	of := transaction.MarksOf(payments)

	var sum, reference, document db.Where
	db.In(&sum, "receiver", of.Receivers)
	db.In(&sum, "units", of.Units)

	ways := []db.Where{sum}

	if len(of.References) > 0 {
		db.In(&reference, "reference", of.References)
		ways = append(ways, reference)
	}

	if len(of.Documents) > 0 {
		db.In(&document, "document_hash", of.Documents)
		ways = append(ways, document)
	}

	var w db.Where
	w.And("organisation = ? AND status IN ('DRAFT', 'APPROVED') AND transaction_id = ''", organisation)
	w.Either(ways...)

	return db.Select(ctx, q, func(l *transaction.Like) []any {
		return []any{&l.Record, &l.Receiver, &l.Asset, &l.Units, &l.Reference, &l.Document}
	}, "SELECT id, receiver, currency, units, reference, document_hash FROM payables"+w.SQL()+" LIMIT ?",
		append(w.Args, int64(mostLikes))...)
}
