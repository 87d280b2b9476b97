//go:build !nosandbox

package app

import (
	"context"

	"slipway/internal/platform/mail"
	"slipway/internal/platform/web"
)

// mailboxRoutes registers the sandbox's mailbox, for people and for programs.
func (a *App) mailboxRoutes(api *web.API) {
	api.Mount("GET", "/sandbox/mailbox", web.Public, a.Mail.Page())

	web.Register(api, web.Operation{
		Method:      "GET",
		Path:        "/sandbox/mails",
		ID:          "sandboxMails",
		Tag:         "simulators",
		Access:      web.Public,
		Summary:     "The newest mails of the sandbox",
		Description: "Nothing is sent unless a mail server is configured. `/sandbox/mailbox` shows them to people.",
	}, func(ctx context.Context, in *mailsIn) (*web.List[mail.Shown], error) {
		all, err := a.Mail.Mailbox(ctx, in.Recipient)
		l := web.NewList(all, int64(len(all)), "")

		return &l, err
	})
}

type mailsIn struct {
	Recipient string `query:"recipient" maxLength:"254" doc:"only those to this address"`
}
