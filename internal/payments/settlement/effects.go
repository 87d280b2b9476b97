package settlement

import (
	"context"

	"slipway/internal/platform/db"
)

// SendKeys lists the keys under which the chain's rail knows what the treasury has sent for a transaction: refunds,
// and the delivery of an on-ramp. One that is wanted and not planned yet is not among them; of one that was tried
// several times it is the last attempt.
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
