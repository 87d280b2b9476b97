package app

import (
	"context"
	"time"

	"slipway/internal/identity/sso"
	"slipway/internal/platform/observe"
	"slipway/internal/rails/dns"
	"slipway/internal/rails/openid"
	"slipway/internal/rails/webhook"
)

// buildSignOn builds signing in by providers of OpenID Connect. Customers' providers are reached as webhooks are; that
// of the configuration may be in a network of the operator's own.
func (a *App) buildSignOn() {
	guard := webhook.Guard{AllowPrivate: a.Config.PrivateWebhooks()}
	own := a.Config.SignOn

	resolver := a.outside.DNS
	if resolver == nil {
		resolver = dns.Live{}
	}

	a.SignOn = sso.New(sso.Deps{
		DB:            a.DB,
		Auth:          a.Auth,
		Organisations: a.Organisation,
		Approvals:     a.Approvals,
		Mail:          a.Mail,
		Client:        openid.New(guard, a.DB.Clock(), a.DB.Now),
		Own:           openid.New(webhook.Guard{AllowPrivate: true}, a.DB.Clock(), a.DB.Now),
		Guard:         guard,
		DNS:           resolver,
		BaseURL:       a.Config.HTTP.BaseURL,
		Platform: sso.Platform{
			Issuer:       own.Issuer,
			ClientID:     own.ClientID,
			Secret:       own.ClientSecret.Reveal(),
			Domains:      own.Domains,
			Claim:        own.Claim,
			Operators:    own.Operators,
			Staff:        own.Staff,
			Vouches:      own.Vouches,
			SecondFactor: own.SecondFactor,
			Required:     own.Required,
			Emergency:    own.Emergency,
		},
	})

	every(a, "sign-on-attempts", time.Hour, a.SignOn.Forget, 10_000)
}

// signOnGauges are about signing in by providers.
func (a *App) signOnGauges() []observe.Gauge {
	return []observe.Gauge{{
		Name:  "sign_ons_total",
		Help:  "Sign-ins by providers of OpenID Connect that came back, by their outcome.",
		Label: "outcome",
		Total: true,
		Read:  func(context.Context) (map[string]float64, error) { return a.SignOn.Outcomes(), nil },
	}}
}
