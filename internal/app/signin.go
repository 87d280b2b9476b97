package app

import (
	"context"
	"fmt"
	"time"

	"slipway/internal/identity/auth"
	"slipway/internal/identity/idv"
	"slipway/internal/identity/organisation"
	"slipway/internal/identity/preference"
	"slipway/internal/identity/twofactor"
	"slipway/internal/identity/user"
	"slipway/internal/platform/config"
	"slipway/internal/platform/limit"
	"slipway/internal/platform/mail"
	"slipway/internal/platform/secret"
)

// sandboxKeyring seals what a sandbox keeps. Everybody knows it, as the test keys beside it; a live deployment
// refuses its name.
const sandboxKeyring secret.Text = "sandbox:c2xpcHdheSBzYW5kYm94IHNlYWxpbmcga2V5IDAwMDE="

// sandboxSender is whom the sandbox's mails come from.
const sandboxSender = "Slipway sandbox <no-reply@sandbox.example>"

// keptMails is how long mails that ended are kept.
const keptMails = 30 * 24 * time.Hour

// identity builds users, organisations, sign-in, and the mail they send.
func (a *App) identity(countries user.Countries) error {
	keys := a.Keys
	sender, from := a.sender()
	base := a.Config.HTTP.BaseURL
	a.Preferences = preference.New(preference.Config{DB: a.DB, Keyring: keys, BaseURL: base})

	var err error
	if a.Mail, err = mail.New(mail.Config{
		DB:          a.DB,
		Jobs:        a.Jobs,
		Sender:      sender,
		From:        from,
		Site:        base,
		Keep:        a.sandboxed(),
		Preferences: a.Preferences,
	}); err != nil {
		return err
	}

	tokens := auth.NewCache()
	a.factors = twofactor.New(a.DB, keys)
	a.Users = user.New(user.Config{
		DB:          a.DB,
		Countries:   countries,
		Memberships: organisation.MembershipsOf,
		TwoFactor:   twofactor.Enabled,
		Onboarding:  idv.Onboarding,
		Changed:     tokens.DropUser,
	})
	a.approvals()

	a.Organisation = organisation.New(organisation.Config{
		DB:        a.DB,
		Countries: countries,
		OnCreate:  createSelf,
		OnRename:  renameSelf,
		Pair:      pairOf,
		Changed:   tokens.Drop,
		Mail:      a.Mail,
		BaseURL:   base,
		Approvals: a.Approvals,
		Currency:  currencyOrToken,
		Verified:  idv.Known,
		Pays:      paysFrom,
		Paying:    a.paying,
	})
	if err := a.verification(); err != nil {
		return err
	}

	a.Auth = auth.New(auth.Config{
		DB:            a.DB,
		Organisations: a.Organisation,
		Users:         a.Users,
		Factors:       a.factors,
		Mail:          a.Mail,
		Jobs:          a.Jobs,
		Cache:         tokens,
		Approvals:     a.Approvals,
		Hash:          a.outside.Passwords,
		Limits:        a.limits(),
		BaseURL:       base,
		Live:          !a.sandboxed(),
		MustConfirm:   !a.sandboxed(),
	})
	a.Jobs.Every("second-factor-keys", time.Hour, func(ctx context.Context) error {
		_, err := a.factors.Rotate(ctx, 1_000)
		return err
	})
	a.Jobs.Every("mails", time.Hour, func(ctx context.Context) error {
		_, err := a.Mail.Forget(ctx, a.DB.Now().Add(-keptMails), 10_000)
		return err
	})

	return nil
}

// sandboxed says whether nothing here is worth anything.
func (a *App) sandboxed() bool { return a.Config.Mode != config.Live }

// Keyring is the configured one; a sandbox that has none takes one that everybody knows.
func Keyring(c *config.Config) (*secret.Keyring, error) {
	ring := c.Security.Keyring
	if ring == "" && c.Mode != config.Live {
		ring = sandboxKeyring
	}

	keys, err := secret.ParseKeyring(ring)
	if err != nil {
		return nil, fmt.Errorf("security.keyring: %w", err)
	}

	return keys, nil
}

// sender is the configured server; without one a sandbox keeps its mails in the mailbox.
func (a *App) sender() (mail.Sender, string) {
	m := a.Config.Mail
	if m.Host == "" {
		return mail.Kept{}, sandboxSender
	}

	return mail.SMTP{
		Host:     m.Host,
		Port:     m.Port,
		Security: m.Security,
		Username: m.Username,
		Password: m.Password,
	}, m.From
}

// limits are the configured ones; tests may do without.
func (a *App) limits() auth.Limits {
	if a.outside.NoLimits {
		return auth.Limits{}
	}

	l := auth.DefaultLimits()
	c := a.Config.Limits
	perMinute := func(n int) limit.Rate { return limit.Rate{Events: n, Per: time.Minute} }
	l.Reads = perMinute(c.Reads)
	l.Writes = perMinute(c.Writes)
	l.SignIn = perMinute(c.SignIns)
	l.Source = limit.Rate{Events: 6 * c.SignIns, Per: time.Minute, Burst: 12 * c.SignIns}

	return l
}

// perSource counts the calls of one address; nil where tests may do without limits.
func (a *App) perSource(r limit.Rate) *limit.Limiter {
	if a.outside.NoLimits {
		return nil
	}

	return limit.New(r, rememberedSources)
}

// rememberedSources bounds the memory for addresses of callers.
const rememberedSources = 10_000
