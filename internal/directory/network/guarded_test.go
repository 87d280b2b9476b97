//go:build !nosandbox

package network_test

import (
	"context"
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"slipway/internal/core/fault"
	dt "slipway/internal/directory/directorytest"
	"slipway/internal/directory/network"
	"slipway/internal/platform/db"
)

const (
	thief    = "0x8617E340B3D01FA5F11F306F4090FD50E238070D"
	contract = "0x52908400098527886E0F7030069857D2E4169EE7"
)

// used is a network on which wallets are stored.
func used(t *testing.T, w *dt.World, id string) {
	t.Helper()

	require.NoError(t, w.DB.Write(context.Background(), func(tx *db.Tx) error {
		n, err := network.ByID(context.Background(), tx, id)
		if err != nil {
			return err
		}

		return network.MarkUsed(tx, n)
	}))
}

// TestOneOperatorRedirectsNothing (Z-09): what decides where money goes on a network in use waits a day, and then for
// another operator.
func TestOneOperatorRedirectsNothing(t *testing.T) {
	each(t, func(t *testing.T, w *dt.World) {
		used(t, w, "net_ethereum")
		before := w.Do(dt.Operator, "GET", "/networks/net_ethereum", "").Status(200)
		pending := ""

		for _, body := range []string{
			`{"walletAddress":"` + thief + `"}`,
			`{"contracts":{"helper":"` + thief + `"}}`,
			`{"rpcUrl":"http://127.0.0.1:9999"}`,
			`{"internalRpcUrl":"http://127.0.0.1:9999"}`,
			`{"wsRpcUrl":"ws://127.0.0.1:9999"}`,
			`{"finality":{"depth":1}}`,
			`{"maxFeePerGasWei":"900000000000000"}`,
			`{"minTransactionFee":1000000}`,
			`{"screenOnScreeningProvider":false}`,
			`{"name":"Etherium","walletAddress":"` + thief + `"}`,
		} {
			a := w.Do(dt.Operator, "PATCH", "/networks/net_ethereum", body).Status(200)
			pending = a.Text("pendingApproval")
			require.True(t, strings.HasPrefix(pending, "apr_"), body)
			require.Equal(t, before.Get("version"), a.Get("version"), body)
		}

		after := w.Do(dt.Operator, "GET", "/networks/net_ethereum", "").Status(200)
		require.Equal(t, pending, after.Text("pendingApproval"), "GET shows what it waits for, too")
		require.Equal(t, before.Raw, strings.Replace(after.Raw, `"`+pending+`"`, "null", 1))

		token := w.Do(
			dt.Operator,
			"PUT",
			"/networks/net_ethereum/tokens/EURC",
			fmt.Sprintf(`{"address":%q,"decimals":6}`, thief),
		)
		if token.Code == 200 { // a token that is known without a place there
			require.NotEmpty(t, token.Text("pendingApproval"))
		}

		// Names and the like are no way to money.
		require.Equal(
			t,
			"Ether",
			w.Do(dt.Operator, "PATCH", "/networks/net_ethereum", `{"name":"Ether"}`).Status(200).Text("name"),
		)
	})
}

// TestTwoOperatorsChangeATreasuryAfterADay (Z-09): another operator approves, not the same one, and not before
// everybody had time to see it.
func TestTwoOperatorsChangeATreasuryAfterADay(t *testing.T) {
	each(t, func(t *testing.T, w *dt.World) {
		used(t, w, "net_ethereum")

		pending := w.Do(
			dt.Operator,
			"PATCH",
			"/networks/net_ethereum",
			`{"walletAddress":"`+grouped(contract)+`","finality":{"depth":64},"stuckAfterSeconds":77}`,
		).
			Status(200).Text("pendingApproval")
		decide := func(token string) *dt.Answer {
			return w.Do(
				token,
				"POST",
				"/operations/approvals/"+pending+"/decision",
				`{"decision":"APPROVED","comment":"checked by telephone"}`,
			)
		}

		listed := w.Do(dt.Second, "GET", "/operations/approvals?kind[]=NETWORK", "").Status(200).Raw
		require.Contains(t, listed, contract, "the second operator sees where money would go")

		decide(dt.Operator).Refused(403, fault.SecondPersonRequired, "")
		decide(dt.Second).Refused(409, fault.ApprovalTooEarly, "")
		w.Advance(network.ChangeDelay)
		decide(dt.Operator).Refused(403, fault.SecondPersonRequired, "")
		decide(dt.Second).Status(200)

		n := w.Do(dt.A, "GET", "/networks/net_ethereum", "").Status(200)
		require.Equal(t, contract, n.Text("walletAddress"))
		require.Equal(t, 64.0, n.Get("finality.depth"))
		require.Equal(t, 77.0, n.Get("stuckAfterSeconds"))
		decide(dt.Second).Refused(409, fault.ApprovalDecided, "")
	})
}

// TestAnOvertakenChangeOfANetworkIsNotMade (Z-09): what was approved is what was looked at.
func TestAnOvertakenChangeOfANetworkIsNotMade(t *testing.T) {
	each(t, func(t *testing.T, w *dt.World) {
		used(t, w, "net_ethereum")

		pending := w.Do(
			dt.Operator,
			"PATCH",
			"/networks/net_ethereum",
			`{"walletAddress":"`+contract+`"}`,
		).Status(200).Text("pendingApproval")

		w.Advance(network.ChangeDelay)
		w.Do(dt.Operator, "PATCH", "/networks/net_ethereum", `{"name":"Ether"}`).Status(200)

		w.Do(
			dt.Second,
			"POST",
			"/operations/approvals/"+pending+"/decision",
			`{"decision":"APPROVED","comment":"late"}`,
		).
			Refused(409, fault.ApprovalOvertaken, "")
	})
}

// TestAStoredWalletIsNoTreasury (Z-09): not for a new network, not by a change, and not when it was stored while the
// change waited.
func TestAStoredWalletIsNoTreasury(t *testing.T) {
	each(t, func(t *testing.T, w *dt.World) {
		w.Do(
			dt.A,
			"POST",
			"/wallets",
			`{"address":"`+thief+`","network":"net_ethereum","receiver":"`+w.Self(dt.A)+`"}`,
		).Status(201)
		w.Do(dt.Operator, "PATCH", "/networks/net_base", `{"walletAddress":"`+thief+`"}`).Refused(
			422,
			fault.TreasuryIsWallet,
			"/walletAddress",
		)
		w.Do(
			dt.Operator,
			"POST",
			"/networks",
			strings.Replace(fresh, "0x8617e340b3d01fa5f11f306f4090fd50e238070d", thief, 1),
		).
			Refused(422, fault.TreasuryIsWallet, "/walletAddress")

		used(t, w, "net_base")
		pending := w.Do(
			dt.Operator,
			"PATCH",
			"/networks/net_base",
			`{"walletAddress":"`+contract+`"}`,
		).Status(200).Text("pendingApproval")
		w.Do(
			dt.B,
			"POST",
			"/wallets",
			`{"address":"`+contract+`","network":"net_ethereum","receiver":"`+w.Self(dt.B)+`"}`,
		).Status(201)
		w.Advance(network.ChangeDelay)
		w.Do(
			dt.Second,
			"POST",
			"/operations/approvals/"+pending+"/decision",
			`{"decision":"APPROVED","comment":"now"}`,
		).
			Refused(422, fault.TreasuryIsWallet, "/walletAddress")
	})
}
