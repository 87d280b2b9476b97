package auth

import (
	"context"
	"crypto/rand"
	"crypto/sha256"
	"crypto/subtle"
	"encoding/hex"
	"errors"
	"net/netip"
	"slices"
	"strings"
	"time"

	"slipway/internal/core/caller"
	"slipway/internal/core/fault"
	"slipway/internal/core/id"
	"slipway/internal/identity/organisation"
	"slipway/internal/identity/user"
	"slipway/internal/platform/db"
	"slipway/internal/platform/mail"
	"slipway/internal/platform/secret"
	"slipway/internal/platform/trail"
)

// Secrets of API clients say by their prefix whether they open real money. Scanners of leaked secrets look for them
// and check the sum at the end.
const (
	testSecret   = "sk_test_"
	liveSecret   = "sk_live_"
	clientPrefix = "ak"
)

const (
	maxClients   = 50
	maxScopes    = 50
	maxAllowed   = 50
	maxClientAge = 5 * 365 * 24 * time.Hour
	useNoted     = 5 * time.Minute // how exactly the last use is kept: not every request writes
)

// client is a program that may act in a person's name, in one organisation.
type client struct {
	id, user, organisation, name, salt, hash string
	scopes, allowed                          string
	expires, revoked, used, created          time.Time
	usedFrom                                 string
}

// good reports whether the client can be used at all.
func (c client) good(now time.Time) bool {
	return c.revoked.IsZero() && (c.expires.IsZero() || now.Before(c.expires))
}

// clientWish is what a person asks of a new client. Nil lists and times: no limit.
type clientWish struct {
	name            string
	scopes, allowed []string
	expires         *time.Time
}

// check notes everything that is wrong.
func (w clientWish) check(known []string, now time.Time) error {
	var l fault.List
	user.CheckText(&l, "/name", w.name, 100, false)

	for _, s := range w.scopes {
		if !slices.Contains(known, s) {
			l.Add("/scopes", fault.ScopeUnknown,
				"knows no scope %q; one is made of the first word of a path and read, write or accept.", cut(s, 40))
		}
	}

	for _, a := range w.allowed {
		if _, err := parsePrefix(a); err != nil {
			l.Add("/allowedIps", fault.FormatInvalid,
				"must be addresses such as 192.0.2.7 or prefixes such as 192.0.2.0/24.")
		}
	}

	if w.expires != nil && (!w.expires.After(now) || w.expires.Sub(now) > maxClientAge) {
		l.Add("/expiresAt", fault.OutOfRange, "must be in the future, and in five years at the latest.")
	}

	return l.Err()
}

func cut(s string, n int) string { return s[:min(len(s), n)] }

// parsePrefix reads an address or a prefix.
func parsePrefix(s string) (netip.Prefix, error) {
	if a, err := netip.ParseAddr(s); err == nil && a.Zone() == "" {
		a = a.Unmap()
		return netip.PrefixFrom(a, a.BitLen()), nil
	}

	p, err := netip.ParsePrefix(s)

	return p.Masked(), err
}

func prefixes(stored string) []netip.Prefix {
	var out []netip.Prefix
	for _, w := range db.Words(stored) {
		if p, err := parsePrefix(w); err == nil {
			out = append(out, p)
		}
	}

	return out
}

// fromAllowed is nil when a source lies in one of the prefixes, else the refusal.
func fromAllowed(allowed []netip.Prefix, source string) error {
	a, err := netip.ParseAddr(source)
	if len(allowed) == 0 || err == nil && slices.ContainsFunc(allowed, func(p netip.Prefix) bool {
		return p.Contains(a.Unmap())
	}) {
		return nil
	}

	return fault.New(fault.Forbidden, fault.SourceNotAllowed,
		"This API client may not be used from the address %s.", cut(source, 64))
}

// secretHash is a secret as it is stored. It holds 256 random bits, so a plain hash cannot be searched; the salt
// keeps equal ones apart.
func secretHash(salt, text string) string {
	sum := sha256.Sum256([]byte(salt + "\x00" + text))
	return hex.EncodeToString(sum[:])
}

func (s *Service) secretPrefix() string {
	if s.config.Live {
		return liveSecret
	}

	return testSecret
}

// createClient makes a client for the caller in the organisation he acts for, and returns its secret, which is never
// given again.
func (s *Service) createClient(
	ctx context.Context, p caller.Principal, w clientWish,
) (c client, plain string, err error) {
	if err := w.check(s.scopes(), s.db.Now()); err != nil {
		return c, "", err
	}

	plain = secret.Token(s.secretPrefix())
	salt := rand.Text()
	slices.Sort(w.scopes)
	err = s.db.Write(ctx, func(tx *db.Tx) error {
		c = client{
			id:           id.New(clientPrefix, tx.Now),
			user:         p.User,
			organisation: p.Organisation,
			name:         strings.TrimSpace(w.name),
			salt:         salt,
			hash:         secretHash(salt, plain),
			scopes:       strings.Join(slices.Compact(w.scopes), ","),
			allowed:      strings.Join(w.allowed, ","),
			created:      tx.Now,
		}
		if w.expires != nil {
			c.expires = w.expires.UTC().Truncate(time.Millisecond)
		}

		n, err := countClients(ctx, tx, p.User)
		if err != nil {
			return err
		}

		if n >= maxClients {
			return fault.New(fault.Conflict, fault.APIClientLimit,
				"A user may have at most %d API clients; revoke one first.", maxClients)
		}

		o, err := organisation.ByID(ctx, tx, p.Organisation)
		if err != nil {
			return err
		}

		insertAPIClient(tx, c)
		trail.Audit(ctx, tx, p.Organisation, "api_client.created", c.id, c.scopes)

		return s.alarm(ctx, tx, p.User, mail.NewKey, map[string]string{
			"client":       c.id,
			"label":        orWord(c.name, "without a name"),
			"organisation": o.Name,
			"scopes":       orWord(strings.ReplaceAll(c.scopes, ",", ", "), "all scopes"),
		})
	})

	return c, plain, err
}

