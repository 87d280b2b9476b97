// Package caller is what a use case needs to know of the request it runs for: who calls and from where (Principal,
// Request), which rows of a list are wanted (Window, Place), and how a request names other records (Ref). None of it is
// HTTP: platform/web fills it in for requests, and jobs, tests and the command line use With.
package caller

import (
	"context"
	"net/netip"
	"slices"
	"strings"
	"time"

	"slipway/internal/core/fault"
)

// Principal is who calls: made from a bearer token by whoever authenticates. Nobody changes one that he was given, as
// other requests may share it.
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
	Sources   []netip.Prefix // from which the API client may call; none: everywhere. They are checked already
	SetupOnly bool           // a person who must set up a second factor before anything else
	TwoFactor bool           // the person has a second factor
	ProvenAt  time.Time      // when he last proved it in this session; zero: never
}

// Is reports whether the member has the role.
func (p Principal) Is(role string) bool {
	return slices.ContainsFunc(p.Roles, func(r string) bool { return strings.EqualFold(r, role) })
}

// MayUse reports whether the scopes hold one; people and unlimited clients have every scope.
func (p *Principal) MayUse(scope string) bool {
	if !p.Client || len(p.Scopes) == 0 {
		return true
	}

	_, action, _ := strings.Cut(scope, ":")

	return slices.Contains(p.Scopes, scope) || slices.Contains(p.Scopes, action)
}

// PeopleOnly is the refusal of what API clients may not do.
func PeopleOnly() error {
	return fault.New(
		fault.Forbidden,
		fault.PeopleOnly,
		"This operation is for people who have signed in, not for API clients.",
	)
}

// Request is what is known of a request besides its content, for audit and logs.
type Request struct {
	ID     string
	Source string // address of the caller
	Path   string
	Came   time.Time // by the wall clock
}

// Call is one request under way.
type Call struct {
	Principal *Principal // nil: nobody, or not known yet
	Request   Request
	Token     string // bearer value as it was sent
}

// Key is the context key whose value is a *Call. Only platform/web needs it: its requests are contexts themselves.
type Key struct{}

func callOf(ctx context.Context) *Call {
	c, _ := ctx.Value(Key{}).(*Call)
	return c
}

// With returns a context in which p calls, for what does not come over HTTP and for what a request does in the name of
// somebody else. The request stays what it was.
func With(ctx context.Context, p Principal) context.Context {
	var c Call
	if now := callOf(ctx); now != nil {
		c = *now
	}

	c.Principal = &p

	return context.WithValue(ctx, Key{}, &c)
}

// Of returns who calls. For a public operation it is the zero Principal.
func Of(ctx context.Context) Principal {
	if c := callOf(ctx); c != nil && c.Principal != nil {
		return *c.Principal
	}

	return Principal{}
}

// RequestOf returns the request; it is empty outside of one.
func RequestOf(ctx context.Context) Request {
	if c := callOf(ctx); c != nil {
		return c.Request
	}

	return Request{}
}

// TokenOf returns the bearer value as it was sent, for the operations that act on it (refresh, logout).
func TokenOf(ctx context.Context) string {
	if c := callOf(ctx); c != nil {
		return c.Token
	}

	return ""
}
