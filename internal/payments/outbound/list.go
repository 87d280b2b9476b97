package outbound

import (
	"context"
	"slices"

	"slipway/internal/platform/db"
	"slipway/internal/platform/words"
)

// mostShortages limits the sends that Shortages looks at.
const mostShortages = 200

// Shortages returns, by network, why refunds and deliveries wait for tokens of the treasury, each reason once.
func Shortages(ctx context.Context, q db.Querier) (map[string][]string, error) {
	waiting, err := where(ctx, q,
		"state = 'WANTED' AND word <> 'convert' AND info <> '' ORDER BY updated_at LIMIT ?", int64(mostShortages))
	out := map[string][]string{}

	for _, x := range waiting {
		if why := words.English(x.Info); !slices.Contains(out[x.Network], why) {
			out[x.Network] = append(out[x.Network], why)
		}
	}

	return out, err
}

// SendKeys returns the keys of what the treasury has sent for transactions, by transaction, as the chain's rail stores
// them: refunds, and the delivery of an on-ramp. A send that is wanted and not planned yet is left out. Of several
// attempts, only the last is returned.
func SendKeys(ctx context.Context, q db.Querier, transactions []string) (map[string][]string, error) {
	all, err := SendsOf(ctx, q, transactions...)

	keys := map[string][]string{}
	for _, x := range all {
		if x.State != Wanted {
			keys[x.Transaction] = append(keys[x.Transaction], x.RailKey())
		}
	}

	return keys, err
}
