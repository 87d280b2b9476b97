package transaction

import (
	"context"

	"slipway/internal/platform/db"
)

var agreementRows = db.NewTable("agreements", (*agreement).columns)

func (a *agreement) columns(c *db.Columns) {
	c.Text("transaction_id", &a.transaction)
	c.Text("user_id", &a.user)
	c.Text("for_user", &a.forUser)
	c.Text("payments_hash", &a.hash)
	c.Time("at", &a.at)
}

// storeAgreement stores a person's agreement in place of one of his before.
func storeAgreement(tx *db.Tx, a agreement) error {
	_, err := tx.Exec("DELETE FROM agreements WHERE transaction_id = ? AND user_id = ?", a.transaction, a.user)
	agreementRows.Insert(tx, &a)

	return err
}

// agreementsTo returns the agreements to some transactions, whatever they paid then, by transaction, the earliest first.
func agreementsTo(ctx context.Context, q db.Querier, all []Transaction) (map[string][]agreement, error) {
	if len(all) == 0 {
		return nil, nil
	}

	var w db.Where

	ids := make([]string, len(all))
	for i, t := range all {
		ids[i] = t.ID
	}

	db.In(&w, "transaction_id", ids)
	rows, err := agreementRows.Where(ctx, q, w, "ORDER BY at, user_id")
	out := map[string][]agreement{}

	for _, a := range rows {
		out[a.transaction] = append(out[a.transaction], a)
	}

	return out, err
}
