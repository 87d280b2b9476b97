//go:build !nosandbox

package network_test

import (
	"errors"
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"

	"slipway/internal/core/fault"
	dt "slipway/internal/directory/directorytest"
	"slipway/internal/directory/network"
)

const (
	dai   = "0x52908400098527886E0F7030069857D2E4169EE7"
	other = "0xde709f2102306220921060314715629080e2fb77"
)

// unknownChain adds a network of a chain that nobody knows, with a node.
func unknownChain(w *dt.World) string {
	const body = `{"name":"Fantom","type":"evm","chainId":424242,"rpcUrl":"http://127.0.0.1:8545","isClientVisible":true}`
	return w.Do(dt.Operator, "POST", "/networks", body).Status(201).Text("_id")
}

func place(w *dt.World, id, code, address string, decimals int) *dt.Answer {
	return w.Do(dt.Operator, "PUT", "/networks/"+id+"/tokens/"+code,
		fmt.Sprintf(`{"address":%q,"decimals":%d}`, address, decimals))
}

// grouped is an address as a page shows it and people copy it: blanks between its digits, and around it.
func grouped(address string) string {
	return " " + address[:6] + " " + address[6:22] + " " + address[22:] + " "
}

func approve(w *dt.World, by, approval string) *dt.Answer {
	return w.Do(by, "POST", "/operations/approvals/"+approval+"/decision",
		`{"decision":"APPROVED","comment":"looked up at the explorer"}`)
}

// E-08, Z-09: where a token is, and in which unit its amounts are, is what the chain shows and what two operators say,
// on a network in use or not.
func TestTwoOperatorsAndTheChainPlaceAToken(t *testing.T) {
	each(t, func(t *testing.T, w *dt.World) {
		id := unknownChain(w)
		none := func() {
			_, err := network.TokenOn(t.Context(), w.DB, id, "DAI")
			require.True(t, fault.Is(err, fault.TokenNotOnNetwork))
		}

		place(w, id, "DAI", dai, 18).Refused(422, fault.TokenNoContract, "/address")
		w.Chain.TokenAt(dai, network.Contract{Code: true, Decimals: -1})
		place(w, id, "DAI", dai, 18).Refused(422, fault.TokenDecimals, "/address")
		w.Chain.TokenAt(dai, network.Contract{Code: true, Decimals: 18, Symbol: "DAI.e"})
		place(w, id, "DAI", dai, 18).Refused(422, fault.TokenSymbol, "/address")
		w.Chain.TokenAt(dai, network.Contract{Code: true, Decimals: 18, Symbol: "DAI"})
		place(w, id, "DAI", grouped(dai), 6).Refused(422, fault.TokenDecimals, "/decimals")
		place(w, id, "ETH", dai, 18).Refused(422, fault.NotAllowed, "")

		w.Chain.Err = errors.New("the network's nodes do not agree")
		place(w, id, "DAI", dai, 18).Refused(503, fault.UpstreamFailed, "")
		w.Chain.Err = nil

		bare := w.Do(dt.Operator, "POST", "/networks", `{"name":"Bare","type":"evm","chainId":424243}`).Status(201)
		place(w, bare.Text("_id"), "DAI", dai, 18).Refused(409, fault.NetworkNoNode, "")

		pending := place(w, id, "DAI", dai, 18).Status(200).Text("pendingApproval")
		none()

		w.Chain.TokenAt(other, network.Contract{Code: true, Decimals: 6, Symbol: "USDC"})
		require.NotEqual(t, pending, place(w, id, "USDC", other, 6).Status(200).Text("pendingApproval"))

		approve(w, dt.Operator, pending).Refused(403, fault.SecondPersonRequired, "")
		require.Equal(t, "WAITING", approve(w, dt.Second, pending).Status(200).Text("outcome"),
			"another token's request does not replace it")
		none()
		require.NoError(t, w.Approvals.CarryOut(t.Context(), pending))

		got, err := network.TokenOn(t.Context(), w.DB, id, "DAI")
		require.NoError(t, err)
		require.Equal(t, network.Token{
			ID:       got.ID,
			Code:     "DAI",
			Address:  dai,
			Decimals: 18,
			Symbol:   "DAI",
		}, got)
	})
}

// Z-09: on a network in use the others have a day to reject it.
func TestATokenOfANetworkInUseWaitsADay(t *testing.T) {
	each(t, func(t *testing.T, w *dt.World) {
		id := unknownChain(w)
		used(t, w, id)
		w.Chain.TokenAt(dai, network.Contract{Code: true, Decimals: 18, Symbol: "DAI"})

		pending := place(w, id, "DAI", dai, 18).Status(200).Text("pendingApproval")
		approve(w, dt.Second, pending).Refused(409, fault.ApprovalTooEarly, "")
		w.Advance(network.ChangeDelay)
		approve(w, dt.Second, pending).Status(200)
	})
}