func orWord(s, otherwise string) string {
	if s == "" {
		return otherwise
	}

	return s
}

// token trades a client's secret for tokens. Unknown clients, wrong secrets, revoked and expired clients are refused
// alike.
//
// The secret is looked at before anything is counted, and failures alone count: a hash of it costs next to nothing,
// and whoever has the secret is never kept out by others who guess. Over the limit a wrong one is answered
// 429.
func (s *Service) token(ctx context.Context, clientID, plain string) (signIn, error) {
	if _, err := rightClient(ctx, s.db, clientID, plain, s.db.Now()); err != nil {
		return signIn{}, s.wrongSecret(ctx, clientID, err)
	}

	out := signIn{Tokens: newTokens()}
	err := s.db.Write(ctx, func(tx *db.Tx) error { return s.beginClient(ctx, tx, clientID, plain, out.Tokens) })

	return out, err
}

// wrongSecret counts a client's wrong secret, and returns what it is answered.
func (s *Service) wrongSecret(ctx context.Context, clientID string, refused error) error {
	if !fault.Is(refused, fault.CredentialsInvalid) {
		return refused
	}

	never := func(string) (bool, error) { return false, nil }
	if _, over := s.limits.signingIn(ctx, cut(clientID, 64), s.db.Now(), never); over != nil {
		return over
	}

	return refused
}

// rightClient returns the client whose secret this is, if it may still be used.
func rightClient(ctx context.Context, q db.Querier, clientID, plain string, now time.Time) (client, error) {
	c, err := clientByID(ctx, q, clientID)
	if err != nil && !errors.Is(err, db.ErrNone) {
		return c, err
	}

	right := subtle.ConstantTimeCompare([]byte(secretHash(c.salt, plain)), []byte(c.hash)) == 1
	if err != nil || !right || !c.good(now) {
		return c, clientInvalid()
	}

	return c, nil
}

// beginClient begins a session of an API client whose secret is right.
func (s *Service) beginClient(ctx context.Context, tx *db.Tx, clientID, plain string, t Tokens) error {
	c, err := rightClient(ctx, tx, clientID, plain, tx.Now)
	if err != nil {
		return err
	}

	u, err := user.ByID(ctx, tx, c.user)
	if err != nil {
		return err
	}

	if !u.IsActive {
		return accountInactive()
	}

	source := caller.RequestOf(ctx).Source
	if err := fromAllowed(prefixes(c.allowed), source); err != nil {
		return err
	}

	s.begin(ctx, tx, session{user: c.user, client: c.id, organisation: c.organisation}, t)

	return noteClientUse(tx, c.id, source)
}

func clientInvalid() error {
	return fault.New(fault.Unauthenticated, fault.CredentialsInvalid, "The clientId and secret do not belong together.")
}

// clientStill refuses a refresh whose API client has ended or calls from elsewhere; sessions of people pass.
func (s *Service) clientStill(ctx context.Context, tx *db.Tx, ses session) error {
	if ses.client == "" {
		return nil
	}

	c, err := clientByID(ctx, tx, ses.client)
	if err != nil {
		return err
	}

	if !c.good(tx.Now) {
		return tokenInvalid()
	}

	source := caller.RequestOf(ctx).Source
	if err := fromAllowed(prefixes(c.allowed), source); err != nil {
		return err
	}

	return noteClientUse(tx, c.id, source)
}

// noteUse keeps when a client was last used, to a few minutes: it is asked when a token was not in the cache.
func (s *Service) noteUse(ctx context.Context, b bearer, now time.Time) error {
	if b.client == "" || now.Sub(b.clientUsed) < useNoted {
		return nil
	}

	source := caller.RequestOf(ctx).Source

	return s.db.Write(ctx, func(tx *db.Tx) error { return noteClientUse(tx, b.client, source) })
}

// revokeClients ends one client, or with an empty id all of the caller's. A client's tokens die with it. An admin may
// end those of members of his organisation. A second call finds the client ended and changes nothing.
func (s *Service) revokeClients(ctx context.Context, p caller.Principal, clientID string) error {
	return s.db.Write(ctx, func(tx *db.Tx) error {
		owner := p.User
		if clientID != "" {
			c, err := clientByID(ctx, tx, clientID)
			if errors.Is(err, db.ErrNone) ||
				err == nil && c.user != p.User && !(p.Is(organisation.Admin) && c.organisation == p.Organisation) {
				return fault.Missing("API client")
			}

			if err != nil {
				return err
			}

			owner = c.user
		}

		n, err := writeRevoked(tx, owner, clientID)
		if err != nil || n == 0 {
			return err
		}

		trail.Audit(ctx, tx, p.Organisation, "api_client.revoked", orWord(clientID, owner), "")
		tx.OnCommit(func() { s.cache.DropUser(owner) })

		return nil
	})
}

// liveClients says how many clients of a person work, for mails: a number in words of people, or nothing.
func liveClients(ctx context.Context, q db.Querier, userID string, now time.Time) (string, error) {
	all, err := clientsOf(ctx, q, userID)

	var ids []string
	for _, c := range all {
		if c.good(now) {
			ids = append(ids, c.id)
		}
	}

	return strings.Join(ids, ", "), err
}
