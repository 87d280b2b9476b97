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
	"slipway/internal/platform/secret"
)

// Limits are how often something may be tried. A zero rate limits nothing.
type Limits struct {
	SignIn  limit.Rate // sign-ins to one account, or with one API client, from one address
	Source  limit.Rate // sign-ins from one address to all accounts
	Account limit.Rate // sign-ins to one account from addresses where it has never been signed in
	Global  limit.Rate // sign-ins to all accounts from such addresses, without a proof of work
	Mails   limit.Rate // mails to one address that strangers cause

	Registrations limit.Rate // all new accounts together, without a proof of work: each costs a hash

	Refresh limit.Rate // refreshes and other uses of tokens from one address
	Reads   limit.Rate // GET requests of one credential
	Writes  limit.Rate // its other requests
}

// DefaultLimits returns the limits of a deployment that configures none.
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

// maxKeys is how many keys each limit keeps: about 10 MB when all are full.
const maxKeys = 20_000

// limits are the counters of this process.
type limits struct {
	signIn, source, account, mails, refresh, reads, writes *limit.Limiter
	personReads, organisationReads                         *limit.Limiter
	personWrites, organisationWrites                       *limit.Limiter
	strangers, newcomers                                   *limit.Door

	trusted *cache.Cache[struct{}] // accounts with the addresses from which a link in their mails was just followed
}

// How many times the requests of one credential a person and an organisation may make. So another session or API client
// does not raise the limit without end, nor does another organisation of the same person.
const (
	personShare       = 2
	organisationShare = 10
)

// trustLifetime is how long an account may sign in from an address where a link in one of its mails was followed,
// whatever others try.
const trustLifetime = 15 * time.Minute

func newLimits(l Limits, c *clock.Clock, keys *secret.Keyring) *limits {
	of := func(r limit.Rate) *limit.Limiter { return limit.New(r, maxKeys) }

	return &limits{
		signIn:             of(l.SignIn),
		source:             of(l.Source),
		account:            of(l.Account),
		mails:              of(l.Mails),
		refresh:            of(l.Refresh),
		reads:              of(l.Reads),
		writes:             of(l.Writes),
		personReads:        of(times(l.Reads, personShare)),
		organisationReads:  of(times(l.Reads, organisationShare)),
		personWrites:       of(times(l.Writes, personShare)),
		organisationWrites: of(times(l.Writes, organisationShare)),
		strangers:          limit.NewDoor(l.Global, "sign-in", keys),
		newcomers:          limit.NewDoor(l.Registrations, "register", keys),
		trusted:            cache.New[struct{}](c, trustLifetime, maxKeys),
	}
}

// times returns a rate n times as high.
func times(r limit.Rate, n int) limit.Rate {
	r.Events *= n
	r.Burst *= n

	return r
}

// meters returns the counters of a caller, or nil if nothing is counted.
func (l *limits) meters(p *caller.Principal, now time.Time) *limit.Meters {
	if l.reads == nil && l.writes == nil {
		return nil
	}

	m := &limit.Meters{
		Reads:        l.reads.Meter(p.Credential, now),
		Writes:       l.writes.Meter(p.Credential, now),
		PersonReads:  l.personReads.Meter(p.User, now),
		PersonWrites: l.personWrites.Meter(p.User, now),
	}

	if p.Organisation != "" {
		m.OrganisationReads = l.organisationReads.Meter(p.Organisation, now)
		m.OrganisationWrites = l.organisationWrites.Meter(p.Organisation, now)
	}

	return m
}

// trust records that the caller has followed a link that was mailed to an account.
func (l *limits) trust(ctx context.Context, email string) {
	l.trusted.Keep(accountAt(user.Key(email), limit.SourceKey(caller.RequestOf(ctx).Source)), struct{}{})
}

// accountAt returns the key of an account at an address.
func accountAt(account, source string) string { return account + "\x00" + source }

// attempt is a sign-in that was counted before its secret was checked.
type attempt struct {
	account    string
	source     string
	unfamiliar bool // counted against Account
	free       bool // counted against Global
}

// countSignIn counts an attempt to sign in. Whoever is over a limit is refused before anything is looked up or hashed,
// so the answer is the same whether or not the account exists. returnAttempt takes a successful attempt back:
// only failures count against Account and Global, however many try at once.
//
// An attacker with many addresses can use up the account's limit but cannot lock its owner out. From an address where
// the account has signed in before, or where a link in its mails was just followed, only the limits of that address
// count. isKnown is called only when Account or Global is used up. Nor can he lock strangers out: while
// Global or their network's share of it is used up, they bring a proof of work.
func (l *limits) countSignIn(
	ctx context.Context, account string, now time.Time, isKnown func(source string) (bool, error),
) (attempt, error) {
	request := caller.RequestOf(ctx)
	source := limit.SourceKey(request.Source)
	a := attempt{account: account, source: request.Source}

	if err := count(ctx, l.signIn, accountAt(account, source), now); err != nil {
		return a, err
	}

	if q := l.source.Take(source, now); !q.OK {
		return a, tooOften(ctx, q)
	}

	forAccount := l.account.Left(account, now)

	if forAccount.OK && l.strangers.Enter(request.Source, now) {
		l.account.Take(account, now)
		a.unfamiliar = true
		a.free = true

		return a, nil
	}

	if _, ok := l.trusted.Find(accountAt(account, source)); ok {
		return a, nil
	}

	known, err := isKnown(source)
	if err != nil || known {
		return a, err
	}

	if !forAccount.OK {
		return a, tooOften(ctx, forAccount)
	}

	if err := pay(ctx, l.strangers, now); err != nil {
		return a, err
	}

	l.account.Take(account, now)
	a.unfamiliar = true

	return a, nil
}

// pay returns a refusal with a challenge, unless the request brings the proof of one.
func pay(ctx context.Context, d *limit.Door, now time.Time) error {
	r := caller.RequestOf(ctx)
	if d.Pay(r.Source, r.Proof, now) {
		return nil
	}

	return fault.New(fault.TooMany, fault.WorkRequired,
		"Very many ask for this at the moment. Send the request again with a proof of work.").
		With("challenge", d.Ask(r.Source, now))
}

// returnAttempt takes back an attempt whose secret was right. It stays counted against the address: each try costs a
// hash.
func (l *limits) returnAttempt(a attempt, now time.Time) {
	if a.unfamiliar {
		l.account.Return(a.account, now)
	}

	if a.free {
		l.strangers.Leave(a.source, now)
	}
}

// count takes one event from a limit and publishes what is left of it in the answer's headers.
func count(ctx context.Context, l *limit.Limiter, key string, now time.Time) error {
	q := l.Take(key, now)
	if !q.OK {
		return tooOften(ctx, q)
	}

	limit.Publish(ctx, q)

	return nil
}

// fromSource counts a request that names no account, by the address it comes from.
func (l *limits) fromSource(ctx context.Context, of *limit.Limiter, now time.Time) error {
	return count(ctx, of, limit.SourceKey(caller.RequestOf(ctx).Source), now)
}

// mayMail reports whether a stranger may cause another mail to an address. If not, the mail is left out and the answer
// stays the same.
func (l *limits) mayMail(email string, now time.Time) bool {
	return l.mails.Take(user.Key(email), now).OK
}

func tooOften(ctx context.Context, q limit.Quota) error {
	limit.Publish(ctx, q)

	return fault.New(fault.TooMany, fault.TooManyAttempts,
		"There were too many attempts. Try again in %d seconds.", int((q.RetryAfter+time.Second-1)/time.Second))
}
