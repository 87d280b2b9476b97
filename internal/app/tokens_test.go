//go:build !nosandbox

package app_test

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"slipway/internal/app"
	"slipway/internal/app/apptest"
	"slipway/internal/app/world"
	"slipway/internal/payments/transaction"
	"slipway/internal/rails/chain/faultrpc"
)

// upgraded makes a node show a token's contract with other decimals, as after an upgrade.
func upgraded(p *faultrpc.Proxy, token world.Token, decimals int) {
	const ask = "0x313ce567" // decimals()

	p.Edit(func(method string, params []json.RawMessage, truth json.RawMessage) json.RawMessage {
		if method == "eth_call" && strings.Contains(string(params[0]), ask) &&
			strings.Contains(strings.ToLower(string(params[0])), strings.ToLower(token.Address.Hex())) {
			return fmt.Appendf(nil, `"0x%064x"`, decimals)
		}

		return truth
	})
}

// behind is a harness whose node is seen through a proxy.
func behind(t *testing.T, url string) (*apptest.Harness, *faultrpc.Proxy) {
	t.Helper()

	h := apptest.New(t, apptest.Config{}, url)
	p, err := faultrpc.New(h.World.URL)
	require.NoError(t, err)
	t.Cleanup(p.Close)
	h.Tune(func(out *app.Outside) { out.Networks[0].Rail.URLs = []string{p.URL()} })
	h.Restart()

	return h, p
}

// anHour lets an hour pass and the tokens be looked at. What waits for the network fails meanwhile, and is tried again.
func anHour(t *testing.T, h *apptest.Harness) {
	t.Helper()

	require.NoError(t, h.App.Jobs.Schedule(t.Context()))
	h.DB().Clock().Advance(time.Hour)

	for range 3 {
		_, _ = h.App.Jobs.RunDue(t.Context(), 100)
		h.DB().Clock().Advance(time.Minute)
	}
}

// paused stops or resumes new sends.
func paused(o apptest.Operators, is bool) {
	o.Do("POST", "/operations/rails/net_dev/pause", apptest.Object{"paused": is, "reason": "Looking."}).OK(200)
}

// E-08: a token that is upgraded to other decimals while the service runs stops its network within the hour: nothing is
// submitted, what was accepted waits, and operators see why. When the chain shows again what is recorded, all goes on.
func TestATokenThatChangesStopsItsNetwork(t *testing.T) {
	apptest.EachURL(t, func(t *testing.T, url string) {
		h, node := behind(t, url)
		c := h.Client("Ada")
		c.StaySignedIn()
		o := h.Operators()
		draft := c.Draft("USDC", "1.00")

		anHour(t, h)
		require.EqualValues(t, 1, h.Count(
			"SELECT COUNT(*) FROM token_addresses WHERE network = 'net_dev' AND token = 'USDC' AND symbol = 'USDC'"),
			"the symbol that the contract told first")

		paused(o, true)
		accepted := c.Accepted("USDC", "10.00")
		h.RunJobs()
		upgraded(node, h.World.Token("USDC"), 18)
		anHour(t, h)
		paused(o, false)

		c.Act(draft, "submit").Refused(503, "UPSTREAM_UNAVAILABLE")
		require.Contains(t, o.Do("GET", "/operations/rails", nil).OK(200).Raw, "decimals is 6; the contract tells 18")
		require.True(t, gauge(h, h.App, `slipway_house_halted{name="network/net_dev"} 1`))
		require.True(t, gauge(h, h.App, `slipway_network_sound{network="net_dev"} 0`))
		h.World.Chain.Mine(3)
		require.Equal(t, transaction.StatusProcess, c.Read(accepted).Status)
		moved, _ := h.Ground()
		require.Empty(t, moved)

		node.Clear()
		anHour(t, h)
		h.MineUntil("completed", func() bool {
			h.DB().Clock().Advance(time.Second)
			return c.Read(accepted).Status == transaction.StatusCompleted
		})
		c.Act(draft, "submit").OK(200)
		h.Oracle()
	})
}

