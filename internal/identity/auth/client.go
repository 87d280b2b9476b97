package auth

import (
	"cmp"
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

// Prefixes of secrets show whether they move real money. Scanners of leaked secrets look for them and verify the
// checksum at the end.
const (
	testSecret   = "sk_test_"
	liveSecret   = "sk_live_"
	clientPrefix = "ak"
)

const (
	maxClients   = 50             // of one person, at once
	maxListed    = 4 * maxClients // of one person, ended ones included
	maxClientAge = 5 * 365 * 24 * time.Hour
	useInterval  = 5 * time.Minute // between two writes of the last use
)

// client is a program that may act in a person's name, for one organisation.
type client struct {
	id, user, organisation, name, salt, hash string
	scopes, allowed                          string
	expires, revoked, used, created          time.Time
	usedFrom                                 string
	noticeAt                                 time.Time // when its end is told next; zero: never
}

// usable reports whether the client has neither expired nor been revoked.
func (c client) usable(now time.Time) bool {
	return c.revoked.IsZero() && (c.expires.IsZero() || now.Before(c.expires))
}

// clientRequest is what a person asks for in a new client. Nil lists and times mean no limit.
type clientRequest struct {
	name            string
	scopes, allowed []string
	expires         *time.Time
}

// check returns everything that is wrong with the request.
func (r clientRequest) check(known []string, now time.Time) error {
	var l fault.List
	user.CheckText(&l, "/name", r.name, 100, false)

	for _, s := range r.scopes {
		if !slices.Contains(known, s) {
			l.Add("/scopes", fault.ScopeUnknown,
				"has the unknown scope %q; write the first word of a path and read, write or accept, such as "+
					"transactions:read.", truncate(s, 40))
		}
	}

	for _, a := range r.allowed {
		if _, err := parsePrefix(a); err != nil {
			l.Add("/allowedIps", fault.FormatInvalid,
				"must be addresses such as 192.0.2.7 or prefixes such as 192.0.2.0/24.")
		}
	}

	if r.expires != nil && (!r.expires.After(now) || r.expires.Sub(now) > maxClientAge) {
		l.Add("/expiresAt", fault.OutOfRange, "must be in the future, and in five years at the latest.")
	}

	return l.Err()
}

func truncate(s string, n int) string { return s[:min(len(s), n)] }

// parsePrefix parses an address or a prefix.
func parsePrefix(s string) (netip.Prefix, error) {
	if a, err := netip.ParseAddr(s); err == nil && a.Zone() == "" {
		a = a.Unmap()
		return netip.PrefixFrom(a, a.BitLen()), nil
	}

	p, err := netip.ParsePrefix(s)

	return p.Masked(), err
}

// prefixes parses the addresses that a client may call from, as they are stored.
func prefixes(stored string) []netip.Prefix {
	var out []netip.Prefix
	for _, w := range db.Words(stored) {
		if p, err := parsePrefix(w); err == nil {
			out = append(out, p)
		}
	}

	return out
}

// checkSource refuses a source that lies in none of the prefixes. Without prefixes every source is allowed.
func checkSource(allowed []netip.Prefix, source string) error {
	if len(allowed) == 0 {
		return nil
	}

	a, err := netip.ParseAddr(source)
	if err == nil && slices.ContainsFunc(allowed, func(p netip.Prefix) bool { return p.Contains(a.Unmap()) }) {
		return nil
	}

	return fault.New(fault.Forbidden, fault.SourceNotAllowed,
		"This API client may not be used from the address %s.", truncate(source, 64))
}

// secretHash returns a secret in the form in which it is stored. Secrets hold 256 random bits, so nobody can search for
// the one behind a plain hash. The salt keeps equal secrets apart.
func secretHash(salt, text string) string {
	sum := sha256.Sum256([]byte(salt + "\x00" + text))
	return hex.EncodeToString(sum[:])
}

func (s *Service) secretPrefix() string {
	if s.config.RealMoney {
		return liveSecret
	}

	return testSecret
}

// createClient creates a client for the caller in the organisation acted for, and returns its secret. The secret cannot
// be read again.
func (s *Service) createClient(
	ctx context.Context, p caller.Principal, r clientRequest,
) (c client, plain string, err error) {
	if err := r.check(s.scopes(), s.db.Now()); err != nil {
		return c, "", err
	}

	plain = secret.Token(s.secretPrefix())
	salt := rand.Text()
	slices.Sort(r.scopes)

	err = s.db.Write(ctx, func(tx *db.Tx) error {
		c = client{
			id:           id.New(clientPrefix, tx.Now),
			user:         p.User,
			organisation: p.Organisation,
			name:         strings.TrimSpace(r.name),
			salt:         salt,
			hash:         secretHash(salt, plain),
			scopes:       strings.Join(slices.Compact(r.scopes), ","),
			allowed:      strings.Join(r.allowed, ","),
			created:      tx.Now,
		}
		if r.expires != nil {
			c.expires = r.expires.UTC().Truncate(time.Millisecond)
			c.noticeAt = c.expires.Add(-min(expiryNotice, c.expires.Sub(c.created)/4))
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
			"label":        cmp.Or(c.name, "without a name"),
			"organisation": o.Name,
			"scopes":       cmp.Or(strings.ReplaceAll(c.scopes, ",", ", "), "all scopes"),
		})
	})

	return c, plain, err
}

