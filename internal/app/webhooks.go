package app

import (
	"time"

	"slipway/internal/directory/endpoint"
	"slipway/internal/payments/chatchannel"
	"slipway/internal/platform/jobs"
	"slipway/internal/platform/limit"
	"slipway/internal/rails/webhook"
)

// webhookWorkers limits the endpoints and chats that are sent to at once.
const webhookWorkers = 64

// buildWebhooks builds the deliveries of events to addresses of customers. They and the chats have workers of their
// own, so that addresses that hang take none from payments.
func (a *App) buildWebhooks() {
	a.Deliveries = jobs.New(a.DB, a.Log, jobs.Config{
		Replica: a.Replica,
		Only:    []string{endpoint.Job, chatchannel.Job},
		Workers: webhookWorkers,
	})

	a.rota = limit.NewRota(a.DB.Clock(), webhookWorkers)

	guard := webhook.Guard{AllowPrivate: a.Config.PrivateWebhooks()}
	a.Webhooks = endpoint.New(endpoint.Deps{
		DB:     a.DB,
		Jobs:   a.Deliveries,
		Steady: a.Jobs,
		Sender: webhook.New(guard),
		Guard:  guard,
		Mail:   a.Mail.Queue,
		Rota:   a.rota,
	})
	a.Feed.With(a.Webhooks.OnSeal)

	every(a, "old-deliveries", time.Hour, a.Webhooks.Forget, 10_000)
}
