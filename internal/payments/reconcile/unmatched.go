package reconcile

import (
	"context"
	"fmt"
	"math/big"

	"slipway/internal/platform/db"
)

// Unmatched sums the deposits on a house account that are written down and posted nowhere yet: the matching step acts
// next.
func Unmatched(ctx context.Context, q db.Querier, house string) (*big.Int, error) {
	all, err := db.Select(ctx, q, func(s *string) []any { return []any{s} },
		"SELECT units FROM deposits WHERE state = 'NEW' AND house = ?", house)
	if err != nil {
		return nil, fmt.Errorf("unmatched deposits of %s: %w", house, err)
	}

	sum := new(big.Int)

	for _, text := range all {
		n, ok := new(big.Int).SetString(text, 10)
		if !ok {
			return nil, fmt.Errorf("deposit on %s: %q is no number", house, text)
		}

		sum.Add(sum, n)
	}

	return sum, nil
}
