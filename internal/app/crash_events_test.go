//go:build !nosandbox

package app_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"slipway/internal/app/apptest"
)

// A process that is killed while it numbers events, after that, or between a receiver's answer and its record, leaves
// the event to the next one: it has one number and one delivery, which arrives. Where it had arrived already, it comes
// once more, with the same id and the same bytes.
func TestAKilledProcessLosesNoWebhook(t *testing.T) {
	points := []struct {
		name  string
		comes int // how often the receiver gets the message
	}{
		{"feed.numbered", 1},
		{"feed.sealed", 1},
		{"webhook.answered_unrecorded", 2},
	}

	// what has no number, and what has not arrived
	const open = `SELECT (SELECT count(*) FROM events e WHERE NOT EXISTS (SELECT 1 FROM feed f WHERE f.event = e.id)) +
		(SELECT count(*) FROM webhook_deliveries WHERE status = 'PENDING')`

	apptest.Each(t, func(t *testing.T, h *apptest.Harness) {
		c := h.Client("Ada")
		c.StaySignedIn()

		k := newHooks(t)
		types := []string{"transaction.created"}
		c.Do("POST", "/webhook-endpoints", apptest.Object{"url": k.server.URL, "types": types}).OK(201)
		sealedAll(h)

		_, err := h.App.Deliveries.RunDue(t.Context(), 100) // the address proves itself
		require.NoError(t, err)

		for i, point := range points {
			id := c.Draft("USDC", "10.01")
			h.Stop(h.App)

			work := apptest.Work{Webhooks: true, Forever: true}
			h.Spawn(work, point.name).Wait().Killed()

			work = apptest.Work{Webhooks: true, Open: open, Ahead: later}
			h.Spawn(work, "").Wait().Ended()

			h.App = h.Start()
			got := k.taken()
			require.Len(t, got, point.comes, point.name)

			for _, m := range got {
				require.Contains(t, m, id)
				require.Equal(t, got[0], m)
			}

			require.EqualValues(
				t,
				i+1,
				h.Count("SELECT count(*) FROM webhook_deliveries WHERE status = 'DELIVERED' AND number > 0"),
			)
		}

		require.Zero(t, h.Count(open))
		require.Equal(t, h.Count("SELECT count(*) FROM feed"), h.Count("SELECT sum(n) FROM "+
			"(SELECT max(number) AS n FROM feed GROUP BY organisation) newest"), "numbers have no gap")
	})
}

// taken returns and forgets the messages, each as its id and its bytes.
func (k *hooks) taken() (out []string) {
	k.mu.Lock()
	defer k.mu.Unlock()

	for i, body := range k.body {
		out = append(out, k.header[i].Get("Webhook-Id")+" "+string(body))
	}

	k.body = nil
	k.header = nil

	return out
}

// sealedAll numbers what has happened so far.
func sealedAll(h *apptest.Harness) {
	h.T.Helper()

	for {
		n, err := h.App.Feed.Seal(h.T.Context())
		require.NoError(h.T, err)

		if n == 0 {
			return
		}
	}
}
