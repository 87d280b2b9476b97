package quote

import (
	"context"
	"fmt"
	"math/big"
	"time"

	"slipway/internal/core/fault"
	"slipway/internal/platform/db"
	"slipway/internal/platform/limit"
)

// A locked quote is an option: its holder accepts if the market has moved in his favour, and lets it lapse if not. A
// single one is worth little, and the commission pays for it. Unlimited and free, they would be worth the best moment
// of every day.

// Unused limits the locked quotes that an organisation lets lapse within unusedWithin: those that were replaced,
// deleted or expired without being accepted. Those that are held for drafts count as well, while they hold: a draft
// reserves nothing of its wallet, so nothing else limits how many an organisation has at once. One that submit takes
// counts no longer.
type Unused struct {
	Free   int64    // from this number on, a further quote has a spread
	Limit  int64    // from this number on, no quote is locked
	Spread *big.Rat // the share by which the rate is worse then
}

const unusedWithin = 24 * time.Hour

// spread returns by how much an organisation's next quote is worse than the market, or nil for no spread. It refuses an
// organisation that let too many lapse, with the time when the oldest of them no longer counts.
func (s *Service) spread(
	ctx context.Context,
	q db.Querier,
	organisation string,
	now time.Time,
) (*big.Rat, error) {
	n, oldest, err := unused(ctx, q, organisation, now.Add(-unusedWithin), now)
	if err != nil {
		return nil, fmt.Errorf("unused quotes of %s: %w", organisation, err)
	}

	switch {
	case n >= s.Unused.Limit:
		wait := oldest.Add(unusedWithin).Sub(now)
		limit.Publish(ctx, limit.Quota{Limit: int(s.Unused.Limit), Reset: wait, RetryAfter: wait})

		return nil, fault.New(
			fault.TooMany,
			fault.QuotesUnused,
			"Your organisation has not used %d locked quotes within a day. Another one can be locked in %d minutes.",
			n,
			int64(wait/time.Minute)+1,
		)

	case n >= s.Unused.Free:
		return s.Unused.Spread, nil
	}

	return nil, nil
}
