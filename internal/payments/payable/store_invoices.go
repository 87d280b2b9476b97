package payable

import (
	"context"
	"slices"

	"slipway/internal/payments/transaction"
	"slipway/internal/platform/db"
)

// InvoicesOf returns the invoice numbers of the payables that an organisation's transactions were made of, by the
// identifier of the payment. Payments of none are left out. What becomes of payment and payable later changes nothing.
func InvoicesOf(
	ctx context.Context,
	q db.Querier,
	organisation string,
	transactions []string,
) (map[string]string, error) {
	out := map[string]string{}

	for chunk := range slices.Chunk(transactions, 256) {
		var w db.Where
		w.And("EXISTS (SELECT 1 FROM payables p WHERE p.id = payable AND p.organisation = ?)", organisation)
		w.And("invoice_number <> ''")
		db.In(&w, "transaction_id", chunk)

		rows, err := reservationRows.Where(ctx, q, w, "")
		if err != nil {
			return nil, err
		}

		for _, r := range rows {
			t := transaction.Transaction{ID: r.transaction}
			out[t.PaymentID(r.position)] = r.invoice
		}
	}

	return out, nil
}
