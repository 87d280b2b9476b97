package sso

import (
	"slices"
	"strings"

	"slipway/internal/identity/user"
	"slipway/internal/rails/openid"
)

// Platform is the provider of the platform's own people, from the configuration. Without an issuer there is none.
type Platform struct {
	Issuer, ClientID, Secret string
	Domains                  []string
	Claim                    string   // that says who is who
	Operators, Staff         []string // its values
	Vouches                  bool     // as Provider.Vouches
	SecondFactor             []string
	Required                 bool
	Emergency                []string // addresses whose password signs in all the same
}

// has reports whether a domain is the platform's.
func (p Platform) has(domain string) bool { return slices.Contains(p.Domains, domain) }

// governs reports whether one of the platform's people must sign in by the provider to have his role.
func (p Platform) governs(u user.User) bool {
	return p.Issuer != "" && p.Required && u.Staff != user.NoStaff &&
		!slices.ContainsFunc(p.Emergency, func(e string) bool { return strings.EqualFold(e, u.Email) })
}

// setting returns the platform's provider as an attempt needs it. Its rules give roles of the platform.
func (p Platform) setting(s *Service) (setting, bool) {
	if p.Issuer == "" {
		return setting{}, false
	}

	rules := Rules{Claim: p.Claim}
	for role, values := range map[string][]string{user.Operator: p.Operators, user.Staff: p.Staff} {
		for _, v := range values {
			rules.Map = append(rules.Map, Rule{Value: v, Roles: []string{role}})
		}
	}

	return setting{
		domains: p.Domains,
		registration: openid.Registration{
			Issuer:      p.Issuer,
			ClientID:    p.ClientID,
			Secret:      p.Secret,
			RedirectURI: s.redirectURI(""),
		},
		provider: Provider{
			Enabled:      true,
			Issuer:       p.Issuer,
			Rules:        rules,
			Vouches:      p.Vouches,
			SecondFactor: p.SecondFactor,
		},
	}, true
}