// token trades a client's secret for tokens. Unknown and revoked clients and wrong secrets are refused alike. Only who
// has the secret learns that the client has expired.
//
// The secret is checked before anything is counted, and only failures count: its hash is cheap, and whoever has the
// secret must not be locked out by others who guess. Over the limit a wrong secret is refused with 429.
func (s *Service) token(ctx context.Context, clientID, plain string) (signIn, error) {
	if _, err := clientWithSecret(ctx, s.db, clientID, plain, s.db.Now()); err != nil {
		return signIn{}, s.countWrongSecret(ctx, clientID, err)
	}

	out := signIn{Tokens: newTokens()}
	err := s.db.Write(ctx, func(tx *db.Tx) error { return s.beginClient(ctx, tx, clientID, plain, out.Tokens) })

	return out, err
}

// countWrongSecret counts a wrong secret of a client. It returns the refusal, or that of the limit.
func (s *Service) countWrongSecret(ctx context.Context, clientID string, refused error) error {
	if !fault.Is(refused, fault.CredentialsInvalid) {
		return refused
	}

	never := func(string) (bool, error) { return false, nil }

	_, err := s.limits.countSignIn(ctx, truncate(clientID, 64), s.db.Now(), never)
	if err != nil && !fault.Is(err, fault.WorkRequired) { // it cost no hash, and nobody guesses 256 bits
		return err
	}

	return refused
}

// clientWithSecret returns the usable client with this identifier and secret.
func clientWithSecret(ctx context.Context, q db.Querier, clientID, plain string, now time.Time) (client, error) {
	c, err := clientByID(ctx, q, clientID)
	if err != nil && !errors.Is(err, db.ErrNone) {
		return c, err
	}

	right := subtle.ConstantTimeCompare([]byte(secretHash(c.salt, plain)), []byte(c.hash)) == 1
	if err != nil || !right || !c.revoked.IsZero() {
		return c, clientInvalid()
	}

	if !c.usable(now) {
		return c, fault.New(fault.Unauthenticated, fault.APIClientExpired,
			"The API client has expired on %s. Create another one.", c.expires.Format(time.RFC3339))
	}

	return c, nil
}

// beginClient begins a session of an API client whose secret is right.
func (s *Service) beginClient(ctx context.Context, tx *db.Tx, clientID, plain string, t Tokens) error {
	c, err := clientWithSecret(ctx, tx, clientID, plain, tx.Now)
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
	if err := checkSource(prefixes(c.allowed), source); err != nil {
		return err
	}

	s.begin(ctx, tx, session{user: c.user, client: c.id, organisation: c.organisation}, t)

	return noteClientUse(tx, c.id, source)
}

func clientInvalid() error {
	return fault.New(fault.Unauthenticated, fault.CredentialsInvalid, "The clientId and secret do not belong together.")
}

// checkClient refuses to refresh the session of an API client that has ended or calls from an address that is not
// allowed. Sessions of people pass.
func (s *Service) checkClient(ctx context.Context, tx *db.Tx, ses session) error {
	if ses.client == "" {
		return nil
	}

	c, err := clientByID(ctx, tx, ses.client)
	if err != nil {
		return err
	}

	if !c.usable(tx.Now) {
		return tokenInvalid()
	}

	source := caller.RequestOf(ctx).Source
	if err := checkSource(prefixes(c.allowed), source); err != nil {
		return err
	}

	return noteClientUse(tx, c.id, source)
}

// noteUse records when a client or a session of the console was last used, now and then. It is called when a credential
// is not cached.
func (s *Service) noteUse(ctx context.Context, b bearer, now time.Time, attended bool) error {
	if b.console {
		return s.noteConsoleUse(ctx, b, now, attended)
	}

	if b.client == "" || now.Sub(b.clientUsed) < useInterval {
		return nil
	}

	source := caller.RequestOf(ctx).Source

	return s.db.Write(ctx, func(tx *db.Tx) error { return noteClientUse(tx, b.client, source) })
}

// errRevoked says that there is nothing more to end.
var errRevoked = errors.New("the API client is revoked")

// revocable refuses what was revoked. To revoke it again changes nothing.
func (c client) revocable() error {
	if c.revoked.IsZero() {
		return nil
	}

	return errRevoked
}

// revokeClients ends one client, or all of the caller's if clientID is empty. A client's tokens end with it. An admin
// may end the clients of other members of the organisation. A second call changes nothing.
func (s *Service) revokeClients(ctx context.Context, p caller.Principal, clientID string) error {
	return s.db.Write(ctx, func(tx *db.Tx) error {
		owner := p.User
		if clientID != "" {
			c, err := clientByID(ctx, tx, clientID)
			if err != nil && !errors.Is(err, db.ErrNone) {
				return err
			}

			isAdmin := p.Is(organisation.Admin) && c.organisation == p.Organisation
			if err != nil || c.user != p.User && !isAdmin {
				return fault.Missing("API client")
			}

			owner = c.user
		}

		n, err := writeRevoked(tx, owner, clientID)
		if err != nil || n == 0 {
			return err
		}

		trail.Audit(ctx, tx, p.Organisation, "api_client.revoked", cmp.Or(clientID, owner), "")
		tx.OnCommit(func() { s.cache.DropUser(owner) })

		return nil
	})
}

// usableClients returns the identifiers of a person's clients that work, as a mail lists them; "" if there are none.
func usableClients(ctx context.Context, q db.Querier, userID string, now time.Time) (string, error) {
	all, err := clientsOf(ctx, q, userID)

	var ids []string
	for _, c := range all {
		if c.usable(now) {
			ids = append(ids, c.id)
		}
	}

	return strings.Join(ids, ", "), err
}
