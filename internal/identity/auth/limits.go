package auth

import (
	"context"
	"time"

	"slipway/internal/core/fault"
	"slipway/internal/identity/user"
	"slipway/internal/platform/limit"
	"slipway/internal/platform/web"
)

// Limits are how often someone may try. A zero rate limits nothing.
type Limits struct {
	SignIn  limit.Rate // sign-ins to one account, or with one API client, from one address
	Source  limit.Rate // sign-ins from one address, to whatever account
	Account limit.Rate // sign-ins to one account from addresses where it was never signed in
	Global  limit.Rate // all sign-ins from such addresses
	Mails   limit.Rate // mails that strangers may cause to one address
	Refresh limit.Rate // refreshes and other uses of tokens from one address
	Reads   limit.Rate // GET requests of one credential
	Writes  limit.Rate // its other requests
}

// DefaultLimits are those of a deployment that says nothing else.
func DefaultLimits() Limits {
	return Limits{
		SignIn: limit.Rate{Events: 5, Per: time.Minute}, Source: limit.Rate{Events: 30, Per: time.Minute, Burst: 60},
		Account: limit.Rate{Events: 20, Per: 10 * time.Minute}, Global: limit.Rate{Events: 600, Per: time.Minute},
		Mails: limit.Rate{Events: 3, Per: 15 * time.Minute}, Refresh: limit.Rate{Events: 120, Per: time.Minute},
		Reads: limit.Rate{Events: 600, Per: time.Minute}, Writes: limit.Rate{Events: 60, Per: time.Minute},
	}
}

// remembered is how many keys each limit keeps: some 10 MB when all are full.
const remembered = 20_000

// limits are the counters of this process.
type limits struct {
	signIn, source, account, mails, refresh, reads, writes *limit.Limiter
	global                                                 *limit.Meter
}

func newLimits(l Limits) *limits {
	of := func(r limit.Rate) *limit.Limiter { return limit.New(r, remembered) }
	return &limits{signIn: of(l.SignIn), source: of(l.Source), account: of(l.Account), mails: of(l.Mails), refresh: of(l.Refresh), reads: of(l.Reads), writes: of(l.Writes),
		global: limit.NewMeter(l.Global)}
}

// meters gives the counters of a credential; nil when nothing is counted.
func (l *limits) meters(credential string, now time.Time) *web.Meters {
	if l.reads == nil && l.writes == nil {
		return nil
	}
	return &web.Meters{Reads: l.reads.Meter(credential, now), Writes: l.writes.Meter(credential, now)}
}

// signingIn counts an attempt to sign in. Whoever is over a limit is refused before anything is looked up or hashed, so the answer is the
// same for accounts that exist and others.
//
// An attacker with many addresses uses up the account's limit, not its owner's way in: from an address where the account was signed in
// before, only the limits of that address count. knows is asked in that case only.
func (l *limits) signingIn(ctx context.Context, account string, now time.Time, knows func(source string) (bool, error)) error {
	source := web.SourceKey(web.RequestOf(ctx).Source)
	if err := count(ctx, l.signIn, account+"\x00"+source, now); err != nil {
		return err
	}
	if q := l.source.Take(source, now); !q.OK {
		return tooOften(ctx, q)
	}
	a, g := l.account.Left(account, now), l.global.Left(now)
	if a.OK && g.OK {
		l.account.Take(account, now)
		l.global.Take(now)
		return nil
	}
	known, err := knows(source)
	if err != nil || known {
		return err
	}
	if a.OK {
		a = g
	}
	return tooOften(ctx, a)
}

// count takes one event and tells the caller what is left.
func count(ctx context.Context, l *limit.Limiter, key string, now time.Time) error {
	q := l.Take(key, now)
	if !q.OK {
		return tooOften(ctx, q)
	}
	web.Publish(ctx, q)
	return nil
}

// fromSource counts what strangers may do without naming an account.
func (l *limits) fromSource(ctx context.Context, of *limit.Limiter, now time.Time) error {
	return count(ctx, of, web.SourceKey(web.RequestOf(ctx).Source), now)
}

// mayMail says whether a stranger may cause another mail to an address. The caller is not told: the mail is left out.
func (l *limits) mayMail(email string, now time.Time) bool {
	return l.mails.Take(user.Key(email), now).OK
}

func tooOften(ctx context.Context, q limit.Quota) error {
	web.Publish(ctx, q)
	return fault.New(fault.TooMany, fault.TooManyAttempts, "There were too many attempts. Try again in %d seconds.", int((q.RetryAfter+time.Second-1)/time.Second))
}