// E-08: the chain is asked again after the decision. What differs by then is not recorded, and nodes that do not answer
// decide nothing.
func TestATokenThatChangesBeforeItIsRecordedIsRefused(t *testing.T) {
	each(t, func(t *testing.T, w *dt.World) {
		id := unknownChain(w)
		w.Chain.TokenAt(dai, network.Contract{Code: true, Decimals: 18, Symbol: "DAI"})

		pending := place(w, id, "DAI", dai, 18).Status(200).Text("pendingApproval")
		approve(w, dt.Second, pending).Status(200)

		w.Chain.Err = errors.New("no node of the network gives a usable answer")
		require.ErrorContains(t, w.Approvals.CarryOut(t.Context(), pending), "no node")
		w.Chain.Err = nil
		w.Chain.TokenAt(dai, network.Contract{Code: true, Decimals: 6, Symbol: "DAI"})
		require.NoError(t, w.Approvals.CarryOut(t.Context(), pending))

		a := w.Do(dt.Second, "GET", "/operations/approvals?kind[]=TOKEN", "").Status(200).List("results")[0]
		require.Equal(t, "REFUSED", a.(map[string]any)["outcome"])

		_, err := network.TokenOn(t.Context(), w.DB, id, "DAI")
		require.True(t, fault.Is(err, fault.TokenNotOnNetwork))
	})
}

// E-08: decimals that were recorded wrongly are put right by two operators, on a network in use as well, once nothing
// is on its way in the old unit. The contract itself stays.
func TestTwoOperatorsPutDecimalsRight(t *testing.T) {
	each(t, func(t *testing.T, w *dt.World) {
		id := unknownChain(w)
		w.Chain.TokenAt(dai, network.Contract{Code: true, Decimals: 6, Symbol: "DAI"})
		pending := place(w, id, "DAI", dai, 6).Status(200).Text("pendingApproval")
		approve(w, dt.Second, pending).Status(200)
		require.NoError(t, w.Approvals.CarryOut(t.Context(), pending))
		used(t, w, id)

		again := place(w, id, "DAI", dai, 6).Status(200)
		require.Nil(t, again.Get("pendingApproval"), "nothing changes")

		w.Chain.TokenAt(dai, network.Contract{Code: true, Decimals: 18, Symbol: "DAI"})
		w.Chain.TokenAt(other, network.Contract{Code: true, Decimals: 18, Symbol: "DAI"})
		place(w, id, "DAI", other, 18).Refused(409, fault.NetworkFixed, "")

		w.Sending = true
		place(w, id, "DAI", dai, 18).Refused(409, fault.NetworkInUse, "")
		w.Sending = false

		pending = place(w, id, "DAI", dai, 18).Status(200).Text("pendingApproval")
		w.Advance(network.ChangeDelay)
		approve(w, dt.Second, pending).Status(200)
		require.NoError(t, w.Approvals.CarryOut(t.Context(), pending))

		got, err := network.TokenOn(t.Context(), w.DB, id, "DAI")
		require.NoError(t, err)
		require.Equal(t, 18, got.Decimals)
	})
}

// What a token's contract shows otherwise than is recorded is said in words; a renamed contract differs, too.
func TestDiffersSaysWhatTheChainShows(t *testing.T) {
	recorded := network.Token{Code: "USDT", Address: dai, Decimals: 6, Symbol: "USDT"}

	for _, c := range []struct {
		chain network.Contract
		want  string
	}{
		{network.Contract{Code: true, Decimals: 6, Symbol: "USDT"}, ""},
		{network.Contract{Decimals: -1}, "address has no contract"},
		{network.Contract{Code: true, Decimals: -1, Symbol: "USDT"}, "tells no decimals"},
		{network.Contract{Code: true, Decimals: 18, Symbol: "USDT"}, "decimals is 6; the contract tells 18"},
		{network.Contract{Code: true, Decimals: 6, Symbol: "USD₮0"}, `symbol is "USDT"; the contract tells "USD₮0"`},
	} {
		got := recorded.Differs(c.chain)
		require.Equal(t, c.want == "", got == "", got)
		require.Contains(t, got, c.want)
	}

	recorded.Symbol = ""
	require.Empty(t, recorded.Differs(network.Contract{Code: true, Decimals: 6, Symbol: "USD₮0"}), "not asked yet")
}

// What the configuration decides on a network that it names is not taken and then forgotten: the caller is told where
// it is changed.
func TestWhatTheConfigurationDecidesIsChangedThere(t *testing.T) {
	each(t, func(t *testing.T, w *dt.World) {
		w.Configured = "net_ethereum"

		for body, pointer := range map[string]string{
			`{"internalRpcUrl":"http://127.0.0.1:9999"}`: "/internalRpcUrl",
			`{"chainId":5}`:              "/chainId",
			`{"finality":{"depth":1}}`:   "/finality",
			`{"maxFeePerGasWei":"1000"}`: "/maxFeePerGasWei",
			`{"stuckAfterSeconds":77}`:   "/stuckAfterSeconds",
		} {
			w.Do(dt.Operator, "PATCH", "/networks/net_ethereum", body).Refused(422, fault.NetworkConfigured, pointer)
			w.Do(dt.Operator, "PATCH", "/networks/net_base", body).Status(200)
		}

		w.Do(dt.Operator, "PATCH", "/networks/net_ethereum", `{"minTransactionFee":1}`).Status(200)
	})
}
