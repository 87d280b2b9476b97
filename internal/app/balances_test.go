//go:build !nosandbox

package app_test

import (
	"math/big"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"slipway/internal/app/apptest"
	"slipway/internal/app/world"
	"slipway/internal/platform/db"
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

// allowances is the answer of /wallets/{id}/allowances.
type allowances struct {
	Known bool `json:"known"`
	Asked []struct {
		Address string `json:"address"`
		Kind    string `json:"kind"`
	} `json:"asked"`
	Allowances []struct {
		Token   string `json:"token"`
		Spender string `json:"spender"`
		Kind    string `json:"spenderKind"`
		IsKnown bool   `json:"isSpenderKnown"`
		Amount  string `json:"amount"`
		Revoke  struct {
			To   string `json:"to"`
			Data string `json:"data"`
		} `json:"revoke"`
	} `json:"allowances"`
}

// What a wallet lets contracts take is asked of the chain: the router, one that was the router before, and contracts
// that the caller names. Each comes with the call that takes it back. A chain that is away leaves it unknown.
func TestOpenAllowancesAreThoseOfTheChain(t *testing.T) {
	apptest.EachWith(t, apptest.Config{Proxy: true}, func(t *testing.T, h *apptest.Harness) {
		c := h.Client("Ada")
		usdc := h.World.Tokens[0]
		path := "/wallets/" + payerWallet(c) + "/allowances"

		for _, token := range h.World.Tokens {
			h.Approve(token, c.Payer, new(big.Int))
		}

		h.Approve(usdc, c.Payer, big.NewInt(700_000_000))

		var found allowances

		c.Do("GET", path, nil).OK(200).Into(&found)
		require.True(t, found.Known)
		require.Len(t, found.Asked, 2, "the router and Permit2")
		require.Len(t, found.Allowances, 1)
		require.Equal(t, usdc.Code, found.Allowances[0].Token)
		require.Equal(t, "ROUTER", found.Allowances[0].Kind)
		require.True(t, found.Allowances[0].IsKnown)
		require.Equal(t, int64(700_000_000), units(t, found.Allowances[0].Amount))
		require.Equal(t, usdc.Address.Hex(), found.Allowances[0].Revoke.To)
		require.Regexp(t, "^0x095ea7b3.*0{64}$", found.Allowances[0].Revoke.Data, "it approves nothing")

		router := found.Allowances[0].Spender
		require.NoError(t, h.DB().Write(t.Context(), func(tx *db.Tx) error {
			_, err := tx.Exec("INSERT INTO former_routers (network, address, replaced_at) VALUES (?, ?, 1)",
				world.NetworkID, "0x00000000000000000000000000000000000000aA")
			return err
		}))

		c.Do(
			"GET",
			path+"?spender[]=0x00000000000000000000000000000000000000bb&spender[]="+router,
			nil,
		).OK(
			200,
		).Into(
			&found,
		)

		var kinds []string
		for _, x := range found.Asked {
			kinds = append(kinds, x.Kind)
		}

		require.Equal(t, []string{"ROUTER", "PERMIT2", "FORMER_ROUTER", "OTHER"}, kinds, "each is asked about once")
		require.Len(t, found.Allowances, 1)

		c.Do("GET", path+"?spender[]=mine", nil).Refused(422, "FORMAT_INVALID")

		h.Approve(usdc, c.Payer, new(big.Int))
		c.Do("GET", path, nil).OK(200).Into(&found)
		require.True(t, found.Known)
		require.Empty(t, found.Allowances)

		h.Proxy.Add(faultrpc.Fault{Kind: faultrpc.Down})
		c.Do("GET", path, nil).OK(200).Into(&found)
		require.False(t, found.Known, "unknown is not nothing")
	})
}
