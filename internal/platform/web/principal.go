package web

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"net/netip"
	"slices"
	"strings"
	"time"

	"slipway/internal/platform/limit"
)

// Principal is who calls: made by the Authenticator from a bearer token.
type Principal struct {
	User         string   // the person, or the person an API client belongs to
	Organisation string   // the tenant acted for; empty before one is created or joined
	Credential   string   // the session or API client
	Roles        []string // of the member in that organisation, lower case
	Staff        string   // "", "staff" or "operator": the platform's own people
	RequireKey   bool     // the organisation requires Idempotency-Key where money moves
	HasPolicy    bool     // the organisation has, or had, a policy about second persons

	Client    bool           // an API client calls, not a person
	Scopes    []string       // of the API client; none: all
	Sources   []netip.Prefix // from which the API client may call; none: everywhere. The Authenticator has looked
	SetupOnly bool           // a person who must set up a second factor before anything else
	TwoFactor bool           // the person has a second factor
	ProvenAt  time.Time      // when he last proved it in this session; zero: never
	Meters    *Meters        // how often the credential may ask; nil: as often as it likes
}

// Meters are the limits of one credential. They are found once, with the credential, so that a request costs no
// further look-up.
type Meters struct {
	Reads, Writes *limit.Meter // of the credential
	// of all credentials of its person, and of everybody who acts for its organisation
	PersonWrites, OrganisationWrites *limit.Meter
}

// Is says whether the member has the role.
func (p Principal) Is(role string) bool { return holds(p.Roles, role) }

// keyHolder names who an Idempotency-Key belongs to: the person, or the API client. A session is nobody: whoever
// signs in again and repeats a request gets the first answer. The prefix keeps the identifiers of the two sorts
// apart.
func (p Principal) keyHolder() string {
	if p.Client {
		return "client " + p.Credential
	}

	return "person " + p.User
}

func holds(roles []string, role string) bool {
	return slices.ContainsFunc(roles, func(r string) bool { return strings.EqualFold(r, role) })
}

// Authenticator turns a bearer token into a principal, or refuses with fault.Unauthenticated. organisation is the
// caller's wish (header Slipway-Organisation) and empty for the default one. Nobody changes the principal: it may be
// that of other requests too.
type Authenticator func(ctx context.Context, token, organisation string) (*Principal, error)

// Request is what is known of a request besides its content, for audit and logs.
type Request struct {
	ID     string
	Source string // address of the caller
	Path   string
	Came   time.Time // by the wall clock
}

// PrincipalOf gives the caller. For a Public operation it is the zero Principal.
func PrincipalOf(ctx context.Context) Principal {
	if p, ok := ctx.Value(principalKey{}).(*Principal); ok {
		return *p
	}

	return Principal{}
}

// WithPrincipal is for calls that do not come over HTTP: the command line, jobs, tests.
func WithPrincipal(ctx context.Context, p Principal) context.Context {
	return context.WithValue(ctx, principalKey{}, &p)
}

// RequestOf gives the request's id and source; both are empty outside of one.
func RequestOf(ctx context.Context) Request {
	if c := callOf(ctx); c != nil {
		return c.request
	}

	return Request{}
}

// TokenOf gives the bearer value as it was sent, for the operations that act on it (refresh, logout).
func TokenOf(ctx context.Context) string {
	if c := callOf(ctx); c != nil {
		return c.token
	}

	return ""
}

// bearer takes the token out of an Authorization header. The scheme's name is compared without case (RFC 9110, 11.1).
func bearer(header string) string {
	scheme, token, _ := strings.Cut(header, " ")
	if !strings.EqualFold(scheme, "Bearer") {
		return ""
	}

	return token
}

func digest(parts ...string) string {
	sum := sha256.Sum256([]byte(strings.Join(parts, "\x00")))
	return hex.EncodeToString(sum[:])
}
