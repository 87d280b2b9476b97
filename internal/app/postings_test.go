//go:build !nosandbox

package app_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"slipway/internal/app"
	"slipway/internal/app/apptest"
	"slipway/internal/payments/transaction"
)

// Postings show money as people write it, and accounts under the names that people know.
func TestPostingsAreShownInWholeUnitsWithNames(t *testing.T) {
	apptest.Each(t, func(t *testing.T, h *apptest.Harness) {
		c := h.Client("Ada")
		id := c.Accepted("USDC", "12.50")
		h.Settle()
		c.Ends(id, transaction.StatusCompleted, transaction.PaymentCompleted)

		lines, err := app.Postings(t.Context(), h.App.DB, id)
		require.NoError(t, err)

		gas := 0
		found := map[string]bool{}

		for _, l := range lines {
			require.NotContains(t, l.Name, "net_dev")
			require.NotContains(t, l.Name, "org_")
			require.NotContains(t, l.Name, "rcv_")

			found[l.Kind+": "+l.Amount+" "+l.Asset+" "+l.Name] = true
			if l.Asset == "ETH" {
				gas++
				require.Regexp(t, `^-?0\.000\d+$`, l.Amount)
			}
		}

		require.Positive(t, gas)
		require.True(t, found["final: -12.50 USDC on the way on Development chain"], "%v", found)

		none, err := app.Postings(t.Context(), h.App.DB, "txn_nobody")
		require.NoError(t, err)
		require.Empty(t, none)
	})
}
