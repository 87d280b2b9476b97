package config

import (
	"net/url"

	"slipway/internal/platform/secret"
)

// SignOn is the provider of OpenID Connect by which the platform's own people sign in. Customers set up their own.
type SignOn struct {
	Issuer       string      `key:"issuer" help:"Issuer of the provider by which the platform's own people sign in, exactly as its tokens name it. It may be in a network of your own. Empty: they sign in by a password."`
	ClientID     string      `key:"client_id" help:"Client that Slipway is at the provider. Its redirect address is http.base_url and /console/session/sign-on/back/platform."`
	ClientSecret secret.Text `key:"client_secret" help:"Secret of the client. Empty: a public client, which PKCE alone protects."`
	Domains      []string    `key:"domains" help:"Domains of the e-mail addresses that are led to this provider, such as example.com. No customer can claim them."`
	Claim        string      `key:"claim" default:"groups" help:"Claim that says who has which role, by its name or its path, such as realm_access/roles."`
	Operators    []string    `key:"operators" help:"Values of the claim whose people are operators."`
	Staff        []string    `key:"staff" help:"Values of the claim whose people are staff. Who has neither is not let in."`
	Vouches      bool        `key:"vouches_for_addresses" default:"false" help:"Whether an address counts without the claim email_verified, because the directory's admins alone can set it (Entra ID)."`
	SecondFactor []string    `key:"second_factor_values" help:"Values of the claims amr and acr by which signing in needs no second factor of Slipway's own. Decisions ask for it all the same."`
	Required     bool        `key:"required" default:"false" help:"Whether who signs in by a password is none of the platform's people in that session."`
	Emergency    []string    `key:"emergency" help:"E-mail addresses of those whose password makes them the platform's people all the same, for when the provider is down. Required needs at least one."`
}

// signOn checks the provider of the platform's own people.
func (k *checker) signOn(mode Mode, s SignOn) {
	if s.Issuer == "" {
		k.when(
			s.ClientID != "" || s.Required || len(s.Domains) > 0,
			"sign_on.issuer is needed with the other settings of sign_on",
		)

		return
	}

	u, err := url.Parse(s.Issuer)
	k.when(
		err != nil || u.Host == "" || u.RawQuery != "",
		"sign_on.issuer must be an address such as https://login.example.com",
	)
	k.when(err == nil && u.Scheme != "https" && mode.RealMoney(), "sign_on.issuer must be https")
	k.when(s.ClientID == "", "sign_on.client_id is needed with sign_on.issuer")
	k.when(len(s.Domains) == 0, "sign_on.domains is needed with sign_on.issuer: it says who is led to the provider")
	k.when(len(s.Operators)+len(s.Staff) == 0, "sign_on.operators or sign_on.staff is needed: else nobody is let in")
	k.when(s.Required && len(s.Emergency) == 0,
		"sign_on.emergency is needed with sign_on.required: somebody must get in when the provider is down")
}
