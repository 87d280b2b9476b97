package app

import (
	"context"

	"slipway/internal/platform/db"
)

// readClean returns, for each place in which a pass found nothing to seal anew, the key that was current then.
func readClean(ctx context.Context, q db.Querier) (map[string]string, error) {
	type place struct{ name, key string }

	rows, err := db.Select(ctx, q, func(p *place) []any {
		return []any{&p.name, &p.key}
	}, "SELECT place, key_id FROM resealed")

	out := make(map[string]string, len(rows))
	for _, p := range rows {
		out[p.name] = p.key
	}

	return out, err
}

// writeClean records that a pass over a place found nothing to seal anew under a key.
func writeClean(ctx context.Context, d *db.DB, place, key string) error {
	return d.Write(ctx, func(tx *db.Tx) error {
		_, err := tx.Exec(`INSERT INTO resealed (place, key_id) VALUES (?, ?)
			ON CONFLICT (place) DO UPDATE SET key_id = excluded.key_id`, place, key)

		return err
	})
}
