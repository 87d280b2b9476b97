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

// A locked quote is an option: whoever holds it accepts when the market has moved his way, and lets it lapse when it
// has not. One is worth little, and the commission pays for it. Without an end, for nothing, they are worth the best
// moment of every day.

// Unused bounds the locked quotes that an organisation lets lapse within unusedWithin: that were replaced, deleted or
// outlived, and that nobody has accepted.
type Unused struct {
	Free   int64    // from this number on a further quote has a spread
	Limit  int64    // from this number on none is locked
	Spread *big.Rat // share by which the rate is worse then
}

const unusedWithin = 24 * time.Hour

// spread is by how much the next quote of an organisation is worse than the market; nil for not at all. It refuses an
// organisation that let too many lapse, and says when the oldest of them counts no more.
func (s *Service) spread(ctx context.Context, organisation string) (*big.Rat, error) {
	now := s.DB.Now()

	n, oldest, err := lapsed(ctx, s.DB, organisation, now.Add(-unusedWithin), now)
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
			"Your organisation let %d locked quotes lapse within a day. Another one can be locked in %d minutes.",
			n,
			int64(wait/time.Minute)+1,
		)

	case n >= s.Unused.Free:
		return s.Unused.Spread, nil
	}

	return nil, nil
}

// lapsed counts an organisation's locked quotes since a moment that nobody accepted in their time, and says when the
// oldest was locked.
func lapsed(
	ctx context.Context,
	q db.Querier,
	organisation string,
	since, now time.Time,
) (n int64, oldest time.Time, err error) {
	type row struct{ n, oldest int64 }
	r, err := db.One(
		ctx,
		q,
		func(r *row) []any { return []any{&r.n, &r.oldest} },
		`SELECT count(*), COALESCE(min(q.locked_at), 0) FROM quotes q LEFT
			JOIN transactions t ON t.id = q.transaction_id
			WHERE q.organisation = ? AND q.kind = 'FIAT' AND q.locked_at > ? AND (q.status = 'REPLACED'
			OR COALESCE(t.accepted_at, 0) = 0 AND (q.status = 'DEAD' OR q.expires_at <= ?))`,
		organisation,
		db.Micros(since),
		db.Micros(now),
	)

	return r.n, db.Time(r.oldest), err
}
