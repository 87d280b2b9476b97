package web

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"net"
	"net/http"
	"slices"
	"strings"

	"slipway/internal/core/fault"
)

// Principal is who calls: made by the Authenticator from a bearer token, good for one request.
type Principal struct {
	User         string   // the person, or the person an API client belongs to
	Organisation string   // the tenant acted for; empty before one is created or joined
	Credential   string   // the session or API client: part of the idempotency scope
	Roles        []string // of the member in that organisation, lower case
	Staff        string   // "", "staff" or "operator": the platform's own people
	RequireKey   bool     // the organisation requires Idempotency-Key where money moves
}

// Is says whether the member has the role.
func (p Principal) Is(role string) bool {
	for _, r := range p.Roles {
		if strings.EqualFold(r, role) {
			return true
		}
	}
	return false
}

// Authenticator turns a bearer token into a principal, or refuses with fault.Unauthenticated. organisation is the caller's wish
// (header Slipway-Organisation) and empty for the default one.
type Authenticator func(ctx context.Context, token, organisation string) (Principal, error)

type (
	principalKey struct{}
	requestKey   struct{}
)

// Request is what is known of a request besides its content, for audit and logs.
type Request struct {
	ID     string
	Source string // address of the caller
	Path   string

	route string // pattern of the operation that was found, for metrics
	token string // bearer value as it was sent
}

// PrincipalOf gives the caller. For a Public operation it is the zero Principal.
func PrincipalOf(ctx context.Context) Principal {
	p, _ := ctx.Value(principalKey{}).(Principal)
	return p
}

// WithPrincipal is for calls that do not come over HTTP: the command line, jobs, tests.
func WithPrincipal(ctx context.Context, p Principal) context.Context {
	return context.WithValue(ctx, principalKey{}, p)
}

// RequestOf gives the request's id and source; both are empty outside of one.
func RequestOf(ctx context.Context) Request {
	r, _ := ctx.Value(requestKey{}).(*Request)
	if r == nil {
		return Request{}
	}
	return *r
}

// TokenOf gives the bearer value as it was sent, for the operations that act on it (refresh, logout).
func TokenOf(ctx context.Context) string {
	return RequestOf(ctx).token
}

// admit authenticates the caller and keeps those out who may not use the operation at all.
func (a *API) admit(w http.ResponseWriter, r *http.Request, access Access, roles []string) (context.Context, error) {
	ctx := r.Context()
	token := bearer(r.Header.Get("Authorization"))
	if req, ok := ctx.Value(requestKey{}).(*Request); ok {
		req.token = token
	}
	if access == Public {
		return ctx, nil
	}
	if token == "" {
		w.Header().Set("WWW-Authenticate", "Bearer")
		return ctx, fault.New(fault.Unauthenticated, fault.TokenMissing, "Send an access token in the header Authorization: Bearer …")
	}
	p, err := a.config.Authenticate(ctx, token, r.Header.Get("Slipway-Organisation"))
	if err != nil {
		if f, ok := fault.As(err); ok && f.Kind == fault.Unauthenticated {
			w.Header().Set("WWW-Authenticate", `Bearer error="invalid_token"`)
		}
		return ctx, err
	}
	switch {
	case access == Tenant && p.Organisation == "":
		return ctx, fault.New(fault.Forbidden, fault.NoOrganisation, "Create or join an organisation first.")
	case access == Staff && p.Staff == "", access == Operator && p.Staff != "operator":
		return ctx, fault.New(fault.Forbidden, fault.RoleRequired, "This operation is for the platform's own people (%s).", access)
	case len(roles) > 0 && !slices.ContainsFunc(roles, p.Is):
		return ctx, fault.New(fault.Forbidden, fault.RoleRequired, "This operation needs one of the roles %s in the organisation.", strings.Join(roles, ", "))
	}
	return WithPrincipal(ctx, p), nil
}

// bearer takes the token out of an Authorization header. The scheme's name is compared without case (RFC 9110, 11.1).
func bearer(header string) string {
	scheme, token, _ := strings.Cut(header, " ")
	if !strings.EqualFold(scheme, "Bearer") {
		return ""
	}
	return token
}

// source is the caller's address. Headers that a caller can write are not believed.
func source(r *http.Request) string {
	host, _, err := net.SplitHostPort(r.RemoteAddr)
	if err != nil {
		return r.RemoteAddr
	}
	return host
}

func digest(parts ...string) string {
	sum := sha256.Sum256([]byte(strings.Join(parts, "\x00")))
	return hex.EncodeToString(sum[:])
}
