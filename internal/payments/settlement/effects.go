package settlement

import (
	"context"

	"slipway/internal/platform/db"
)

// SendKeys returns the keys of what the treasury has sent for a transaction, as the chain's rail stores them: refunds,
// and the delivery of an on-ramp. A send that is wanted and not planned yet is left out. Of several attempts, only the
// last is returned.
func SendKeys(ctx context.Context, q db.Querier, transactionID string) ([]string, error) {
	sends, err := sendsOf(ctx, q, transactionID)

	var keys []string
	for _, x := range sends {
		if x.State != SendWanted {
			keys = append(keys, x.railKey())
		}
	}

	return keys, err
}
