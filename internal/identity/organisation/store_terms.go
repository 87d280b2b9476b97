package organisation

import (
	"context"

	"slipway/internal/platform/db"
)

// This file holds all SQL of terms and commissions.

var insertCommission = db.InsertInto("commissions", "kind, owner, pair, percent, is_hidden, updated_at")

// CommissionsOf returns the commissions of an owner, sorted by pair. An empty owner has none.
func CommissionsOf(ctx context.Context, q db.Querier, kind, owner string) ([]Commission, error) {
	if owner == "" {
		return nil, nil
	}

	return commissionsOfAll(ctx, q, kind, []string{owner})
}

// commissionsOfAll returns the commissions of owners, sorted by pair.
func commissionsOfAll(ctx context.Context, q db.Querier, kind string, owners []string) ([]Commission, error) {
	if len(owners) == 0 {
		return nil, nil
	}

	dest := func(c *Commission) []any { return []any{&c.Owner, &c.Pair, &c.Percent, &c.Hidden} }

	var w db.Where
	w.And("kind = ?", kind)
	db.In(&w, "owner", owners)

	return db.Select(ctx, q, dest,
		"SELECT owner, pair, percent, is_hidden FROM commissions"+w.SQL()+" ORDER BY pair", w.Args...)
}

// replaceCommissions deletes the commissions of an organisation and writes all of these.
func replaceCommissions(tx *db.Tx, orgID string, all []Commission) error {
	if _, err := tx.Exec("DELETE FROM commissions WHERE kind = ? AND owner = ?", CustomCommissions, orgID); err != nil {
		return err
	}

	for _, c := range all {
		tx.Insert(insertCommission, CustomCommissions, orgID, c.Pair, c.Percent, c.Hidden, db.Micros(tx.Now))
	}

	return nil
}

// writeTerms writes the limits. If the row is not at the given version any more, it fails with db.ErrStale.
func writeTerms(tx *db.Tx, o Organisation, version int64) {
	tx.Change(`UPDATE organisations
			SET transaction_value_limit = ?, min_usd_payment_amount = ?, cumulative_amount = ?, version = ?,
			updated_at = ? WHERE id = ? AND version = ?`,
		o.TransactionValueLimit, o.MinUSDPaymentAmount, o.CumulativeTotal, o.Version, db.Micros(o.UpdatedAt),
		o.ID, version)
}
