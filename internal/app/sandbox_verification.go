//go:build !nosandbox

package app

import (
	"slipway/internal/app/world"
	"slipway/internal/identity/idv"
	"slipway/internal/platform/secret"
	provider "slipway/internal/rails/idv"
)

// sandboxVerification returns the sandbox's identity provider, or none if this process has no way to it.
func sandboxVerification(p world.Places) Verification {
	at := p.Identity

	return Verification{
		Client: provider.ClientConfig{
			URL:       at.URL,
			AppToken:  at.AppToken,
			Secret:    at.Secret,
			Transport: at.Transport,
		},
		Levels:  idv.Levels{Users: world.PersonLevel, Companies: world.CompanyLevel, HNWI: world.PrivateLevel},
		Webhook: idv.Webhook{Secrets: []secret.Text{at.WebhookSecret}},
	}
}
