//go:build !nosandbox

package app_test

import (
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"slipway/internal/app/apptest"
	service "slipway/internal/identity/idv"
	"slipway/internal/platform/db/dbtest"
	"slipway/internal/rails/idv"
	"slipway/internal/rails/idv/idvsim"
)

// W-04: a process that is killed after it has answered an event of the identity provider, or while it works on it,
// leaves the event to the next one.
func TestEventsOfTheIdentityProviderOutliveTheProcess(t *testing.T) {
	apptest.Each(t, func(t *testing.T, h *apptest.Harness) {
		provider := httptest.NewServer(h.World.IDV)
		defer provider.Close()

		ahead := time.Duration(0) // of the children's clocks and the provider's
		for _, point := range []string{"webhook_saved", "webhook_half"} {
			o := begin(t, h, point)
			o.complete()
			o.wait(0)
			require.Equal(t, "SUBMITTED", o.status())
			require.NoError(t, h.World.IDV.SetTravel(idvsim.Lost))
			o.decide(idvsim.Approve)
			hooks, err := h.World.IDV.Webhooks(o.c.Org)
			require.NoError(t, err)
			body := hooks[len(hooks)-1].Body
			digest, err := idv.Sign(h.World.Identity.WebhookSecret, idv.SHA256, []byte(body))
			require.NoError(t, err)
			h.Stop(h.App)

			work := apptest.Work{
				Identity: provider.URL,
				Ahead:    ahead,
				Forever:  true,
				Requests: []apptest.Request{{
					Method: "POST", Path: "/idv/webhook", Body: body,
					Header: map[string][]string{idv.HeaderDigest: {digest}, idv.HeaderAlgorithm: {idv.SHA256}},
				}},
			}
			h.Spawn(work, point).Wait().Killed()
			ahead += later // the lease of a job that was begun
			h.World.Clock.Advance(later)
			work = apptest.Work{
				Identity: provider.URL,
				Ahead:    ahead,
				Open:     "SELECT count(*) FROM idv_events WHERE state = 'RECEIVED'",
			}
			h.Spawn(work, "").Wait().Ended()

			h.App = h.Start()
			require.Equal(t, "APPROVED", o.status(), point)
			require.True(t, strings.Contains(body, "applicantReviewed"))
			event := ""

			for id, raw := range dbtest.Opened(t, h.DB(), service.Sealed()[0]) {
				if raw == body {
					event, _ = id.(string)
				}
			}

			require.EqualValues(
				t,
				1,
				h.Count("SELECT count(*) FROM idv_events WHERE id = ? AND state = 'APPLIED'", event),
			)
			require.NoError(t, h.World.IDV.SetTravel(idvsim.Once))
		}
	})
}
