package auth

import (
	"context"
	"time"

	"slipway/internal/core/caller"
	"slipway/internal/core/fault"
	"slipway/internal/identity/user"
	"slipway/internal/platform/cache"
	"slipway/internal/platform/clock"
	"slipway/internal/platform/limit"
)

// Limits are how often someone may try. A zero rate limits nothing.
type Limits struct {
	SignIn  limit.Rate // sign-ins to one account, or with one API client, from one address
	Source  limit.Rate // sign-ins from one address, to whatever account
	Account limit.Rate // sign-ins to one account from addresses where it was never signed in
	Global  limit.Rate // all sign-ins from such addresses
	Mails   limit.Rate // mails that strangers may cause to one address

	Registrations limit.Rate // all new accounts together: each costs a hash

	Refresh limit.Rate // refreshes and other uses of tokens from one address
	Reads   limit.Rate // GET requests of one credential
	Writes  limit.Rate // its other requests
}

// DefaultLimits are those of a deployment that says nothing else.
func DefaultLimits() Limits {
	return Limits{
		SignIn:        limit.Rate{Events: 5, Per: time.Minute},
		Source:        limit.Rate{Events: 30, Per: time.Minute, Burst: 60},
		Account:       limit.Rate{Events: 20, Per: 10 * time.Minute},
		Global:        limit.Rate{Events: 600, Per: time.Minute},
		Mails:         limit.Rate{Events: 3, Per: 15 * time.Minute},
		Registrations: limit.Rate{Events: 60, Per: time.Minute},
		Refresh:       limit.Rate{Events: 120, Per: time.Minute},
		Reads:         limit.Rate{Events: 600, Per: time.Minute},
		Writes:        limit.Rate{Events: 60, Per: time.Minute},
	}
}

// remembered is how many keys each limit keeps: some 10 MB when all are full.
const remembered = 20_000

// limits are the counters of this process.
type limits struct {
	signIn, source, account, mails, refresh, reads, writes *limit.Limiter
	personWrites, organisationWrites                       *limit.Limiter
	global, registrations                                  *limit.Meter

	vouched *cache.Cache[struct{}] // accounts at addresses from which somebody has just followed a link of their mails
}

// How many times the writes of one credential a person and an organisation have: a new session or API client is no
// new allowance.
const (
	personShare       = 2
	organisationShare = 10
)

// vouchedFor is how long following a link in a mail lets an account sign in from that address, whatever others try.
const vouchedFor = 15 * time.Minute

func newLimits(l Limits, c *clock.Clock) *limits {
	of := func(r limit.Rate) *limit.Limiter { return limit.New(r, remembered) }

	return &limits{
		signIn:             of(l.SignIn),
		source:             of(l.Source),
		account:            of(l.Account),
		mails:              of(l.Mails),
		refresh:            of(l.Refresh),
		reads:              of(l.Reads),
		writes:             of(l.Writes),
		personWrites:       of(times(l.Writes, personShare)),
		organisationWrites: of(times(l.Writes, organisationShare)),
		registrations:      limit.NewMeter(l.Registrations),
		global:             limit.NewMeter(l.Global),
		vouched:            cache.New[struct{}](c, vouchedFor, remembered),
	}
}

// times is a rate n times as high.
func times(r limit.Rate, n int) limit.Rate {
	r.Events *= n
	r.Burst *= n

	return r
}

// meters returns the counters of a caller; nil when nothing is counted.
func (l *limits) meters(p *caller.Principal, now time.Time) *limit.Meters {
	if l.reads == nil && l.writes == nil {
		return nil
	}

	m := &limit.Meters{
		Reads:        l.reads.Meter(p.Credential, now),
		Writes:       l.writes.Meter(p.Credential, now),
		PersonWrites: l.personWrites.Meter(p.User, now),
	}

	if p.Organisation != "" {
		m.OrganisationWrites = l.organisationWrites.Meter(p.Organisation, now)
	}

	return m
}

// vouch notes that whoever calls has followed a link that was mailed to an account.
func (l *limits) vouch(ctx context.Context, email string) {
	l.vouched.Keep(placeOf(user.Key(email), limit.SourceKey(caller.RequestOf(ctx).Source)), struct{}{})
}

// placeOf is an account at an address, as a key.
func placeOf(account, source string) string { return account + "\x00" + source }

// attempt is a sign-in that was counted before its secret was looked at.
type attempt struct {
	account string
	abroad  bool // counted against the account's and everybody's limit for addresses where it was never signed in
}

// signingIn counts an attempt to sign in. Whoever is over a limit is refused before anything is looked up or hashed,
// so the answer is the same for accounts that exist and others. succeeded takes the attempt back: against the
// account and everybody failures alone count, however many try at once.
//
// An attacker with many addresses uses up the account's limit, not its owner's way in: from an address where the
// account was signed in before, or where a link of its mails was followed a moment ago, only the limits of that
// address count. knows is asked in that case only.
func (l *limits) signingIn(
	ctx context.Context, account string, now time.Time, knows func(source string) (bool, error),
) (attempt, error) {
	source := limit.SourceKey(caller.RequestOf(ctx).Source)
	a := attempt{account: account}

	if err := count(ctx, l.signIn, placeOf(account, source), now); err != nil {
		return a, err
	}

	if q := l.source.Take(source, now); !q.OK {
		return a, tooOften(ctx, q)
	}

	mine := l.account.Left(account, now)
	all := l.global.Left(now)

	if mine.OK && all.OK {
		l.account.Take(account, now)
		l.global.Take(now)
		a.abroad = true

		return a, nil
	}

	if _, vouched := l.vouched.Find(placeOf(account, source)); vouched {
		return a, nil
	}

	known, err := knows(source)
	if err != nil || known {
		return a, err
	}

	if mine.OK {
		mine = all
	}

	return a, tooOften(ctx, mine)
}

// succeeded takes an attempt back whose secret was right. What one address may try stays counted: each try costs a
// hash.
func (l *limits) succeeded(a attempt, now time.Time) {
	if a.abroad {
		l.account.Return(a.account, now)
		l.global.Return(now)
	}
}

// count takes one event and tells the caller what is left.
func count(ctx context.Context, l *limit.Limiter, key string, now time.Time) error {
	q := l.Take(key, now)
	if !q.OK {
		return tooOften(ctx, q)
	}

	limit.Publish(ctx, q)

	return nil
}

// fromSource counts what strangers may do without naming an account.
func (l *limits) fromSource(ctx context.Context, of *limit.Limiter, now time.Time) error {
	return count(ctx, of, limit.SourceKey(caller.RequestOf(ctx).Source), now)
}

// mayMail reports whether a stranger may cause another mail to an address. The caller is not told: the mail is left out.
func (l *limits) mayMail(email string, now time.Time) bool {
	return l.mails.Take(user.Key(email), now).OK
}

func tooOften(ctx context.Context, q limit.Quota) error {
	limit.Publish(ctx, q)

	return fault.New(fault.TooMany, fault.TooManyAttempts,
		"There were too many attempts. Try again in %d seconds.", int((q.RetryAfter+time.Second-1)/time.Second))
}
