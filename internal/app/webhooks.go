package app

import (
	"time"

	"slipway/internal/directory/endpoint"
	"slipway/internal/platform/jobs"
	"slipway/internal/rails/webhook"
)

// webhookWorkers limits the endpoints that are sent to at once.
const webhookWorkers = 64

// buildWebhooks builds the deliveries of events to addresses of customers. They have workers of their own, so that
// addresses that hang take none from payments.
func (a *App) buildWebhooks() {
	a.Deliveries = jobs.New(a.DB, a.Log, jobs.Config{
		Replica: a.Replica,
		Only:    []string{endpoint.Job},
		Workers: webhookWorkers,
	})

	guard := webhook.Guard{AllowPrivate: a.Config.PrivateWebhooks()}
	a.Webhooks = endpoint.New(endpoint.Deps{
		DB:     a.DB,
		Jobs:   a.Deliveries,
		Steady: a.Jobs,
		Sender: webhook.New(guard),
		Guard:  guard,
		Mail:   a.Mail.Queue,

		Workers: webhookWorkers,
	})
	a.Feed.With(a.Webhooks.OnSeal)

	every(a, "old-deliveries", time.Hour, a.Webhooks.Forget, 10_000)
}
