package payable

import (
	"context"
	"slices"

	"slipway/internal/payments/transaction"
	"slipway/internal/platform/db"
)

// InvoicesOf returns the invoice numbers of the payables that an organisation's transactions pay, by the identifier of
// the payment. Payments of none are left out.
func InvoicesOf(
	ctx context.Context,
	q db.Querier,
	organisation string,
	transactions []string,
) (map[string]string, error) {
	type place struct {
		transaction, number string
		position            int64
	}

	out := map[string]string{}

	for chunk := range slices.Chunk(transactions, 256) {
		var w db.Where
		w.And("organisation = ?", organisation)
		w.And("transaction_id <> ''") // the condition of the partial index
		w.And("invoice_number <> ''")
		db.In(&w, "transaction_id", chunk)

		rows, err := db.Select(ctx, q, func(p *place) []any { return []any{&p.transaction, &p.position, &p.number} },
			"SELECT transaction_id, position, invoice_number FROM payables"+w.SQL(), w.Args...)
		if err != nil {
			return nil, err
		}

		for _, p := range rows {
			t := transaction.Transaction{ID: p.transaction}
			out[t.PaymentID(int(p.position))] = p.number
		}
	}

	return out, nil
}
