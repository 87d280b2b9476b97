package app

import (
	"time"

	"slipway/internal/payments/chatchannel"
	"slipway/internal/rails/webhook"
)

// buildChats builds what rooms of Slack, Teams and Matrix are told. It sends by the runner of the webhooks.
func (a *App) buildChats() {
	guard := webhook.Guard{AllowPrivate: a.Config.PrivateWebhooks()}
	a.Chats = chatchannel.New(chatchannel.Deps{
		DB:     a.DB,
		Jobs:   a.Deliveries,
		Sender: webhook.New(guard),
		Guard:  guard,
		Mail:   a.Mail.Queue,
		LinkTo: a.Mail.LinkTo,
		Mark:   a.Config.Mode.Mark(),
		Rota:   a.rota,
	})
	a.Feed.With(a.Chats.OnSeal)

	every(a, "old-chat-messages", time.Hour, a.Chats.Forget, 10_000)
}