// E-08: two operators put the record of an upgraded token right, and the network goes on. What was accepted in the unit
// of before is not sent: its amounts would be other ones.
func TestTwoOperatorsLetANetworkGoOn(t *testing.T) {
	apptest.EachURL(t, func(t *testing.T, url string) {
		h, node := behind(t, url)
		c := h.Client("Ada")
		c.StaySignedIn()
		o := h.Operators()
		token := h.World.Token("USDC")

		wrong := apptest.Object{"address": token.Address.Hex(), "decimals": 18}
		o.Do("PUT", "/networks/net_dev/tokens/USDC", wrong).Refused(422, "TOKEN_DECIMALS_DIFFER")

		paused(o, true)
		accepted := c.Accepted("USDC", "10.00")
		h.RunJobs()
		upgraded(node, token, 18)
		anHour(t, h)
		paused(o, false)

		var asked struct {
			PendingApproval string `json:"pendingApproval"`
		}
		o.Do("PUT", "/networks/net_dev/tokens/USDC", wrong).OK(200).Into(&asked)
		h.DB().Clock().Advance(24 * time.Hour)
		o.Second.Do("POST", "/operations/approvals/"+asked.PendingApproval+"/decision", apptest.Object{
			"decision": "APPROVED",
			"comment":  "The issuer has said so.",
		}).OK(200)

		anHour(t, h)
		require.Equal(t, "CARRIED_OUT", o.Approval(asked.PendingApproval).Outcome)
		require.NotContains(t, o.Do("GET", "/operations/rails", nil).OK(200).Raw, "the contract tells")

		v := c.Ends(accepted, transaction.StatusFailed, transaction.PaymentFailed)
		require.Contains(t, v.StatusInfo, "the decimals of USDC were put right")
		moved, _ := h.Ground()
		require.Empty(t, moved)
	})
}

// E-08: what was accepted and not planned when the decimals were put right is not sent either.
func TestAmountsInAnotherUnitAreNotSent(t *testing.T) {
	apptest.Each(t, func(t *testing.T, h *apptest.Harness) {
		c := h.Client("Ada")
		id := c.Accepted("USDC", "10.00")
		h.Exec("UPDATE token_addresses SET decimals = 18 WHERE network = 'net_dev' AND token = 'USDC'")
		h.RunJobs()

		v := c.Ends(id, transaction.StatusFailed, transaction.PaymentFailed)
		require.Contains(t, v.StatusInfo, "another unit")
		moved, _ := h.Ground()
		require.Empty(t, moved)
	})
}

// I-07: the nodes that a network's record names are called about its tokens, the internal one too, and an address
// inside is refused when it is called, however it came to be stored.
func TestTheNodesOfARecordAreCalledAndGuarded(t *testing.T) {
	apptest.EachURL(t, func(t *testing.T, url string) {
		h, inside := behind(t, url)
		o := h.Operators()
		token := apptest.Object{"address": h.World.Token("USDC").Address.Hex(), "decimals": 6}
		id := o.Do("POST", "/networks", apptest.Object{
			"name":           "Same chain",
			"type":           "evm",
			"chainId":        world.ChainID,
			"rpcUrl":         h.World.URL,
			"internalRpcUrl": inside.URL(),
		}).OK(201).ID()

		before := inside.Calls("eth_getCode")
		o.Do("PUT", "/networks/"+id+"/tokens/USDC", token).OK(200)
		require.Greater(t, inside.Calls("eth_getCode"), before, "internalRpcUrl is called")

		o.Do("PATCH", "/networks/net_dev", apptest.Object{"internalRpcUrl": inside.URL()}).
			Refused(422, "NETWORK_FIELD_CONFIGURED")

		h.Tune(func(out *app.Outside) { out.PrivateNodes = false })
		h.Restart()

		before = inside.Calls("eth_chainId")
		o.Do("PUT", "/networks/"+id+"/tokens/USDC", token).Refused(503, "UPSTREAM_UNAVAILABLE")
		require.Equal(t, before, inside.Calls("eth_chainId"), "an address inside is not called")
	})
}
