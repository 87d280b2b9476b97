package invoicelink

import (
	"context"
	"time"

	"slipway/internal/core/caller"
	"slipway/internal/core/fault"
	"slipway/internal/platform/limit"
)

const day = 24 * time.Hour

// mostChanges is how often one link takes something new for one step, and how many files. What is handed in a second
// time as it was counts for nothing.
const mostChanges = 10

// Limits are how often outside parties may ask, and members have them asked. A zero limits nothing.
type Limits struct {
	Source limit.Rate // calls from one address, whatever their token
	Wrong  limit.Rate // tokens that are not good, from one address
	Link   limit.Rate // calls with one token, from wherever
	Upload limit.Rate // files that begin to come by one link
	// files that come by one link at the same time: they take places that its organisation has for all
	AtOnce int

	// Every link sends a mail to somebody who did not ask for it.
	ADay      int64 // links that one organisation makes in a day
	ToAddress int64 // of those to one address
}

// DefaultLimits are those of a deployment. They are wide: an office has one address, and a token cannot be guessed in
// any number of tries.
func DefaultLimits() Limits {
	return Limits{
		Source: limit.Rate{Events: 120, Per: time.Minute},
		Wrong:  limit.Rate{Events: 20, Per: 10 * time.Minute},
		Link: limit.Rate{
			Events: 60,
			Per:    time.Minute,
		},
		Upload:    limit.Rate{Events: 20, Per: 10 * time.Minute},
		AtOnce:    2,
		ADay:      200,
		ToAddress: 5,
	}
}

// remembered is how many keys each limit keeps.
const remembered = 10_000

// limits are the counters of this process.
type limits struct {
	source, wrong, link, upload *limit.Limiter
	coming                      *limit.Places // nil: no limit
}

func newLimits(l Limits) limits {
	out := limits{
		source: limit.New(l.Source, remembered),
		wrong:  limit.New(l.Wrong, remembered),
		link:   limit.New(l.Link, remembered),
		upload: limit.New(l.Upload, remembered),
	}
	if l.AtOnce > 0 {
		out.coming = limit.NewPlaces(remembered, l.AtOnce)
	}

	return out
}

// arriving counts a call before its token is looked at: whoever has guessed too often is told nothing about another
// guess.
func (l limits) arriving(ctx context.Context, now time.Time) error {
	source := limit.SourceKey(caller.RequestOf(ctx).Source)
	if q := l.wrong.Left(source, now); !q.OK {
		return tooOften(ctx, q)
	}

	return count(ctx, l.source, source, now)
}

// guessed counts a token that was not good.
func (l limits) guessed(ctx context.Context, now time.Time) {
	l.wrong.Take(limit.SourceKey(caller.RequestOf(ctx).Source), now)
}

func count(ctx context.Context, l *limit.Limiter, key string, now time.Time) error {
	q := l.Take(key, now)
	if !q.OK {
		return tooOften(ctx, q)
	}

	limit.Publish(ctx, q)

	return nil
}

func tooOften(ctx context.Context, q limit.Quota) error {
	limit.Publish(ctx, q)

	return fault.New(
		fault.TooMany,
		fault.TooManyAttempts,
		"There were too many attempts. Try again in %d seconds.",
		int((q.RetryAfter+time.Second-1)/time.Second),
	)
}

// invalid is the answer to every token that is not good, whatever the reason.
func invalid() error {
	return fault.New(
		fault.Gone,
		fault.LinkInvalid,
		"The link is not good: it is unknown, used, withdrawn, or expired. Ask whoever has sent it for another one.",
	)
}

// onceMore refuses a change beyond mostChanges; else it counts it.
func onceMore(n *int64) error {
	if *n >= mostChanges {
		return tooManyChanges()
	}

	*n++

	return nil
}

func tooManyChanges() error {
	return fault.New(
		fault.TooMany,
		fault.InvoiceLinkLimit,
		"This was handed in %d times by this link, which is as often as it may be. Ask for another link.",
		mostChanges,
	)
}
