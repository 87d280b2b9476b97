//go:build !nosandbox

package matrix

import (
	"context"

	"github.com/stretchr/testify/require"

	"slipway/internal/directory/endpoint"
	"slipway/internal/payments/chatchannel"
	"slipway/internal/platform/db"
	"slipway/internal/rails/chat"
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

// chatChannel is a channel of the organisation, at an address that nobody answers at.
func (s *stage) chatChannel(o *tenant) (id string) {
	s.exec("UPDATE chat_channels SET deleted = TRUE WHERE organisation = ?", o.id) // there may be only so many

	require.NoError(s.t, s.app.Chats.Create(context.Background(), chatchannel.Channel{
		Organisation: o.id,
		Name:         "Finance",
		Kind:         chat.Slack,
		Address:      "https://chat.example.invalid/services/T000/B000/XXXX",
		Language:     "en",
		News:         []chatchannel.News{chatchannel.Decisions},
	}, func(_ *db.Tx, c chatchannel.Channel) error {
		id = c.ID
		return nil
	}))

	return id
}
