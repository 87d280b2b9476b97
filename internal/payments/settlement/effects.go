package settlement

import (
	"context"

	"slipway/internal/platform/db"
)

// SendKeys returns the keys of what the treasury has sent for transactions, by transaction, as the chain's rail stores
// them: refunds, and the delivery of an on-ramp. A send that is wanted and not planned yet is left out. Of several
// attempts, only the last is returned.
func SendKeys(ctx context.Context, q db.Querier, transactionIDs []string) (map[string][]string, error) {
	sends, err := sendsOf(ctx, q, transactionIDs...)

	keys := map[string][]string{}
	for _, x := range sends {
		if x.State != SendWanted {
			keys[x.Transaction] = append(keys[x.Transaction], x.railKey().String())
		}
	}

	return keys, err
}
