package app

import (
	"cmp"
	"context"
	"strings"
	"time"

	"slipway/internal/identity/brand"
	"slipway/internal/identity/organisation"
	"slipway/internal/identity/preference"
	"slipway/internal/pages/console"
	"slipway/internal/platform/mail"
)

// sandboxSender is the address that a sandbox's mails come from.
const sandboxSender = "Slipway sandbox <no-reply@sandbox.example>"

// keptMails is how long mails are kept after they were sent or given up.
const keptMails = 30 * 24 * time.Hour

// buildMail builds the outbox, and the preferences that it asks who wants which mail.
func (a *App) buildMail() error {
	base := a.Config.HTTP.BaseURL
	a.Preferences = preference.New(preference.Config{DB: a.DB, Keyring: a.Keys, BaseURL: base})

	sender, from := a.sender()

	var err error

	a.Mail, err = mail.New(mail.Config{
		DB:          a.DB,
		Jobs:        a.Jobs,
		Sender:      sender,
		From:        from,
		Site:        base,
		App:         a.Config.Mail.AppURL,
		Console:     a.consoleURL(),
		Keep:        a.Config.Mode.Personal() || a.Config.Simulated().Mail,
		Mark:        a.Config.Mode.Mark(),
		Preferences: a.Preferences,
		Letterheads: a.letterhead,
		Log:         a.Log,
	})
	if err != nil {
		return err
	}

	a.Jobs.Every("mails", time.Hour, func(ctx context.Context) error {
		_, err := a.Mail.Forget(ctx, a.DB.Now().Add(-keptMails), 10_000)
		return err
	})

	return nil
}

// consolePath is where the console begins.
const consolePath = "/console"

// consoleURL returns the console's address, or "" in a build without it.
func (a *App) consoleURL() string {
	if !console.Present {
		return ""
	}

	return strings.TrimSuffix(a.Config.HTTP.BaseURL, "/") + consolePath
}

// workplace returns where the pages behind mailed links lead: the program in which people work, or the console, or "".
func (a *App) workplace() string {
	if a.Config.Mail.AppURL != "" || !console.Present {
		return a.Config.Mail.AppURL
	}

	return consolePath
}

// letterhead returns the head of mails in the name of an organisation: its brand, if it has set one.
func (a *App) letterhead(ctx context.Context, orgID string) (mail.Letterhead, error) {
	b, err := brand.Of(ctx, a.DB, orgID)
	if err != nil || b.Version == 0 {
		return mail.Letterhead{}, err
	}

	o, err := organisation.ByID(ctx, a.DB, orgID)

	return mail.Letterhead{
		Name:   cmp.Or(b.Name, o.Name, o.FirstName+" "+o.LastName),
		Colour: b.Colour,
		Logo:   b.Logo,
	}, err
}

// sender returns the configured mail server and its sender. Without one, mails stay in the mailbox.
func (a *App) sender() (mail.Sender, string) {
	m := a.Config.Mail
	if m.Host == "" {
		return mail.Kept{}, sandboxSender
	}

	return mail.SMTP{
		Host:     m.Host,
		Port:     m.Port,
		Helo:     a.Config.Greeting(),
		Security: m.Security,
		Username: m.Username,
		Password: m.Password,
	}, m.From
}
