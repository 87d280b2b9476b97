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

// agreementsTo returns the agreements to what a transaction pays now, the earliest first.
func agreementsTo(ctx context.Context, q db.Querier, t Transaction) ([]agreement, error) {
	var w db.Where
	w.And("transaction_id = ? AND payments_hash = ?", t.ID, t.PaymentsHash())

	return agreementRows.Where(ctx, q, w, "ORDER BY at, user_id")
}
