package invoicelink

import (
	"context"
	"time"

	"slipway/internal/core/caller"
	"slipway/internal/core/fault"
	"slipway/internal/platform/limit"
)

const oneDay = 24 * time.Hour

// maxChanges is how many times one link may change one step, and how many files it may upload. Handing in the same
// content again does not count.
const maxChanges = 10

// Limits are how often outside parties may call, and how many links members may send. Zero means no limit.
type Limits struct {
	Source limit.Rate // calls from one address, with any token
	Wrong  limit.Rate // invalid tokens from one address
	Link   limit.Rate // calls with one token, from any address
	Upload limit.Rate // uploads started through one link
	// uploads through one link at the same time: they use places that its organisation has for all
	AtOnce int

	// Every link mails somebody who did not ask for it.
	ADay      int64 // links that one organisation mails in a day
	ToAddress int64 // of those to one address
}

// DefaultLimits returns the limits of a deployment. They are generous: an office has one address, and a token cannot be
// guessed in any number of attempts.
func DefaultLimits() Limits {
	return Limits{
		Source:    limit.Rate{Events: 120, Per: time.Minute},
		Wrong:     limit.Rate{Events: 20, Per: 10 * time.Minute},
		Link:      limit.Rate{Events: 60, Per: time.Minute},
		Upload:    limit.Rate{Events: 20, Per: 10 * time.Minute},
		AtOnce:    2,
		ADay:      200,
		ToAddress: 5,
	}
}

// maxKeys is how many keys each limit remembers.
const maxKeys = 10_000

// limits are this process's counters.
type limits struct {
	source, wrong, link, upload *limit.Limiter
	uploads                     *limit.Places // nil: no limit
}

func newLimits(l Limits) limits {
	out := limits{
		source: limit.New(l.Source, maxKeys),
		wrong:  limit.New(l.Wrong, maxKeys),
		link:   limit.New(l.Link, maxKeys),
		upload: limit.New(l.Upload, maxKeys),
	}
	if l.AtOnce > 0 {
		out.uploads = limit.NewPlaces(maxKeys, l.AtOnce)
	}

	return out
}

// admit counts a call before its token is checked. An address that has guessed too often learns nothing about
// further guesses.
func (l limits) admit(ctx context.Context, now time.Time) error {
	source := limit.SourceKey(caller.RequestOf(ctx).Source)
	if q := l.wrong.Left(source, now); !q.OK {
		return tooOften(ctx, q)
	}

	return count(ctx, l.source, source, now)
}

// countInvalid counts an invalid token.
func (l limits) countInvalid(ctx context.Context, now time.Time) {
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

// invalid returns the answer to every invalid token, whatever the reason.
func invalid() error {
	return fault.New(
		fault.Gone,
		fault.LinkInvalid,
		"The link is not good: it is unknown, used, withdrawn, or expired. Ask whoever has sent it for another one.",
	)
}

// countChange counts a change, and refuses one beyond maxChanges.
func countChange(n *int64) error {
	if *n >= maxChanges {
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
		maxChanges,
	)
}
