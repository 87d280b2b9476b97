//go:build !nosandbox

package app_test

import (
	"testing"

	"github.com/ethereum/go-ethereum/common"
	"github.com/stretchr/testify/require"

	"slipway/internal/app/apptest"
	"slipway/internal/app/world"
)

// an address made to look like a known one is warned of, on the wallet and before a payment is submitted;
// nothing is refused.
func TestAnAddressThatLooksLikeAKnownOneIsWarnedOf(t *testing.T) {
	apptest.Each(t, func(t *testing.T, h *apptest.Harness) {
		c := h.Client("Ada")
		known := common.HexToAddress("0x52908400098527886E0F7030069857D2E4169EE7")
		poison := known
		poison[10] ^= 0xff
		far := known
		far[0] ^= 0xff
		receiver := c.NewReceiver("Payee")
		store := func(a common.Address) (id string, warnings []any) {
			var v struct {
				ID       string `json:"_id"`
				Warnings []any  `json:"warnings"`
			}
			c.Do("POST", "/wallets", object{
				"address":  a.Hex(),
				"network":  world.NetworkID,
				"receiver": receiver,
			}).OK(201).Into(&v)

			return v.ID, v.Warnings
		}
		first, warnings := store(known)
		require.Empty(t, warnings)
		_, warnings = store(far)
		require.Empty(t, warnings)

		draft := c.Do(
			"POST",
			"/transactions",
			c.Body("USDC", c.Payment(poison, "5.00"), c.Payment(known, "6.00")),
		).OK(201).ID()

		var checked struct {
			Valid  bool `json:"valid"`
			Issues []struct {
				Pointer  string `json:"pointer"`
				Code     string `json:"code"`
				Severity string `json:"severity"`
			} `json:"issues"`
		}
		c.Act(draft, "validate").OK(200).Into(&checked)
		require.True(t, checked.Valid)
		require.Len(t, checked.Issues, 3, "each is new, besides")
		require.Equal(t, []string{"/payments/0/walletAddress", "ADDRESS_LOOKS_ALIKE", "WARNING"},
			[]string{checked.Issues[0].Pointer, checked.Issues[0].Code, checked.Issues[0].Severity})
		require.Equal(
			t,
			[]string{"ADDRESS_NEW", "ADDRESS_NEW"},
			[]string{checked.Issues[1].Code, checked.Issues[2].Code},
		)

		_, warnings = store(poison)
		require.Len(t, warnings, 1)
		require.Equal(t, []any{first}, warnings[0].(map[string]any)["wallets"])
	})
}
