package app

import (
	"time"

	"slipway/internal/identity/auth"
	"slipway/internal/identity/idv"
	"slipway/internal/identity/organisation"
	"slipway/internal/identity/twofactor"
	"slipway/internal/identity/user"
)

// buildUsers builds users, their second factors, and the cache of their sessions, which users and organisations clear.
func (a *App) buildUsers() {
	a.tokens = auth.NewCache()
	a.factors = twofactor.New(a.DB, a.Keys)

	a.Users = user.New(user.Config{
		DB:          a.DB,
		Countries:   countryOf,
		Memberships: organisation.MembershipsOf,
		TwoFactor:   twofactor.Enabled,
		Onboarding:  idv.Onboarding,
		Changed:     a.tokens.DropUser,
	})

	every(a, "second-factor-keys", time.Hour, a.factors.Rotate, 1_000)
}
