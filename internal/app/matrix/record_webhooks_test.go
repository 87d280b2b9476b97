//go:build !nosandbox

package matrix

import (
	"context"

	"github.com/stretchr/testify/require"

	"slipway/internal/directory/endpoint"
	"slipway/internal/platform/db"
)

// webhookEndpoint is an endpoint of the organisation, to which a test is on its way.
func (s *stage) webhookEndpoint(o *tenant, v values) (id string) {
	ctx := context.Background()
	s.exec("UPDATE webhook_endpoints SET deleted = TRUE WHERE organisation = ?", o.id) // there may be only so many

	require.NoError(s.t, s.app.Webhooks.Create(ctx, endpoint.Endpoint{
		Organisation: o.id,
		URL:          "https://hooks.example.org/slipway",
		Body:         endpoint.Full,
	}, func(_ *db.Tx, e endpoint.Endpoint) error {
		id = e.ID
		return nil
	}))
	require.NoError(s.t, s.app.Webhooks.Test(ctx, o.id, id, func(_ *db.Tx, d endpoint.Delivery) error {
		v["DELIVERY"] = d.ID
		return nil
	}))

	return id
}
