package organisation

import (
	"context"

	"slipway/internal/platform/db"
)

// Kinds of commissions that are not a trading pair's default.
const (
	CustomCommissions  = "CUSTOM"  // an organisation's own
	PartnerCommissions = "PARTNER" // of those who come through a partner
)

// Commission is what a trading pair costs an owner: an organisation or a partner. Percent is a decimal text: 0.5 is a
// two-hundredth of the amount. A hidden one is charged like any other and not shown to the organisation in its
// record.
type Commission struct {
	Owner, Pair, Percent string
	Hidden               bool
}

var insertCommission = db.InsertInto("commissions", "kind, owner, pair, percent, is_hidden, updated_at")

// CommissionsOf lists the commissions of an owner, by pair. An empty owner has none.
func CommissionsOf(ctx context.Context, q db.Querier, kind, owner string) ([]Commission, error) {
	if owner == "" {
		return nil, nil
	}

	return db.Select(ctx, q, func(c *Commission) []any { return []any{&c.Owner, &c.Pair, &c.Percent, &c.Hidden} },
		"SELECT owner, pair, percent, is_hidden FROM commissions WHERE kind = ? AND owner = ? ORDER BY pair",
		kind, owner)
}

// replaceCommissions writes all commissions of an organisation anew.
func replaceCommissions(tx *db.Tx, orgID string, all []Commission) error {
	if _, err := tx.Exec("DELETE FROM commissions WHERE kind = ? AND owner = ?", CustomCommissions, orgID); err != nil {
		return err
	}

	for _, c := range all {
		tx.Insert(insertCommission, CustomCommissions, orgID, c.Pair, c.Percent, c.Hidden, db.Micros(tx.Now))
	}

	return nil
}
