package network

import (
	"context"
	"fmt"

	"slipway/internal/platform/db"
)

// maxFormer is how many former routers of a network are looked at, the latest first.
const maxFormer = 8

var insertFormer = db.InsertInto("former_routers", "network, address, replaced_at").OrIgnore("(network, address)")

// keepRouter remembers the router that a change of a network replaces, because wallets may have approved it.
func keepRouter(tx *db.Tx, before, after Network) {
	if old := before.Router(); old != "" && old != after.Router() {
		tx.Insert(insertFormer, before.ID, old, db.Micros(tx.Now))
	}
}

// FormerRouters returns the routers that a network had before its present one, the latest first.
func FormerRouters(ctx context.Context, q db.Querier, networkID string) ([]string, error) {
	out, err := db.Select(ctx, q, func(address *string) []any { return []any{address} },
		"SELECT address FROM former_routers WHERE network = ? ORDER BY replaced_at DESC, address LIMIT ?",
		networkID, int64(maxFormer))
	if err != nil {
		return nil, fmt.Errorf("former routers of %s: %w", networkID, err)
	}

	return out, nil
}
