//go:build !nosandbox

package app_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"slipway/internal/app/apptest"
	"slipway/internal/payments/transaction"
	"slipway/internal/rails/bank/banksim"
)

// TestARedirectedTreasuryTakesNobodysTokens (Z-09): whatever the network's record says later, a delivery comes from
// the treasury that submit locked, and never out of a client's allowance; what a client pays goes to that treasury.
func TestARedirectedTreasuryTakesNobodysTokens(t *testing.T) {
	apptest.Each(t, func(t *testing.T, h *apptest.Harness) {
		ada := h.Client("Ada")
		victim := h.Client("Bob")
		ada.StaySignedIn()

		usdc := h.World.Token("USDC")
		victims := h.Balance(usdc, victim.Payer.Address)
		allowed := h.Allowance(usdc, victim.Payer.Address)
		require.Positive(t, allowed.Sign(), "there is something to be taken")

		account := ada.NewBankAccount("EUR", "001")
		fiat := ada.FiatSubmitted("USDC", ada.FiatPayment(account, "100.00"))
		onramp, reference := ada.OnrampSubmitted("USDC", "EUR", "2500.00")

		h.Exec("UPDATE networks SET wallet_address = ?, version = version + 1", victim.Payer.Address.Hex())

		ada.Act(fiat, "accept").OK(200)
		h.Deposit(banksim.Deposit{Currency: "EUR", Amount: "2500.00", Reference: reference, Sender: ada.Name()})
		h.BankUntil("both end", func() bool {
			return ada.Read(fiat).Status == transaction.StatusCompleted &&
				ada.Read(onramp).Status == transaction.StatusCompleted
		})

		require.Equal(t, victims, h.Balance(usdc, victim.Payer.Address))
		require.Equal(t, allowed, h.Allowance(usdc, victim.Payer.Address))
	})
}

// TestALockedTreasuryIsPartOfTheContent (I8, Z-09): who changes it in the tables is found out before anything is sent.
func TestALockedTreasuryIsPartOfTheContent(t *testing.T) {
	apptest.Each(t, func(t *testing.T, h *apptest.Harness) {
		ada := h.Client("Ada")
		account := ada.NewBankAccount("EUR", "001")
		early := ada.FiatSubmitted("USDC", ada.FiatPayment(account, "100.00"))
		late := ada.FiatSubmitted("USDC", ada.FiatPayment(account, "101.00"))
		ada.Act(late, "accept").OK(200)

		h.Exec("UPDATE transaction_terms SET treasury = ?", h.Account("thief").Address.Hex())
		ada.Act(early, "accept").Refused(409, "TX_CHANGED")
		h.RunJobs()
		require.Equal(t, transaction.StatusFailed, ada.Read(late).Status)

		moved, _ := h.Ground()
		require.Empty(t, moved)
	})
}
