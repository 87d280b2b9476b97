//go:build !nosandbox

package network_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"slipway/internal/core/fault"
	dt "slipway/internal/directory/directorytest"
	"slipway/internal/directory/network"
	"slipway/internal/standards/eip55"
)

// What is known of a chain is whole, and its addresses carry their checksums: native and bridged contracts are apart.
func TestFactsOfEveryKnownChain(t *testing.T) {
	for _, id := range []int64{1, 10, 56, 97, 100, 137, 8453, 10200, 42161, 80002, 84532, 421614, 11155111, 11155420} {
		f, known := network.FactsOf(id)
		require.True(t, known, id)
		require.NotEmpty(t, f.Name)
		require.NotEmpty(t, f.Coin)
		require.NotEmpty(t, f.FinalityReason)
		require.Equal(t, "finalized", f.Finality.Tag)

		if !f.Testnet {
			require.Len(t, f.Feeds, 3, f.Name)
			require.Equal(t, f.Data != network.NoDataFee, f.SequencerFeed != "", f.Name)
		}

		seen := map[string]bool{}

		addresses := append([]network.Token{}, f.Tokens...)
		for _, x := range append(addresses, f.LookAlikes...) {
			a, err := eip55.Parse(x.Address)
			require.NoError(t, err)
			require.Equal(t, a.Hex(), x.Address)
			require.False(t, seen[x.Address], x.Address)
			seen[x.Address] = true

			if id == 56 {
				require.Equal(t, 18, x.Decimals, "E-08: on BNB Smart Chain all have 18")
			}
		}

		for _, feed := range f.Feeds {
			a, err := eip55.Parse(feed)
			require.NoError(t, err)
			require.Equal(t, a.Hex(), feed)
		}
	}

	// PIP-35; on BNB Smart Chain the tip is the whole price; elsewhere nodes take what they suggest.
	for id, wei := range map[int64]int64{137: 25_000_000_000, 80002: 25_000_000_000, 56: 50_000_000, 97: 100_000_000, 1: 0} {
		f, _ := network.FactsOf(id)
		require.Equal(t, wei, f.LeastTipWei, f.Name)
	}

	_, known := network.FactsOf(0)
	require.False(t, known)
}

// A network of a known chain is filled in, and one that contradicts its chain is refused by name. (E-08)
func TestANetworkOfAKnownChainIsFilledIn(t *testing.T) {
	each(t, func(t *testing.T, w *dt.World) {
		post := func(body string) *dt.Answer { return w.Do(dt.Operator, "POST", "/networks", body) }

		a := post(`{"name":"BNB","type":"evm","chainId":56}`).Status(201)
		require.Equal(t, "BNB", a.Get("nativeCurrency.isoCode"))
		require.Equal(t, "https://bscscan.com", a.Get("blockExplorerUrl"))
		require.Equal(t, "bnb", a.Get("multisigChainPrefix"))
		require.Equal(t, "finalized", a.Get("finality.tag"))

		id := a.Text("_id")
		at, err := network.TokenOn(t.Context(), w.DB, id, "USDC")
		require.NoError(t, err)
		require.Equal(t, 18, at.Decimals)

		post(`{"name":"x","type":"evm","chainId":56,"nativeCurrency":"tok_eth"}`).
			Refused(422, fault.NotAllowed, "/nativeCurrency")
		post(`{"name":"x","type":"evm","chainId":11155111,"isTestnet":false}`).
			Refused(422, fault.NotAllowed, "/isTestnet")

		place := func(network, body string) *dt.Answer {
			return w.Do(dt.Operator, "PUT", "/networks/"+network+"/tokens/USDC", body)
		}
		place(id, `{"address":"0x8AC76a51cc950d9822D68b83fE1Ad97B32Cd580d","decimals":6}`).
			Refused(422, fault.NotAllowed, "/decimals")
		place(id, `{"address":"0x55d398326f99059fF775485246999027B3197955","decimals":18}`).
			Refused(422, fault.NotAllowed, "/address")

		polygon := post(`{"name":"P","type":"evm","chainId":137}`).Status(201).Text("_id")
		place(polygon, `{"address":"0x2791Bca1f2de4661ED88A30C99A7a9449Aa84174","decimals":6}`).
			Refused(422, fault.NotAllowed, "/address")
	})
}
