//go:build !nosandbox

package app_test

import (
	"math/big"
	"testing"
	"time"

	"github.com/ethereum/go-ethereum/common"
	"github.com/stretchr/testify/require"

	"slipway/internal/app/apptest"
)

// The wallet signs once, with a headroom; hours later, after a restart and at another rate, the payment goes out. What
// leaves the wallet is the debit to the last unit, and the headroom is still only approved.
func TestWalletSignsOnceAndPaysExactly(t *testing.T) {
	apptest.EachMarket(t, func(t *testing.T, h *apptest.Harness, m *apptest.Market) {
		c := h.Client("Ada")
		usdc := h.World.Tokens[0]
		h.Approve(usdc, c.Payer, new(big.Int))

		account := c.NewBankAccount("EUR", "000")
		id := c.Do("POST", "/transactions", fiatBody(c, c.FiatPayment(account, "900.00"))).OK(201).ID()

		var need allowance
		c.Do("POST", "/transactions/"+id+"/check-allowance", object{"headroomPercent": "5"}).OK(200).Into(&need)
		require.False(t, need.Sufficient)
		require.NotEmpty(t, need.Quote.ID)

		for _, call := range need.ApprovalCalls {
			h.Send(c.Payer, common.HexToAddress(call.To), common.FromHex(call.Data))
		}

		approved := h.Allowance(usdc, c.Payer.Address)
		balance := h.Balance(usdc, c.Payer.Address)

		h.Restart()

		var after allowance
		c.Act(id, "check-allowance").OK(200).Into(&after)
		require.Equal(t, need.Quote.ID, after.Quote.ID, "the quote has outlived the process")

		h.DB().Clock().Advance(3 * time.Hour)
		c.Login()
		m.Fix("EUR", 8_800)
		c.Act(id, "check-allowance").OK(200).Into(&after)
		require.True(t, after.Sufficient, "the headroom covers the rate of today")
		require.NotEqual(t, need.Quote.ID, after.Quote.ID)

		c.Act(id, "submit").OK(200)
		c.Act(id, "accept").OK(200)
		h.SettleAll()

		v := read(c, id)
		require.Equal(t, "COMPLETED", string(v.Status))
		require.Equal(t, after.Quote.ID, v.Quote.ID)

		debit := big.NewInt(units(t, v.Sums.TokenDebit))
		require.Equal(t, after.Required, v.Sums.TokenDebit)
		require.Equal(t, debit, new(big.Int).Sub(balance, h.Balance(usdc, c.Payer.Address)))
		require.Equal(t, debit, new(big.Int).Sub(approved, h.Allowance(usdc, c.Payer.Address)))
		h.Oracle()
	})
}

// allowance is the answer of check-allowance.
type allowance struct {
	Sufficient    bool   `json:"sufficient"`
	Required      string `json:"required"`
	ApprovalCalls []struct {
		To   string `json:"to"`
		Data string `json:"data"`
	} `json:"approvalCalls"`
	Quote struct {
		ID string `json:"_id"`
	} `json:"quote"`
}
