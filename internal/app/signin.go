package app

import (
	"cmp"
	"time"

	"slipway/internal/identity/auth"
	"slipway/internal/identity/passkey"
	"slipway/internal/identity/twofactor"
	"slipway/internal/platform/limit"
)

// buildSignIn builds sign-in and sessions.
func (a *App) buildSignIn() {
	a.Auth = auth.New(auth.Config{
		DB:            a.DB,
		Organisations: a.Organisation,
		Users:         a.Users,
		Factors:       a.factors,
		Passkeys:      passkey.New(twofactor.Issuer, a.Config.HTTP.BaseURL),
		Mail:          a.Mail,
		Jobs:          a.Jobs,
		Cache:         a.tokens,
		Approvals:     a.Approvals,
		Hash:          a.outside.Passwords,
		Limits:        a.limits(),
		Keys:          a.Keys,
		BaseURL:       a.Config.HTTP.BaseURL,
		ConsoleURL:    cmp.Or(a.Config.Mail.AppURL, a.consoleURL()),
		RealMoney:     a.Config.Mode.RealMoney(),
		MustConfirm:   !a.Config.Mode.Personal(),

		OperatorsProve: !a.Config.Mode.Personal(),
	})

	every(a, "api-clients", time.Hour, a.Auth.NoticeExpiry, 1_000)
	every(a, "sessions", time.Hour, a.Auth.ForgetExpired, 10_000)
}

// limits returns the configured rate limits, or none in a test without limits.
func (a *App) limits() auth.Limits {
	if a.outside.NoLimits {
		return auth.Limits{}
	}

	c := a.Config.Limits
	perMinute := func(n int) limit.Rate { return limit.Rate{Events: n, Per: time.Minute} }

	l := auth.DefaultLimits()
	l.Reads = perMinute(c.Reads)
	l.Writes = perMinute(c.Writes)
	l.SignIn = perMinute(c.SignIns)
	l.Source = limit.Rate{Events: 6 * c.SignIns, Per: time.Minute, Burst: 12 * c.SignIns}

	return l
}

// perSource returns a limiter of the calls of each address, or nil in a test without limits.
func (a *App) perSource(r limit.Rate) *limit.Limiter {
	if a.outside.NoLimits {
		return nil
	}

	return limit.New(r, rememberedSources)
}

// rememberedSources limits how many addresses of callers a limiter keeps.
const rememberedSources = 10_000
