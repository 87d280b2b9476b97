//go:build !nosandbox

package app_test

import (
	"encoding/json"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"slipway/internal/app"
	"slipway/internal/app/apptest"
	"slipway/internal/payments/transaction"
	"slipway/internal/rails/chain/faultrpc"
)

// ready reads /readyz of an app: its status, and that of each check by name. Answers are kept for a second, so it is
// read of a new app.
func ready(h *apptest.Harness, a *app.App) (status string, checks map[string]string) {
	var out struct {
		Status string `json:"status"`
		Checks []struct {
			Name   string `json:"name"`
			Status string `json:"status"`
		} `json:"checks"`
	}
	h.Do(a, "GET", "/readyz", "", nil).Into(&out)

	checks = map[string]string{}
	for _, c := range out.Checks {
		checks[c.Name] = c.Status
	}

	return out.Status, checks
}

// gauge reads one line of the metrics.
func gauge(h *apptest.Harness, a *app.App, line string) bool {
	return strings.Contains(h.Do(a, "GET", "/metrics", "", nil).Raw, line)
}

// R-06, E-08: a node that answers one call at the start and fails the next one stops neither the process nor the other
// networks. Its network waits, is told of, and serves as soon as its check succeeds.
func TestANetworkThatIsNotSoundWaitsAlone(t *testing.T) {
	apptest.EachURL(t, func(t *testing.T, url string) {
		h := apptest.New(t, apptest.Config{}, url)
		half, err := faultrpc.New(h.World.URL)
		require.NoError(t, err)
		t.Cleanup(half.Close)

		for _, method := range []string{"eth_getCode", "eth_call"} {
			half.Add(faultrpc.Fault{Kind: faultrpc.Refuse, Method: method, Code: -32603, Text: "internal error"})
		}

		h.Tune(func(out *app.Outside) {
			second := out.Networks[0]
			second.Record.ID = "net_half"
			second.Record.Name = "Half"
			second.Rail.ID = "net_half"
			second.Rail.URLs = []string{half.URL()}
			out.Networks = append(out.Networks, second)
		})
		h.Restart()

		status, checks := ready(h, h.App)
		require.Equal(t, "degraded", status)
		require.Equal(t, "failed", checks["network net_half"])
		require.Equal(t, "ok", checks["network net_dev"])
		require.True(t, gauge(h, h.App, `slipway_network_sound{network="net_half"} 0`))
		require.True(t, gauge(h, h.App, `slipway_network_sound{network="net_dev"} 1`))
		c := h.Client("Ada")
		id := c.Accepted("USDC", "10.00")
		h.Settle()
		c.Ends(id, transaction.StatusCompleted)

		half.Clear()
		h.Until("the network serves", func() bool { // answers are kept for a second
			status, _ := ready(h, h.App)
			return status == "ok" && gauge(h, h.App, `slipway_network_sound{network="net_half"} 1`)
		})
	})
}

// E-08: a token whose decimals differ from the directory's: an amount in the wrong unit is a thousandfold payment.
// Nothing is submitted on its network, and what was accepted before waits.
func TestWrongDecimalsStopTheNetwork(t *testing.T) {
	apptest.EachURL(t, func(t *testing.T, url string) {
		h := apptest.New(t, apptest.Config{}, url)
		c := h.Client("Ada")
		c.StaySignedIn()
		accepted := c.Accepted("USDC", "10.00")
		draft := c.Draft("USDC", "1.00")
		h.Tune(func(out *app.Outside) { out.Networks[0].Tokens[0].Decimals = 18 })
		h.Restart()

		status, checks := ready(h, h.App)
		require.Equal(t, "unavailable", status)
		require.Equal(t, "failed", checks["network net_dev"])
		c.Act(draft, "submit").Refused(503, "UPSTREAM_UNAVAILABLE")

		for range 5 {
			h.DB().Clock().Advance(time.Minute)
			_, _ = h.App.Jobs.RunDue(t.Context(), 100)
			h.World.Chain.Mine(1)
		}

		require.Equal(t, transaction.StatusProcess, c.Read(accepted).Status)
		moved, _ := h.Ground()
		require.Empty(t, moved)
	})
}

// one of two nodes says that the wallet has nothing and has approved nothing. The transaction is not FAILED on
// its word; it goes on when the nodes agree.
func TestOneNodeFailsNoTransaction(t *testing.T) {
	apptest.EachURL(t, func(t *testing.T, url string) {
		h := apptest.New(t, apptest.Config{}, url)
		liar, err := faultrpc.New(h.World.URL)
		require.NoError(t, err)
		t.Cleanup(liar.Close)
		h.Tune(func(out *app.Outside) { out.Networks[0].Rail.URLs = []string{liar.URL(), h.World.URL} })
		h.Restart()
		c := h.Client("Ada")
		c.StaySignedIn()
		id := c.Accepted("USDC", "10.00")

		nothing := json.RawMessage(`"0x` + strings.Repeat("0", 64) + `"`)
		liar.Edit(func(method string, _ []json.RawMessage, truth json.RawMessage) json.RawMessage {
			if method == "eth_call" {
				return nothing
			}

			return truth
		})

		for range 5 {
			h.DB().Clock().Advance(time.Minute)
			_, _ = h.App.Jobs.RunDue(t.Context(), 100)
			h.World.Chain.Mine(1)
		}

		require.Equal(t, transaction.StatusProcess, c.Read(id).Status)
		moved, _ := h.Ground()
		require.Empty(t, moved)

		liar.Clear()
		h.MineUntil("completed", func() bool {
			h.DB().Clock().Advance(time.Second)
			return c.Read(id).Status == transaction.StatusCompleted
		})
		h.Oracle()
	})
}
