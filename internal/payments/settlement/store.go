package settlement

import (
	"context"
	"fmt"
	"time"

	"slipway/internal/platform/db"
)

// Open is a kind of item that waits for a provider, the chain, or people.
type Open struct {
	Kind   string // conversion, treasury_send, treasury_short, kept_send, doubtful_send, suspense, receivable, return
	Count  int64
	Oldest time.Time // zero when nothing waits
}

// OpenItems counts what waits, by kind, for monitoring. None of it may grow old (M-08).
func OpenItems(ctx context.Context, q db.Querier) ([]Open, error) {
	var out []Open
	for _, x := range [...]struct{ kind, query string }{
		{"conversion", `SELECT count(*), COALESCE(min(created_at), 0) FROM effects
			WHERE state = 'WANTED' AND word = 'convert'`},
		{"treasury_send", `SELECT count(*), COALESCE(min(created_at), 0) FROM effects
			WHERE state IN ('WANTED', 'PLANNED', 'REFUSED') AND word <> 'convert'`},
		{"treasury_short", `SELECT count(*), COALESCE(min(created_at), 0) FROM effects
			WHERE state = 'WANTED' AND word <> 'convert' AND info <> ''`},
		{"kept_send", "SELECT count(*), COALESCE(min(created_at), 0) FROM effects WHERE state = 'KEPT'"},
		{"doubtful_send", "SELECT count(*), COALESCE(min(created_at), 0) FROM effects WHERE state = 'DOUBTFUL'"},
		{"suspense", `SELECT count(*), COALESCE(min(created_at), 0) FROM deposits
			WHERE state IN ('NEW', 'SUSPENSE', 'ASSIGNED')`},
		{"receivable", "SELECT count(*), COALESCE(min(created_at), 0) FROM receivables WHERE state = 'OPEN'"},
		{"return", `SELECT count(*), COALESCE(min(created_at), 0) FROM payout_returns
			WHERE state IN ('RECEIVED', 'HELD')`},
	} {
		count, oldest, err := db.Backlog(ctx, q, x.query)
		if err != nil {
			return nil, fmt.Errorf("count open items (%s): %w", x.kind, err)
		}

		out = append(out, Open{Kind: x.kind, Count: count, Oldest: oldest})
	}

	return out, nil
}
