package web

import (
	"net"
	"net/http"
	"net/netip"
	"slices"
	"strconv"
	"strings"
	"time"

	"slipway/internal/core/caller"
	"slipway/internal/core/fault"
	"slipway/internal/platform/limit"
)

// StepUpLifetime is how long a proof of the second factor counts as recent.
const StepUpLifetime = 10 * time.Minute

// stepUpHeader carries the code for an operation that requires a recent second factor.
const stepUpHeader = "X-2FA-Code"

// maxCode is longer than any code.
const maxCode = 32

// ScopeOf returns the scope that an operation needs unless it names another: the first word of its path, and read or
// write. An API client that has only the second part ("read") has it for every path.
func ScopeOf(method, path string) string {
	noun, _, _ := strings.Cut(strings.TrimPrefix(path, "/"), "/")
	if method == http.MethodGet {
		return noun + ":read"
	}

	return noun + ":write"
}

// Scopes returns every scope that an API client can have, sorted. It is complete once all operations are registered.
func (a *API) Scopes() []string {
	out := slices.Clone(a.scopes)
	for _, s := range a.scopes {
		_, action, _ := strings.Cut(s, ":")
		if !slices.Contains(out, action) {
			out = append(out, action)
		}
	}

	slices.Sort(out)

	return out
}

// admit authenticates the caller and refuses those who may not use the operation at all.
func (a *API) admit(c *call, r *http.Request, op *Operation) error {
	c.Token = bearer(first(r.Header, "Authorization"))
	if op.Access == Public {
		if op.PerSource != nil {
			return a.count(c, op.PerSource.Meter(limit.SourceKey(c.Request.Source), a.receivedAt(c)))
		}

		return nil
	}

	attended := !op.Unattended && first(r.Header, unattendedHeader) == ""

	p, meters, err := a.authenticate(c, r, attended)
	if err != nil {
		if f, ok := fault.As(err); ok && f.Kind == fault.Unauthenticated {
			c.Header().Set("WWW-Authenticate", `Bearer error="invalid_token"`)
		}

		return err
	}

	if err := a.countCaller(c, meters, reads(r.Method)); err != nil {
		return err
	}

	if err := op.admits(p); err != nil {
		return err
	}

	c.Principal = p

	switch {
	case !op.StepUp || p.Client:
		return nil
	case p.TwoFactor:
		return a.stepUp(c, r)

	case op.ofPlatform() && a.config.OperatorsProve:
		return fault.New(fault.Forbidden, fault.TwoFactorSetup, "The platform's people change nothing without a "+
			"second factor: POST /auth/2fa/generate, then /auth/2fa/verify.")
	}

	return nil
}

// authenticate returns who calls by a token or, in the console, by the cookie of a session. attended means that a
// person causes the request.
func (a *API) authenticate(c *call, r *http.Request, attended bool) (*caller.Principal, *limit.Meters, error) {
	organisation := first(r.Header, "Slipway-Organisation")

	if cookie := a.sessionCookie(r); cookie != "" {
		return a.bySession(c, r, cookie, organisation, attended)
	}

	if c.Token == "" {
		c.Header().Set("WWW-Authenticate", "Bearer")

		return nil, nil, fault.New(fault.Unauthenticated, fault.TokenMissing,
			"Send an access token in the header Authorization: Bearer …")
	}

	return a.config.Authenticate(r.Context(), c.Token, organisation)
}

// countCaller counts a request of a credential, and for its person and its organisation too. The credential's quota is
// published, unless one of the others refuses.
func (a *API) countCaller(c *call, m *limit.Meters, reads bool) error {
	if m == nil {
		return nil
	}

	own := m.Writes
	wide := [...]*limit.Meter{m.OrganisationWrites, m.PersonWrites}

	if reads {
		own = m.Reads
		wide = [...]*limit.Meter{m.OrganisationReads, m.PersonReads}
	}

	for _, wider := range wide {
		if wider == nil {
			continue
		}

		if q := wider.Left(a.receivedAt(c)); !q.OK {
			return a.count(c, wider)
		}

		wider.Take(a.receivedAt(c))
	}

	return a.count(c, own)
}

// ofPlatform reports whether an operation is for the platform's own people.
func (op *Operation) ofPlatform() bool { return op.Access == Staff || op.Access == Operator }

// Admits returns the refusal of a caller who may not use an operation at all, as admit does for a request. It is
// caller.Admitter. An operation that this service does not have admits nobody.
func (a *API) Admits(operation string, p *caller.Principal) error {
	e, ok := a.byID[operation]
	if !ok {
		return fault.Missing("operation")
	}

	return e.op.admits(p)
}

