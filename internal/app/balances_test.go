//go:build !nosandbox

package app_test

import (
	"math/big"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"slipway/internal/app/apptest"
	"slipway/internal/rails/chain/faultrpc"
)

// balances is the answer of /wallets/{id}/balances.
type balances struct {
	Known       bool    `json:"known"`
	BlockNumber *int64  `json:"blockNumber"`
	ReadAt      *string `json:"readAt"`
	Tokens      []struct {
		Token     string  `json:"token"`
		Balance   *string `json:"balance"`
		Allowance *string `json:"allowance"`
		Reserved  string  `json:"reserved"`
		Available *string `json:"available"`
	} `json:"tokens"`
}

// payerWallet returns the identifier of the client's paying wallet.
func payerWallet(c *apptest.Client) string {
	var list struct {
		Results []struct {
			ID      string `json:"_id"`
			Address string `json:"address"`
		} `json:"results"`
	}

	c.Do("GET", "/wallets/me", nil).OK(200).Into(&list)

	for _, w := range list.Results {
		if w.Address == c.Payer.Address.Hex() {
			return w.ID
		}
	}

	return ""
}

func TestBalancesAreThoseOfTheChainBesideWhatIsReserved(t *testing.T) {
	apptest.Each(t, func(t *testing.T, h *apptest.Harness) {
		c := h.Client("Ada")
		usdc := h.World.Tokens[0]
		h.Approve(usdc, c.Payer, big.NewInt(700_000_000))
		path := "/wallets/" + payerWallet(c) + "/balances"

		var before balances
		c.Do("GET", path, nil).OK(200).Into(&before)
		require.True(t, before.Known)
		require.NotNil(t, before.BlockNumber)
		require.NotNil(t, before.ReadAt)
		require.Len(t, before.Tokens, len(h.World.Tokens))

		c.Submitted("USDC", "250.50")

		var after balances
		c.Do("GET", path, nil).OK(200).Into(&after)

		for _, b := range after.Tokens {
			if b.Token != usdc.Code {
				require.Zero(t, units(t, b.Reserved), "of %s nothing is reserved", b.Token)
				continue
			}

			held := h.Balance(usdc, c.Payer.Address).Int64()
			reserved := units(t, b.Reserved)

			require.Equal(t, held, units(t, *b.Balance))
			require.Equal(t, int64(700_000_000), units(t, *b.Allowance))
			require.GreaterOrEqual(t, reserved, int64(250_500_000), "a submitted transaction counts at once")
			require.Equal(t, held-reserved, units(t, *b.Available))
		}
	})
}

func TestBalancesOfAChainThatDoesNotAnswerAreUnknownAndNotZero(t *testing.T) {
	apptest.EachWith(t, apptest.Config{Proxy: true}, func(t *testing.T, h *apptest.Harness) {
		c := h.Client("Ada")
		c.Submitted("USDC", "250.50")
		h.Proxy.Add(faultrpc.Fault{Kind: faultrpc.Down})
		h.DB().Clock().Advance(time.Minute) // what was read before is too old
		c.Login()

		var v balances
		c.Do("GET", "/wallets/"+payerWallet(c)+"/balances", nil).OK(200).Into(&v)
		require.False(t, v.Known)
		require.Nil(t, v.BlockNumber)
		require.Nil(t, v.ReadAt)

		for _, b := range v.Tokens {
			require.Nil(t, b.Balance)
			require.Nil(t, b.Allowance)
			require.Nil(t, b.Available)

			if b.Token == "USDC" {
				require.Positive(t, units(t, b.Reserved), "what is reserved is in the books")
			}
		}
	})
}
