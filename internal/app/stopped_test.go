//go:build !nosandbox

package app_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"slipway/internal/app/apptest"
)

// TestATransactionSaysThatItsNetworkIsStopped accepts a payment while the network is stopped. By itself and in the list
// it says so, and for whom it waits; when the network goes on, it says nothing of it any more, and is paid.
func TestATransactionSaysThatItsNetworkIsStopped(t *testing.T) {
	apptest.Each(t, func(t *testing.T, h *apptest.Harness) {
		const why = "The operator has stopped the network: nothing leaves on it at present."

		c := h.Client("Ada")
		two := h.Operators()
		pause := func(paused bool) {
			two.Do("POST", "/operations/rails/net_dev/pause", object{"paused": paused, "reason": "The nodes disagree"}).
				OK(200)
		}

		pause(true)

		id := c.Accepted("USDC", "1250.50")
		h.Until("the send waits", func() bool {
			h.RunJobs()
			return h.Count("SELECT count(*) FROM chain_sends WHERE state = 'PLANNED'") == 1
		})

		for _, path := range []string{"/transactions/" + id, "/transactions?columnId=all"} {
			raw := c.Do("GET", path, nil).OK(200).Raw
			require.Contains(t, raw, why, path)
			require.Contains(t, raw, `"stopped":{"network":"net_dev","since":"2`, path)
		}

		require.Contains(t, c.Do("GET", "/transactions/"+id+"/explain", nil).OK(200).Raw,
			`"waitsFor":{"actor":"PLATFORM","for":["network goes on"]`)

		pause(false)
		h.Settle()
		c.Ends(id, "COMPLETED", "COMPLETED")

		raw := c.Do("GET", "/transactions/"+id, nil).OK(200).Raw
		require.NotContains(t, raw, why)
		require.Contains(t, raw, `"stopped":null`)
		h.Oracle()
	})
}