// admits reports whether a principal may use the operation at all. It checks first what he is, then what he may do.
func (op *Operation) admits(p *caller.Principal) error {
	switch {
	case p.SetupOnly && !op.DuringSetup:
		return fault.New(fault.Forbidden, fault.TwoFactorSetup,
			"Set up a second factor first: POST /auth/2fa/generate, then /auth/2fa/verify.")

	case p.Client && op.PeopleOnly:
		return caller.PeopleOnly()
	case !p.MayUse(op.Scope):
		return fault.New(fault.Forbidden, fault.ScopeRequired, "The API client needs the scope %s.", op.Scope)
	case op.Access == Tenant && p.Organisation == "":
		return fault.New(fault.Forbidden, fault.NoOrganisation, "Create or join an organisation first.")

	case op.Access == Staff && p.Staff == "", op.Access == Operator && p.Staff != "operator":
		return fault.New(fault.Forbidden, fault.RoleRequired, "This operation is for the platform's own people (%s).",
			op.Access)

	case len(op.Roles) > 0 && !slices.ContainsFunc(op.Roles, p.Is):
		return fault.New(fault.Forbidden, fault.RoleRequired,
			"This operation needs one of the roles %s in the organisation.", strings.Join(op.Roles, ", "))
	}

	return nil
}

// stepUp admits callers who have proven their second factor recently, or prove it now. A code that is not needed is not
// used up.
func (a *API) stepUp(c *call, r *http.Request) error {
	p := *c.Principal

	since := a.config.DB.Now().Sub(p.ProvenAt).Abs() // proven in the future: before the clock was set back
	if !p.ProvenAt.IsZero() && since <= StepUpLifetime {
		return nil
	}

	code := r.Header.Get(stepUpHeader)
	if code == "" || len(code) > maxCode || a.config.StepUp == nil {
		return fault.New(fault.Forbidden, fault.StepUpRequired,
			"Send a code of your second factor in the header %s, or to POST /auth/2fa/step-up before.", stepUpHeader)
	}

	return a.config.StepUp(r.Context(), p, code)
}

// receivedAt returns when the request was received, by the clock of what is stored.
func (a *API) receivedAt(c *call) time.Time { return a.config.DB.Clock().At(c.Request.ReceivedAt) }

// count takes one request from a meter and reports it in the headers.
func (a *API) count(c *call, m *limit.Meter) error {
	if m == nil {
		return nil
	}

	q := m.Take(a.receivedAt(c))
	c.Publish(q)

	if q.OK {
		return nil
	}

	return fault.New(fault.TooMany, fault.RateLimited,
		"More requests were sent than one may send. Try again in %d seconds.", seconds(q.RetryAfter))
}

// Publish sets the RateLimit-* headers (draft-ietf-httpapi-ratelimit-headers-03) and Retry-After. Times are whole
// seconds, rounded up.
func (c *call) Publish(q limit.Quota) {
	if q.Limit == 0 {
		return
	}

	h := c.Header()
	v := &c.rate
	b := strconv.AppendInt(make([]byte, 0, 64), int64(q.Limit), 10)
	limit := len(b)
	b = strconv.AppendInt(b, int64(q.Remaining), 10)
	remaining := len(b)
	text := string(strconv.AppendInt(b, int64(seconds(q.Reset)), 10)) // one piece of memory for the three of them
	*v = [3]string{text[:limit], text[limit:remaining], text[remaining:]}

	h["Ratelimit-Limit"] = v[0:1:1]
	h["Ratelimit-Remaining"] = v[1:2:2]

	h["Ratelimit-Reset"] = v[2:3:3]
	if !q.OK {
		h.Set("Retry-After", strconv.Itoa(seconds(q.RetryAfter)))
	}
}

func seconds(d time.Duration) int { return int((d + time.Second - 1) / time.Second) }

// source returns the caller's address; proxied reports whether a proxy names it. It trusts nothing that a caller can
// write: of X-Forwarded-For, only what trusted proxies have added.
func (a *API) source(r *http.Request) (source string, proxied bool) {
	host, _, err := net.SplitHostPort(r.RemoteAddr)
	if err != nil {
		host = r.RemoteAddr
	}

	if len(a.config.TrustedProxies) == 0 || !a.trusts(host) {
		return host, false
	}

	hops := strings.Split(strings.Join(r.Header.Values("X-Forwarded-For"), ","), ",")
	for i := len(hops) - 1; i >= 0; i-- { // each proxy adds to the end the address it was called from
		hop := strings.TrimSpace(hops[i])

		addr, err := netip.ParseAddr(hop)
		if err != nil {
			return host, proxied
		}

		host = addr.Unmap().WithZone("").String()
		proxied = true

		if !a.trusts(host) {
			return host, true
		}
	}

	return host, proxied
}

func (a *API) trusts(host string) bool {
	addr, err := netip.ParseAddr(host)

	return err == nil && slices.ContainsFunc(a.config.TrustedProxies, func(p netip.Prefix) bool {
		return p.Contains(addr.Unmap())
	})
}
