//go:build !nosandbox

package app_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"slipway/internal/app/apptest"
	"slipway/internal/rails/bank/banksim"
)

// B-06: the database is restored from a copy that was made before the treasury had sent: the delivery of an on-ramp,
// and the refund of a payment. Their numbers follow from what they are for and not from when they were planned:
// nothing is sent twice, and people are asked.
func TestRestoredBackupSendsNoTokensTwice(t *testing.T) {
	apptest.Each(t, func(t *testing.T, h *apptest.Harness) {
		c := h.Client("Ada")
		c.StaySignedIn()
		fiat := c.FiatAccepted("USDC", c.FiatPayment(c.NewBankAccount("EUR", "002"), "100.00"))
		h.MineUntil("the tokens are here", func() bool { return c.Read(fiat).Settlement == "CONVERTED" })
		onramp, reference := c.OnrampSubmitted("USDC", "EUR", "2500.00")
		h.Deposit(banksim.Deposit{Currency: "EUR", Amount: "2500.00", Reference: reference, Sender: c.Name()})
		h.BankRounds(4) // no job runs beside the bank
		require.NoError(t, h.App.Settlement.Deposits.Match(t.Context()))
		require.Equal(t, "FUNDS_RECEIVED", c.Read(onramp).Settlement)
		require.EqualValues(t, 1, h.Count("SELECT count(*) FROM effects WHERE word <> 'convert' AND state = 'WANTED'"))
		restore := h.Snapshot()
		h.SettleAll()
		require.Equal(t, completed, c.Read(onramp).Status)
		require.Equal(t, failed, c.Read(fiat).Status)
		sent, _ := h.Ground()
		require.Len(t, sent, 3)
		restore()
		h.BankUntil("people are asked", func() bool {
			return c.Read(onramp).Settlement == "UNCERTAIN" && c.Read(fiat).Settlement == "UNCERTAIN"
		})
		require.Contains(t, c.Read(onramp).StatusInfo, "number")

		for range 5 {
			h.DB().Clock().Advance(strandedIn)
			require.NoError(t, h.App.Settlement.Sweep(t.Context()))
			h.BankRound()
			h.World.Chain.Mine(1)
		}

		again, _ := h.Ground()
		require.Equal(t, sent, again)
		require.EqualValues(
			t,
			2,
			h.Count("SELECT count(*) FROM effects WHERE word <> 'convert' AND state = 'DOUBTFUL'"),
		)
		require.EqualValues(
			t,
			1,
			h.Count("SELECT count(*) FROM chain_sends"),
			"the pull alone: nothing is planned that the router would refuse",
		)
	})
}
