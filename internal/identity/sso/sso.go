// Package sso lets people sign in by a provider of OpenID Connect: those of an organisation by its own provider, and
// the platform's own people by that of the configuration. Why it is as it is: docs/adr/0034-single-sign-on.md.
//
// It promises:
//   - A provider names people of domains alone that are proven to be its organisation's, and only in that organisation.
//   - A person is known by issuer and subject. An address counts once, to find who he is, and only a verified one.
//   - The answer of a provider is taken once, in the browser that has begun, for the setting that it has begun with.
//   - Under a policy that asks for a second person, two admins decide on a provider: it could name any of them.
//   - Where the provider is required, somebody can still sign in without it.
//
// It does not promise that a person who has left the directory loses anything by himself: his organisation tells so, by
// SCIM or by hand.
//
// Read in this order:
//
//   - The rules: sso.go (types), rules.go (claims to roles: pure), domain.go (whose a domain is).
//   - The use cases: provider.go (what an admin sets up), attempt.go (to the provider and back), enter.go (who is let
//     in), govern.go (whom a password does not sign in), platform.go (the platform's own people), scim.go (what a
//     directory says of its people).
//   - All SQL: store.go, store_scim.go.
//   - The operations: view.go, http.go, http_scim.go.
package sso

import (
	"context"
	"sync/atomic"
	"time"

	"slipway/internal/core/fault"
	"slipway/internal/identity/approval"
	"slipway/internal/identity/auth"
	"slipway/internal/identity/organisation"
	"slipway/internal/identity/user"
	"slipway/internal/platform/db"
	"slipway/internal/platform/mail"
	"slipway/internal/rails/dns"
	"slipway/internal/rails/openid"
	"slipway/internal/rails/webhook"
)

// Prefixes of identifiers and secrets.
const (
	providerPrefix = "sop"
	domainPrefix   = "sod"
	linkPrefix     = "sol"
	personPrefix   = "scu"
	cookiePrefix   = "sc_" // of the browser that is at a provider
	statePrefix    = "ss_"
	scimPrefix     = "st_"
)

// Limits.
const (
	maxDomains     = 50
	maxRules       = 100
	maxEmergency   = 20
	maxText        = 300
	maxSecret      = 1000
	attemptMinutes = 10
)

// AttemptLifetime is how long somebody may be at a provider.
const AttemptLifetime = attemptMinutes * time.Minute

// Provider is how the people of an organisation sign in.
type Provider struct {
	ID, Organisation string
	Live             bool // false: a second admin has not approved it yet
	Enabled          bool
	Issuer           string
	ClientID         string
	Secret           string
	Rules            Rules
	// Vouches means that only admins of the directory can set an address, so that one without email_verified counts. It
	// never counts against a provider that says the address was not verified.
	Vouches bool
	// SecondFactor are the values of amr and acr that count as a second factor for signing in. None: the service asks
	// for its own.
	SecondFactor []string
	Required     bool
	Emergency    []string // users whom a password signs in all the same
	CreatedBy    string
	Version      int64
	CreatedAt    time.Time
	UpdatedAt    time.Time
}

// Deps is what the package needs from the rest of the program.
type Deps struct {
	DB            *db.DB
	Auth          *auth.Service
	Organisations *organisation.Service
	Approvals     *approval.Service
	Mail          *mail.Outbox
	Client        *openid.Client // to the providers of organisations
	Own           *openid.Client // to that of the platform
	Guard         webhook.Guard
	DNS           dns.Resolver
	BaseURL       string // without a slash at the end
	Platform      Platform
}

// Service holds the use cases. It is safe for concurrent use.
type Service struct {
	Deps

	signedIn, noAccess, unsound, failed atomic.Int64 // sign-ins that came back
}

// New returns the service. Two admins decide on a provider by the approvals, and auth asks it whom a password signs in.
func New(d Deps) *Service {
	s := &Service{Deps: d}
	d.Approvals.Handle(approval.SignOn, approval.Handler{Roles: []string{organisation.Admin}, Decided: s.decided})
	d.Auth.SignOnBy(s.governs)

	return s
}

// redirectURI returns where a provider sends browsers back to. Each has its own, so that the answer of one is never
// taken for that of another.
func (s *Service) redirectURI(organisation string) string {
	if organisation == "" {
		organisation = auth.Platform
	}

	return s.BaseURL + Path + "/back/" + organisation
}

// Outcomes returns how many sign-ins have come back from a provider to this process, by their outcome.
func (s *Service) Outcomes() map[string]float64 {
	return map[string]float64{
		"signed_in": float64(s.signedIn.Load()),
		"no_access": float64(s.noAccess.Load()),
		"refused":   float64(s.unsound.Load()),
		"failed":    float64(s.failed.Load()),
	}
}

// count counts a sign-in that has come back.
func (s *Service) count(err error) {
	f, refused := fault.As(err)

	switch {
	case err == nil:
		s.signedIn.Add(1)
	case !refused:
		s.failed.Add(1)
	case f.Code == fault.SignOnNoAccess:
		s.noAccess.Add(1)
	default:
		s.unsound.Add(1)
	}
}

// clientOf returns who asks a provider.
func (s *Service) clientOf(x setting) *openid.Client {
	if x.organisation == "" {
		return s.Own
	}

	return s.Client
}

// Path is where the pages of signing in by a provider are.
const Path = "/console/session/sign-on"

func noAccess(format string, args ...any) error {
	return fault.New(fault.Forbidden, fault.SignOnNoAccess, format, args...)
}

// admins returns the active admins of an organisation who have set up their accounts.
func admins(ctx context.Context, q db.Querier, orgID string) ([]user.User, error) {
	members, err := organisation.MembersOf(ctx, q, orgID)
	if err != nil {
		return nil, err
	}

	var ids []string

	for _, m := range members {
		if m.Is(organisation.Admin) {
			ids = append(ids, m.User)
		}
	}

	people, err := user.ByIDs(ctx, q, ids)
	out := make([]user.User, 0, len(people))

	for _, id := range ids {
		if u, ok := people[id]; ok && u.IsActive {
			out = append(out, u)
		}
	}

	return out, err
}
