// Package caller holds what a use case needs of the request it runs for: who calls and from where (Principal, Request),
// which rows of a list are wanted (Window, Order), and how a request names other records (Ref).
//
// None of it is HTTP: platform/web fills it in for requests; jobs, tests and the command line use With. Read in this
// order: caller.go, match.go, act.go, list.go, ref.go.
package caller

import (
	"context"
	"net/netip"
	"slices"
	"strings"
	"time"

	"slipway/internal/core/fault"
)

// Principal is who calls. The code that authenticates the bearer token makes it. Nobody may change it, because other
// requests may share it.
type Principal struct {
	User          string   // the person, or the person an API client belongs to
	Organisation  string   // the organisation acted for; empty before one is created or joined
	Credential    string   // the session or API client
	Roles         []string // of the member in that organisation, lower case
	Staff         string   // "", "staff" or "operator": the platform's own people
	RequireKey    bool     // the organisation requires Idempotency-Key for operations on money
	HasPolicy     bool     // the organisation has, or had, a policy on second persons
	BindsPayers   bool     // the organisation has a policy on the wallets that pay
	SeveralAccept bool     // the organisation has a policy on how many people accept together

	Client      bool           // an API client calls, not a person
	Scopes      []string       // of the API client; none: all
	Sources     []netip.Prefix // addresses from which the API client may call, already checked; none: everywhere
	SetupOnly   bool           // a person who must set up a second factor before anything else
	StandsInFor string         // the user for whom the person accepts at present, who is not authorized himself; "": nobody
	TwoFactor   bool           // the person has a second factor
	ProvenAt    time.Time      // last proof of it in this session; zero: never
	SignedOn    bool           // the organisation's provider has signed the person in, who acts in it alone
	Without     string         // the organisation that asks for its provider, in which the session does not act; "": none
}

// MayActIn reports whether the caller may act in an organisation at all, as far as his credential goes: an API client
// and whoever an organisation's provider has signed in act in that one, whatever others their person is in.
func (p *Principal) MayActIn(organisation string) bool {
	if p.Client || p.SignedOn {
		return organisation == p.Organisation
	}

	return p.Without == "" || organisation != p.Without
}

// Is reports whether the member has the role.
func (p Principal) Is(role string) bool {
	return slices.ContainsFunc(p.Roles, func(r string) bool { return strings.EqualFold(r, role) })
}

// MayUse reports whether the scopes include one. People and unlimited clients have every scope.
func (p *Principal) MayUse(scope string) bool {
	if !p.Client || len(p.Scopes) == 0 {
		return true
	}

	_, action, _ := strings.Cut(scope, ":")

	return slices.Contains(p.Scopes, scope) || slices.Contains(p.Scopes, action)
}

// PeopleOnly returns the refusal of what API clients may not do.
func PeopleOnly() error {
	return fault.New(fault.Forbidden, fault.PeopleOnly,
		"This operation is for people who have signed in, not for API clients.")
}

// Request is the origin of a request, for audit and logs.
type Request struct {
	ID         string
	Source     string // address of the caller
	Language   string // that the caller wishes: the header Accept-Language as sent
	Path       string
	Proof      string    // of work, as sent; see limit.Work
	ReceivedAt time.Time // by the wall clock
}

// Call is one request under way.
type Call struct {
	Principal *Principal // nil: nobody, or not known yet
	Request   Request
	Token     string // bearer value as sent
	Cookie    string // of the session that calls in place of a token; "": none
	// Renew sends the caller another cookie with the answer; nil: there is none to send.
	Renew func(cookie string)
	Match Match // of If-Match
	// Admitter knows the rights of operations; nil: outside of a request.
	Admitter Admitter
	// Faults are what an earlier stage has noted about the request, which is not carried out any more. Use cases note
	// the rest (Faults).
	Faults []fault.Field
}

type callKey struct{}

// WithCall returns the context of a request. platform/web calls it, and sets c's fields as they become known.
func WithCall(ctx context.Context, c *Call) context.Context {
	return context.WithValue(ctx, callKey{}, c)
}

func callOf(ctx context.Context) *Call {
	c, _ := ctx.Value(callKey{}).(*Call)
	return c
}

// With returns a context in which p calls. Use it for what does not come over HTTP, and for what a request does on
// behalf of somebody else. The request's origin stays the same.
func With(ctx context.Context, p Principal) context.Context {
	var c Call
	if now := callOf(ctx); now != nil {
		c = *now
	}

	c.Principal = &p

	return WithCall(ctx, &c)
}

// Of returns who calls. In a public operation it returns the zero Principal.
func Of(ctx context.Context) Principal {
	if c := callOf(ctx); c != nil && c.Principal != nil {
		return *c.Principal
	}

	return Principal{}
}

// RequestOf returns the request's origin. It is empty outside of a request.
func RequestOf(ctx context.Context) Request {
	if c := callOf(ctx); c != nil {
		return c.Request
	}

	return Request{}
}

// Prove sets the proof of work that a form has brought in place of the header. Outside of a request it does nothing.
func Prove(ctx context.Context, proof string) {
	if c := callOf(ctx); c != nil {
		c.Request.Proof = proof
	}
}

// TokenOf returns the bearer value as it was sent, for operations on the token itself (refresh, logout).
func TokenOf(ctx context.Context) string {
	if c := callOf(ctx); c != nil {
		return c.Token
	}

	return ""
}

// CookieOf returns the cookie of the session that calls, or "" for a caller with a token.
func CookieOf(ctx context.Context) string {
	if c := callOf(ctx); c != nil {
		return c.Cookie
	}

	return ""
}

// Renew sends the caller's browser another cookie of its session with the answer. It does nothing for a caller with a
// token.
func Renew(ctx context.Context, cookie string) {
	if c := callOf(ctx); c != nil && c.Renew != nil {
		c.Renew(cookie)
	}
}

// Faults returns a list with what earlier stages of the request have noted. A use case of an operation in stages begins
// its list with it, and its list's error ends the request before anything is done.
func Faults(ctx context.Context) fault.List {
	if c := callOf(ctx); c != nil && len(c.Faults) > 0 {
		return fault.Continue(c.Faults)
	}

	return fault.List{}
}
