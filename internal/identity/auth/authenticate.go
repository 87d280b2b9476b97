package auth

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"strings"
	"time"

	"slipway/internal/core/caller"
	"slipway/internal/core/fault"
	"slipway/internal/core/id"
	"slipway/internal/identity/organisation"
	"slipway/internal/platform/db"
	"slipway/internal/platform/limit"
	"slipway/internal/platform/secret"
)

// Authenticate returns the principal of an access token and the counters of its requests. orgID is the organisation to
// act for; empty means the first one that the user joined. A user who is not an active member of orgID gets NOT_FOUND,
// as strangers do.
func (s *Service) Authenticate(ctx context.Context, token, orgID string) (*caller.Principal, *limit.Meters, error) {
	return s.authenticate(ctx, byToken, token, orgID, true)
}

// authenticate returns the principal of a credential. attended means that a person causes the request.
func (s *Service) authenticate(
	ctx context.Context, kind credential, token, orgID string, attended bool,
) (*caller.Principal, *limit.Meters, error) {
	if len(token) != credentialLength || !strings.HasPrefix(token, kind.prefix) { // one kind is not taken for another
		return nil, nil, tokenInvalid()
	}

	if orgID != "" && !id.Valid(organisation.Prefix, orgID) {
		return nil, nil, fault.Missing("organisation")
	}

	var text [credentialLength]byte // on the stack: this runs for every request
	copy(text[:], token)
	k := cacheKey{hash: sha256.Sum256(text[:]), organisation: orgID}

	now := s.requestTime(ctx)
	if e, ok := s.cache.get(k, now); ok && !(attended && e.useIsDue(now)) {
		return e.principal, e.meters, checkSource(e.principal.Sources, caller.RequestOf(ctx).Source)
	}

	if !secret.TokenForm(kind.prefix, token) { // mistyped: it is not worth a read
		return nil, nil, tokenInvalid()
	}

	drops := s.cache.drops.Load()

	b, err := bearerOf(ctx, s.db, kind, hex.EncodeToString(k.hash[:]), orgID)
	if errors.Is(err, db.ErrNone) {
		return nil, nil, tokenInvalid()
	}

	if err != nil {
		return nil, nil, err
	}

	p, err := b.principal(now, orgID)
	if err != nil {
		return nil, nil, err
	}

	meters := s.limits.meters(p, now)
	e := entry{principal: p, meters: meters}
	e.expires = earliest(
		now.Add(CacheLifetime),
		b.tokenExpires,
		b.sessionExpires,
		b.clientEnd(now),
		b.standInTurns(now),
	)

	if kind.console {
		e.lastUse = b.lastUse
		if b.useIsDue(now, attended) {
			e.lastUse = now
		}

		e.expires = earliest(e.expires, e.lastUse.Add(ConsoleIdle))
	}

	s.cache.put(k, e, drops, now)

	if err := checkSource(p.Sources, caller.RequestOf(ctx).Source); err != nil {
		return p, meters, err
	}

	return p, meters, s.noteUse(ctx, b, now, attended)
}

// credentialLength is the length of every credential: their prefixes are equally long.
const credentialLength = len(accessPrefix) + secret.TokenLength

// clockTolerance is how much the clocks of two processes may differ.
const clockTolerance = time.Minute

// requestTime returns when the request arrived, or the present time outside of a request.
func (s *Service) requestTime(ctx context.Context) time.Time {
	if at := caller.RequestOf(ctx).ReceivedAt; !at.IsZero() {
		return s.db.Clock().At(at)
	}

	return s.db.Now()
}

// bearer is what a request needs to know about its credential, read in one row.
type bearer struct {
	credential

	hash                         string
	session, user, staff         string
	userActive, revoked          bool
	tokenExpires, sessionExpires time.Time
	organisation, roles          string // empty: no active membership
	userType                     string
	standsInFor                  string // the user, while the membership has a stand-in; see standsIn
	standsInFrom, standsInUntil  time.Time
	requireKey, hasPolicy        bool
	bindsPayers, severalAccept   bool

	client, clientOrganisation string // empty: a person
	scopes, allowed            string
	clientExpires, clientUsed  time.Time
	clientRevoked              bool
	secondFactorRequired       bool
	secondFactorOn             bool
	provenAt                   time.Time

	lastUse    time.Time // of a session of the console
	cookieUsed bool      // the browser is known to have the cookie
	replaced   bool      // the cookie was replaced by that of a step-up

	signOn, without string // as of its session
}

// clientEnd returns when the API client expires: in the far future for people and for clients without an end.
func (b bearer) clientEnd(now time.Time) time.Time {
	if b.clientExpires.IsZero() {
		return now.Add(SessionLifetime)
	}

	return b.clientExpires
}

// standsIn reports whether the person accepts for another member now.
func (b bearer) standsIn(now time.Time) bool {
	return !now.Before(b.standsInFrom) && now.Before(b.standsInUntil)
}

// standInTurns returns when a stand-in begins or ends next: in the far future if it does neither.
func (b bearer) standInTurns(now time.Time) time.Time {
	for _, at := range []time.Time{b.standsInFrom, b.standsInUntil} {
		if now.Before(at) {
			return at
		}
	}

	return now.Add(SessionLifetime)
}

// principal returns the caller that the token stands for, acting for orgID or for the first organisation.
func (b bearer) principal(now time.Time, orgID string) (*caller.Principal, error) {
	switch {
	case b.revoked || !now.Before(b.tokenExpires) || !now.Before(b.sessionExpires):
		return nil, tokenInvalid()
	case b.tokenExpires.Sub(now) > b.lifetime+clockTolerance: // issued before the clock was set back
		return nil, tokenInvalid()
	case b.console && now.Sub(b.lastUse).Abs() >= ConsoleIdle: // in the future: the same
		return nil, tokenInvalid()
	case b.clientRevoked || !now.Before(b.clientEnd(now)):
		return nil, tokenInvalid()
	case !b.userActive:
		return nil, accountInactive()
	case orgID != "" && orgID == b.without:
		return nil, signOnRequired()
	case orgID != "" && b.organisation != orgID:
		return nil, fault.Missing("organisation")
	case b.boundByProvider() && b.organisation == "": // the membership has ended
		return nil, tokenInvalid()
	}

	p := &caller.Principal{
		User:          b.user,
		Organisation:  b.organisation,
		Credential:    b.session,
		Staff:         b.staff,
		RequireKey:    b.requireKey,
		HasPolicy:     b.hasPolicy,
		BindsPayers:   b.bindsPayers,
		SeveralAccept: b.severalAccept,
		TwoFactor:     b.secondFactorOn,
		ProvenAt:      b.provenAt,
		SetupOnly:     b.secondFactorRequired && !b.secondFactorOn,
	}

	if b.replaced {
		p.ProvenAt = time.Time{}
	}

	b.limitSignOn(p)

	if b.client != "" { // it acts as a member only, whatever else its person may do
		p.Client = true
		p.Credential = b.client
		p.Staff = ""
		p.SetupOnly = false
		p.Scopes = db.Words(b.scopes)
		p.Sources = prefixes(b.allowed)
	}

	if b.organisation != "" {
		p.Roles = organisation.PrincipalRoles(b.roles, b.userType)
	}

	if !p.Client && !p.Is(organisation.Authorized) && b.standsIn(now) {
		p.StandsInFor = b.standsInFor
	}

	return p, nil
}

// earliest returns the earliest of some times.
func earliest(first time.Time, others ...time.Time) time.Time {
	for _, t := range others {
		if t.Before(first) {
			first = t
		}
	}

	return first
}
