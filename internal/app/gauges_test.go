//go:build !nosandbox

package app_test

import (
	"fmt"
	"regexp"
	"strconv"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"slipway/internal/app/apptest"
	"slipway/internal/platform/db"
	"slipway/internal/platform/mail"
)

// Operators see at /metrics what waits to leave, and for how long: mails, and webhook deliveries.
func TestMetricsShowWhatWaitsToLeave(t *testing.T) {
	apptest.Each(t, func(t *testing.T, h *apptest.Harness) {
		c := h.Client("Ada")
		c.StaySignedIn()
		sealedAll(h)
		h.RunJobs() // what the beginning has queued leaves

		c.Do("POST", "/webhook-endpoints", apptest.Object{"url": newHooks(t).server.URL}).OK(201)
		_, err := h.App.Deliveries.RunDue(t.Context(), 100) // the address proves itself
		require.NoError(t, err)
		c.Draft("USDC", "10.00")
		sealedAll(h)
		require.NoError(t, h.DB().Write(t.Context(), func(tx *db.Tx) error {
			h.App.Mail.Queue(tx, mail.Message{
				Kind: mail.Reset,
				To:   c.Email,
				Data: map[string]string{"name": "Ada", "link": "https://pay.example.org/reset"},
			})

			return nil
		}))
		h.DB().Clock().Advance(time.Hour)

		metrics := h.Do(h.App, "GET", "/metrics", "", nil).OK(200).Raw
		require.Contains(t, metrics, "\nslipway_outgoing_waiting{kind=\"mail\"} 1\n")
		require.Contains(t, metrics, "\nslipway_webhook_endpoints{state=\"working\"} 1\n")
		require.Contains(t, metrics, "\nslipway_webhook_endpoints{state=\"failing\"} 0\n")
		require.Contains(t, metrics, "\nslipway_webhook_endpoints{state=\"unverified\"} 0\n")

		waiting := h.Count("SELECT count(*) FROM webhook_deliveries WHERE status = 'PENDING'")
		require.NotZero(t, waiting)
		require.Contains(t, metrics, fmt.Sprintf("\nslipway_outgoing_waiting{kind=\"webhook\"} %d\n", waiting))

		for _, kind := range []string{"mail", "webhook"} {
			line := regexp.MustCompile(`\nslipway_outgoing_oldest_seconds\{kind="` + kind + `"\} (.*)\n`)
			age := line.FindStringSubmatch(metrics)
			require.NotNil(t, age, metrics)

			seconds, err := strconv.ParseFloat(age[1], 64)
			require.NoError(t, err)
			require.InDelta(t, time.Hour.Seconds(), seconds, 600, kind)
		}
	})
}
